// What the runs have found, as it is committed.
import type { Findings } from './record.ts'

/** Of one run. Without findings if it ended before it had any. */
export interface Outcome extends Partial<Findings> {
  /** The run's, whether it was short or whole. */
  readonly name: string
  /** As it is typed. */
  readonly command: string
  /** Whether every target was met and no answer was wrong. */
  readonly isGood: boolean
}

export type Row = NonNullable<Findings['rows']>[number]

/** @throws Error if the run has no outcome */
export function outcomeOf(outcomes: readonly Outcome[], name: string): Outcome {
  const outcome = outcomes.find((each) => each.name === name)
  if (outcome === undefined) throw new Error(`There are no figures of "${name}": npm run bench -- all --charts`)
  return outcome
}

/** @throws Error if the run has no rows */
export function rowsOf(outcomes: readonly Outcome[], name: string): readonly Row[] {
  const { rows = [] } = outcomeOf(outcomes, name)
  if (rows.length === 0) throw new Error(`"${name}" has no rows for a chart`)
  return rows
}

/** Those of `names` in that order, new ones in place of the old. */
export const merged = (
  names: readonly string[],
  old: readonly Outcome[],
  fresh: readonly Outcome[],
): readonly Outcome[] => names.flatMap((name) => [...fresh, ...old].find((each) => each.name === name) ?? [])
