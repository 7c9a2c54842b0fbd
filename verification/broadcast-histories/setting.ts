// What kind of history a seed gives: how the nodes behave, how often the network fails, how busy the clients are.
import { createRandom, integerBetween, pick, type Random } from '../../local/chain/random.ts'
import type { Dialect } from './network/refusal-words.ts'

export interface Setting {
  readonly dialect: Dialect
  readonly takesDuplicates: boolean
  /** Which node a call goes to: each call any, each request its own, or always the first that runs. */
  readonly balancing: 'call' | 'request' | 'first'
  readonly gossipMs: readonly [least: number, most: number]
  /** How much later than its maker the other node sees a block. */
  readonly blockLagMs: number
  readonly blockEveryMs: readonly [least: number, most: number]
  /** Probabilities: of a fault for a mutation and for a look, of a reorganisation at a block, of a refusal for load. */
  readonly mutationFaults: number
  readonly lookFaults: number
  readonly reorganisations: number
  readonly overload: number
  readonly restarts: number
  readonly senders: number
  /** What a wallet does before it rests. */
  readonly actions: number
  /** The longest that a wallet thinks between two actions. */
  readonly thinkMs: number
}

const blockRegimes = [
  [5_000, 12_000],
  [20_000, 60_000],
  [5_000, 90_000],
] as const

const dialects: readonly Dialect[] = ['ocaml', 'ocaml', 'ocaml', 'rust']

export function settingOf(random: Random): Setting {
  const dialect = pick(random, dialects)
  const mutationFaults = pick(random, [0, 0.05, 0.2, 0.5, 0.8])
  return {
    dialect,
    takesDuplicates: dialect === 'ocaml' || random() < 0.5,
    balancing: pick(random, ['call', 'request', 'first'] as const),
    gossipMs: [100, pick(random, [300, 1000, 2500])],
    blockLagMs: pick(random, [100, 500]),
    blockEveryMs: pick(random, blockRegimes),
    mutationFaults,
    lookFaults: mutationFaults * pick(random, [0, 0.5, 1]),
    reorganisations: pick(random, [0, 0.1, 0.3]),
    overload: pick(random, [0, 0, 0, 0.05, 0.3]),
    restarts: pick(random, [0, 0, 1, 2]),
    senders: integerBetween(random, 1, 3),
    actions: integerBetween(random, 1, 5),
    thinkMs: pick(random, [1_000, 10_000, 30_000, 120_000]),
  }
}

/** Everything that happens in a history follows from its seed. */
export const randomOf = (seed: string): Random => createRandom(`broadcast history ${seed}`)
