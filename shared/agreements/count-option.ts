// A query option that is a count. Plain syntax, since this also runs in a CloudFront Function.

export interface CountOption {
  /** Its key in the query. */
  readonly name: string
  /** What its absence means. */
  readonly byDefault: number
  /** What is above is taken for this. */
  readonly most: number
}

/** What is wrong with any other text; completes a sentence that begins with the option's name. */
export const countProblem = 'must be a whole number of at least 1, given once'

/**
 * The number that a text means, in one pass over the text.
 *
 * @param text digits, zeros before the number included
 * @returns from 1 to `most`; undefined for a text that is no whole number of at least 1
 */
export function countFrom(text: string, most: number): number | undefined {
  let start = 0
  while (text.charAt(start) === '0') start += 1
  if (start === text.length) return undefined
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character < '0' || character > '9') return undefined
  }
  return Math.min(Number(text.slice(start)), most)
}
