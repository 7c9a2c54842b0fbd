/** The value below which this share of the others lies, between two of them where none is there. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const place = (sorted.length - 1) * share
  const [low = Number.NaN, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low + (high - low) * (place % 1)
}
