// The parameters of a history: how the nodes behave, how often the network fails, how busy the clients are.
import { createRandom, integerBetween, pick, type Random } from '../../local/chain/random.ts'
import type { Dialect } from './network/refusal-words.ts'

export interface Setting {
  readonly nodes: number
  /** Whether each node has an address of its own; else they hide behind one. */
  readonly hasOwnAddresses: boolean
  readonly dialect: Dialect
  readonly acceptsDuplicates: boolean
  /** Which node gets a call: a random one per call, a random one per request, or always the first that runs. */
  readonly balancing: 'call' | 'request' | 'first'
  readonly gossipMs: readonly [least: number, most: number]
  /** The longest time after which the other node sees a block. */
  readonly blockLagMs: number
  readonly blockEveryMs: readonly [least: number, most: number]
  /** The probability that a mutation fails on the network. */
  readonly mutationFaults: number
  /** The same for the queries that search for a command. */
  readonly searchFaults: number
  /** The probability of a reorganisation, per block. */
  readonly reorganisations: number
  /** The probability that a pool refuses a new command because of its load. */
  readonly overload: number
  /** How often a node restarts. */
  readonly restarts: number
  readonly senders: number
  /** How many actions a wallet takes. */
  readonly actions: number
  /** The longest pause of a wallet between two actions. */
  readonly thinkMs: number
}

const blockRegimes = [
  [5_000, 12_000],
  [20_000, 60_000],
  [5_000, 90_000],
] as const

const dialects: readonly Dialect[] = ['ocaml', 'ocaml', 'ocaml', 'rust']

/** Two nodes that hide behind one address. */
export const oneAddress = { nodes: 2, hasOwnAddresses: false } as const

/** What of a setting is chosen, not drawn. */
export type Places = Pick<Setting, 'nodes' | 'hasOwnAddresses'>

export function settingOf(random: Random, places: Places): Setting {
  const dialect = pick(random, dialects)
  const mutationFaults = pick(random, [0, 0.05, 0.2, 0.5, 0.8])
  return {
    ...places,
    dialect,
    acceptsDuplicates: dialect === 'ocaml' || random() < 0.5,
    balancing: pick(random, ['call', 'request', 'first'] as const),
    gossipMs: [100, pick(random, [300, 1000, 2500])],
    blockLagMs: pick(random, [100, 500]),
    blockEveryMs: pick(random, blockRegimes),
    mutationFaults,
    searchFaults: mutationFaults * pick(random, [0, 0.5, 1]),
    reorganisations: pick(random, [0, 0.1, 0.3]),
    overload: pick(random, [0, 0, 0, 0.05, 0.3]),
    restarts: pick(random, [0, 0, 1, 2]),
    senders: integerBetween(random, 1, 3),
    actions: integerBetween(random, 1, 5),
    thinkMs: pick(random, [1_000, 10_000, 30_000, 120_000]),
  }
}

/** The only randomness of a history. */
export const randomOf = (seed: string): Random => createRandom(`broadcast history ${seed}`)
