// The plan of a hard fork in a history: when the old chain ends, when the new one begins, and what becomes of each node.
import { createRandom, integerBetween, pick, type Random } from '../../../testnet/random.ts'
import type { ChainEnd } from '../chain/network.ts'
import type { Chances } from '../wire/wire.ts'

/** An operator's work on a node, in milliseconds since the world began. */
export type NodePlan =
  /** It is down between these times, then on the new chain, whose genesis block may lie ahead of the clock. */
  | { readonly becomes: 'upgraded'; readonly fromMs: number; readonly untilMs: number }
  /** It stays on the old chain, which stands still. */
  | { readonly becomes: 'frozen' }
  /** It never comes back. */
  | { readonly becomes: 'gone'; readonly fromMs: number }

export interface ForkPlan extends ChainEnd {
  readonly beginsAtMs: number
  /** By place, each of which has one host. */
  readonly nodes: readonly NodePlan[]
  /** The number of networks that the settings pin, in the order of time. */
  readonly pins: 0 | 1 | 2
  /** The indexer is on the new chain from its beginning; otherwise it stays on the old one. */
  readonly indexerFollows: boolean
  /** Behind the address of the indexer that is read from, one replica follows and one stays. */
  readonly hasReplicas: boolean
}

const second = 1000

function nodePlanOf(random: Random, { blocksAtMs, commandsAtMs }: ChainEnd, beginsAtMs: number): NodePlan {
  const dice = random()
  if (dice < 0.3) return { becomes: 'frozen' }
  if (dice < 0.5) return { becomes: 'gone', fromMs: integerBetween(random, commandsAtMs, beginsAtMs + 60 * second) }
  const fromMs = integerBetween(random, blocksAtMs, beginsAtMs + 60 * second)
  return { becomes: 'upgraded', fromMs, untilMs: fromMs + second * integerBetween(random, 5, 60) }
}

/**
 * The hard fork of a history, from a source that nothing else draws from: histories without one stay as they are.
 *
 * @param share of the histories that have one
 */
export function forkOf(seed: string, share: number, slotMs: number): ForkPlan | undefined {
  const random = createRandom(`hard fork of ${seed}`)
  if (random() >= share) return undefined
  const commandsAtMs = slotMs * integerBetween(random, 3, 12)
  const blocksAtMs = commandsAtMs + second * integerBetween(random, 20, 90)
  // The shorter halts end within thirty slots, and the longer ones go on for so many, and for five of the public networks'
  // slots, after which an instance asks how long ours are.
  const haltMs = second * pick(random, [integerBetween(random, 20, 290), integerBetween(random, 460, 900)])
  const beginsAtMs = Math.ceil((blocksAtMs + haltMs) / slotMs) * slotMs
  const nodes = Array.from({ length: integerBetween(random, 1, 3) }, () =>
    nodePlanOf(random, { commandsAtMs, blocksAtMs }, beginsAtMs),
  )
  const fromMs = integerBetween(random, blocksAtMs, beginsAtMs + 60 * second)
  const upgraded: NodePlan = { becomes: 'upgraded', fromMs, untilMs: fromMs + second * integerBetween(random, 5, 60) }
  return {
    commandsAtMs,
    blocksAtMs,
    beginsAtMs,
    nodes: nodes.with(integerBetween(random, 0, nodes.length - 1), upgraded),
    pins: pick(random, [0, 1, 2, 2, 2, 2] as const),
    indexerFollows: random() < 0.3,
    hasReplicas: random() < 0.2,
  }
}

/** The time from the beginning of a history until the new chain has lived for a while. */
export const dayMsOf = ({ beginsAtMs, hasReplicas }: ForkPlan): number =>
  beginsAtMs + (hasReplicas ? 480 : 240) * second

/** Differs from the setting of other histories: healthy nodes, each at its own address, whose chain forks. */
export const settingOfFork = (
  fork: ForkPlan,
  { queryFaults }: Pick<Chances, 'queryFaults'>,
  latencyOf: (random: Random) => number,
) => ({
  fork,
  isPinned: fork.pins > 0,
  places: fork.nodes.map(() => ({
    hosts: [{ script: (_since: number, random: Random) => ({ latencyMs: latencyOf(random) }) }],
    sharedAddress: false,
    balancing: 'first' as const,
  })),
  // The judge knows that an instance must have heard of the new chain only where no question is lost by chance.
  queryFaults: fork.indexerFollows ? queryFaults : 0,
  blockEveryMs: [5_000, 12_000] as const,
  // Long enough for the longest cache times, which end with the chain.
  height: 45,
  // With replicas so few that blocks of the new chain leave it within the day: only an indexer has them then.
  frontierBlocks: fork.hasReplicas ? 24 : 60,
  restarts: 0,
  actions: 10,
  thinkMs: Math.ceil(dayMsOf(fork) / 5),
})
