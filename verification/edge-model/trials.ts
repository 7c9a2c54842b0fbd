// The trials of the model: hours of visitors, a world of edges, outages, and attacks beside visitors; and their limits.
import type { Distribution, Throttle } from './distribution.ts'
import { createCount } from './figures.ts'
import { createNetwork } from './model.ts'
import { atLeast, atMost, hotRoutes, type Limit, type Outcome, percent, seconds, shareOf } from './report.ts'
import { createOrigin, type LearnedAnswers, type OriginOptions } from './service.ts'
import { attack, createTip, hourMs, visitors } from './traffic.ts'

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

interface Run extends Pick<OriginOptions, 'failing' | 'outage'> {
  readonly hourly: number
  readonly durationMs: number
  readonly attackRate?: number
  readonly edges?: number
  readonly isShielded?: boolean
  /** Figures of visitors are counted from here to the end. */
  readonly countedFromMs?: number
}

interface Trial {
  readonly title: string
  readonly run: (scale: Scale) => Run
  /** Beside those of every trial. `wholeBytes` is what the origin would send without tags. */
  readonly limits: (outcome: Outcome, wholeBytes: () => number) => readonly Limit[]
}

function outcomeOf(service: Service, seed: string, run: Run): Outcome {
  const { hourly, durationMs, attackRate, edges = 1, isShielded = false, countedFromMs = 0, ...ofOrigin } = run
  const { throttles, learned } = service
  const tipAt = createTip(seed)
  const { origin, costs } = createOrigin({ learned, throttles, tipAt, seed, ...ofOrigin })
  const count = createCount()
  const distribution = isShielded ? service.shielded : service.distribution
  const serve = createNetwork(distribution, origin, { edges, onCall: count.addCall })
  const visits = visitors(seed, hourly, durationMs, tipAt)
  const requests = attackRate ? [...visits, ...attack(seed, attackRate, durationMs)] : visits
  let turn = 0
  for (const request of Array.isArray(requests) ? requests.sort((one, other) => one.at - other.at) : requests) {
    turn += 1
    const served = serve(request, turn % edges)
    if (request.isHostile !== true && request.at >= countedFromMs) count.add(served)
  }
  return { figures: count.figures(), costs, seconds: durationMs / 1000 }
}

/** The same service whose every answer is whole. */
export const withoutTags = (service: Service): Service => ({
  ...service,
  learned: new Map([...service.learned].map(([name, { notModified: _, ...answer }]) => [name, answer])),
})

/** @returns what came of a trial, and its limits */
export function tried(trial: Trial, service: Service, scale: Scale): readonly [Outcome, readonly Limit[]] {
  const run = trial.run(scale)
  const outcome = outcomeOf(service, scale.seed, run)
  const limits = [
    ...trial.limits(outcome, () => outcomeOf(withoutTags(service), scale.seed, run).costs.bytes),
    ...Object.entries(outcome.figures.never).map(([name, count]) => atMost(name, count, 0)),
  ]
  return [outcome, limits]
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

const callsInTime = ({ figures }: Outcome): Limit =>
  atMost('calls for a key within its cache time', figures.maxOriginCalls, 1)

const callsASecond = ({ figures }: Outcome): Limit =>
  atMost('calls for a key and second that reach a function', figures.maxCallsASecond, 1)

/** One call in a hundred fails. */
const hour = (title: string, times: number): Trial => ({
  title,
  run: ({ hourly, durationMs }) => ({ hourly: times * hourly, durationMs, failing: 0.01 }),
  limits(outcome, wholeBytes) {
    const { figures, costs } = outcome
    const waiting = shareOf(figures, 'waits', hotRoutes)
    return [
      atLeast('hits on /summary and /blocks', shareOf(figures, 'hits', hotRoutes), 0.99),
      atLeast('hits on all reads', shareOf(figures, 'hits'), 0.85),
      atMost('readers of /summary and /blocks who wait', waiting, 0.001, (share) => percent(share, 3)),
      atMost('origin bytes, as a share of whole answers', costs.bytes / wholeBytes(), 0.5, percent),
      callsInTime(outcome),
      ...summaryAges(outcome),
    ]
  },
})

const minuteMs = 60_000

/** A minute without a node, between two minutes with one. Figures are from its start on. */
const outage = (title: string, latencyMs: number, limits: Trial['limits']): Trial => ({
  title,
  run: ({ rate }) => ({
    ...{ hourly: (rate * hourMs) / 1000, durationMs: 3 * minuteMs, countedFromMs: minuteMs },
    outage: { from: minuteMs, until: 2 * minuteMs, latencyMs },
  }),
  limits,
})

export const trials = {
  hour: hour('An hour of visitors at one edge; one call in a hundred fails', 1),
  'busy hour': hour('The same with ten times the visitors', 10),
  shield: {
    title: 'Ten edges behind Origin Shield, where ages add up',
    run: ({ hourly, durationMs }) => ({ hourly: 10 * hourly, durationMs, failing: 0.01, edges: 10, isShielded: true }),
    limits: (outcome) => [callsInTime(outcome)],
  },
  outage: outage('A minute without the node, and the minute after it', 150, (outcome) => [
    ...[callsASecond(outcome), hotAnswers(outcome)],
    ...summaryAges(outcome),
  ]),
  'hanging node': outage('The same where each call fails after 8 s', 8000, (outcome) => [callsASecond(outcome)]),
  siege: {
    title: 'Visitors beside an attacker on every GET, by unknown ids and options in endless values',
    run: ({ hourly, attackRate, attackMs }) => ({ hourly, attackRate, durationMs: attackMs }),
    limits: (outcome) => [hotAnswers(outcome)],
  },
} satisfies Record<string, Trial>
