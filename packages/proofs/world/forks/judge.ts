// Which network an instance must be on, by its pins and by what it could hear: what rests on another one is of a dead chain.
// With one pin or none no instance can know, so that such answers are counted.
import type { Network } from '../chain/network.ts'
import type { Answered } from '../service/fleet.ts'
import type { VirtualTime } from '../time.ts'
import type { World } from '../world.ts'
import type { ForkPlan } from './plan.ts'

/** An instance asks for later pins every ten seconds, and a node answers within a second. */
const learntWithinMs = 12_000

/**
 * The age of a tip from which an instance takes the chain for one that may stand still. A broadcast waits after five of the
 * shortest slots. A read goes on for thirty, of the longest length until an instance knows theirs: so many stay empty by chance.
 */
const oldTipMs = { broadcast: 450_000, read: 5_400_000 } as const

/** Nodes and instances see the age of a tip at other moments of a request than this judge. */
const marginMs = 10_000

/** A genesis block may lie a slot ahead of the clock; before an instance knows how long that is, it takes the longest. */
const longestSlotMs = 190_000

/** The state of the nodes when a request came. */
interface Sight {
  readonly atMs: number
  /** A node has been on the new chain for so long that every instance has heard of it. */
  readonly isNextKnown: boolean
  /** The old chain stands still, as far as a read or a broadcast goes by it, and a node that cannot be reached may be on the new one. */
  readonly isOpen: Readonly<Record<keyof typeof oldTipMs, boolean>>
  /** The same, by an instance whose moment is a little later and that is in doubt as soon as a broadcast is. */
  readonly isNearlyOpen: boolean
}

/** The network that a request was answered from. */
export interface Standing {
  readonly network: Network
  /** True if it may be on the other one as well, as far as anybody can tell. */
  readonly isUnsure: boolean
  readonly isOfDeadChain: boolean
  /** True where the settings pin too few networks for any answer to be judged by them. */
  readonly isCounted: boolean
}

export type ForkJudge = ReturnType<typeof createForkJudge>

export function createForkJudge(
  time: VirtualTime,
  { home, next, places }: Pick<World, 'home' | 'next' | 'places'>,
  fork: ForkPlan,
  queryFaults: number,
) {
  const startedAt = time.now()
  const hosts = () => places.flatMap((place) => place.hosts)
  /** Instances that were shown the new chain, and those among them that have given an answer of it. */
  const onNext = new WeakSet<object>()
  const shownNext = new WeakSet<object>()
  const counts = new Map<string, number>()
  const pinsOf = ['no pin', 'one pin', 'two pins'][fork.pins]
  const hasBegun = (agoMs = 0) => time.now() - startedAt - agoMs >= fork.beginsAtMs

  const isNextKnown = () =>
    fork.pins === 2 &&
    queryFaults === 0 &&
    hasBegun(learntWithinMs) &&
    hosts().some(({ network, since = Number.POSITIVE_INFINITY }) => {
      return network === next() && time.now() - since >= learntWithinMs
    })
  const isOpen = (what: keyof typeof oldTipMs, laterMs: number) =>
    fork.pins === 2 &&
    time.now() + laterMs - (home.bestChain().at(-1)?.date ?? 0) > oldTipMs[what] &&
    hosts().some(({ daemon }) => daemon.state === 'down')
  const look = (): Sight => ({
    atMs: time.now(),
    isNextKnown: isNextKnown(),
    isOpen: { broadcast: isOpen('broadcast', -marginMs), read: isOpen('read', -marginMs) },
    isNearlyOpen: isOpen('broadcast', marginMs),
  })
  /** The time of the first request of an instance. */
  const begunAt = new WeakMap<object, number>()
  /** True if a node was down before an instance began, and is still: the instance has never heard it. */
  const hasUnheard = (sinceMs: number) =>
    places.some(({ hosts: [host] }, index) => {
      const node = fork.nodes[index]
      const downAt = node === undefined || node.becomes === 'frozen' ? Number.POSITIVE_INFINITY : node.fromMs
      return host?.daemon.state === 'down' && startedAt + downAt <= sinceMs
    })

  return {
    look,
    counts,
    hasBegun,
    /** True if every listed node is on the new chain, and every instance has heard so. */
    isOver: () => isNextKnown() && hosts().every(({ network }) => network === next()),
    /** Notes that an instance was shown something of a node on the new chain, which it may have believed. */
    shown(by: object): void {
      if (hasBegun(-longestSlotMs)) shownNext.add(by)
    },
    /**
     * @param before what the nodes showed when the request came
     * @param rested the networks that the answer rests on, or that a command was sent to
     */
    standingOf(
      what: keyof typeof oldTipMs,
      before: Sight,
      { by }: Pick<Answered, 'by'>,
      rested: ReadonlySet<Network>,
    ): Standing {
      const begun = begunAt.get(by) ?? before.atMs
      begunAt.set(by, begun)
      const upgraded = next()
      const isOnNext = upgraded !== undefined && rested.has(upgraded)
      const wasOnNext = onNext.has(by)
      const couldNotKnow = before.isOpen[what] && isOpen(what, -marginMs)
      const mayNotKnow = before.isNearlyOpen && isOpen('broadcast', marginMs)
      const isOfDeadChain =
        fork.pins === 2 &&
        rested.has(home) &&
        (before.isNextKnown || wasOnNext || (couldNotKnow && hasUnheard(begun) && queryFaults === 0))
      if (hasBegun() && rested.size > 0) {
        const key = `${pinsOf}: of the ${rested.has(home) ? 'old' : 'new'} chain, after the new one began`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      const isMixed = isOnNext && rested.has(home)
      const isNext = isOnNext || before.isNextKnown || wasOnNext
      if (isOnNext && !isMixed && shownNext.has(by)) onNext.add(by)
      return {
        network: isNext && upgraded !== undefined ? upgraded : home,
        isUnsure: isMixed || (!isNext && (shownNext.has(by) || mayNotKnow)),
        isOfDeadChain,
        isCounted: fork.pins < 2 && upgraded !== undefined,
      }
    },
  }
}
