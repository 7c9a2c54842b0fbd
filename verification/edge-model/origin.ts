// The service behind CloudFront: API Gateway with the template's throttles, functions that answer as the real ones do, and a
// node that may fail. It counts what it costs.
import { createRandom } from '../../local/chain/random.ts'
import { docsRoutes } from '../../shared/agreements/docs-page.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import type { TimedRequest } from './cache.ts'
import { blockAt, type LearnedAnswer, type LearnedAnswers, originAnswer } from './learned-answers.ts'
import type { Origin } from './model.ts'
import type { Throttle } from './template/distribution.ts'
import { finalLabel, labelOf, unknownLabel } from './traffic/ids.ts'

const latencyMs = 150

/** While it lasts, every GET fails. */
export interface Outage {
  readonly from: number
  readonly until: number
  /** How long a call takes to fail: a node that hangs takes the time-out. */
  readonly latencyMs: number
}

export interface OriginOptions {
  readonly learned: LearnedAnswers
  /** The height of the tip at a time. */
  readonly tipAt: (at: number) => number
  readonly throttles: ReadonlyMap<string, Throttle>
  readonly seed: string
  /** The share of GETs that fail at random. */
  readonly failing?: number
  readonly outage?: Outage
}

export interface OriginCosts {
  calls: number
  /** Calls that API Gateway answers with 429. */
  refused: number
  /** Calls that reach a function, and those of them whose path names a thing: a block, an account, a file. */
  functionCalls: number
  lookUps: number
  nodeCalls: number
  /** That the origin sends. */
  bytes: number
}

const routes = [...endpoints.map(({ path }) => path), ...Object.values(docsRoutes)].map((path) => ({
  path,
  segments: path.split('/'),
}))

/** The route that API Gateway selects; undefined where there is none. */
function routeOf({ method, uri }: TimedRequest): string | undefined {
  const segments = uri.split('/')
  const route = routes.find(
    (candidate) =>
      candidate.segments.length === segments.length &&
      candidate.segments.every((segment, index) => segment.startsWith('{') || segment === segments[index]),
  )
  return route && `${method} ${route.path}`
}

/** @returns whether a request may pass, for requests in the order of their times */
function createThrottle({ rate, burst }: Throttle): (at: number) => boolean {
  let tokens = burst
  let last = 0
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

export function createOrigin({ learned, tipAt, throttles, seed, failing = 0, outage }: OriginOptions): {
  readonly origin: Origin
  readonly costs: Readonly<OriginCosts>
} {
  const random = createRandom(`${seed} origin`)
  const costs: OriginCosts = { calls: 0, refused: 0, functionCalls: 0, lookUps: 0, nodeCalls: 0, bytes: 0 }
  const throttleOf = new Map([...throttles].map(([route, throttle]) => [route, createThrottle(throttle)]))

  function answerTo({ method, uri, querystring, at }: TimedRequest): LearnedAnswer {
    if (method === 'POST') return learned.broadcast
    if (uri === '/blocks') return Number(querystring.limit?.value) >= 10 ? learned.tenBlocks : learned.oneBlock
    if (uri === '/summary') return learned.summary
    if (uri.startsWith('/docs/')) return learned.unknownFile
    const label = labelOf(uri)
    const isAccount = uri.startsWith('/accounts/')
    if (label.startsWith(unknownLabel)) return isAccount ? learned.unknownAccount : learned.unknownBlock
    if (label.startsWith(finalLabel)) return learned.finalBlock
    if (Number.isNaN(Number(label))) return learned.malformed
    return isAccount ? learned.account : blockAt(learned, tipAt(at) - Number(label))
  }

  /** What the real tag follows from: a block's from itself, every other one from the tip. */
  const tagOf = ({ uri, querystring, at }: TimedRequest): string =>
    uri.startsWith('/blocks/') ? uri : `${uri} ${querystring.limit?.value} ${tipAt(at)}`

  function answered(answer: LearnedAnswer) {
    costs.nodeCalls += answer.nodeCalls
    costs.bytes += answer.bytes
    return { ...originAnswer(answer), latencyMs }
  }

  const origin: Origin = (request, tag) => {
    costs.calls += 1
    const route = routeOf(request)
    if (route === undefined) return answered(gatewayAnswer(404))
    if (throttleOf.get(route)?.(request.at) === false) {
      costs.refused += 1
      return answered(gatewayAnswer(429))
    }
    costs.functionCalls += 1
    if (route.includes('{')) costs.lookUps += 1
    const { at, method } = request
    if (method === 'GET') {
      if (outage !== undefined && at >= outage.from && at < outage.until) {
        return { ...answered(learned.failure), latencyMs: outage.latencyMs }
      }
      if (random() < failing) return answered(learned.failure)
    }
    const answer = answerTo(request)
    if (answer.notModified === undefined) return answered(answer)
    const etag = tagOf(request)
    return { ...answered(tag === etag ? answer.notModified : answer), etag }
  }
  return { origin, costs }
}
