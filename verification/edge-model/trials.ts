// The trials of the model: hours of visitors, a world of edges, outages, and attacks beside visitors; and their limits.
import type { EndpointName } from '../../shared/endpoints/all.ts'
import type { Distribution } from './distribution.ts'
import { createFigures } from './figures.ts'
import type { LearnedAnswers } from './learned-answers.ts'
import { createNetwork } from './network.ts'
import { createOrigin, type Failures } from './origin.ts'
import { targets } from './targets.ts'
import { hourMs, type Load, traffic } from './traffic.ts'

/** The service under test. */
export interface Service {
  readonly distribution: Distribution
  readonly learned: LearnedAnswers
}

interface Trial extends Load, Failures {
  readonly title: string
  readonly edges?: number
  readonly hasOriginShield?: boolean
  /** Beside those of every trial. */
  readonly limits: readonly Limit[]
}

type Outcome = Pick<ReturnType<typeof createFigures>, 'never' | 'routes'> &
  Pick<ReturnType<typeof createOrigin>, 'costs' | 'work'>

/** A figure, and the least or the most that it may be. */
interface Limit {
  readonly name: string
  readonly figure: (outcome: Outcome) => number
  readonly least?: number
  readonly most?: number
  readonly show?: (figure: number) => string
}

const percent = (share: number, digits = 3): string => `${(100 * share).toFixed(digits)} %`
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

/** Of the requests to all routes, or to those that most visitors read, each of few keys. */
const shareOf =
  (of: 'hits' | 'answered' | 'waits', only = /./): Limit['figure'] =>
  ({ routes }) => {
    const wanted = [...routes].filter(([route]) => only.test(route)).map(([, figures]) => figures)
    const sum = (key: typeof of | 'requests') => wanted.reduce((total, figures) => total + figures[key], 0)
    return sum(of) / Math.max(1, sum('requests'))
  }
const hot = /^\/(summary|blocks)$/

const oldestSummary =
  (of: 'oldestMs' | 'oldestOnErrorMs'): Limit['figure'] =>
  ({ routes }) =>
    routes.get('/summary')?.[of] ?? 0

const bytesSent: Limit['figure'] = ({ costs }) => costs.bytes / Math.max(1, costs.wholeBytes)
const againInTime: Limit['figure'] = ({ costs }) => costs.againInTime
const againInSecond: Limit['figure'] = ({ costs }) => costs.againInSecond

/** Blocks that a node lists for an attacker who asks an endpoint only what costs most. */
function mostListed(endpoint: EndpointName, { work }: Outcome): number {
  const done = targets.flatMap(({ asks, of }) => (of === endpoint ? (work.get(asks) ?? []) : []))
  const calls = done.reduce((sum, each) => sum + each.calls, 0)
  return calls * Math.max(...done.map(({ blocks }) => blocks))
}

const pagesOfBlocks: Limit['figure'] = (outcome) =>
  mostListed('getBlocksBefore', outcome) / mostListed('getAccountTransactions', outcome)

const limits = {
  hotHits: { name: 'hits on /summary and /blocks', figure: shareOf('hits', hot), least: 0.99, show: percent },
  hits: { name: 'hits on all reads', figure: shareOf('hits'), least: 0.85, show: percent },
  waits: {
    name: 'readers of /summary and /blocks who wait',
    figure: shareOf('waits', hot),
    most: 0.001,
    show: percent,
  },
  answered: { name: '/summary and /blocks answered', figure: shareOf('answered', hot), least: 1, show: percent },
  bytes: { name: 'origin bytes, as a share of whole answers', figure: bytesSent, most: 0.5, show: percent },
  onceInTime: { name: 'calls again for a key within its cache time', figure: againInTime, most: 0 },
  onceASecond: { name: 'calls again for a key within a second', figure: againInSecond, most: 0 },
  oldest: { name: 'oldest /summary', figure: oldestSummary('oldestMs'), most: 16_000, show: seconds },
  pagesOfBlocks: {
    name: "blocks that the node lists for an attacker's pages of blocks, as a share of those for pages of histories",
    figure: pagesOfBlocks,
    most: 1,
    show: percent,
  },
  oldestOnError: {
    ...{ name: 'oldest /summary in place of an error', figure: oldestSummary('oldestOnErrorMs') },
    ...{ most: 66_000, show: seconds },
  },
} satisfies Readonly<Record<string, Limit>>

/** One call in a hundred fails. */
const hour = {
  ...{ title: 'An hour of visitors at one edge; one call in a hundred fails', failing: 0.01 },
  // The share of hits depends on the number of requests: with fewer of them, more are the first for their answer.
  ...{ hourly: 100_000, durationMs: hourMs },
  limits: [
    ...[limits.hotHits, limits.hits, limits.waits, limits.bytes],
    ...[limits.onceInTime, limits.oldest, limits.oldestOnError],
  ],
}

/** A minute without a node, between two minutes with one. */
const outage = {
  title: 'A minute without the node, and the minute after it',
  ...{ hourly: 3_600_000, durationMs: 180_000 },
  outage: { from: 60_000, until: 120_000, latencyMs: 150 },
  limits: [limits.onceASecond, limits.answered, limits.oldest, limits.oldestOnError],
}

export const trials = {
  hour,
  'busy hour': { ...hour, title: 'The same with ten times the visitors', hourly: 1_000_000 },
  shield: {
    ...{ title: 'Ten edges behind Origin Shield, where ages add up', edges: 10, hasOriginShield: true },
    ...{ hourly: 1_000_000, durationMs: hourMs, failing: 0.01, limits: [limits.onceInTime] },
  },
  outage,
  'hanging node': {
    ...{ ...outage, title: 'The same where each call fails after 8 s', limits: [limits.onceASecond] },
    outage: { ...outage.outage, latencyMs: 8000 },
  },
  siege: {
    title: 'Visitors beside an attacker on every GET, by unknown ids and options in endless values',
    ...{ hourly: 100_000, attackRate: 150, durationMs: 120_000, limits: [limits.answered, limits.pagesOfBlocks] },
  },
} satisfies Record<string, Trial>

/** @returns what came of a trial as text, and the names of the limits that the service breaks */
export function tried(trial: Trial, { distribution, learned }: Service) {
  const { edges, hasOriginShield = distribution.hasOriginShield, outage } = trial
  const { origin, costs, work } = createOrigin(learned, distribution.throttles, trial)
  const { add, ...figures } = createFigures()
  const serve = createNetwork({ ...distribution, hasOriginShield }, origin, edges)
  for (const request of traffic(trial)) {
    const served = serve(request)
    // The minutes before an outage fill the caches.
    if (!request.isHostile && request.at >= (outage?.from ?? 0)) add(served)
  }
  const noneOf = Object.entries(figures.never).map(([name, count]): Limit => ({ name, figure: () => count, most: 0 }))
  const checked = [...trial.limits, ...noneOf].map(({ name, figure, least = 0, most, show = String }) => {
    const found = figure({ ...figures, costs, work })
    const bound = most === undefined ? `at least ${show(least)}` : `at most ${show(most)}`
    const isKept = found >= least && found <= (most ?? found)
    return { name, isKept, text: `${name} (${bound}): ${show(found)}` }
  })
  const perSecond = (count: number): string => ((1000 * count) / trial.durationMs).toFixed(1)
  const routes = [...figures.routes].sort().map(([route, { requests, hits, answered, starved, ...ages }]) => {
    const [hit, good, refused] = [hits, answered, starved].map((count) => percent(count / requests, 1))
    const oldest = `oldest ${seconds(ages.oldestMs)}, in place of an error ${seconds(ages.oldestOnErrorMs)}`
    return `  ${route.padEnd(14)} hits ${hit}, answered ${good}, starved by 429 ${refused}, ${oldest}`
  })
  const report = [
    trial.title,
    `  ${perSecond(costs.calls)} calls to the origin a second, of them ${perSecond(costs.refused)} answered 429; ${perSecond(costs.nodeCalls)} to the node; ${(costs.bytes / 1e6).toFixed(1)} MB`,
    ...routes,
    ...checked.map(({ isKept, text }) => `  ${isKept ? 'kept  ' : 'BROKEN'} ${text}`),
  ].join('\n')
  return { report, broken: checked.filter(({ isKept }) => !isKept).map(({ name }) => name) }
}
