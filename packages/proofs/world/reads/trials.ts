// Troubles of nodes, and the targets that must be met all the same.
import { WireError } from '../../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../../shared/upstream/query.ts'
import { besideHealthy } from '../hosts.ts'
import type { Process } from '../time.ts'
import type { Condition, Script } from '../wire/place.ts'
import { alone, type PlaceSetting } from '../world.ts'
import type { Trial } from './measures.ts'
import type { Scenario } from './session.ts'

const never = Number.POSITIVE_INFINITY
/** The median of a healthy node's answers. */
const usualMs = 50
const minuteMs = 60_000

type Change = (sinceMs: number) => Partial<Condition>

/** Answers around the usual time, or `factor` times it; one in twenty of `slowShare` takes ten times as long. */
const varying =
  (change: Change = () => ({}), factor = 1, slowShare = 0): Script =>
  (sinceMs, random) => {
    const latencyMs = factor * (usualMs - 10 + 20 * random()) * (random() < slowShare ? 10 : 1)
    return { latencyMs, ...change(sinceMs) }
  }

const healthy = varying()
const sometimesSlow = varying(undefined, 1, 0.05)
const slow = varying(undefined, 30)
/** After a new block its name is asked for, and then the block. */
const twoSlowAnswersMs = 2 * 30 * (usualMs + 10)
const failing: Script = () => ({ health: 'error-500', latencyMs: 20 })
const withoutStatus = varying(() => ({ hangsAt: 'daemonStatus' }))
const slowStatus: Script = () => ({ statusMs: 2500 })
const silentBetween =
  (fromMs: number, untilMs: number): Script =>
  (since) => ({ health: since >= fromMs && since < untilMs ? 'silent' : 'ok' })
const silent = silentBetween(0, never)
const bootstrapping: Script = () => ({ state: 'bootstrapping' })
const refusing: Script = () => ({ health: 'refusing' })
const refusingBetween = (fromMs: number, untilMs: number) =>
  varying((since) => ({ health: since >= fromMs && since < untilMs ? 'refusing' : 'ok' }))
/** Blocks behind, and quicker than the others. */
const lagging = (lagAt: (since: number) => number) => varying((since) => ({ lag: lagAt(since) }), 1 / 5)
const behind = (blocks: number, fromMs = -1) => lagging((since) => (since > fromMs ? blocks : 0))
const behindAtTimes = (blocks: number) => lagging((since) => (since % 1_800_000 > 1_200_000 ? blocks : 0))
const busy = (share: number, untilMs = never) =>
  varying((since) => ({ refusedShare: since < untilMs ? share : 0 }), 1 / 2)

/** A node at the tip that answers a third of the questions for a height with 500. */
const failingAtHeights = varying(() => ({ failsAt: { field: 'block(height', share: 1 / 3 } }))

const own = (...scripts: readonly Script[]): readonly PlaceSetting[] => scripts.map((script) => alone({ script }))
const shared = (balancing: 'turn' | 'call', ...scripts: readonly Script[]): readonly PlaceSetting[] => [
  { hosts: scripts.map((script) => ({ script })), balancing, sharedAddress: true },
]

/** Each function answers one read. */
const cold = { questions: 6, intervalMs: 60_000, deaths: 1, lookUps: 0.4, accounts: 0.3, unknown: 0 }
const seldom = { questions: 200, intervalMs: 3000 }
const polling = { questions: 500, intervalMs: 2000 }
const reading = { questions: 500, intervalMs: 5000, lookUps: 0.4 }
/** Twenty reads a second. */
const busyReading = { readers: 20, questions: 120, intervalMs: 1000 }
const fastBlocks = { slotMs: 10_000, blockEveryMs: [3_000, 20_000] } as const

const trial = (
  name: string,
  places: readonly PlaceSetting[],
  scenario: Omit<Scenario, 'places'>,
  targets: Trial['targets'] = {},
  allowed: Trial['allowed'] = [],
  wellAt = 60_000,
): Trial => ({ name, scenario: { ...scenario, places }, targets, allowed, wellAt })

/** Refuses every connection. */
const deadIndexer =
  ({ after }: Process): QueryUpstream =>
  () =>
    new Promise((_resolve, reject) => {
      after(5, () => reject(new WireError('unreachable', 'connection refused', { isUnsent: true })))
    })

/** Over one address a block that few daemons hold may not be found by chance, but never by all in turn. */
const heldBy = (holding: number, balancing: 'turn' | 'call', missed: number): Trial =>
  trial(
    `${holding} of three daemons of one address hold the block, ${balancing === 'turn' ? 'in turn' : 'at random'}`,
    shared(balancing, ...[healthy, healthy, healthy].fill(behind(never), holding)),
    { ...fastBlocks, questions: 400, intervalMs: 5000, lookUps: 1, unknown: 0 },
    { 'share of 404': missed },
    ['failed', 'false 404', 'went back'],
  )

const refusingLoad = (share: number, targets: Trial['targets']): Trial => {
  const name = `one address that refuses ${(100 * share).toFixed(0)} % of the calls`
  return trial(name, shared('turn', busy(share)), busyReading, targets, ['failed'])
}

/** Each asks once a second, and begins at any time within the first. */
const visitors = { questions: 75, intervalMs: 1000, startsWithinMs: 1000 }

/** Several come while an instance still spares the node: the last one that is turned away must come soon. */
const visitorsBySize = {
  'one visitor a second': visitors,
  'eight visitors a second, of four endpoints': { ...visitors, readers: 8, lookUps: 0.4, accounts: 0.3 },
}

/** After troubles that last a minute, nodes are well again. */
export const recoveries: readonly Trial[] = (
  [
    ['one address refused every call', shared('turn', busy(1, 60_000))],
    ['two nodes refused every call', own(busy(1, 60_000), busy(1, 60_000))],
    ['one address was down', shared('turn', refusingBetween(0, 60_000))],
    ['two nodes were down', own(refusingBetween(0, 60_000), refusingBetween(0, 60_000))],
  ] as const
).flatMap(([name, places]) =>
  Object.entries(visitorsBySize).map(([who, asking]) =>
    trial(
      `${name} for a minute, ${who}`,
      places,
      asking,
      {
        'median seconds until the first 200': 1,
        'seconds until the first 200': 2,
        'seconds until the last 5xx': 2,
      },
      ['failed'],
    ),
  ),
)

const hourMs = 3_600_000

/** The service's own clock is wrong, or is set while it answers. */
const wrongClocks: readonly Trial[] = [
  ...(
    [
      ['one address', shared('call', healthy, healthy)],
      ['three nodes, one of them down', own(healthy, refusing, healthy)],
    ] as const
  ).map(([where, places]) =>
    trial(`the service’s clock is two slots slow, ${where}`, places, { ...reading, wallErrorMs: () => -6 * minuteMs }),
  ),
  trial(
    'the service’s clock is set back an hour while a node is down',
    own(refusingBetween(0, 9_000), healthy, healthy),
    { questions: 120, intervalMs: 1000, wallErrorMs: (since) => (since < 5_000 ? 0 : -hourMs) },
    { 'seconds until it is used again': 15 },
    [],
    9_000,
  ),
  trial(
    'the service’s clock is set forward and back by 30 s, time and again, while nodes are slow',
    own(slow, slow),
    { questions: 100, intervalMs: 3000, wallErrorMs: (since) => (since % 1_700 < 850 ? 0 : 30_000) },
    { 'slowest in ms': twoSlowAnswersMs },
    ['slow'],
  ),
]

/** Over lagging and stuck daemons, with reorganisations: an answer may fail, but never be wrong. */
const canonical = (name: string, places: readonly PlaceSetting[]): Trial => {
  const blocks = { ...fastBlocks, blockLagMs: 2_000, reorganisations: 0.1, deaths: 0.1 }
  const scenario = { ...blocks, questions: 1000, intervalMs: 500, lookUps: 1, maxDepth: 2 }
  return trial(`canonical, ${name}`, places, scenario, {}, ['failed', 'false 404', 'went back'])
}

export const canonicalTrials: readonly Trial[] = [
  canonical('one address, a daemon stuck', shared('call', healthy, healthy, behind(never, 30_000))),
  canonical('one address in turn, a daemon one block behind', shared('turn', healthy, healthy, behind(1))),
  canonical('two addresses, one a block behind', own(healthy, behind(1))),
  canonical('three addresses, one stuck, one three behind', own(healthy, behind(never, 60_000), behind(3))),
]

/** Nodes that failed a moment ago answer well again, and the one that is asked in their place lags. */
export const justRecovered: readonly Trial[] = [1, 3].map((blocks) => {
  const failing = refusingBetween(26_000, 30_000)
  return trial(
    `two nodes have just recovered, the third is behind by ${blocks}`,
    own(
      failing,
      failing,
      varying(() => ({ lag: blocks })),
    ),
    { ...fastBlocks, questions: 200, intervalMs: 250, startsWithinMs: 1000 },
    { 'slowest in ms': 1600 },
  )
})

const swift = { 'p99 over a single node’s': 0.4, 'calls a read': 1.1 }
const coldReading = { ...cold, questions: 60 }

export const trials: readonly Trial[] = [
  // Where two nodes hang at once, the third one is asked after 8 s.
  trial('cold starts beside a healthy node', [], { ...cold, drawn: besideHealthy }, { 'p99 in ms': 3000 }, ['slow']),
  trial('a node hangs at daemonStatus', own(withoutStatus, healthy), coldReading, { 'p99 in ms': 1500 }),
  trial('three of five nodes refuse connections', own(refusing, refusing, refusing, healthy, healthy), {
    ...coldReading,
    isPinned: true,
  }),
  trial('5 % of one node ten times slower', own(sometimesSlow, healthy, healthy), polling, swift),
  trial('5 % of every node ten times slower', own(sometimesSlow, sometimesSlow, sometimesSlow), polling, swift),
  trial('all slow', own(slow, slow, slow), seldom, { 'calls a read': 1.25, 'slowest in ms': twoSlowAnswersMs }, [
    'slow',
  ]),
  trial('all 500', own(failing, failing, failing), seldom, { 'calls a read': 1.1 + 2 / 200 }, ['failed']),
  trial('one black hole', own(silent, healthy, healthy), polling, { 'p99 in ms': 500 + 1.3 * usualMs }),
  trial(
    'the budget is empty when the node that is asked first hangs',
    own(silentBetween(0, 2500), silentBetween(2500, never), healthy),
    { questions: 30, intervalMs: 1000 },
    { 'slowest in ms': 2000 },
  ),
  trial(
    'two nodes refuse a fifth of the calls each',
    own(busy(0.2), busy(0.2)),
    busyReading,
    { 'failed share': 0.15 },
    ['failed'],
  ),
  trial(
    'one of three daemons of one address bootstraps',
    shared('turn', healthy, healthy, bootstrapping),
    busyReading,
    { 'failed share': 1 / 3 },
    ['failed'],
  ),
  trial(
    'the newest node goes down, one that lags is left',
    own(refusingBetween(1_200_000, never), behind(3, 300_000)),
    // A height that no node reaches for six minutes is given up.
    { ...reading, questions: 300 },
    {},
    ['failed', 'went back'],
  ),
  trial('the indexer is down', own(slowStatus, slowStatus), { ...seldom, accounts: 0.5, indexer: deadIndexer }),
  trial('the fastest node lags 1 block', own(behind(1), healthy, healthy), reading),
  trial('the fastest node lags 3 blocks', own(behind(3), healthy, healthy), reading),
  trial('the fastest node lags 1 block at times', own(behindAtTimes(1), healthy, healthy), reading),
  trial('the fastest node lags 3 blocks at times', own(behindAtTimes(3), healthy, healthy), reading),
  trial('the fastest node is stuck', own(behind(never, 600_000), healthy, healthy), reading),
  trial(
    'a node down at cold start, healed after 9 s',
    own(refusingBetween(0, 9_000), healthy, healthy),
    { questions: 120, intervalMs: 1000 },
    { 'seconds until it is used again': 15 },
    [],
    9_000,
  ),
  trial(
    'the only node at the tip fails a third of the questions for a height',
    own(failingAtHeights, behind(6)),
    { ...fastBlocks, questions: 300, intervalMs: 1000, lookUps: 1, unknown: 0, ofBestChain: true },
    { 'failed share': 0.05 },
    ['failed'],
  ),
  ...justRecovered,
  ...recoveries,
  refusingLoad(0.01, { 'failed share': 0.003, 'calls a read': 1.1 }),
  refusingLoad(0.05, { 'failed share': 0.01, 'calls a read': 1.1 }),
  refusingLoad(1 / 3, { 'failed share': 1 / 3 }),
  trial(
    'one address refuses every call for a minute',
    shared('turn', busy(1, 60_000)),
    busyReading,
    { 'calls a read after 30 s': 1 / 3, 'failed share from 5 s after its return': 0.01 },
    ['failed'],
  ),
  ...wrongClocks,
  heldBy(2, 'turn', 0),
  heldBy(1, 'turn', 0),
  heldBy(2, 'call', 0.04),
  heldBy(1, 'call', 0.3),
  ...canonicalTrials,
]

export function trialNamed(name: string): Trial {
  const trial = trials.find((each) => each.name === name)
  if (trial === undefined) throw new Error(`no trial ${name}`)
  return trial
}
