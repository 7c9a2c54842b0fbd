// Counts the answers to many cases, and prints the counts.
import { type Case, caseName } from './cases.ts'
import type { Judged } from './run.ts'

/** A judged case, as a thread can send it. */
export interface Result {
  readonly name: string
  readonly kind: string
  readonly endpoint: string
  readonly judged: readonly Judged[]
}

export const resultOf = (one: Case, judged: readonly Judged[]): Result => ({
  name: caseName(one),
  kind: one.fault.kind,
  endpoint: one.scenario.endpoint,
  judged,
})

/** One kind of wrong answer, and the first case that showed it. */
interface Wrong {
  readonly text: string
  readonly example: string
  count: number
}

export type Tally = ReturnType<typeof emptyTally>

export const emptyTally = () => ({
  cases: 0,
  answers: 0,
  wrong: 0,
  byKind: new Map<string, { answers: number; wrong: number }>(),
  byStatus: new Map<number, number>(),
  wrongs: new Map<string, Wrong>(),
})

const maxReasonLength = 400

export function count(tally: Tally, { name, kind, endpoint, judged }: Result): void {
  tally.cases += 1
  const ofKind = tally.byKind.get(kind) ?? { answers: 0, wrong: 0 }
  tally.byKind.set(kind, ofKind)
  for (const { turn, status, wrongs } of judged) {
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
    tally.answers += 1
    ofKind.answers += 1
    if (wrongs.length === 0) continue
    tally.wrong += 1
    ofKind.wrong += 1
    const place = `${endpoint}, ${turn === 'next' ? 'the answer after' : 'under'} the fault`
    const text = `${place}: ${wrongs.join('; ').slice(0, maxReasonLength)}`
    const known = tally.wrongs.get(text) ?? { text, example: name, count: 0 }
    known.count += 1
    tally.wrongs.set(text, known)
  }
}

const maxShown = 40

/** @param tookMs of real time */
export function report(tally: Tally, tookMs: number): string {
  const wrongs = [...tally.wrongs.values()].sort((left, right) => right.count - left.count)
  const row = (...[name, answers, wrong]: readonly (string | number)[]) =>
    `  ${String(name).padEnd(18)} ${String(answers).padStart(8)} ${String(wrong).padStart(8)}`
  return [
    `${tally.cases} faults, ${tally.answers} answers, ${tally.wrong} wrong, ${(tookMs / 1000).toFixed(1)} s`,
    row('kind of fault', 'answers', 'wrong'),
    ...[...tally.byKind].map(([kind, { answers, wrong }]) => row(kind, answers, wrong)),
    `answers by status: ${[...tally.byStatus].map(([status, seen]) => `${status}: ${seen}`).join(', ')}`,
    ...wrongs
      .slice(0, maxShown)
      .map(({ text, example, count }) => `${count} × ${text}\n    --only ${JSON.stringify(example)}`),
    ...(wrongs.length > maxShown ? [`and ${wrongs.length - maxShown} other kinds of wrong answers`] : []),
  ].join('\n')
}
