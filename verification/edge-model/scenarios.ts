// The trials of the model: an hour of visitors, a world of edges, an outage, and attacks beside visitors.
import type { TimedRequest } from './cache.ts'
import { createCount, type Figures } from './figures.ts'
import type { LearnedAnswers } from './learned-answers.ts'
import { createNetwork } from './model.ts'
import { createOrigin, type OriginCosts, type OriginOptions } from './origin.ts'
import type { Distribution, Throttle } from './template/distribution.ts'
import { attack, malformed, merged, unknownIds } from './traffic/attack.ts'
import { createTip, hourMs, visitors } from './traffic/visitors.ts'

/** The service under test. */
export interface Service {
  readonly distribution: Distribution
  readonly throttles: ReadonlyMap<string, Throttle>
  readonly learned: LearnedAnswers
}

export interface Outcome {
  readonly figures: Figures
  readonly costs: Readonly<OriginCosts>
  /** Calls of hostile requests for what no visitor asks for. */
  readonly hostileCalls: number
  readonly seconds: number
}

interface Run extends Pick<OriginOptions, 'failing' | 'outage'> {
  readonly seed: string
  readonly requests: Iterable<TimedRequest>
  readonly durationMs: number
  readonly edges?: number
  readonly countsAge?: boolean
  /** Figures of visitors are counted from here to the end. */
  readonly countedFromMs?: number
}

const isVisited = ({ uri, querystring }: TimedRequest): boolean =>
  uri === '/summary' || (uri === '/blocks' && ['1', '10'].includes(querystring.limit?.value ?? '1'))

function run({ distribution, throttles, learned }: Service, options: Run): Outcome {
  const { requests, durationMs, edges = 1, countsAge = false, countedFromMs = 0, ...ofOrigin } = options
  const { origin, costs } = createOrigin({ learned, throttles, tipAt: createTip(options.seed), ...ofOrigin })
  let hostileCalls = 0
  const count = createCount()
  const serve = createNetwork(distribution, origin, {
    edges,
    countsAge,
    onCall(call) {
      count.addCall(call)
      if (call.request.isHostile === true && !isVisited(call.request)) hostileCalls += 1
    },
  })
  let turn = 0
  for (const request of requests) {
    turn += 1
    const served = serve(request, turn % edges)
    if (request.isHostile !== true && request.at >= countedFromMs) count.add(served)
  }
  return { figures: count.figures(), costs, hostileCalls, seconds: durationMs / 1000 }
}

interface Hour {
  readonly seed: string
  /** Requests an hour. */
  readonly hourly: number
  readonly edges?: number
  readonly countsAge?: boolean
  /** Less than an hour for a small model. */
  readonly durationMs?: number
}

/** An hour of visitors, in which one call in a hundred fails. */
export function hour(service: Service, { seed, hourly, durationMs = hourMs, ...options }: Hour): Outcome {
  const requests = visitors({ seed, hourly, durationMs, tipAt: createTip(seed) })
  return run(service, { seed, requests, durationMs, failing: 0.01, ...options })
}

const outageMs = 60_000

/**
 * A minute without a node, between two minutes with one, at a thousand requests a second. Figures are from its start on.
 *
 * @param latencyMs the time in which a call fails
 */
export function outage(service: Service, seed: string, latencyMs: number, rate = 1000): Outcome {
  const durationMs = 3 * outageMs
  return run(service, {
    seed,
    requests: visitors({ seed, hourly: (rate * hourMs) / 1000, durationMs, tipAt: createTip(seed) }),
    durationMs,
    outage: { from: outageMs, until: 2 * outageMs, latencyMs },
    countedFromMs: outageMs,
  })
}

interface Siege {
  readonly seed: string
  readonly by: 'malformed' | 'unknownIds'
  /** Hostile requests a second. */
  readonly rate: number
  readonly durationMs: number
  readonly hourly: number
}

/** Visitors beside an attacker. */
export function siege(service: Service, { seed, by, rate, durationMs, hourly }: Siege): Outcome {
  const requests = merged(
    visitors({ seed, hourly, durationMs, tipAt: createTip(seed) }),
    attack({ seed, variants: { malformed, unknownIds }[by], rate, durationMs }),
  )
  return run(service, { seed, requests, durationMs })
}
