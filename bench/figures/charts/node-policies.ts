// What the charts on several nodes have in common: names of the policies and of the troubles.
import { type Outcome, type Row, rowsOf } from '../outcome.ts'
import { labelOf } from './chart.ts'

/** The run of the bench that compares policies. */
export const policyRun = 'nodes'

/** By the bench's name of a policy. */
export const policyNames = {
  ours: 'this service',
  'first only': 'the first node only',
  'round robin': 'each node in turn',
  fallback: 'the next one after a failure',
  fastest: 'the fastest one so far',
  'ask all': 'all nodes, first answer wins',
}

/** By the bench's name of a trial: those with one node of three in trouble. */
export const troubleNames = {
  '5 % of one node ten times slower': 'one node takes ten times as long for one answer in twenty',
  'one black hole': 'one node accepts connections and never answers',
  'a node down at cold start, healed after 3 s': 'one node is down for the first three seconds',
  'a node down at cold start, healed after 9 s': 'one node is down for the first nine seconds',
  'the fastest node lags 1 block': 'the fastest node is a block behind',
  'the fastest node lags 1 block at times': 'the fastest node is a block behind at times',
  'the fastest node lags 3 blocks': 'the fastest node is three blocks behind',
  'the fastest node lags 3 blocks at times': 'the fastest node is three blocks behind at times',
  'the fastest node is stuck': 'the fastest node no longer follows the chain',
}

export interface PolicyRow extends Row {
  readonly policyName: string
  readonly trouble: string
  /** The share of questions that ended in an error, an older tip than before or a "not found" of what there is. */
  readonly failed: number
}

/** The rows of trials with one node in trouble, named for people. */
export const policyRows = (outcomes: readonly Outcome[]): readonly PolicyRow[] =>
  rowsOf(outcomes, policyRun)
    .filter(({ trial = '' }) => trial in troubleNames)
    .map((row) => ({
      ...row,
      policyName: labelOf(policyNames, row.policy),
      trouble: labelOf(troubleNames, row.trial),
      failed: (Number(row.errors) + Number(row.wentBack) + Number(row.false404)) / Number(row.questions),
    }))
