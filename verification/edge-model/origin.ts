// The service behind CloudFront: API Gateway with the template's throttles, functions that answer as the real ones do, and a
// node that may fail. It counts what it costs.
import { createRandom } from '../../local/chain/random.ts'
import type { TimedRequest } from './cache.ts'
import type { Throttle } from './distribution.ts'
import { finalLabel, heightIn, labelOf, unknownLabel, unreachedHeight } from './ids.ts'
import { blockAt, type LearnedAnswer, type LearnedAnswers } from './learned-answers.ts'
import type { Origin } from './model.ts'

const latencyMs = 150

/** While it lasts, every GET fails. */
export interface Outage {
  readonly from: number
  readonly until: number
  /** The time in which a call fails: a node that hangs takes the time-out. */
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
  nodeCalls: number
  /** Sent by the origin. */
  bytes: number
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

/** The name of the learned answer to a request. */
function questionOf({ method, uri, querystring, at }: TimedRequest, tipAt: OriginOptions['tipAt']): string {
  if (method === 'POST') return 'broadcast'
  if (uri === '/blocks') return Number(querystring.limit?.value) >= 10 ? 'blocks 10' : 'blocks 1'
  if (uri === '/summary') return 'summary'
  if (uri.startsWith('/docs/')) return 'unknown file'
  if (uri.startsWith('/transactions/')) return 'unknown transaction'
  const height = heightIn(uri)
  if (height !== undefined) return height < unreachedHeight ? 'final block' : 'unknown height'
  const label = labelOf(uri)
  const kind = uri.startsWith('/accounts/') ? 'account' : 'block'
  if (label.startsWith(unknownLabel)) return `unknown ${kind}`
  if (label.startsWith(finalLabel)) return 'final block'
  return kind === 'account' ? kind : blockAt(tipAt(at) - Number(label))
}

export function createOrigin({ learned, tipAt, throttles, seed, failing = 0, outage }: OriginOptions) {
  const random = createRandom(`${seed} origin`)
  const costs: OriginCosts = { calls: 0, refused: 0, nodeCalls: 0, bytes: 0 }
  const routes = [...throttles].map(([route, throttle]) => ({
    matcher: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    passes: createThrottle(throttle),
  }))
  const known = (name: string): LearnedAnswer => {
    const answer = learned.get(name)
    if (answer === undefined) throw new Error(`No answer was learned for: ${name}`)
    return answer
  }

  /** A block's real tag follows from the block, every other one from the tip. */
  const tagOf = ({ uri, querystring, at }: TimedRequest): string =>
    uri.startsWith('/blocks/') ? uri : `${uri} ${querystring.limit?.value} ${tipAt(at)}`

  function answered({ status, cacheControl, nodeCalls, bytes }: LearnedAnswer) {
    costs.nodeCalls += nodeCalls
    costs.bytes += bytes
    return { status, ...(cacheControl !== undefined && { cacheControl }), latencyMs }
  }

  const origin: Origin = (request, tag) => {
    const { at, method, uri } = request
    costs.calls += 1
    const route = routes.find(({ matcher }) => matcher.test(`${method} ${uri}`))
    if (route === undefined) return answered(gatewayAnswer(404))
    if (!route.passes(at)) {
      costs.refused += 1
      return answered(gatewayAnswer(429))
    }
    if (method === 'GET') {
      if (outage !== undefined && at >= outage.from && at < outage.until) {
        return { ...answered(known('failure')), latencyMs: outage.latencyMs }
      }
      if (random() < failing) return answered(known('failure'))
    }
    const answer = known(questionOf(request, tipAt))
    if (answer.notModified === undefined) return answered(answer)
    const etag = tagOf(request)
    return { ...answered(tag === etag ? answer.notModified : answer), etag }
  }
  return { origin, costs }
}
