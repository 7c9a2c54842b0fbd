// The cost of answers and their cache times, learnt by requests to a real service over a chain of 290 full blocks and
// its indexer.
import { createChain } from '../../local/chain/chain.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { listen } from '../../local/start/listen.ts'
import { startService } from '../../local/start/service.ts'
import { countedNode } from '../counted-node.ts'
import { commandsPerBlock } from '../load/full-blocks.ts'
import type { Answer } from './cache.ts'
import { targets } from './targets.ts'

/** The blocks of the best chain that a node holds: k on mainnet. */
export const frontierBlocks = 290

/** One answer of the service. */
export interface LearnedAnswer extends Pick<Answer, 'status' | 'cacheControl'> {
  /** Of headers and body. */
  readonly bytes: number
  /** Requests to the node that it took, and the blocks that the node listed for them. */
  readonly nodeCalls: number
  readonly nodeBlocks: number
  /** The answer to the tag of a copy that is still good, for an answer with a tag. */
  readonly notModified?: LearnedAnswer
}

/** By what was asked: `summary`, or `block 12` for one so far below the tip. */
export type LearnedAnswers = ReadonlyMap<string, LearnedAnswer>

/** All where the cache times change, and some of those where they do not. */
const learnedDepths = [...Array(40).keys(), 50, 100, 150, 200, 250, frontierBlocks - 1]

/** The name of the answer for a block so far below the tip. */
export const blockAt = (depth: number): string => `block ${learnedDepths.findLast((learned) => learned <= depth)}`

export async function learnAnswers(): Promise<LearnedAnswers> {
  // The tip is as young as on a living chain: a chain that stands still has shorter cache times.
  const startedAt = Date.now()
  const shape = { now: () => startedAt, blockSeconds: 90, historyBlocks: frontierBlocks + 10, frontierBlocks }
  const chain = createChain({ seed: 'edge', ...shape, signsOwnCommands: false })
  for (const block of chain.bestChain()) {
    const [first] = block.userCommands
    if (first !== undefined) Object.assign(block, { userCommands: Array(commandsPerBlock).fill(first) })
  }
  let [nodeCalls, nodeBlocks] = [0, 0]
  const node = await listen(nodeServer(chain), 0, '127.0.0.1')
  const counting = countedNode(`http://127.0.0.1:${node.port}/graphql`, ({ blocks }) => {
    nodeCalls += 1
    nodeBlocks += blocks
  })
  const upstreams = await Promise.all([counting, indexerServer(chain)].map((one) => listen(one, 0, '127.0.0.1')))
  const [nodeUrl, indexerUrl] = upstreams.map(({ port }) => `http://127.0.0.1:${port}/graphql`)
  const environment = { NODE_GRAPHQL_URL: nodeUrl, INDEXER_GRAPHQL_URL: indexerUrl, INDEXER_TIMEOUT_MS: '20000' }
  const service = await startService({ environment, log: () => undefined })

  const learn = async (path: string, method = 'GET', headers: Record<string, string> = {}): Promise<LearnedAnswer> => {
    const [callsBefore, blocksBefore] = [nodeCalls, nodeBlocks]
    const response = await fetch(`${service.url}${path}`, { method, headers })
    const body = await response.arrayBuffer()
    const sentHeaders = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const answer = {
      status: response.status,
      cacheControl: response.headers.get('cache-control') ?? '',
      bytes: sentHeaders.length + body.byteLength,
      nodeCalls: nodeCalls - callsBefore,
      nodeBlocks: nodeBlocks - blocksBefore,
    }
    const tag = response.headers.get('etag')
    if (tag === null || 'if-none-match' in headers) return answer
    return { ...answer, notModified: await learn(path, method, { 'if-none-match': tag }) }
  }
  // Only the indexer has them.
  const oldBlocks = chain.bestChain().slice(0, -frontierBlocks)
  const [, deep] = oldBlocks
  const newestFirst = chain.frontier().toReversed()
  const [old, recent] = [oldBlocks.at(-1), newestFirst[1]].map((block) => `${block?.height}-${block?.stateHash}`)
  if (old === undefined || recent === undefined) throw new Error('no blocks for the cursors')
  const paths = [
    ['blocks 1', '/blocks'],
    ['blocks 10', '/blocks?limit=10'],
    ['account', `/accounts/${chain.wallets[0]?.publicKey}`],
    ['summary', '/summary'],
    ...learnedDepths.map((depth) => [blockAt(depth), `/blocks/${newestFirst[depth]?.stateHash}`]),
    ['final block', `/blocks/${deep?.stateHash}`],
    ...targets.map(({ asks, target }) => [asks, target(0, { old, recent })]),
  ]
  try {
    const learned = new Map<string, LearnedAnswer>()
    for (const [name = '', path = ''] of paths) learned.set(name, await learn(path))
    learned.set('broadcast', await learn('/broadcast/transaction', 'POST'))
    chain.bootstrapping = true
    return learned.set('failure', await learn('/summary'))
  } finally {
    await Promise.all([service, ...upstreams, node].map((server) => server.close()))
  }
}
