// The trials of the model: hours of visitors, a world of edges, outages, and attacks beside visitors; and their limits.
import type { TimedRequest } from './cache.ts'
import type { Distribution, Throttle } from './distribution.ts'
import { createCount } from './figures.ts'
import { createNetwork } from './model.ts'
import { atLeast, atMost, hotRoutes, type Limit, type Outcome, percent, seconds, shareOf } from './report.ts'
import { createOrigin, type LearnedAnswers, type OriginOptions } from './service.ts'
import { attack, createTip, hourMs, merged, visitors } from './traffic.ts'

/** The service under test. */
export interface Service {
  readonly distribution: Distribution
  /** The same behind Origin Shield. */
  readonly shielded: Distribution
  readonly throttles: ReadonlyMap<string, Throttle>
  readonly learned: LearnedAnswers
}

/** The size of the trials. */
export interface Scale {
  readonly seed: string
  /** Requests of visitors an hour. */
  readonly hourly: number
  /** The duration of an hour of visitors, less for a small model. */
  readonly durationMs: number
  /** Requests a second in outages. */
  readonly rate: number
  /** Requests a second of each kind in attacks. */
  readonly attackRate: number
  readonly attackMs: number
}

interface Trial {
  readonly title: string
  run(service: Service, scale: Scale): readonly [outcome: Outcome, limits: readonly Limit[]]
}

interface Run extends Pick<OriginOptions, 'failing' | 'outage'> {
  readonly seed: string
  readonly hourly: number
  readonly durationMs: number
  readonly attack?: Iterable<TimedRequest>
  readonly edges?: number
  /** Figures of visitors are counted from here to the end. */
  readonly countedFromMs?: number
}

function run({ distribution, throttles, learned }: Service, options: Run): Outcome {
  const { seed, hourly, durationMs, edges = 1, countedFromMs = 0, attack: hostile = [], ...ofOrigin } = options
  const tipAt = createTip(seed)
  const { origin, costs } = createOrigin({ learned, throttles, tipAt, seed, ...ofOrigin })
  const count = createCount()
  const serve = createNetwork(distribution, origin, {
    edges,
    onCall: count.addCall,
  })
  let turn = 0
  for (const request of merged(visitors({ seed, hourly, durationMs, tipAt }), hostile)) {
    turn += 1
    const served = serve(request, turn % edges)
    if (request.isHostile !== true && request.at >= countedFromMs) count.add(served)
  }
  return { figures: count.figures(), costs, seconds: durationMs / 1000 }
}

const hotAnswers = ({ figures }: Outcome): Limit =>
  atLeast('/summary and /blocks answered', shareOf(figures, 'answered', hotRoutes), 1)

const summaryAges = ({ figures: { routes } }: Outcome): readonly Limit[] => {
  const { oldestMs = 0, oldestOnErrorMs = 0 } = routes.get('/summary') ?? {}
  return [
    atMost('oldest /summary', oldestMs, 16_000, seconds),
    atMost('oldest /summary in place of an error', oldestOnErrorMs, 66_000, seconds),
  ]
}

/** The limits of every trial. */
const always = ({ figures }: Outcome): readonly Limit[] => [
  atMost('accounts older than 5 s', figures.accountsPastFiveSeconds, 0),
  atMost('errors that a cache kept past 1 s', figures.errorsPastASecond, 0),
  atMost('answers older than they allow', figures.olderThanPromised, 0),
  atMost('answers to another question', figures.mixedUp, 0),
  atMost('broadcasts that did not reach the service', figures.broadcastsNotSent, 0),
  atMost('broadcasts where answers are kept', figures.broadcastsUnderCache, 0),
]

const callsInTime = ({ figures }: Outcome): Limit =>
  atMost('calls for a key within its cache time', figures.maxOriginCalls, 1)

/** The same service whose every answer is whole. */
export const withoutTags = (service: Service): Service => ({
  ...service,
  learned: new Map([...service.learned].map(([name, { notModified: _, ...answer }]) => [name, answer])),
})

/** One call in a hundred fails. */
const hour = (title: string, times: number): Trial => ({
  title,
  run(service, { seed, hourly, durationMs }) {
    const options = { seed, hourly: times * hourly, durationMs, failing: 0.01 }
    const outcome = run(service, options)
    const { figures, costs } = outcome
    const wholeBytes = run(withoutTags(service), options).costs.bytes
    const waiting = shareOf(figures, 'waits', hotRoutes)
    const limits = [
      atLeast('hits on /summary and /blocks', shareOf(figures, 'hits', hotRoutes), 0.99),
      atLeast('hits on all reads', shareOf(figures, 'hits'), 0.85),
      atMost('readers of /summary and /blocks who wait', waiting, 0.001, (share) => percent(share, 3)),
      atMost('origin bytes, as a share of whole answers', costs.bytes / wholeBytes, 0.5, percent),
      callsInTime(outcome),
      ...summaryAges(outcome),
    ]
    return [outcome, [...limits, ...always(outcome)]]
  },
})

const outageMs = 60_000

/** A minute without a node, between two minutes with one. Figures are from its start on. */
const outage = (title: string, latencyMs: number, hotLimits: (outcome: Outcome) => readonly Limit[]): Trial => ({
  title,
  run(service, { seed, rate }) {
    const outcome = run(service, {
      seed,
      hourly: (rate * hourMs) / 1000,
      durationMs: 3 * outageMs,
      outage: { from: outageMs, until: 2 * outageMs, latencyMs },
      countedFromMs: outageMs,
    })
    const calls = atMost('calls for a key and second that reach a function', outcome.figures.maxCallsASecond, 1)
    return [outcome, [calls, ...hotLimits(outcome), ...always(outcome)]]
  },
})

const siege: Trial = {
  title: 'Visitors beside an attacker on every GET, by unknown ids and options in endless values',
  run(service, { seed, hourly, attackRate, attackMs: durationMs }) {
    const options = { seed, hourly, durationMs, attack: attack({ seed, rate: attackRate, durationMs }) }
    const outcome = run(service, options)
    return [outcome, [hotAnswers(outcome), ...always(outcome)]]
  },
}

export const trials = {
  hour: hour('An hour of visitors at one edge; one call in a hundred fails', 1),
  'busy hour': hour('The same with ten times the visitors', 10),
  shield: {
    title: 'Ten edges behind Origin Shield, where ages add up',
    run(service, { seed, hourly, durationMs }) {
      const options = { seed, hourly: 10 * hourly, durationMs, failing: 0.01, edges: 10 }
      const outcome = run({ ...service, distribution: service.shielded }, options)
      return [outcome, [callsInTime(outcome), ...always(outcome)]]
    },
  },
  outage: outage('A minute without the node, and the minute after it', 150, (outcome) => [
    hotAnswers(outcome),
    ...summaryAges(outcome),
  ]),
  'hanging node': outage('The same where each call fails after 8 s', 8000, () => []),
  siege,
} satisfies Record<string, Trial>
