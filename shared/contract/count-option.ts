// A query option that is a count. Plain syntax, since this also runs in a CloudFront Function.

export interface CountOption {
  /** Its key in the query. */
  readonly name: string
  /** The value when the option is absent. */
  readonly defaultValue: number
  /** Larger numbers are taken for this one. */
  readonly max: number
}

/** The fault of any other text; completes a sentence that begins with the option's name. */
export const countProblem = 'must be a whole number, 1 or more, given once'

/** Zeros before the number included. CloudFront would need too long for thousands of them. */
export const maxDigits = 32

/**
 * The number that a text means.
 *
 * @param text at most 32 digits
 * @returns from 1 to `max`; undefined for any other text
 */
export function countFrom(text: string, max: number): number | undefined {
  if (text.length > maxDigits || /[^0-9]/.test(text)) return undefined
  const start = text.search(/[1-9]/)
  return start === -1 ? undefined : Math.min(Number(text.slice(start)), max)
}
