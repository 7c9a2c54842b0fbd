// Delays of node and indexer, and how long an answer of the service may take with them.

export type Asked = 'blocks' | 'block' | 'old block' | 'account'

export interface Setting {
  readonly name: string
  /** Delay of every answer, in milliseconds; `Infinity` for an upstream that hangs. */
  readonly nodeMs: number
  readonly indexerMs: number
  readonly stakesMs: number
  /** The service's time-outs for the indexer, and for its staking ledgers. */
  readonly budgetMs: number
  readonly stakesBudgetMs: number
  /** The requests, each with its allowed delay in milliseconds. */
  readonly allowed: readonly (readonly [Asked, number])[]
  /** True if answers must be complete; otherwise they must name their missing fields. */
  readonly isComplete: boolean
}

/** A walk for the row of a key and one for its delegators, in each of two ledgers. */
const walks = 4

/**
 * The latest blocks may take as long as both upstreams, because their heights are the indexer's question; a block as long
 * as the slower one, and an old one twice as long, because the indexer is asked for it after the node. Accounts may take
 * the time of the slower one and then that of their walks, which go one after the other, each behind a light question.
 */
const complete = (nodeMs: number, indexerMs: number, stakesMs: number): Setting => ({
  name: `node ${nodeMs}, indexer ${indexerMs}, stakes ${stakesMs}`,
  nodeMs,
  indexerMs,
  stakesMs,
  budgetMs: 1500,
  stakesBudgetMs: 8000,
  allowed: [
    ['blocks', nodeMs + indexerMs],
    ['block', Math.max(nodeMs, indexerMs)],
    // Over one address the node is asked again whether no daemon behind it has the block.
    ['old block', Math.max(2 * nodeMs, indexerMs) + Math.max(nodeMs, indexerMs)],
    ['account', Math.max(nodeMs, indexerMs) + walks * (indexerMs + stakesMs)],
  ],
  isComplete: true,
})

/** With a hanging indexer, its time budget counts instead of its delay; a ledger whose first walk hangs gets no other. */
export const settings: readonly Setting[] = [
  complete(20, 5, 5),
  complete(5, 20, 20),
  complete(20, 20, 40),
  {
    name: 'node 20, indexer hangs, budget 100',
    nodeMs: 20,
    indexerMs: Number.POSITIVE_INFINITY,
    stakesMs: Number.POSITIVE_INFINITY,
    budgetMs: 100,
    stakesBudgetMs: 8000,
    allowed: [
      ['blocks', 120],
      ['block', 100],
      ['account', 100],
    ],
    isComplete: false,
  },
  {
    name: 'node 20, indexer 5, stakes hang, budget 100',
    nodeMs: 20,
    indexerMs: 5,
    stakesMs: Number.POSITIVE_INFINITY,
    budgetMs: 1500,
    stakesBudgetMs: 100,
    allowed: [['account', 230]],
    isComplete: false,
  },
]
