// Counts what many answers came to.

import type { Case } from './cases.ts'
import { type FaultKind, faultKinds } from './fault.ts'
import type { Judged } from './run.ts'

/** One way of being wrong, and where it was seen first. */
export interface Wrong {
  readonly endpoint: string
  readonly turn: Judged['turn']
  readonly reason: string
  /** Scenario, operation and fault: what `--only` takes. */
  readonly example: string
  count: number
}

export interface Tally {
  cases: number
  answers: number
  wrong: number
  readonly byKind: Record<FaultKind, { answers: number; wrong: number }>
  /** By HTTP status. */
  readonly statuses: Record<string, number>
  readonly wrongs: Wrong[]
}

export const emptyTally = (): Tally => ({
  cases: 0,
  answers: 0,
  wrong: 0,
  byKind: Object.fromEntries(faultKinds.map((kind) => [kind, { answers: 0, wrong: 0 }])) as Tally['byKind'],
  statuses: {},
  wrongs: [],
})

/** A case as text, unique. */
export const caseName = ({ scenario, fault, operation }: Case): string =>
  `${scenario.name} | ${operation} | ${fault.name}`

function addWrong(tally: Tally, wrong: Wrong): void {
  const known = tally.wrongs.find(
    ({ endpoint, turn, reason }) => endpoint === wrong.endpoint && turn === wrong.turn && reason === wrong.reason,
  )
  if (known === undefined) tally.wrongs.push({ ...wrong })
  else known.count += wrong.count
}

/** Adds the answers of one case. */
export function count(tally: Tally, judged: readonly Judged[]): void {
  tally.cases += 1
  for (const { case: one, turn, received, wrongs } of judged) {
    const kind = tally.byKind[one.fault.kind]
    tally.answers += 1
    kind.answers += 1
    tally.statuses[received.status] = (tally.statuses[received.status] ?? 0) + 1
    if (wrongs.length === 0) continue
    tally.wrong += 1
    kind.wrong += 1
    const { endpoint } = one.scenario
    addWrong(tally, { endpoint, turn, reason: wrongs.join('; '), example: caseName(one), count: 1 })
  }
}

/** Adds the counts of another share of the cases. */
export function merge(tally: Tally, other: Tally): void {
  tally.cases += other.cases
  tally.answers += other.answers
  tally.wrong += other.wrong
  for (const kind of faultKinds) {
    tally.byKind[kind].answers += other.byKind[kind].answers
    tally.byKind[kind].wrong += other.byKind[kind].wrong
  }
  for (const [status, seen] of Object.entries(other.statuses)) {
    tally.statuses[status] = (tally.statuses[status] ?? 0) + seen
  }
  for (const wrong of other.wrongs) addWrong(tally, wrong)
}
