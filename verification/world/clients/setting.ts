// The parameters of a client's history: which client it is, what goes wrong on its machine and on the way, and how the chain
// behaves meanwhile. Times and depths are those of a public network.
import { integerBetween, pick, type Random } from '../../../local/chain/random.ts'
import type { IndexerSetting } from '../chain/indexer.ts'
import { alone, type WorldSetting } from '../world.ts'

export const followers = ['sendQueue', 'waitForInclusion', 'settle'] as const

export type Follower = (typeof followers)[number]

/** In milliseconds since the history began. */
interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

export interface Setting extends WorldSetting {
  readonly follower: Follower
  /** Payments that the owner wants to make. */
  readonly purposes: number
  /** The chance that the owner raises the fee of a payment. */
  readonly raises: number
  /** The chance that no node takes what the owner signs first. */
  readonly flaws: number
  /** The chance that a payment can be included for a few slots only. */
  readonly hurry: number
  /** Another program of the same wallet sends so many commands. */
  readonly rivals: number
  /** The store notes each sending before it happens. */
  readonly notesSendings: boolean
  /** The owner signs again, with the same nonce, what nodes have refused for hours and the client still calls open. */
  readonly signsOverRefusals: boolean
  readonly pollMs: number
  readonly patienceMs: number
  readonly confirmations: number
  /** The share of requests that are lost between the client and the service, or whose answers are. */
  readonly losses: number
  /** The program is away. */
  readonly absences: readonly Span[]
  /** By how much the machine's clock is wrong, from these times on. */
  readonly clockErrors: readonly { readonly fromMs: number; readonly errorMs: number }[]
  readonly clockStandsStill: readonly Span[]
  /** Daemons lose their pools at these times; the one that no place lists keeps its. */
  readonly evictionsAtMs: readonly number[]
  /** Listed daemons refuse everything meanwhile, in these words. */
  readonly refusals: readonly (Span & { readonly words: string })[]
  readonly indexerAs: IndexerSetting | undefined
}

const minute = 60_000
export const hour = 60 * minute

const poolWord = (word: string) => `Couldn't send user command: ["${word}"]`

/**
 * A node that has accepted a command may later refuse it in each of these words, but not for its signature or memo. After the
 * first ones a client sends again every few seconds, so that they last for minutes.
 */
const passingWords: readonly string[] = [
  poolWord('Overloaded'),
  poolWord('After_slot_tx_end'),
  poolWord('Insufficient_funds'),
]
const lastingWords: readonly string[] = [
  ...['Expired', 'Insufficient_replace_fee', 'Overflow'].map(poolWord),
  'Invalid user command. Fee 0.001 is less than the minimum fee, 0.25.',
  'Something that no release has said before.',
]

const several = <Item>(random: Random, max: number, make: () => Item): readonly Item[] =>
  Array.from({ length: integerBetween(random, 0, max) }, make)

const indexerSetting = (random: Random): IndexerSetting => ({
  blocksBehind: pick(random, [0, 1, 3, 30]),
  isAtOrphan: random() < 0.1,
  hasWrongHashes: random() < 0.2,
  isOnDeadBranch: false,
  refusedShare: pick(random, [0, 0.1]),
})

export function settingOf(random: Random): Setting {
  const within = (maxMs: number) => integerBetween(random, 0, maxMs)
  const span = (beginsBeforeMs: number, maxMs: number): Span => {
    const fromMs = within(beginsBeforeMs)
    return { fromMs, untilMs: fromMs + within(maxMs) }
  }
  const blockEveryMs = pick(random, [[minute, 5 * minute] as const, [2 * minute, 8 * minute] as const])
  const frontierBlocks = pick(random, [25, 25, 30, 30, 60, 60, 290])
  const daemonFaults = pick(random, [0, 0, 0.1, 0.4])
  const clockMs = () =>
    pick(random, [0, within(minute), within(2 * hour), within(12 * hour)]) * pick(random, [-1, -1, 1])
  const awayBlocks = () => pick(random, [0, 0, 0, 0, 1, 4, 10, 20, 40, 80, 310, 400])
  let backAtMs = 0
  const absence = () => {
    const fromMs = backAtMs + within(pick(random, [2 * minute, 20 * minute, hour]))
    backAtMs = fromMs + awayBlocks() * 3.5 * minute
    return { fromMs, untilMs: backAtMs }
  }
  const script = () => ({ latencyMs: integerBetween(random, 4, 300) })
  const absences = several(random, 2, absence)
  const awayMs = absences.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0)
  const indexerAs = random() < 0.5 ? undefined : indexerSetting(random)
  // Who was away for long is followed for a day, and need not be asked for often.
  const pollMinutes = awayMs > hour ? pick(random, [15, 30]) : pick(random, [5, 12, 12])
  return {
    places: Array.from({ length: integerBetween(random, 1, 2) }, () => alone({ script })),
    isPinned: true,
    unlisted: 1,
    slotMs: 3 * minute,
    height: frontierBlocks + 5,
    frontierBlocks,
    deaths: pick(random, [0, 0.3]),
    acceptsDuplicates: random() < 0.85,
    gossipMs: [100, 2500],
    blockLagMs: pick(random, [500, 20_000, 170_000]),
    blockEveryMs,
    mutationFaults: daemonFaults,
    queryFaults: daemonFaults / 4,
    reorganisations: pick(random, [0, 0.05, 0.2]),
    overload: 0,
    restarts: pick(random, [0, 0, 1]),
    follower: pick(random, followers),
    purposes: pick(random, [1, 1, 1, 2, 3]),
    raises: pick(random, [0, 0.5, 1]),
    flaws: pick(random, [0, 0.3]),
    hurry: pick(random, [0, 0.5, 1]),
    rivals: pick(random, [0, 0, 0, 1, 2]),
    notesSendings: random() < 0.7,
    signsOverRefusals: random() < 0.5,
    pollMs: pollMinutes * minute,
    // Long enough for 15 blocks on top, without which a run proves nothing.
    patienceMs: pick(random, [3 * hour, 12 * hour]),
    confirmations: indexerAs ? pick(random, [3, 15, 18, 40]) : pick(random, [3, 15, 18]),
    losses: pick(random, [0, 0.02, 0.2]),
    absences,
    clockErrors: [0, ...several(random, 3, () => within(3 * hour))].map((fromMs) => ({ fromMs, errorMs: clockMs() })),
    clockStandsStill: several(random, 1, () => span(2 * hour, 3 * hour)),
    evictionsAtMs: several(random, 3, () => within(2 * hour)),
    refusals: several(random, 2, () =>
      random() < 0.3
        ? { ...span(hour, 5 * minute), words: pick(random, passingWords) }
        : { ...span(hour, 2 * hour), words: pick(random, lastingWords) },
    ),
    indexerAs,
  }
}

/** True if the indexer can prove whatever an indexer can. */
export const isIndexerWell = ({ indexerAs }: Setting): boolean =>
  indexerAs !== undefined && !indexerAs.isAtOrphan && indexerAs.blocksBehind < 10 && !indexerAs.hasWrongHashes
