// The tally as text.
import { forbidden, type Tally } from './tally.ts'
import { outcomes } from './verdict.ts'

const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`

/** @param tookMs real time */
export function report({ histories, requests, shortest, ...tally }: Tally, tookMs: number): string {
  const byOutcome = [...outcomes, 'none' as const]
    .map((outcome) => [outcome, tally.outcomes.get(outcome) ?? 0] as const)
    .filter(([outcome, count]) => outcome !== 'none' || count > 0)
    .map(([outcome, count]) => `  ${outcome.padEnd(20)} ${String(count).padStart(7)}  ${share(count, requests)}`)
  const byCode = (counts: ReadonlyMap<string, number>) =>
    [...counts]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([code, count]) => `  ${code.padEnd(40)} ${String(count).padStart(7)}`)
  const calls = [...tally.calls]
    .sort(([one], [other]) => one - other)
    .map(([calls, count]) => `${calls}: ${share(count, requests)}`)
  const faults = [...forbidden, 'replacement lost' as const].map((fault) => {
    const example = shortest.get(fault)
    const replay = example === undefined ? '' : `  --replay ${example.seed} (${example.requests} requests)`
    return `  ${fault.padEnd(20)} ${String(tally.faults[fault]).padStart(7)}${replay}`
  })
  return [
    `histories ${histories}, requests ${requests}, ${(tookMs / 1000).toFixed(1)} s`,
    'outcomes',
    ...byOutcome,
    'codes',
    ...byCode(tally.codes),
    'what explains the unknown ones',
    ...byCode(tally.reasons),
    `calls per answer: ${calls.join(', ')}; slowest answer ${(tally.slowestMs / 1000).toFixed(1)} s of virtual time`,
    'wrong',
    ...faults,
    ...byCode(tally.faultCodes),
  ].join('\n')
}
