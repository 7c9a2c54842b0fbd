// The parameters of a client's history: which client it is, what goes wrong on its machine and on the way, how the chain
// behaves meanwhile, and when an adversary strikes. Times and depths are those of a public network.
import { refusals } from '../../../testnet/pool/refusals.ts'
import { createRandom, integerBetween, pick, type Random } from '../../../testnet/random.ts'
import { type HistoryCommand, senders, signature } from '../broadcasts/signed-command.ts'
import type { IndexerSetting } from '../chain/indexer.ts'
import { placesOfStop, quickly } from '../hosts.ts'
import { stopOf } from '../stops.ts'
import { alone, type WorldSetting } from '../world.ts'

const drawnFollowers = ['sendQueue', 'waitForInclusion', 'settle'] as const
/** `resume` is the client's example, which asks again and again. */
export const followers = [...drawnFollowers, 'resume'] as const

export type Follower = (typeof followers)[number]

/** The news that a client gets about a command: the outcome of a broadcast, or its state. */
export type Heard =
  | 'accepted'
  | 'refused'
  | 'pending'
  | 'possible'
  | 'included'
  | 'replaced'
  | 'expired'
  | 'failed'
  | 'nonce-used'

/** The words of a node that has accepted a command before: it may say them all, but none of its signature or memo. */
export const refusalWords = {
  'bad-nonce': (command: HistoryCommand) => refusals.nonce(command, signature, command.nonce + 1, command.nonce + 1),
  'insufficient-funds': () => refusals.pool('Insufficient_funds'),
  'fee-too-low': () => 'Invalid user command. Fee 0.001 is less than the minimum fee, 0.25.',
  'replace-fee-too-low': () => refusals.pool('Insufficient_replace_fee'),
  expired: () => refusals.pool('Expired'),
  duplicate: () => `Couldn't send user command: ["Duplicate"]`,
  'sender-unknown': () => refusals.unknownSender,
  'pool-overloaded': () => `Couldn't send user command: ["Overloaded"]`,
  'network-paused': () => refusals.pool('After_slot_tx_end'),
  other: () => 'Something that no release has said before.',
} satisfies Record<string, (command: HistoryCommand) => string>

export type RefusalName = keyof typeof refusalWords

const refusalNames = Object.keys(refusalWords) as readonly RefusalName[]

/** After these a client sends again every few seconds, so that they last for minutes. */
const retriedSoon: readonly RefusalName[] = [
  'bad-nonce',
  'insufficient-funds',
  'duplicate',
  'sender-unknown',
  'pool-overloaded',
  'network-paused',
]

/** An adversary's blow against the command of which the client has just heard. */
type Blow =
  /** Nodes lose their pools, all of them or those that are listed, and the listed ones refuse whatever comes. */
  | {
      readonly does: 'lose'
      readonly where: 'listed' | 'everywhere'
      readonly refusal: RefusalName | undefined
      readonly forMs: number
    }
  /** A block comes with it, where it was heard to be in one, with its rival. Of its own slot, if that is over. */
  | { readonly does: 'late block' }
  /** From now on the machine's clock is wrong by so much. */
  | { readonly does: 'set the clock'; readonly errorMs: number }
  /** The program ends at once, and is away for so long. */
  | { readonly does: 'end the program'; readonly awayMs: number }

/** Once for each command, when the client has heard this of it so often, and so long after. */
export interface Strike {
  readonly at: Heard
  readonly times: number
  readonly afterMs: number
  /** Only of a command that takes the place of another one. */
  readonly isOfRaise?: boolean
  readonly blow: Blow
}

/** In milliseconds since the history began. */
interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

export interface Setting extends WorldSetting {
  readonly deepest: number
  readonly follower: Follower
  /** Payments that the owner wants to make. */
  readonly purposes: number
  /** The chance that the owner raises the fee of a payment. */
  readonly raises: number
  /** The chance that no node takes what the owner signs first. */
  readonly flaws: number
  /** The chance that a payment fails in the first block that holds it. */
  readonly failures: number
  /** How deposits are credited meanwhile, if they are. */
  readonly shop: 'deposits' | 'recipe' | undefined
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
  /** By how much the machine's clock is wrong at first. */
  readonly clockErrorMs: number
  readonly clockStandsStill: readonly Span[]
  readonly strikes: readonly Strike[]
  readonly indexerAs: IndexerSetting | undefined
  /** Once all is settled, the same client is asked again: by this, and perhaps after a reorganisation that lets a rival be paid. */
  readonly asksAgain: { readonly by: 'sendQueue' | 'waitForInclusion'; readonly afterRival: boolean } | undefined
}

/** The confirmations that it is asked for then: more than a settled command needs, and than any reorganisation takes back. */
export const askedAgain = 25

/** The wallet of every history. */
export const [wallet = ''] = senders

export const minute = 60_000
export const hour = 60 * minute

/** After the client has heard something: before it looks again, or when it has perhaps decided. */
const moments = [10, 500, 20_000, 5 * minute, 15 * minute] as const

/** The confirmations that are asked for, but for those beyond what a node holds, which only a final block has. */
const maxAsked = 20
const confirmationsFrom = (drawn: number): number => (drawn > maxAsked ? 2 * maxAsked : drawn)

const clockErrorMs = (random: Random): number =>
  integerBetween(random, 0, pick(random, [minute, 2 * hour, 12 * hour])) * pick(random, [-1, -1, 1])

function loss(random: Random, names: readonly (RefusalName | 'none')[]): Strike {
  const drawn = pick(random, names)
  const refusal = drawn === 'none' ? undefined : drawn
  const isShort = refusal !== undefined && retriedSoon.includes(refusal)
  const forMs = isShort ? integerBetween(random, minute, 15 * minute) : pick(random, [10 * minute, hour, 8 * hour])
  const where = pick(random, ['listed', 'everywhere', 'everywhere'] as const)
  // Once gossip has reached the others.
  return { at: 'accepted', times: 1, afterMs: 3_000, blow: { does: 'lose', where, refusal, forMs } }
}

const late = (random: Random, heard: readonly Heard[]): Strike => ({
  at: pick(random, heard),
  times: integerBetween(random, 1, 2),
  afterMs: pick(random, moments),
  blow: { does: 'late block' },
})

const away = (random: Random, isOfRaise: boolean): Strike => ({
  at: pick(random, ['accepted', 'accepted', 'pending', 'refused', 'included', 'nonce-used']),
  times: integerBetween(random, 1, 2),
  afterMs: pick(random, [0, ...moments]),
  isOfRaise,
  blow: { does: 'end the program', awayMs: pick(random, [0, 1, 10, 20, 40, 80, 310, 400]) * 3.5 * minute },
})

/** Coincidences in which a client could pay twice, or never come to an end. */
const plots = {
  'refused, and then in a block': (random: Random) => [
    loss(random, refusalNames),
    late(random, ['refused', 'refused', 'refused', 'possible']),
  ],
  'expired, and then in a block': (random: Random) => [
    loss(random, ['expired', 'expired', 'none']),
    late(random, ['refused', 'expired', 'possible']),
  ],
  'its rival in a block, and then it': (random: Random) => [
    { ...late(random, ['replaced', 'replaced', 'included', 'nonce-used']), times: integerBetween(random, 1, 5) },
  ],
  'away while a fee is raised': (random: Random) => [away(random, true)],
  away: (random: Random) => [away(random, false)],
  'a wrong clock': (random: Random) => [
    {
      at: pick(random, ['accepted', 'refused', 'possible', 'nonce-used'] as const),
      times: integerBetween(random, 1, 2),
      afterMs: pick(random, moments),
      blow: { does: 'set the clock', errorMs: clockErrorMs(random) } as const,
    },
  ],
} satisfies Record<string, (random: Random) => readonly Strike[]>

type Plot = keyof typeof plots

const plotNames: readonly Plot[] = [
  ...(Object.keys(plots) as readonly Plot[]),
  // The most dangerous ones more often.
  ...(['refused, and then in a block', 'refused, and then in a block', 'expired, and then in a block'] as const),
]

/** No branch is dead below the frontier: the protocol replaces no block there, and the service believes an indexer by that. */
function indexerSetting(random: Random): IndexerSetting {
  const isOnDeadBranch = random() < 0.3
  return {
    blocksBehind: pick(random, isOnDeadBranch ? [0, 1, 3] : [0, 1, 3, 30]),
    isAtOrphan: !isOnDeadBranch && random() < 0.1,
    hasWrongHashes: random() < 0.2,
    isOnDeadBranch,
    refusedShare: pick(random, [0, 0.1]),
  }
}

/** The share of histories in which a daemon stops and goes on answering. */
const stops = 0.4

/** The share of histories with a daemon that stops in which the wallet's first deposit comes after that. */
const newcomers = 0.4

const lateAfterFailure = (random: Random): Strike => ({
  ...late(random, ['failed']),
  times: integerBetween(random, 1, 5),
})

/** What is drawn from sources of their own: other histories stay as they are. */
function furtherOf(seed: string): Partial<Setting> & Pick<Setting, 'strikes' | 'failures' | 'shop' | 'asksAgain'> {
  const random = createRandom(`further settings of ${seed}`)
  const hasFailures = random() < 0.2
  const shop = random() < 0.5 ? pick(random, ['deposits', 'deposits', 'recipe'] as const) : undefined
  const failures = hasFailures ? { failures: 1, strikes: [lateAfterFailure(random)] } : { failures: 0, strikes: [] }
  const follower = random() < 0.4 ? { follower: 'resume' as const } : {}
  const stop = stopOf(seed, stops, 4 * hour)
  const again = createRandom(`what is asked again of ${seed}`)
  const by = pick(again, ['sendQueue', 'waitForInclusion'] as const)
  const asksAgain = again() < 0.5 ? { by, afterRival: again() < 0.7 } : undefined
  if (stop === undefined) return { ...failures, shop, asksAgain }
  const newcomer = createRandom(`newcomer of ${seed}`)() < newcomers ? wallet : undefined
  return {
    ...failures,
    ...follower,
    shop,
    asksAgain,
    newcomer,
    stop,
    places: placesOfStop(stop, quickly(300)),
    unlisted: 1,
  }
}

/** @param seed of the history, for what is not drawn from `random` */
export function settingOf(random: Random, seed: string): Setting {
  const { strikes, ...further } = furtherOf(seed)
  const chosen = new Set(Array.from({ length: integerBetween(random, 1, 3) }, () => pick(random, plotNames)))
  const daemonFaults = pick(random, [0, 0, 0.1, 0.4])
  const indexerAs = random() < 0.5 ? undefined : indexerSetting(random)
  const frontierBlocks = pick(random, [25, 25, 30, 60, 290])
  const script = () => ({ latencyMs: integerBetween(random, 4, 300) })
  // Deep ones come seldom by chance; those of the adversary are as deep.
  const [reorganisations, deepest] = pick(random, [[0, 14] as const, [0.2, 2], [0.05, 5], [0.02, 14], [0.02, 20]])
  const stillFromMs = integerBetween(random, 0, hour)
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
    blockEveryMs: pick(random, [[minute, 5 * minute] as const, [2 * minute, 8 * minute] as const]),
    mutationFaults: daemonFaults,
    queryFaults: daemonFaults / 4,
    reorganisations,
    deepest,
    overload: 0,
    restarts: pick(random, [0, 0, 1]),
    follower: pick(random, [...drawnFollowers, 'sendQueue', 'waitForInclusion']),
    purposes: pick(random, [1, 1, 1, 2]),
    raises: chosen.has('away while a fee is raised') || chosen.has('its rival in a block, and then it') ? 1 : 0.3,
    flaws: pick(random, [0, 0.2]),
    hurry: chosen.has('expired, and then in a block') ? 1 : pick(random, [0, 0.3]),
    rivals: pick(random, [0, 0, 0, 1]),
    notesSendings: random() < 0.7,
    signsOverRefusals: random() < 0.5,
    pollMs: pick(random, [minute, 3 * minute, 5 * minute, 12 * minute]),
    // A run of the first is too short for 15 blocks on top.
    patienceMs: pick(random, [20 * minute, 3 * hour, 12 * hour]),
    confirmations: confirmationsFrom(integerBetween(random, 0, maxAsked + 3)),
    losses: pick(random, [0, 0.02, 0.2]),
    clockErrorMs: clockErrorMs(random),
    clockStandsStill: random() < 0.3 ? [{ fromMs: stillFromMs, untilMs: stillFromMs + 2 * hour }] : [],
    indexerAs,
    strikes: [...[...chosen].flatMap((plot) => plots[plot](random)), ...strikes],
    ...further,
  }
}

/** True if the indexer can prove whatever an indexer can. */
export const isIndexerWell = ({ indexerAs }: Setting): boolean =>
  indexerAs !== undefined &&
  !indexerAs.isAtOrphan &&
  !indexerAs.isOnDeadBranch &&
  indexerAs.blocksBehind < 10 &&
  !indexerAs.hasWrongHashes

/** True of an indexer whose chain may differ from that of the nodes for hours. */
export const canContradict = (setting: Setting): boolean => setting.indexerAs !== undefined && !isIndexerWell(setting)
