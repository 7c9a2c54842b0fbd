// The limits of each scenario.
import type { Figures, RouteFigures } from './figures.ts'
import type { Outcome } from './scenarios.ts'
import type { Throttle } from './template/distribution.ts'

export interface Limit {
  readonly name: string
  readonly figure: string
  readonly isKept: boolean
}

/** The routes that most visitors read, each of few keys. */
const hotRoutes: readonly string[] = ['/summary', '/blocks']

/** Sums a figure over some routes, by default over all. */
const sumOf = ({ routes }: Figures, of: keyof RouteFigures, only?: readonly string[]): number =>
  [...routes].reduce((sum, [route, figures]) => sum + (only?.includes(route) === false ? 0 : figures[of]), 0)

/** A figure as a share of the requests. */
const shareOf = (figures: Figures, of: keyof RouteFigures, only?: readonly string[]): number =>
  sumOf(figures, of, only) / Math.max(1, sumOf(figures, 'requests', only))

export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

const atMost = (name: string, figure: number, max: number, show: (figure: number) => string = String): Limit => ({
  name: `${name} (at most ${show(max)})`,
  figure: show(figure),
  isKept: figure <= max,
})

const atLeast = (name: string, share: number, min: number): Limit => ({
  name: `${name} (at least ${percent(min)})`,
  figure: percent(share, 2),
  isKept: share >= min,
})

const hotAnswers = ({ figures }: Outcome): Limit =>
  atLeast('/summary and /blocks answered', shareOf(figures, 'answered', hotRoutes), 1)

const summaryAges = ({ figures: { routes } }: Outcome): readonly Limit[] => {
  const { oldestMs = 0, oldestOnErrorMs = 0 } = routes.get('/summary') ?? {}
  return [
    atMost('oldest /summary', oldestMs, 16_000, seconds),
    atMost('oldest /summary in place of an error', oldestOnErrorMs, 66_000, seconds),
  ]
}

/** The limits of every run. */
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

/** @param untagged the same hour where each call brings the whole answer */
export const limitsOfHour = (outcome: Outcome, untagged: Outcome): readonly Limit[] => [
  atLeast('hits on /summary and /blocks', shareOf(outcome.figures, 'hits', hotRoutes), 0.99),
  atLeast('hits on all reads', shareOf(outcome.figures, 'hits'), 0.85),
  atMost('readers of /summary and /blocks who wait', shareOf(outcome.figures, 'waits', hotRoutes), 0.001, (share) =>
    percent(share, 3),
  ),
  atMost('origin bytes, as a share of whole answers', outcome.costs.bytes / untagged.costs.bytes, 0.5, percent),
  callsInTime(outcome),
  ...summaryAges(outcome),
  ...always(outcome),
]

/** Edges behind Origin Shield. The ages of /summary have limits where an edge counts the age of what the shield gives it. */
export const limitsOfShield = (outcome: Outcome, countsAge: boolean): readonly Limit[] => [
  callsInTime(outcome),
  ...(countsAge ? summaryAges(outcome) : []),
  ...always(outcome),
]

/** @param fails whether calls fail at once, rather than after a time-out */
export const limitsOfOutage = (outcome: Outcome, fails: boolean): readonly Limit[] => [
  atMost('calls for a key and second that reach a function', outcome.figures.maxCallsASecond, 1),
  ...(fails ? [hotAnswers(outcome), ...summaryAges(outcome)] : []),
  ...always(outcome),
]

export const limitsOfMalformed = (outcome: Outcome): readonly Limit[] => [
  atMost('origin calls of malformed requests', outcome.hostileCalls, 0),
  callsInTime(outcome),
  hotAnswers(outcome),
  atMost('look-ups answered with 429', sumOf(outcome.figures, 'starved'), 0),
  ...always(outcome),
]

export function limitsOfUnknownIds(outcome: Outcome, throttles: ReadonlyMap<string, Throttle>): readonly Limit[] {
  const passing = ['GET /blocks/{state_hash}', 'GET /accounts/{public_key}', 'GET /docs/{file}'].reduce(
    (sum, route) => {
      const { rate, burst } = throttles.get(route) ?? { rate: 0, burst: 0 }
      return sum + rate * outcome.seconds + burst
    },
    0,
  )
  return [
    atMost('calls that pass the throttle', outcome.costs.lookUps, passing),
    hotAnswers(outcome),
    ...always(outcome),
  ]
}
