// What happens to the nodes, and what must hold then.
import type { Scenario, Script, Session } from './session.ts'

/** What a scenario has shown, over several sessions. */
export interface Figures {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly calls: number
  /** Labels of look-ups and questions which network a node is on. */
  readonly sideCalls: number
  readonly questions: number
  readonly errors: number
  readonly wentBack: number
  readonly false404: number
  readonly timersLeft: number
  readonly sessions: readonly Session[]
}

/** A target, with what was measured. */
export interface Check {
  readonly says: string
  readonly isMet: boolean
}

export interface Trial {
  readonly name: string
  readonly scenario: Scenario
  readonly sessions: number
  /** @param single what the first node alone gave on the same histories */
  checks(figures: Figures, single: Figures): readonly Check[]
}

const minute = 60_000

/** The median of a healthy node's answers. */
export const usualMs = 50

/** Around the usual; one in twenty of `slowShare` takes ten times as long. */
const latency = (random: () => number, slowShare = 0): number =>
  (usualMs - 10 + 20 * random()) * (random() < slowShare ? 10 : 1)

const healthy: Script = (_since, random) => ({ latencyMs: latency(random) })
const sometimesSlow: Script = (_since, random) => ({ latencyMs: latency(random, 0.05) })
const slow: Script = (_since, random) => ({ latencyMs: 30 * latency(random) })
const failing: Script = () => ({ health: 'error-500', latencyMs: 20 })
const silent: Script = () => ({ health: 'silent' })
const lagging =
  (lag: number): Script =>
  (_since, random) => ({ latencyMs: latency(random) / 5, lag })
/** Falls behind for ten minutes of every half hour: the instance has seen it at the tip. */
const laggingAtTimes =
  (lag: number): Script =>
  (since, random) => ({ latencyMs: latency(random) / 5, lag: since % (30 * minute) > 20 * minute ? lag : 0 })
/** Follows until ten minutes after the beginning, and never again. */
const stuck: Script = (since, random) => ({
  latencyMs: latency(random) / 5,
  lag: since < 10 * minute ? 0 : Math.floor((since - 10 * minute) / (4 * minute)),
})
const downUntil =
  (end: number): Script =>
  (since, random) => ({ health: since < end ? 'refusing' : 'ok', latencyMs: latency(random) })

const busyUntil =
  (end: number): Script =>
  (since) => ({ health: since < end ? 'bootstrapping' : 'ok', latencyMs: 20 })

const at = (check: string, measured: number, limit: number, digits = 0): Check => ({
  says: `${check} ${measured.toFixed(digits)}, target at most ${limit.toFixed(digits)}`,
  isMet: measured <= limit,
})

const perQuestion = ({ calls, questions }: Figures): number => calls / questions

const amplification = (figures: Figures, { questions }: Scenario): Check =>
  at('calls per question', perQuestion(figures), 1.1 + 2 / questions, 3)

const truthful = ({ wentBack, false404, errors }: Figures): readonly Check[] => [
  at('tips going back', wentBack, 0),
  at('false 404', false404, 0),
  at('errors', errors, 0),
]

const polling = { questions: 500, intervalMs: 2000 }
const reading = { questions: 500, intervalMs: 5000, lookUps: 0.4 }

const allSlow = { nodes: [slow, slow, slow], questions: 200, intervalMs: 3000 }
const allFailing = { nodes: [failing, failing, failing], questions: 200, intervalMs: 3000 }

const tipTrial = (what: string, script: Script): Trial => ({
  name: `the fastest node ${what}`,
  scenario: { nodes: [script, healthy, healthy], ...reading },
  sessions: 20,
  checks: truthful,
})

/** How long after its return the node was asked again, at the longest, in seconds. */
function againAfterSeconds({ sessions }: Figures, node: number, returnedAtMs: number): number {
  const waits = sessions.map(({ askedAt }) => {
    const again = askedAt[node]?.find((askedMs) => askedMs >= returnedAtMs) ?? Number.POSITIVE_INFINITY
    return again - returnedAtMs
  })
  return Math.max(...waits) / 1000
}

const coldStart = (seconds: number): Trial => ({
  name: `a node down at cold start, healed after ${seconds} s`,
  scenario: { nodes: [downUntil(seconds * 1000), healthy, healthy], questions: 120, intervalMs: 1000 },
  sessions: 20,
  checks: (figures) => [
    at('errors', figures.errors, 0),
    at('seconds until it is used again', againAfterSeconds(figures, 0, seconds * 1000), 15, 1),
  ],
})

const busyMs = 40_000

/** Calls of every kind while all nodes are busy, per second. */
const perBusySecond = ({ sessions }: Figures): number => {
  const calls = sessions.flatMap(({ askedAt }) => askedAt.flat()).filter((askedMs) => askedMs < busyMs)
  return calls.length / sessions.length / (busyMs / 1000)
}

/** How long after its return a node first answered, at the longest, in seconds. */
const answeredAfterSeconds = ({ sessions }: Figures): number => {
  const waits = sessions.map(({ answers }) => {
    const first = answers.find(({ isError, atMs }) => !isError && atMs >= busyMs)
    return (first?.atMs ?? Number.POSITIVE_INFINITY) - busyMs
  })
  return Math.max(...waits) / 1000
}

export const trials: readonly Trial[] = [
  {
    name: '5 % of one node ten times slower',
    scenario: { nodes: [sometimesSlow, healthy, healthy], ...polling },
    sessions: 20,
    checks: (figures, single) => [
      at('p99 over a single node’s', figures.p99Ms / single.p99Ms, 0.4, 2),
      at('calls per question', perQuestion(figures), 1.1, 3),
    ],
  },
  {
    name: '5 % of every node ten times slower',
    scenario: { nodes: [sometimesSlow, sometimesSlow, sometimesSlow], ...polling },
    sessions: 20,
    checks: (figures, single) => [
      at('p99 over a single node’s', figures.p99Ms / single.p99Ms, 0.4, 2),
      at('calls per question', perQuestion(figures), 1.1, 3),
    ],
  },
  {
    name: 'all busy, asked ten times a second, one recovers after 40 s',
    scenario: {
      nodes: [busyUntil(Number.POSITIVE_INFINITY), busyUntil(busyMs), busyUntil(Number.POSITIVE_INFINITY)],
      questions: 600,
      intervalMs: 100,
    },
    sessions: 20,
    checks: (figures) => [
      at('calls a second while all are busy', perBusySecond(figures), 1.5, 2),
      at('seconds until the one that recovered answers', answeredAfterSeconds(figures), 3.3, 1),
    ],
  },
  { name: 'all slow', scenario: allSlow, sessions: 20, checks: (figures) => [amplification(figures, allSlow)] },
  { name: 'all 500', scenario: allFailing, sessions: 20, checks: (figures) => [amplification(figures, allFailing)] },
  {
    name: 'one black hole',
    scenario: { nodes: [silent, healthy, healthy], ...polling },
    sessions: 20,
    checks: (figures) => [
      at('p99 in ms', figures.p99Ms, 500 + 1.3 * figures.p50Ms),
      at('errors', figures.errors, 0),
      at('wasted calls per demotion', wastedPerDemotion(figures), 2, 2),
    ],
  },
  tipTrial('lags 1 block', lagging(1)),
  tipTrial('lags 3 blocks', lagging(3)),
  tipTrial('lags 1 block at times', laggingAtTimes(1)),
  tipTrial('lags 3 blocks at times', laggingAtTimes(3)),
  tipTrial('is stuck', stuck),
  coldStart(3),
  coldStart(9),
  {
    name: 'frozen for 60 s, all connections dead',
    scenario: { nodes: [healthy, healthy, healthy], questions: 200, intervalMs: 1000, freezeEach: 10 },
    sessions: 20,
    checks: (figures) => [at('errors', figures.errors, 0), at('timers left', figures.timersLeft, 0)],
  },
]

/** Calls that the first node never answered, for each time that it was put last. */
const wastedPerDemotion = ({ sessions }: Figures): number =>
  Math.max(...sessions.map(({ unanswered, demotions }) => (unanswered[0] ?? 0) / (demotions[0] ?? 0)))
