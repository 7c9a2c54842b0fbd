// What one instance knows of its nodes, as one value. Every rule is a pure function of it.

/** Which network a node is on. */
export interface Genesis {
  readonly stateHash: string
  readonly chainId: string
  /** Undefined where the node does not report it. */
  readonly slotDurationMs: number | undefined
}

/** One node, by what its own answers have shown. Times are wall clock, milliseconds since 1970. */
export interface NodeState {
  /** Latencies of the last successes in milliseconds, oldest first. */
  readonly latenciesMs: readonly number[]
  /** Moving average of all successes in milliseconds; undefined before the first one. */
  readonly meanMs: number | undefined
  /** Blocks below the greatest height known, when the node answered last. The chain has moved on since, for all nodes. */
  readonly lag: number
  readonly isSynced: boolean
  /** Time of the last success; minus infinity before the first one. */
  readonly heardAt: number
  /** Answers in a row that were no use. */
  readonly faults: number
  /** Calls in a row that were overdue when they were cancelled. */
  readonly cancels: number
  /** Demotions in a row, without a success between them. */
  readonly demotions: number
  readonly demotedUntil: number
  /** When it answered that it is busy, if that is the last that it answered; undefined otherwise. */
  readonly busyAt: number | undefined
  /** Undefined until the node has said so. */
  readonly genesis: Genesis | undefined
  /** When the node was last asked for it; minus infinity before that. */
  readonly genesisAskedAt: number
}

export interface PoolState {
  /** In the order of the settings. */
  readonly nodes: readonly NodeState[]
  /** Extra calls that may still be made. */
  readonly tokens: number
  /** Index of the node that is asked first as long as none is clearly better. */
  readonly leader: number
  readonly leaderSince: number
  /** Greatest height that an answer has shown; 0 before the first one. */
  readonly greatestHeight: number
  /** Since when no node that answers has reached that height; undefined while one does. */
  readonly belowSince: number | undefined
  /** When another node was last asked because the tip was old, and had no younger one. */
  readonly nothingFresherAt: number
}

const unknownNode: NodeState = {
  latenciesMs: [],
  meanMs: undefined,
  lag: 0,
  isSynced: true,
  heardAt: Number.NEGATIVE_INFINITY,
  faults: 0,
  cancels: 0,
  demotions: 0,
  demotedUntil: 0,
  busyAt: undefined,
  genesis: undefined,
  genesisAskedAt: Number.NEGATIVE_INFINITY,
}

const startingTokens = 2

/**
 * The state of a new instance.
 *
 * @param random from 0 to below 1: a random first node spreads a fleet over all of them
 */
export const initialState = (count: number, random: number): PoolState => ({
  nodes: Array.from({ length: count }, () => unknownNode),
  tokens: startingTokens,
  leader: Math.floor(random * count),
  leaderSince: Number.NEGATIVE_INFINITY,
  greatestHeight: 0,
  belowSince: undefined,
  nothingFresherAt: Number.NEGATIVE_INFINITY,
})

/** @throws RangeError for an index without a node */
export function nodeAt({ nodes }: PoolState, index: number): NodeState {
  const node = nodes[index]
  if (node === undefined) throw new RangeError(`there is no node ${index}`)
  return node
}

/** The state with one node changed. */
export const withNode = (state: PoolState, index: number, change: (node: NodeState) => NodeState): PoolState => ({
  ...state,
  nodes: state.nodes.map((node, at) => (at === index ? change(node) : node)),
})
