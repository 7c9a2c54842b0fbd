// The origin behind CloudFront: API Gateway with the template's throttles, functions that answer as the real ones do, and a
// node that may fail.
import { createRandom } from '../../local/chain/random.ts'
import { type Fetch, promisedBy, type TimedRequest } from './cache.ts'
import type { Distribution } from './distribution.ts'
import type { LearnedAnswer, LearnedAnswers } from './learned-answers.ts'
import { tipAt } from './traffic.ts'

export interface Failures {
  /** The share of GETs that fail at random. */
  readonly failing?: number
  /** While it lasts, every GET fails within `latencyMs`: a node that hangs takes the time-out. */
  readonly outage?: { readonly from: number; readonly until: number; readonly latencyMs: number }
}

const usualLatencyMs = 150

/** API Gateway's own answer has no cache-control. */
const refusal: LearnedAnswer = { status: 429, cacheControl: '', bytes: 200, nodeCalls: 0, nodeBlocks: 0 }

export function createOrigin(
  learned: LearnedAnswers,
  throttles: Distribution['throttles'],
  { failing = 0, outage }: Failures,
) {
  const random = createRandom('origin')
  const answers = new Map(learned).set('refusal', refusal)
  /**
   * The calls, those that API Gateway refuses, those to the node, what is sent, and what would be without tags. Of the GETs,
   * those that come again within the time for which the first one's answer may be cached, and within a second, but for
   * refused ones: CloudFront keeps no 429.
   */
  const costs = { calls: 0, refused: 0, nodeCalls: 0, bytes: 0, wholeBytes: 0, againInTime: 0, againInSecond: 0 }
  /** By what was asked: the calls that reach the service, and the blocks that the node lists for each. */
  const work = new Map<string, { calls: number; blocks: number }>()
  const routes = throttles.map(({ route, rate, burst }) => ({
    matcher: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    ...{ rate, burst, tokens: burst, last: 0 },
  }))
  const lastCalls = new Map<string, { cachedUntil: number; reachedAt: number }>()

  const isOut = (at: number): boolean => outage !== undefined && at >= outage.from && at < outage.until

  /** @returns the name of the answer that a request gets */
  function given({ at, method, uri, asks }: TimedRequest): string {
    const route = routes.find(({ matcher }) => matcher.test(`${method} ${uri}`))
    if (route === undefined) throw new Error(`The template has no route for ${method} ${uri}`)
    route.tokens = Math.min(route.burst, route.tokens + ((at - route.last) / 1000) * route.rate)
    route.last = at
    if (route.tokens < 1) return 'refusal'
    route.tokens -= 1
    return method === 'GET' && (isOut(at) || random() < failing) ? 'failure' : asks
  }

  function countRepeat({ at, question }: TimedRequest, answer: ReturnType<Fetch>): void {
    const last = lastCalls.get(question) ?? { cachedUntil: 0, reachedAt: -1000 }
    lastCalls.set(question, last)
    if (at < last.cachedUntil) costs.againInTime += 1
    else last.cachedUntil = at + answer.latencyMs + 1000 * promisedBy(answer).maxAge
    if (answer.status === refusal.status) return
    costs.againInSecond += Number(at < last.reachedAt + 1000)
    last.reachedAt = at
  }

  const origin: Fetch = (request, _policy, tag) => {
    const { at, method, uri, querystring } = request
    const name = given(request)
    const whole = answers.get(name)
    if (whole === undefined) throw new Error(`No answer was learnt for: ${name}`)
    // A block's real tag follows from the block, every other one from the tip.
    const etag = uri.startsWith('/blocks/') ? uri : `${uri} ${JSON.stringify(querystring)} ${tipAt(at)}`
    const { notModified } = whole
    const { status, cacheControl, bytes, nodeCalls, nodeBlocks } = (tag === etag && notModified) || whole
    costs.calls += 1
    costs.refused += Number(name === 'refusal')
    costs.nodeCalls += nodeCalls
    if (name === request.asks) work.set(name, { calls: (work.get(name)?.calls ?? 0) + 1, blocks: nodeBlocks })
    costs.bytes += bytes
    costs.wholeBytes += whole.bytes
    const latencyMs = (name === 'failure' && isOut(at) && outage?.latencyMs) || usualLatencyMs
    const answer = { status, cacheControl, latencyMs, givenFor: request, ...(notModified && { etag }) }
    if (method === 'GET') countRepeat(request, answer)
    return answer
  }
  return { origin, costs, work }
}
