// Delays of node and indexer, and how long an answer of the service may take with them.

export type Asked = 'blocks' | 'block' | 'old block' | 'account'

export interface Setting {
  readonly name: string
  /** Delay of every answer, in milliseconds; `Infinity` for an upstream that hangs. */
  readonly nodeMs: number
  readonly indexerMs: number
  readonly stakesMs: number
  /** How long the service waits for the indexer, and for its staking ledgers. */
  readonly budgetMs: number
  readonly stakesBudgetMs: number
  /** The requests, each with its allowed delay in milliseconds. */
  readonly allowed: readonly (readonly [Asked, number])[]
  /** Whether answers must be complete; if not, they must name their missing fields. */
  readonly isComplete: boolean
}

const slowerOf20And5: Setting['allowed'] = [
  ['blocks', 20],
  ['block', 20],
  ['old block', 40],
  ['account', 25],
]

const patient = { budgetMs: 1500, stakesBudgetMs: 8000, isComplete: true }

/**
 * Blocks may take as long as the slower upstream, an old one twice as long, because the indexer is asked for it after
 * the node. Accounts may take the node's time plus that of the ledgers. With a hanging indexer, its time budget counts
 * instead of its delay.
 */
export const settings: readonly Setting[] = [
  {
    ...patient,
    name: 'node 20, indexer 5',
    nodeMs: 20,
    indexerMs: 5,
    stakesMs: 5,
    allowed: slowerOf20And5,
  },
  {
    ...patient,
    name: 'node 5, indexer 20',
    nodeMs: 5,
    indexerMs: 20,
    stakesMs: 20,
    allowed: slowerOf20And5,
  },
  {
    ...patient,
    name: 'node 20, indexer 20, stakes 40',
    nodeMs: 20,
    indexerMs: 20,
    stakesMs: 40,
    allowed: [
      ['blocks', 20],
      ['block', 20],
      ['old block', 40],
      ['account', 60],
    ],
  },
  {
    name: 'node 20, indexer hangs, budget 100',
    nodeMs: 20,
    indexerMs: Number.POSITIVE_INFINITY,
    stakesMs: Number.POSITIVE_INFINITY,
    budgetMs: 100,
    stakesBudgetMs: 8000,
    allowed: [
      ['blocks', 100],
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
    allowed: [['account', 120]],
    isComplete: false,
  },
]
