// Where the figures and what is drawn of them are committed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { charts } from './charts/all.ts'
import { draw } from './charts/draw.ts'
import type { Outcome } from './outcome.ts'
import { page } from './page.ts'

const docs = join(import.meta.dirname, '../../docs')
const figuresFile = join(docs, 'figures/figures.json')

/** Digits past these are noise, and would change a file for nothing. */
const shortened = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value

/** As they are written to files. */
export const printed = (outcomes: readonly Outcome[]): string => `${JSON.stringify(outcomes, shortened, 2)}\n`

export const readFigures = (): readonly Outcome[] => JSON.parse(readFileSync(figuresFile, 'utf8'))

export function writeFigures(outcomes: readonly Outcome[]): void {
  mkdirSync(join(docs, 'figures'), { recursive: true })
  writeFileSync(figuresFile, printed(outcomes))
}

/** The page and its charts, by path below `docs/`. */
export async function drawn(outcomes: readonly Outcome[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map([['figures.md', page(outcomes)]])
  for (const chart of charts) files.set(`figures/${chart.name}.svg`, await draw(chart, outcomes))
  return files
}

/** Writes the page and its charts, from the figures in their file: those are rounded, and others would draw otherwise. */
export async function writeDrawn(): Promise<void> {
  for (const [path, text] of await drawn(readFigures())) writeFileSync(join(docs, path), text)
}
