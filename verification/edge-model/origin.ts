// The origin behind CloudFront: API Gateway with the template's throttles, functions that answer as the real ones do, and a
// node that may fail.
import { createRandom } from '../../local/chain/random.ts'
import type { Distribution } from './distribution.ts'
import type { LearnedAnswer, LearnedAnswers } from './learned-answers.ts'
import type { Origin } from './network.ts'
import { tipAt } from './traffic.ts'

export interface Failures {
  /** The share of GETs that fail at random. */
  readonly failing?: number
  /** While it lasts, every GET fails within `latencyMs`: a node that hangs takes the time-out. */
  readonly outage?: { readonly from: number; readonly until: number; readonly latencyMs: number }
}

const usualLatencyMs = 150

/** API Gateway's own answers have no cache-control. */
const gatewayAnswer = (status: number): LearnedAnswer => ({ status, cacheControl: '', bytes: 200, nodeCalls: 0 })

export function createOrigin(
  learned: LearnedAnswers,
  throttles: Distribution['throttles'],
  { failing = 0, outage }: Failures,
) {
  const random = createRandom('origin')
  /** The calls, those that API Gateway answers with 429, those to the node, what is sent, and what would be without tags. */
  const costs = { calls: 0, refused: 0, nodeCalls: 0, bytes: 0, wholeBytes: 0 }
  const routes = [...throttles].map(([route, limits]) => ({
    matcher: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    ...limits,
    tokens: limits.burst,
    last: 0,
  }))
  const known = (name: string): LearnedAnswer => {
    const answer = learned.get(name)
    if (answer === undefined) throw new Error(`No answer was learnt for: ${name}`)
    return answer
  }
  const answered = (whole: LearnedAnswer, latencyMs = usualLatencyMs, sent = whole) => {
    costs.nodeCalls += sent.nodeCalls
    costs.bytes += sent.bytes
    costs.wholeBytes += whole.bytes
    return { status: sent.status, cacheControl: sent.cacheControl, latencyMs }
  }
  const origin: Origin = ({ at, method, uri, querystring, asks }, tag) => {
    costs.calls += 1
    const route = routes.find(({ matcher }) => matcher.test(`${method} ${uri}`))
    if (route === undefined) return answered(gatewayAnswer(404))
    route.tokens = Math.min(route.burst, route.tokens + ((at - route.last) / 1000) * route.rate)
    route.last = at
    if (route.tokens < 1) {
      costs.refused += 1
      return answered(gatewayAnswer(429))
    }
    route.tokens -= 1
    if (method === 'GET') {
      if (outage && at >= outage.from && at < outage.until) return answered(known('failure'), outage.latencyMs)
      if (random() < failing) return answered(known('failure'))
    }
    const whole = known(asks)
    if (whole.notModified === undefined) return answered(whole)
    // A block's real tag follows from the block, every other one from the tip.
    const etag = uri.startsWith('/blocks/') ? uri : `${uri} ${querystring.limit?.value} ${tipAt(at)}`
    return { ...answered(whole, usualLatencyMs, tag === etag ? whole.notModified : whole), etag }
  }
  return { origin, costs }
}
