// JSON with exact integers: digits beyond 2^53 come in as bigint and go out as the same digits. And JSON of unknown shape.

declare global {
  interface JSON {
    /** ECMAScript JSON.parse source text access; in Node since 22, not yet in TypeScript's lib. */
    rawJSON(text: string): unknown
  }
}

/** A body whose numbers may be carried as bigint, where they may exceed 2^53. */
export type Exact<T> = T extends number
  ? number | bigint
  : T extends readonly (infer Item)[]
    ? readonly Exact<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Exact<T[Key]> }
      : T

/**
 * A number of 16 digits or more, or one with a point or an exponent, where a value may be; digits inside text rarely match,
 * and then cost only time.
 */
const inexactNumberInside = /[:,[]\s*-?(?:\d{16}|\d+[.Ee])/

/** By itself, since a start of the text among the places would make the search in a long one take twice as long. */
const inexactNumberAlone = /^\s*-?(?:\d{16}|\d+[.Ee])/

const mayHoldInexactNumber = (text: string): boolean => inexactNumberInside.test(text) || inexactNumberAlone.test(text)

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const exactNumber: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source)
  return Number.isInteger(value) ? Number.NaN : value
}

/**
 * Parses JSON by the digits that it holds: an integer that a number cannot hold exactly becomes a bigint. What is written
 * with a point or an exponent is not an integer: where a number would make it one (`9007199254740991.4`, `5.0`, `1e3`), it
 * becomes NaN.
 *
 * @throws SyntaxError for text that is not JSON, RangeError for text too deeply nested
 */
export function parseExactJson(text: string): unknown {
  return mayHoldInexactNumber(text)
    ? JSON.parse(text, exactNumber as (key: string, value: unknown) => unknown)
    : JSON.parse(text)
}

/** The value under a key of JSON that may not be an object; undefined if it is absent. */
export const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

const digitsOf = {
  configurable: true,
  value(this: bigint) {
    return JSON.rawJSON(String(this))
  },
}

/**
 * Prints JSON; a bigint becomes its digits. Bigints know how to print themselves only while this runs: a replacer would be
 * called for each value of an answer, of ten full blocks 60,000, which takes half as long again as the printing itself.
 */
export function printExactJson(value: unknown): string {
  Object.defineProperty(BigInt.prototype, 'toJSON', digitsOf)
  try {
    return JSON.stringify(value)
  } finally {
    Reflect.deleteProperty(BigInt.prototype, 'toJSON')
  }
}
