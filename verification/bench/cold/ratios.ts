// Ratios of samples that were taken in turns, each to the sample of the same turn: what slows the machine for a while
// slows both.

export interface Spread {
  readonly median: number
  /** A quarter of the values are below the first, a quarter above the second. */
  readonly quartiles: readonly [number, number]
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const [low = Number.NaN, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low + (high - low) * (place % 1)
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  return { median: quantile(sorted, 0.5), quartiles: [quantile(sorted, 0.25), quantile(sorted, 0.75)] }
}

/** @param baseline as many values, in the same turns */
export const ratiosTo = (baseline: readonly number[], values: readonly number[]): Spread =>
  spreadOf(values.map((value, turn) => value / (baseline[turn] ?? Number.NaN)))

/** `0.72 (0.70-0.75)` */
export const shownSpread = ({ median, quartiles: [first, third] }: Spread, digits = 2): string =>
  `${median.toFixed(digits)} (${first.toFixed(digits)}-${third.toFixed(digits)})`
