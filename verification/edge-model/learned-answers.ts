// The cost of real answers and the time for which they may be kept, learned by requests to a service over a chain of 290 full
// blocks and its indexer.
import { text } from 'node:stream/consumers'
import { type Chain, createChain } from '../../local/chain/chain.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { namedIn } from '../../local/chain/named.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { listen } from '../../local/start/listen.ts'
import { startService } from '../../local/start/service.ts'
import { fillBlocks } from '../load/full-blocks.ts'
import { unreachedHeight } from './ids.ts'

/** The blocks of the best chain that a node holds: k on mainnet. */
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

/** By what was asked: `summary`, or `block 12` for one so far below the tip. */
export type LearnedAnswers = ReadonlyMap<string, LearnedAnswer>

/** All where the cache times change, and some of those where they do not. */
const learnedDepths = [...Array(40).keys(), 50, 100, 150, 200, 250, frontierBlocks - 1]

/** The name of the answer for a block so far below the tip. */
export const blockAt = (depth: number): string =>
  depth >= 0 && depth < frontierBlocks
    ? `block ${learnedDepths.findLast((learned) => learned <= depth)}`
    : 'final block'

type Block = Parameters<typeof fillBlocks>[0][number]
interface Reply {
  readonly data?: { readonly bestChain?: readonly Partial<Block>[]; readonly block?: Partial<Block> } | null
}
const isWhole = (block: Partial<Block> | undefined): block is Block => block?.transactions?.userCommands !== undefined

// The tip is as young as on a living chain: a chain that stands still has shorter cache times.
const startedAt = Date.now()
const now = (): number => startedAt
const chainOf = (seed: string) =>
  createChain({ seed, now, blockSeconds: 90, historyBlocks: frontierBlocks + 10, frontierBlocks })

const bytesOf = (headers: Headers, body: ArrayBuffer): number =>
  [...headers].reduce((bytes, [name, value]) => bytes + name.length + value.length + ': \r\n'.length, body.byteLength)

/** The node of a chain, but with as many commands in each block as on a busy one. It counts the requests. */
async function fullNode(chain: Chain) {
  const node = await listen(nodeServer(chain), 0, '127.0.0.1')
  const counted = { calls: 0 }
  const front = await listen(
    async (request, response) => {
      counted.calls += 1
      const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: await text(request) }
      const reply: Reply = await (await fetch(`http://127.0.0.1:${node.port}/graphql`, asked)).json()
      fillBlocks([...(reply.data?.bestChain ?? []), reply.data?.block].filter(isWhole))
      response.end(JSON.stringify(reply))
    },
    0,
    '127.0.0.1',
  )
  return { port: front.port, counted, close: () => Promise.all([front.close(), node.close()]) }
}

export async function learnAnswers(): Promise<LearnedAnswers> {
  const [chain, other] = [chainOf('edge'), chainOf('another')]
  const otherCommand = namedIn(other).transactionHash
  const node = await fullNode(chain)
  const indexer = await listen(indexerServer(chain), 0, '127.0.0.1')
  const service = await startService({
    environment: {
      NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql`,
      INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexer.port}/graphql`,
      INDEXER_TIMEOUT_MS: '20000',
    },
    log: () => undefined,
  })

  const ask = async (path: string, method: string, headers: Record<string, string> = {}) => {
    const before = node.counted.calls
    const response = await fetch(`${service.url}${path}`, { method, headers })
    const bytes = bytesOf(response.headers, await response.arrayBuffer())
    const cacheControl = response.headers.get('cache-control')
    const answer = {
      status: response.status,
      ...(cacheControl !== null && { cacheControl }),
      bytes,
      nodeCalls: node.counted.calls - before,
    }
    return { answer, tag: response.headers.get('etag') }
  }
  const learn = async (path: string, method = 'GET'): Promise<LearnedAnswer> => {
    const { answer, tag } = await ask(path, method)
    return tag === null
      ? answer
      : { ...answer, notModified: (await ask(path, method, { 'if-none-match': tag })).answer }
  }
  const newestFirst = chain.frontier().toReversed()
  const paths: Readonly<Record<string, string>> = {
    'blocks 1': '/blocks',
    'blocks 10': '/blocks?limit=10',
    account: `/accounts/${chain.wallets[0]?.publicKey}`,
    summary: '/summary',
    ...Object.fromEntries(learnedDepths.map((depth) => [blockAt(depth), `/blocks/${newestFirst[depth]?.stateHash}`])),
    // Only the indexer has it.
    'final block': `/blocks/${chain.bestChain()[1]?.stateHash}`,
    // Of another chain, with right checksums.
    'unknown block': `/blocks/${other.tip().stateHash}`,
    'unknown height': `/blocks/height/${unreachedHeight}`,
    'unknown transaction': `/transactions/${otherCommand}`,
    'unknown account': `/accounts/${other.wallets[0]?.publicKey}`,
    'unknown file': '/docs/unknown.js',
  }
  try {
    const learned = new Map<string, LearnedAnswer>()
    for (const [name, path] of Object.entries(paths)) learned.set(name, await learn(path))
    learned.set('broadcast', await learn('/broadcast/transaction', 'POST'))
    chain.bootstrapping = true
    return learned.set('failure', await learn('/summary'))
  } finally {
    await Promise.all([service.close(), node.close(), indexer.close()])
  }
}
