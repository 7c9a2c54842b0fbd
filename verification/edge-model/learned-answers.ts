// The status and cache-control of real answers, learned by requests to a service over a chain of 290 blocks.
import { createChain } from '../../local/chain/chain.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { listen } from '../../local/start/listen.ts'
import { startService } from '../../local/start/service.ts'
import type { OriginAnswer } from './keeping.ts'

/** How many blocks of the best chain a node holds: k on mainnet. */
export const frontierBlocks = 290

/** Answers of the service, by what was asked. */
export interface LearnedAnswers {
  readonly blocks: OriginAnswer
  readonly account: OriginAnswer
  readonly summary: OriginAnswer
  /** By depth below the tip. */
  readonly blockByDepth: readonly OriginAnswer[]
  /** The answer to an invalid broadcast. */
  readonly broadcast: OriginAnswer
  /** The answer while the node bootstraps. */
  readonly failure: OriginAnswer
}

const now = (): number => Date.UTC(2026, 0, 1)

export async function learnAnswers(): Promise<LearnedAnswers> {
  const chain = createChain({ seed: 'edge', now, blockSeconds: 90, historyBlocks: frontierBlocks + 10, frontierBlocks })
  const node = await listen(nodeServer(chain), 0, '127.0.0.1')
  const service = await startService({
    environment: { NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql` },
    log: () => {},
  })
  const ask = async (path: string, method = 'GET'): Promise<OriginAnswer> => {
    const response = await fetch(`${service.url}${path}`, { method })
    await response.arrayBuffer()
    const cacheControl = response.headers.get('cache-control')
    return { status: response.status, ...(cacheControl !== null && { cacheControl }) }
  }
  try {
    const newestFirst = chain.frontier().toReversed()
    const blockByDepth: OriginAnswer[] = []
    for (const { stateHash } of newestFirst) blockByDepth.push(await ask(`/blocks/${stateHash}`))
    const healthy = {
      blocks: await ask('/blocks?limit=10'),
      account: await ask(`/accounts/${chain.wallets[0]?.publicKey}`),
      summary: await ask('/summary'),
      blockByDepth,
      broadcast: await ask('/broadcast/transaction', 'POST'),
    }
    chain.bootstrapping = true
    return { ...healthy, failure: await ask('/summary') }
  } finally {
    await service.close()
    await node.close()
  }
}
