// The figures of a bench, for the command that runs them all.
import { writeFileSync } from 'node:fs'

/** The environment variable that names the file for the figures. */
export const figuresVariable = 'FIGURES_FILE'

/** What a bench has found. */
export interface Findings {
  /** By what was measured. Ratios and counts; no absolute times. */
  readonly figures: Readonly<Record<string, number>>
  /** Rows for a chart. */
  readonly rows?: readonly Readonly<Record<string, number | string>>[]
}

/** Hands the findings over. A bench that runs by itself has printed them, and nothing happens. */
export function record(findings: Findings): void {
  const file = process.env[figuresVariable]
  if (file !== undefined) writeFileSync(file, JSON.stringify(findings))
}
