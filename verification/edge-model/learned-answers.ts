// What real answers cost and how long they may be kept, learned by requests to a service over a chain of 290 full blocks and
// its indexer.
import { createChain } from '../../local/chain/chain.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { listen } from '../../local/start/listen.ts'
import { startService } from '../../local/start/service.ts'
import { fullNode } from './full-node.ts'
import type { OriginAnswer } from './keeping.ts'

/** How many blocks of the best chain a node holds: k on mainnet. */
export const frontierBlocks = 290

/** One answer of the service. */
export interface LearnedAnswer {
  readonly status: number
  readonly cacheControl?: string
  /** Of headers and body. */
  readonly bytes: number
  /** Requests to the node that it took. */
  readonly nodeCalls: number
  /** The answer to the tag of a copy that is still good, for an answer with a tag. */
  readonly notModified?: LearnedAnswer
}

/** Answers of the service, by what was asked. */
export interface LearnedAnswers {
  readonly oneBlock: LearnedAnswer
  readonly tenBlocks: LearnedAnswer
  readonly account: LearnedAnswer
  readonly summary: LearnedAnswer
  /** Blocks of the frontier by their depth below the tip, at some depths. */
  readonly blockByDepth: ReadonlyMap<number, LearnedAnswer>
  /** A block that only the indexer has. */
  readonly finalBlock: LearnedAnswer
  /** Ids of another chain, with right checksums. */
  readonly unknownBlock: LearnedAnswer
  readonly unknownAccount: LearnedAnswer
  /** A file of the docs page that there is not. */
  readonly unknownFile: LearnedAnswer
  /** A text that can be no id. */
  readonly malformed: LearnedAnswer
  /** The answer to an invalid broadcast. */
  readonly broadcast: LearnedAnswer
  /** The answer while the node bootstraps. */
  readonly failure: LearnedAnswer
}

/** All where the cache times change, and some of those where they do not. */
const learnedDepths = [...Array(40).keys(), 50, 100, 150, 200, 250, frontierBlocks - 1]

/** The answer for a block so far below the tip. */
export function blockAt({ blockByDepth, finalBlock }: LearnedAnswers, depth: number): LearnedAnswer {
  const nearest = learnedDepths.findLast((learned) => learned <= depth)
  return (depth < frontierBlocks && nearest !== undefined && blockByDepth.get(nearest)) || finalBlock
}

/** What a cache reads from an answer. */
export const originAnswer = ({ status, cacheControl }: LearnedAnswer): OriginAnswer => ({
  status,
  ...(cacheControl !== undefined && { cacheControl }),
})

const now = (): number => Date.UTC(2026, 0, 1)

const chainOf = (seed: string) =>
  createChain({ seed, now, blockSeconds: 90, historyBlocks: frontierBlocks + 10, frontierBlocks })

const bytesOf = (headers: Headers, body: ArrayBuffer): number =>
  [...headers].reduce((bytes, [name, value]) => bytes + name.length + value.length + ': \r\n'.length, body.byteLength)

export async function learnAnswers(): Promise<LearnedAnswers> {
  const [chain, other] = [chainOf('edge'), chainOf('another')]
  const node = await fullNode(chain)
  const indexer = await listen(indexerServer(chain), 0, '127.0.0.1')
  const service = await startService({
    environment: {
      NODE_GRAPHQL_URL: node.url,
      INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexer.port}/graphql`,
      INDEXER_TIMEOUT_MS: '20000',
    },
    log: () => {},
  })

  const ask = async (path: string, method = 'GET', tag?: string) => {
    const before = node.calls()
    const headers = tag === undefined ? {} : { 'if-none-match': tag }
    const response = await fetch(`${service.url}${path}`, { method, headers })
    const bytes = bytesOf(response.headers, await response.arrayBuffer())
    const cacheControl = response.headers.get('cache-control')
    const answer: LearnedAnswer = {
      status: response.status,
      ...(cacheControl !== null && { cacheControl }),
      bytes,
      nodeCalls: node.calls() - before,
    }
    return { answer, tag: response.headers.get('etag') }
  }
  const learn = async (path: string): Promise<LearnedAnswer> => {
    const { answer, tag } = await ask(path)
    return tag === null ? answer : { ...answer, notModified: (await ask(path, 'GET', tag)).answer }
  }
  try {
    const newestFirst = chain.frontier().toReversed()
    const blockByDepth = new Map<number, LearnedAnswer>()
    for (const depth of learnedDepths) blockByDepth.set(depth, await learn(`/blocks/${newestFirst[depth]?.stateHash}`))
    const healthy = {
      oneBlock: await learn('/blocks'),
      tenBlocks: await learn('/blocks?limit=10'),
      account: await learn(`/accounts/${chain.wallets[0]?.publicKey}`),
      summary: await learn('/summary'),
      blockByDepth,
      finalBlock: await learn(`/blocks/${chain.bestChain()[1]?.stateHash}`),
      unknownBlock: await learn(`/blocks/${other.tip().stateHash}`),
      unknownAccount: await learn(`/accounts/${other.wallets[0]?.publicKey}`),
      unknownFile: await learn('/docs/unknown.js'),
      malformed: await learn('/blocks/unknown'),
      broadcast: (await ask('/broadcast/transaction', 'POST')).answer,
    }
    chain.bootstrapping = true
    return { ...healthy, failure: await learn('/summary') }
  } finally {
    await service.close()
    await node.close()
    await indexer.close()
  }
}
