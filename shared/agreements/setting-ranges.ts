// Numbers on which the settings of a stage and the settings of a function must agree.
import { maxAnswerMs } from './limits.ts'

/** From the first number to the second, both included. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** For one call to an upstream, which must not take longer than an answer may. */
export const timeoutRangeMs: Range = { min: 1, max: maxAnswerMs }

/** Time-outs of a stage that sets none: a call to the node, one to the indexer, and one that walks a staking ledger. */
export const defaultTimeoutMs = { node: 8000, indexer: 1500, stakes: 8000 } as const
