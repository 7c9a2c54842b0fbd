// The instance's knowledge of the network: genesis, chain id, greatest height, and the budget for extra calls. Every
// rule is a pure function; only `state.ts` replaces the state.
import { doubtfulEmptySlots, maxEmptySlots, unremarkableEmptySlots } from '../contract/tip-age.ts'
import { canFollow, chainOf } from '../deployment/networks.ts'
import type { Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { type Instant, never } from './instant.ts'
import { isChainIdDue, isUnproven, type NodeState } from './node-state.ts'
import type { Outcome } from './outcome.ts'

export interface NetworkState {
  /** In the order of the settings. */
  readonly nodes: readonly NodeState[]
  /** State hashes of the genesis blocks that the stage pins, the oldest first; empty without a pin. */
  readonly pins: readonly string[]
  /** The chain ids of the pinned networks, in the same order and in lower case; empty if none are pinned. */
  readonly chainIds: readonly string[]
  /** Index of the last of several pins whose network counts; 0 until one does. It never decreases. */
  readonly reachedPin: number
  /** When the nodes were last asked for their networks, to see if a later pin counts. */
  readonly pinsAskedAt: number
  /** When the nodes of other networks were last looked at because our own tip was old. */
  readonly othersAskedAt: number
  /** Date of the newest tip of the network that an answer has shown, by the nodes' clocks. */
  readonly newestTipMs: number
  /** The networks as nodes have described them, by the state hashes of their genesis blocks, and when one last did. */
  readonly networks: ReadonlyMap<string, Network & { readonly at: number }>
  /** Indexes of the nodes whose last description came too late for its request. */
  readonly undescribed: ReadonlySet<number>
  /** When a request last began a long wait for a description. */
  readonly waitedLongAt: number
  /** Extra calls that may still be made. */
  readonly tokens: number
  /** Greatest height that an answer has shown; 0 before the first one. */
  readonly greatestHeight: number
  /** Since when no node that answers has reached that height; undefined while one does. */
  readonly belowSince: number | undefined
  /** When another node was last asked because the tip was old, and had no younger one. */
  readonly nothingFresherAt: number
}

const maxTokens = 5
const tokensPerSuccess = 0.1

/** @throws RangeError for an index without a node */
export function nodeAt({ nodes }: NetworkState, index: number): NodeState {
  const node = nodes[index]
  if (node === undefined) throw new RangeError(`node index ${index} is out of range`)
  return node
}

export const withNode = <State extends NetworkState>(
  state: State,
  index: number,
  change: (node: NodeState) => NodeState,
): State => ({ ...state, nodes: state.nodes.map((node, at) => (at === index ? change(node) : node)) })

/** Sums of tenths are not exact. */
export const hasBudget = ({ tokens }: NetworkState): boolean => tokens >= 1 - 1e-9

export const spent = <State extends NetworkState>(state: State): State => ({
  ...state,
  tokens: Math.max(0, state.tokens - 1),
})

/** Successes credit the budget, not time: sleep does not refill it. */
export const credited = <State extends NetworkState>(state: State): State => ({
  ...state,
  tokens: Math.min(maxTokens, state.tokens + tokensPerSuccess),
})

const isOfService = ({ unsupportedAt }: NodeState): boolean => unsupportedAt === never

/**
 * The chain id that belongs to a genesis block, if chain ids are pinned: the pinned one, or that of a known chain. The
 * latter tells a hard fork from a node that is alone on an old genesis block.
 */
function rightChainId({ pins, chainIds }: NetworkState, genesis: string | undefined): string | undefined {
  if (genesis === undefined || chainIds.length === 0) return undefined
  return chainIds[pins.indexOf(genesis)] ?? chainOf(genesis)?.chainId
}

/** True if a node's chain id does not belong to its genesis block: it is alone on its chain. */
export function isOtherChain(state: NetworkState, index: number): boolean {
  const { genesis, named } = nodeAt(state, index)
  const wanted = rightChainId(state, genesis)
  return wanted !== undefined && named !== undefined && named.genesis === genesis && named.chainId !== wanted
}

/**
 * True if every node has answered, and all name one genesis that is not pinned and can follow the pinned one: a hard fork.
 */
export function isForked(state: NetworkState): boolean {
  const { nodes, pins } = state
  const [first, ...others] = nodes.filter(isOfService).map(({ genesis }) => genesis)
  const lastPin = pins.at(-1)
  if (first === undefined || lastPin === undefined || pins.includes(first)) return false
  const isOneChain = others.every((genesis) => genesis === first) && canFollow(first, lastPin)
  return isOneChain && !nodes.some((_, index) => isOtherChain(state, index))
}

/**
 * True if a node's chain id must be asked for: it decides whether the node is used.
 *
 * @param waitsLong the request may wait as long as an answer takes
 */
export function needsChainId(state: NetworkState, index: number, at: Instant, waitsLong: boolean): boolean {
  const node = nodeAt(state, index)
  const { genesis, named } = node
  if (state.chainIds.length === 0) return false
  if (genesis !== undefined && rightChainId(state, genesis) === undefined) return false
  const isRight = genesis !== undefined && named?.genesis === genesis && !isOtherChain(state, index)
  return isChainIdDue(node, at, isRight) || (!isRight && waitsLong)
}

/** The network by its genesis: the last pinned one that counts, or that of the first listed node which has named one. */
export function networkOf(state: NetworkState): string | undefined {
  const pin = state.pins[state.reachedPin]
  if (pin !== undefined && !isForked(state)) return pin
  return state.nodes.find(({ genesis }) => genesis !== undefined)?.genesis
}

/** True if the network in use is not the one that is pinned last: the fork has not come, or nobody is on the new chain. */
export const isPinStale = (state: NetworkState): boolean =>
  state.pins.length > 0 && networkOf(state) !== state.pins.at(-1)

const isBeforeLastPin = ({ pins, reachedPin }: NetworkState): boolean => reachedPin < pins.length - 1

/**
 * After a node has shown a tip. A pinned network counts once the tip is above its genesis block, or is that block and
 * not ahead of our clock: before that time its chain has not begun. An instance never goes back to an earlier pin.
 */
function withPin<State extends NetworkState>(state: State, index: number, tip: Tip, at: Instant): State {
  if (isOtherChain(state, index)) return state
  const pin = state.pins.indexOf(tip.genesisStateHash)
  const hasBegun = tip.stateHash !== tip.genesisStateHash || !isAhead(state, tip, at)
  return pin > state.reachedPin && hasBegun ? { ...state, reachedPin: pin } : state
}

export function isForeign(state: NetworkState, index: number): boolean {
  const { genesis } = nodeAt(state, index)
  return genesis !== undefined && (genesis !== networkOf(state) || isOtherChain(state, index))
}

/** Another network has other heights. */
function withoutHeights<State extends NetworkState>(before: State, state: State): State {
  const known = networkOf(before)
  const isOther = known !== undefined && known !== networkOf(state)
  if (!isOther) return state
  return { ...state, greatestHeight: 0, belowSince: undefined, newestTipMs: never }
}

/** After a node has named its genesis. */
export function withGenesis<State extends NetworkState>(
  before: State,
  index: number,
  genesis: string,
  { nowMs }: Instant,
): State {
  const unsupportedAt = never
  const state = withNode(before, index, (node) => {
    // After an upgrade the old chain id says nothing, so that of the new chain is asked for at once.
    const isUpgraded = node.genesis !== undefined && node.genesis !== genesis
    const chainIdAskedAt = isUpgraded ? never : node.chainIdAskedAt
    return { ...node, genesis, genesisAt: nowMs, unsupportedAt, chainIdAskedAt }
  })
  return withoutHeights(before, state)
}

/** After a node has named its chain id, beside its genesis block. */
export const withChainId = <State extends NetworkState>(
  state: State,
  index: number,
  { chainId, genesis }: Network,
  { nowMs }: Instant,
): State =>
  withNode(state, index, (node) => ({
    ...node,
    named: { chainId: chainId.toLowerCase(), genesis: genesis.stateHash },
    chainIdAskedAt: nowMs,
  }))

/** After a node has shown its tip, and with it its network. */
export function withTip<State extends NetworkState>(before: State, index: number, tip: Tip, at: Instant): State {
  const named = withGenesis(before, index, tip.genesisStateHash, at)
  const reached = withoutHeights(named, withPin(named, index, tip, at))
  const state = withNode(reached, index, (node) => ({ ...node, tipAtMs: tip.atMs }))
  return isForeign(state, index) ? state : withHeight(state, index, tip, at)
}

/** After a node refused the check of its network, which every daemon understands. */
export const withoutSupport = <State extends NetworkState>(state: State, index: number, { nowMs }: Instant): State =>
  withNode(state, index, (node) => ({ ...node, genesis: undefined, unsupportedAt: nowMs }))

/**
 * The nodes listed before one, and before all whose network is known: without a pin, any of them may still decide which
 * network counts.
 */
export function unknownBefore({ nodes, pins }: NetworkState, index: number): readonly number[] {
  if (pins.length > 0) return []
  const before = nodes.slice(0, index)
  const firstKnown = before.findIndex(({ genesis }) => genesis !== undefined)
  const unknown = firstKnown === -1 ? before : before.slice(0, firstKnown)
  return unknown.flatMap((node, at) => (isOfService(node) ? [at] : []))
}

/**
 * After a node has described its network. If its chain id does not belong to its genesis block it may have other
 * constants, so its description does not count.
 */
export function withNetwork<State extends NetworkState>(state: State, network: Network, { nowMs }: Instant): State {
  const { chainId, genesis } = network
  const wanted = rightChainId(state, genesis.stateHash)
  if (wanted !== undefined && wanted !== chainId.toLowerCase()) return state
  const known = state.networks.get(genesis.stateHash)
  const described = { ...(known?.constants === undefined ? network : known), chainId, at: nowMs }
  return { ...state, networks: new Map(state.networks).set(genesis.stateHash, described) }
}

/** The network in use, once a node has described it. */
const ownNetwork = (state: NetworkState) => state.networks.get(networkOf(state) ?? '')

/** True if nothing is left to ask about the network of a genesis block. */
export const isDescribed = (state: NetworkState, genesis: string): boolean =>
  state.networks.get(genesis)?.constants !== undefined

const chainIdShownForMs = 600_000

/** True if the network in use is known, by a description that is young enough for its chain id to be shown. */
export function isFreshlyDescribed(state: NetworkState, { nowMs }: Instant): boolean {
  const own = ownNetwork(state)
  return own?.constants !== undefined && nowMs - own.at < chainIdShownForMs
}

/** Length of a slot in milliseconds; undefined until a node of the network has described it. */
const slotMsOf = (state: NetworkState): number | undefined => ownNetwork(state)?.constants?.slotMs

/** If every node that answers stays below the greatest height for so long, the chain was reorganised. */
const reorganisedAfterMs = 360_000

/**
 * Slot lengths of the public networks, used until a node names its own: the longest to judge a tip whose age has
 * consequences, the shortest to doubt one.
 */
export const assumedSlotMs = 180_000
export const minSlotMs = 90_000

const nothingFresherForMs = 30_000

/** True if a tip is so old, or so far ahead, that the length of a slot decides about it and must be asked for. */
export function needsSlot(state: NetworkState, { atMs }: Pick<Tip, 'atMs'>, { wallMs }: Instant): boolean {
  const isDoubtful = wallMs - atMs > doubtfulEmptySlots * minSlotMs || atMs - wallMs > minSlotMs
  return isDoubtful && slotMsOf(state) === undefined
}

/** True for a tip more than one slot ahead of our clock: no node should have it yet. */
export const isAhead = (state: NetworkState, { atMs }: Tip, { wallMs }: Instant): boolean =>
  atMs > wallMs + (slotMsOf(state) ?? assumedSlotMs)

/** True for a node of the network that has answered since it was last demoted, if it ever was. */
function isUsed(state: NetworkState, index: number): boolean {
  const node = nodeAt(state, index)
  return !isForeign(state, index) && isOfService(node) && !isUnproven(node)
}

/**
 * True if every node of the network that answers shows a tip ahead of our clock: then our clock is wrong, not the
 * nodes'. A node that was never heard may know better. A tip that is the genesis block says nothing: until its chain
 * starts, it is ahead of every clock.
 */
export function isClockBehind(state: NetworkState): boolean {
  const used = [...state.nodes.keys()].filter((index) => isUsed(state, index))
  return used.length > 0 && used.every((index) => nodeAt(state, index).isAhead)
}

/** A tip more than one slot ahead of our clock is not believed, unless our clock is behind. */
export const isBelievable = (state: NetworkState, tip: Tip, at: Instant): boolean =>
  !isAhead(state, tip, at) || isClockBehind(state)

/** Remembers what an answer showed of its node's tip. */
function withHeight<State extends NetworkState>(before: State, index: number, tip: Tip, at: Instant): State {
  const isSynced = tip.syncStatus === 'SYNCED'
  const isGenesis = tip.stateHash === tip.genesisStateHash
  const state = withNode(before, index, (node) => ({
    ...node,
    hasShownTip: true,
    isAhead: !isGenesis && isAhead(before, tip, at),
  }))
  if (!isBelievable(state, tip, at)) {
    return withNode(state, index, (node) => ({ ...node, isSynced, lag: Number.POSITIVE_INFINITY }))
  }
  const greatestHeight = Math.max(state.greatestHeight, tip.height)
  const lag = greatestHeight - tip.height
  const belowSince = lag === 0 ? undefined : state.belowSince
  // Once all tips are ahead of our clock they are believed, so those seen before do not count as lagging.
  const nodes = state.nodes.map((node) =>
    node.isAhead && node.lag === Number.POSITIVE_INFINITY ? { ...node, lag: 0 } : node,
  )
  const newestTipMs = Math.max(state.newestTipMs, tip.atMs)
  return withNode({ ...state, nodes, greatestHeight, belowSince, newestTipMs }, index, (node) => ({
    ...node,
    isSynced,
    lag,
  }))
}

/** True if an earlier answer showed a greater height. An equal height with another hash is not behind. */
export const isBehind = (state: NetworkState, tip: Tip, at: Instant): boolean =>
  tip.height < state.greatestHeight || !isBelievable(state, tip, at)

/** Age of the network's newest tip in whole slots; infinite if none was shown. */
const ageInSlots = (state: NetworkState, { wallMs }: Instant, unknownSlotMs: number): number =>
  Math.floor((wallMs - state.newestTipMs) / (slotMsOf(state) ?? unknownSlotMs))

/** True if the network's newest tip is too old for chance, or none was shown. */
const standsStill = (state: NetworkState, at: Instant): boolean => ageInSlots(state, at, assumedSlotMs) > maxEmptySlots

/** True if the chain may have halted, by the shortest slots until theirs are known. A hard fork discards its end. */
export const isHalted = (state: NetworkState, at: Instant): boolean =>
  ageInSlots(state, at, minSlotMs) >= doubtfulEmptySlots

/** True if a node that was never heard may be on a later pinned network. */
const mayBeOnLaterPin = (state: NetworkState): boolean =>
  isBeforeLastPin(state) && state.nodes.some((node) => isOfService(node) && node.genesis === undefined)

/**
 * True if it is unknown which of the pinned networks counts: an earlier one has halted, and a node that was never heard
 * may be on a later one. Before that, reads are answered from the earlier one.
 */
export const isNetworkInDoubt = (state: NetworkState, at: Instant): boolean =>
  mayBeOnLaterPin(state) && standsStill(state, at)

/** The same for a broadcast, which doubts much sooner: a command that goes to the wrong network is not sent again. */
export const isNetworkInDoubtForBroadcasts = (state: NetworkState, at: Instant): boolean =>
  mayBeOnLaterPin(state) && isHalted(state, at)

/** True if the length of a slot decides about that. */
export const needsSlotForPins = (state: NetworkState, at: Instant): boolean =>
  state.newestTipMs > never && mayBeOnLaterPin(state) && needsSlot(state, { atMs: state.newestTipMs }, at)

const pinsKeptMs = 10_000

/**
 * True if every node must be asked for its network, since one may be on a later pin: every ten seconds, and at once while
 * broadcasts doubt which network counts.
 */
export const mustAskForPins = (state: NetworkState, at: Instant): boolean =>
  isBeforeLastPin(state) && (at.nowMs - state.pinsAskedAt >= pinsKeptMs || isNetworkInDoubtForBroadcasts(state, at))

/** True if the network has halted while a listed node of another one has a fresh tip: the wrong chain is served. */
export function isOtherNetworkFresh(state: NetworkState, at: Instant): boolean {
  const maxAgeMs = maxEmptySlots * (slotMsOf(state) ?? assumedSlotMs)
  const isFresh = ({ tipAtMs }: NodeState) => Math.abs(at.wallMs - tipAtMs) <= maxAgeMs
  const others = state.nodes.filter((_, index) => isForeign(state, index))
  return standsStill(state, at) && others.some(isFresh)
}

const othersKeptMs = 30_000

/**
 * The nodes of other networks to look at again, by index: our tip is old, and their chain may have begun since they
 * were last heard.
 */
export function othersToLookAt(state: NetworkState, at: Instant): readonly number[] {
  const isDue = (askedAt: number) => at.nowMs - askedAt >= othersKeptMs
  const isOld = ageInSlots(state, at, assumedSlotMs) >= unremarkableEmptySlots
  if (!isDue(state.othersAskedAt) || !isOld) return []
  const isUnheard = ({ tipAtMs, genesisAt }: NodeState) => tipAtMs === never || isDue(genesisAt)
  return [...state.nodes.keys()].filter((index) => isForeign(state, index) && isUnheard(nodeAt(state, index)))
}

/** True if another node must be asked because the tip is old. */
export function needsFresher(state: NetworkState, { atMs }: Tip, { nowMs, wallMs }: Instant): boolean {
  const isOld = wallMs - atMs > doubtfulEmptySlots * (slotMsOf(state) ?? assumedSlotMs)
  return isOld && nowMs - state.nothingFresherAt >= nothingFresherForMs
}

/**
 * After an answer below the greatest height, because no node that answers has reached it. If that lasts, the height is
 * forgotten.
 */
export function stayedBelow<State extends NetworkState>(state: State, height: number, { nowMs }: Instant): State {
  const { belowSince = nowMs } = state
  return nowMs - belowSince < reorganisedAfterMs
    ? { ...state, belowSince }
    : { ...state, belowSince: undefined, greatestHeight: height }
}

/** True if a node was at the best tip when last heard, and no other node of its network is known to be. */
export function isOnlyAtTip(state: NetworkState, index: number): boolean {
  const isAtTip = (at: number) => {
    const { hasShownTip, isSynced, lag } = nodeAt(state, at)
    return hasShownTip && isSynced && lag === 0
  }
  const isAlsoThere = (at: number) => at !== index && isUsed(state, at) && isAtTip(at)
  return isAtTip(index) && ![...state.nodes.keys()].some(isAlsoThere)
}

/** True if a failed call says nothing about the network: it was not sent, or its node is foreign, unsupported or never heard. */
export function isUninformative(state: NetworkState, call: Outcome): boolean {
  if (call.kind === 'answer') return false
  const { heardAt, unsupportedAt } = nodeAt(state, call.node)
  const isHeard = heardAt !== never && unsupportedAt === never
  return call.error.isUnsent || isForeign(state, call.node) || !isHeard
}
