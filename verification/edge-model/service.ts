// The service behind CloudFront: API Gateway with the template's throttles, functions that answer as the real ones do, and a
// node that may fail. What answers cost and how long they may be kept is learnt by requests to a real service over a chain of
// 290 full blocks and its indexer.
import { text } from 'node:stream/consumers'
import { type Chain, createChain } from '../../local/chain/chain.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { createRandom } from '../../local/chain/random.ts'
import { listen } from '../../local/start/listen.ts'
import { startService } from '../../local/start/service.ts'
import { fillBlocks } from '../load/full-blocks.ts'
import type { Throttle } from './distribution.ts'
import type { Origin } from './model.ts'
import { targets } from './targets.ts'

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
export const blockAt = (depth: number): string => `block ${learnedDepths.findLast((learned) => learned <= depth)}`

type Block = Parameters<typeof fillBlocks>[0][number]
interface Reply {
  readonly data?: { readonly bestChain?: readonly Partial<Block>[]; readonly block?: Partial<Block> } | null
}
const isWhole = (block: Partial<Block> | undefined): block is Block => block?.transactions?.userCommands !== undefined

/** The node of a chain, but with as many commands in each block as on a busy one. It counts the requests. */
async function fullNode(chain: Chain) {
  const node = await listen(nodeServer(chain), 0, '127.0.0.1')
  const counted = { calls: 0 }
  const fill: Parameters<typeof listen>[0] = async (request, response) => {
    counted.calls += 1
    const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: await text(request) }
    const reply: Reply = await (await fetch(`http://127.0.0.1:${node.port}/graphql`, asked)).json()
    fillBlocks([...(reply.data?.bestChain ?? []), reply.data?.block].filter(isWhole))
    response.end(JSON.stringify(reply))
  }
  const front = await listen(fill, 0, '127.0.0.1')
  return { port: front.port, counted, close: () => Promise.all([front.close(), node.close()]) }
}

export async function learnAnswers(): Promise<LearnedAnswers> {
  // The tip is as young as on a living chain: a chain that stands still has shorter cache times.
  const startedAt = Date.now()
  const now = () => startedAt
  const shape = { now, blockSeconds: 90, historyBlocks: frontierBlocks + 10, frontierBlocks }
  const chain = createChain({ seed: 'edge', ...shape })
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

  const learn = async (path: string, method = 'GET', headers: Record<string, string> = {}): Promise<LearnedAnswer> => {
    const before = node.counted.calls
    const response = await fetch(`${service.url}${path}`, { method, headers })
    const body = await response.arrayBuffer()
    const lines = [...response.headers].map(([name, value]) => name.length + value.length + ': \r\n'.length)
    const [cacheControl, tag] = ['cache-control', 'etag'].map((name) => response.headers.get(name) ?? undefined)
    const answer = {
      status: response.status,
      ...(cacheControl !== undefined && { cacheControl }),
      bytes: lines.reduce((sum, bytes) => sum + bytes, body.byteLength),
      nodeCalls: node.counted.calls - before,
    }
    if (tag === undefined || 'if-none-match' in headers) return answer
    return { ...answer, notModified: await learn(path, method, { 'if-none-match': tag }) }
  }
  // Only the indexer has it.
  const [, deep] = chain.bestChain()
  const newestFirst = chain.frontier().toReversed()
  const paths: Readonly<Record<string, string>> = {
    'blocks 1': '/blocks',
    'blocks 10': '/blocks?limit=10',
    account: `/accounts/${chain.wallets[0]?.publicKey}`,
    summary: '/summary',
    ...Object.fromEntries(learnedDepths.map((depth) => [blockAt(depth), `/blocks/${newestFirst[depth]?.stateHash}`])),
    'final block': `/blocks/${deep?.stateHash}`,
    ...Object.fromEntries(targets.map(({ asks, learnt }) => [asks, learnt(`${deep?.height}-${deep?.stateHash}`)])),
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

export interface OriginOptions {
  readonly learned: LearnedAnswers
  /** The height of the tip at a time. */
  readonly tipAt: (at: number) => number
  readonly throttles: ReadonlyMap<string, Throttle>
  readonly seed: string
  /** The share of GETs that fail at random. */
  readonly failing?: number
  /** While it lasts, every GET fails within `latencyMs`: a node that hangs takes the time-out. */
  readonly outage?: { readonly from: number; readonly until: number; readonly latencyMs: number }
}

const noCosts = {
  calls: 0,
  /** Calls that API Gateway answers with 429. */
  refused: 0,
  nodeCalls: 0,
  /** Sent by the origin. */
  bytes: 0,
}

export type OriginCosts = Readonly<typeof noCosts>

const usualLatencyMs = 150

/** @returns whether a request may pass, for requests in the order of their times */
function createThrottle({ rate, burst }: Throttle): (at: number) => boolean {
  let [tokens, last] = [burst, 0]
  return (at) => {
    tokens = Math.min(burst, tokens + ((at - last) / 1000) * rate)
    last = at
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

/** API Gateway's own answers have no cache-control. */
const gatewayAnswer = (status: number): LearnedAnswer => ({ status, bytes: 200, nodeCalls: 0 })

export function createOrigin({ learned, tipAt, throttles, seed, failing = 0, outage }: OriginOptions) {
  const random = createRandom(`${seed} origin`)
  const costs = { ...noCosts }
  const routes = [...throttles].map(([route, throttle]) => ({
    matcher: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    passes: createThrottle(throttle),
  }))
  const known = (name = 'nothing'): LearnedAnswer => {
    const answer = learned.get(name)
    if (answer === undefined) throw new Error(`No answer was learnt for: ${name}`)
    return answer
  }
  const answered = ({ status, cacheControl, nodeCalls, bytes }: LearnedAnswer, latencyMs = usualLatencyMs) => {
    costs.nodeCalls += nodeCalls
    costs.bytes += bytes
    return { status, ...(cacheControl !== undefined && { cacheControl }), latencyMs }
  }
  const origin: Origin = (request, tag) => {
    const { at, method, uri, querystring } = request
    costs.calls += 1
    const route = routes.find(({ matcher }) => matcher.test(`${method} ${uri}`))
    if (route === undefined) return answered(gatewayAnswer(404))
    if (!route.passes(at)) {
      costs.refused += 1
      return answered(gatewayAnswer(429))
    }
    if (method === 'GET') {
      const isOut = outage !== undefined && at >= outage.from && at < outage.until
      if (isOut) return answered(known('failure'), outage.latencyMs)
      if (random() < failing) return answered(known('failure'))
    }
    const answer = known(request.asks)
    if (answer.notModified === undefined) return answered(answer)
    // A block's real tag follows from the block, every other one from the tip.
    const etag = uri.startsWith('/blocks/') ? uri : `${uri} ${querystring.limit?.value} ${tipAt(at)}`
    return { ...answered(tag === etag ? answer.notModified : answer), etag }
  }
  return { origin, costs }
}
