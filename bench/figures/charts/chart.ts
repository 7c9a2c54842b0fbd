// A chart of the page of figures, as data.
import type { TopLevelSpec } from 'vega-lite'
import type { Outcome } from '../outcome.ts'

export interface Chart {
  /** Of its file, without the extension. */
  readonly name: string
  readonly title: string
  /** What was measured and how to read it. */
  readonly text: string
  /** The runs that it shows. */
  readonly of: readonly string[]
  /** For whoever cannot see it: what it shows, with the figures. */
  alt(outcomes: readonly Outcome[]): string
  /** Without the title. */
  spec(outcomes: readonly Outcome[]): TopLevelSpec
}

/** @param digits after the point */
export const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)} %`

/** In percent; what is not quite nothing or all does not look like it. */
export function shownShare(share: number): string {
  if (share === 0 || share === 1) return percent(share)
  if (share < 0.01) return percent(Math.max(share, 0.0001), 2)
  return share > 0.995 ? percent(Math.min(share, 0.9999), 2) : percent(share)
}

/** For the labels of an axis of shares. */
export const percentAxis = { labelExpr: "format(100 * datum.value, 'd') + ' %'" }

/** `a, b and c` */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** @throws Error if `names` has no such key */
export function labelOf(names: Readonly<Record<string, string>>, key: unknown): string {
  const label = names[String(key)]
  if (label === undefined) throw new Error(`"${key}" has no label in the chart`)
  return label
}

/** Told apart by people with any colour vision (Okabe and Ito). */
export const colours = {
  blue: '#0072b2',
  lightBlue: '#56b4e9',
  orange: '#e69f00',
  green: '#009e73',
  grey: '#8c8c8c',
  red: '#d55e00',
}
