// The record of each request, and its counts.
import type { Judgement, Verdict } from './judge.ts'
import type { MixedRequest } from './mix.ts'

export interface Sample extends Judgement, Pick<MixedRequest, 'kind' | 'path'> {
  /** Both as `performance.now()` gives them. */
  readonly sentAt: number
  readonly receivedAt: number
  /** True if the indexer served from the first moment of the request to the last. */
  readonly wasUp: boolean
  /** The number of states of the chain meanwhile: 1 when no block came. */
  readonly states: number
}

const kinds: readonly Sample['kind'][] = ['blocks', 'block', 'old block', 'account', 'summary']
const verdicts: readonly Verdict[] = ['complete', 'incomplete', 'unknowable', '5xx', 'wrong']

/** Lines of a table: a row for each kind of request, a column for each verdict. */
export function countsTable(samples: readonly Sample[]): readonly string[] {
  const row = (cells: readonly (string | number)[]): string =>
    cells.map((cell, column) => (column === 0 ? String(cell).padEnd(10) : String(cell).padStart(13))).join('')
  return [
    row(['', 'requests', ...verdicts]),
    ...kinds.map((kind) => {
      const own = samples.filter((sample) => sample.kind === kind)
      return row([kind, own.length, ...verdicts.map((verdict) => own.filter((one) => one.verdict === verdict).length)])
    }),
  ]
}
