// The counts as text.
import { faultKinds } from './fault.ts'
import type { Tally } from './tally.ts'

const maxShown = 40
const maxReasonLength = 400

const row = (name: string, answers: number, wrong: number): string =>
  `  ${name.padEnd(18)} ${String(answers).padStart(8)} ${String(wrong).padStart(8)}`

/** @param tookMs of real time */
export function report(tally: Tally, tookMs: number): string {
  const wrongs = tally.wrongs.toSorted((left, right) => right.count - left.count)
  const statuses = Object.entries(tally.statuses).map(([status, count]) => `${status}: ${count}`)
  return [
    `${tally.cases} faults, ${tally.answers} answers, ${tally.wrong} wrong, ${(tookMs / 1000).toFixed(1)} s`,
    `  ${'kind of fault'.padEnd(18)}  answers    wrong`,
    ...faultKinds.map((kind) => row(kind, tally.byKind[kind].answers, tally.byKind[kind].wrong)),
    `answers by status: ${statuses.join(', ')}`,
    ...wrongs
      .slice(0, maxShown)
      .flatMap(({ count, endpoint, turn, reason, example }) => [
        `${count} × ${endpoint}, ${turn === 'next' ? 'the answer after' : 'under'} the fault: ${reason.slice(0, maxReasonLength)}`,
        `    --only ${JSON.stringify(example)}`,
      ]),
    ...(wrongs.length > maxShown ? [`and ${wrongs.length - maxShown} other ways of being wrong`] : []),
  ].join('\n')
}
