// An instance's knowledge of one node, and how the end of a call changes it. Times are an instance's lasting time, in ms.
import type { WireFault } from '../upstream/errors.ts'
import { type Instant, never } from './instant.ts'

export interface NodeState {
  /** Latencies of the last successes in milliseconds, oldest first. */
  readonly latenciesMs: readonly number[]
  /** Moving average of all successes in milliseconds; undefined before the first one. */
  readonly meanMs: number | undefined
  /** Blocks below the greatest height known, when the node answered last. The chain has moved on since, for all nodes. */
  readonly lag: number
  readonly isSynced: boolean
  /** False until an answer has shown its tip; "not found" comes without one. */
  readonly hasShownTip: boolean
  /** True if its latest tip was more than a slot ahead of our clock, and not the genesis block itself. */
  readonly isAhead: boolean
  /** Time of the last success. */
  readonly heardAt: number
  /** When a call last took longer than the largest hedge delay. */
  readonly slowAt: number
  /** Consecutive failed calls. */
  readonly faults: number
  /** Consecutive calls cancelled after they were overdue. */
  readonly cancels: number
  /** Consecutive demotions without a success between them. */
  readonly demotions: number
  readonly demotedUntil: number
  /** When it last answered "busy"; undefined once it has answered anything else. */
  readonly busyAt: number | undefined
  /** The last calls that were sent, oldest first, and whether the node refused them for lack of capacity. */
  readonly loads: readonly { readonly at: number; readonly isRefused: boolean }[]
  /** The node has said that it refuses calls until then. */
  readonly sparedUntil: number
  /** Date of the last tip that it has shown, on any network, by its clock. */
  readonly tipAtMs: number
  /** State hash of its genesis block; undefined until an answer shows it. */
  readonly genesis: string | undefined
  readonly genesisAt: number
  /** The chain id that it has named, with the genesis block that it named beside it. Learnt only if one is pinned. */
  readonly named: { readonly chainId: string; readonly genesis: string } | undefined
  /** When its chain id was last asked for. */
  readonly chainIdAskedAt: number
  /** When it refused the check of its network, which every daemon understands. */
  readonly unsupportedAt: number
}

const withoutFaults = { faults: 0, cancels: 0, demotions: 0, demotedUntil: 0, busyAt: undefined } as const

export const unknownNode: NodeState = {
  latenciesMs: [],
  meanMs: undefined,
  lag: 0,
  isSynced: true,
  hasShownTip: false,
  isAhead: false,
  heardAt: never,
  slowAt: never,
  ...withoutFaults,
  loads: [],
  sparedUntil: 0,
  tipAtMs: never,
  genesis: undefined,
  genesisAt: never,
  named: undefined,
  chainIdAskedAt: never,
  unsupportedAt: never,
}

const keptLatencies = 64
const minSamples = 10
const delayWithoutSamplesMs = 500
const minHedgeDelayMs = 100
export const maxHedgeDelayMs = 1500

/** The time to wait for the node's answer, in milliseconds: the 90th percentile of its latest answers, within bounds. */
export function hedgeDelayMs({ latenciesMs }: NodeState): number {
  if (latenciesMs.length < minSamples) return delayWithoutSamplesMs
  const sorted = latenciesMs.toSorted((left, right) => left - right)
  const percentile = sorted[Math.ceil(0.9 * sorted.length) - 1] ?? delayWithoutSamplesMs
  return Math.min(maxHedgeDelayMs, Math.max(minHedgeDelayMs, percentile))
}

const slowForMs = 60_000

/** True if it recently took longer than the largest hedge delay: asking it beside another slow one does not help. */
export const isSlow = ({ slowAt }: NodeState, { nowMs }: Instant): boolean => nowMs - slowAt < slowForMs

const maxLoads = 10
const loadsKeptMs = 30_000

/** Shorter than a second by the time that a refusal takes, so that a caller who asks once a second always gets through. */
const sparedForMs = 750

/**
 * The share of reads that a node is spared: Google's adaptive throttling, K = 2, over the last ten calls of 30 s; calls that
 * were not made count as accepted. Five refusals in ten spare nothing. A node that refuses everything still gets every eleventh
 * read, and the first read a moment after its last refusal, so a node that recovers is used again at once. Reads that we
 * turned away do not count, or a recovered node would stay out for long. A node that says how long it refuses calls gets none
 * until then.
 */
export function sparedShare({ loads, sparedUntil }: NodeState, { nowMs }: Instant): number {
  if (nowMs < sparedUntil) return 1
  const isJustRefused = loads.some(({ at, isRefused }) => isRefused && nowMs - at < sparedForMs)
  if (!isJustRefused) return 0
  const refused = loads.filter(({ at, isRefused }) => isRefused && nowMs - at < loadsKeptMs).length
  return Math.max(0, (maxLoads - 2 * (maxLoads - refused)) / (maxLoads + 1))
}

/** True if its latest answer, a short time ago, was "busy". It is asked for its network only after it answers again. */
export const refusesLoad = ({ sparedUntil, busyAt }: NodeState, { nowMs }: Instant): boolean =>
  nowMs < sparedUntil || (busyAt !== undefined && nowMs - busyAt < loadsKeptMs)

const loaded = (node: NodeState, isRefused: boolean, { nowMs }: Instant): NodeState => ({
  ...node,
  loads: [...node.loads, { at: nowMs, isRefused }].slice(-maxLoads),
})

export const isDemoted = ({ demotedUntil }: NodeState, { nowMs }: Instant): boolean => nowMs < demotedUntil

/** True if a node was demoted and has not answered since. */
export const isUnproven = ({ demotions }: NodeState): boolean => demotions > 0

/** True if the latest answer awaited from the node never came, or was useless. */
export const hasFailed = ({ faults, demotions }: NodeState): boolean => faults > 0 || demotions > 0

/** One block is the ordinary difference between two nodes; a tip that is not believed says nothing about the chain. */
export const isLeftBehind = ({ lag }: NodeState): boolean => lag >= 2 && lag < Number.POSITIVE_INFINITY

const firstDemotionMs = 10_000
const maxDemotionMs = 60_000

/** Makes a node the last resort for a while. Parallel calls count as one. */
function demoted(node: NodeState, at: Instant): NodeState {
  if (isDemoted(node, at)) return node
  const lengthMs = Math.min(maxDemotionMs, firstDemotionMs * 2 ** node.demotions)
  return { ...node, faults: 0, cancels: 0, demotions: node.demotions + 1, demotedUntil: at.nowMs + lengthMs }
}

const withPace = (node: NodeState, tookMs: number, { nowMs }: Instant): NodeState =>
  tookMs < maxHedgeDelayMs ? node : { ...node, slowAt: nowMs }

const latestWeight = 0.2

/** The node answered, possibly with "not found". */
export const succeeded = (node: NodeState, tookMs: number, at: Instant): NodeState => ({
  ...withPace(loaded(node, false, at), tookMs, at),
  latenciesMs: [...node.latenciesMs, tookMs].slice(-keptLatencies),
  meanMs: node.meanMs === undefined ? tookMs : node.meanMs + latestWeight * (tookMs - node.meanMs),
  heardAt: at.nowMs,
  ...withoutFaults,
})

const maxFaults = 2

/** After this many failures in a row, a node that is alone at the tip fails every question, not just some. */
const maxFaultsOfOnly = 6

/**
 * One time-out or broken connection demotes the node, as do two useless answers in a row.
 *
 * @param isOnlyAtTip no other node is known to be at the best tip: it is worth more attempts
 */
export function failed(
  before: NodeState,
  fault: WireFault,
  tookMs: number,
  at: Instant,
  isOnlyAtTip = false,
): NodeState {
  const isRefused = fault === 'busy'
  const node = { ...withPace(loaded(before, isRefused, at), tookMs, at), busyAt: isRefused ? at.nowMs : undefined }
  const faults = node.faults + 1
  const isOut = fault === 'timeout' || fault === 'unreachable' || faults >= (isOnlyAtTip ? maxFaultsOfOnly : maxFaults)
  return isOut ? demoted(node, at) : { ...node, faults }
}

/**
 * Another node's answer came first. Twice in a row it counts as a time-out, since otherwise a node that never answers
 * is always cancelled and never detected; a node on trial after a demotion gets no second chance. A call that was
 * cancelled before it was overdue shows nothing.
 */
export function cancelled(before: NodeState, tookMs: number, at: Instant): NodeState {
  if (tookMs < hedgeDelayMs(before)) return before
  const node = withPace(before, tookMs, at)
  const cancels = node.cancels + 1
  return cancels >= 2 || node.demotions > 0 ? demoted(node, at) : { ...node, cancels }
}

const networkKeptMs = 600_000
const foreignKeptMs = 10_000

/**
 * True if the node must be asked which network it is on before it gets a mutation: a restart may have changed it.
 *
 * @param isForeign the node is out of use, by what is known
 */
export const needsCheck = ({ genesis, genesisAt }: NodeState, { nowMs }: Instant, isForeign = false): boolean =>
  genesis === undefined || nowMs - genesisAt >= (isForeign ? foreignKeptMs : networkKeptMs)

/** A node that did not name its chain id, or named another than the pinned one, is asked again after this time. */
const chainIdRetryMs = 30_000

/** @param isRight the node has named the pinned chain id */
export const isChainIdDue = ({ chainIdAskedAt }: NodeState, { nowMs }: Instant, isRight: boolean): boolean =>
  nowMs - chainIdAskedAt >= (isRight ? networkKeptMs : chainIdRetryMs)

/** True if it recently refused the check of its network, as a Rust node does. */
export const isUnsupported = ({ unsupportedAt }: NodeState, { nowMs }: Instant): boolean =>
  nowMs - unsupportedAt < networkKeptMs
