// JSON with exact integers: digits beyond 2^53 are read as bigint and printed as the same digits.

declare global {
  interface JSON {
    /** ECMAScript JSON.parse source text access; in Node since 22, not yet in TypeScript's lib. */
    rawJSON(text: string): unknown
  }
}

/** A body whose numbers may be carried as bigint, if they may exceed 2^53. */
export type Exact<T> = T extends number
  ? number | bigint
  : T extends PrintedJson
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Exact<Item>[]
      : T extends object
        ? { readonly [Key in keyof T]: Exact<T[Key]> }
        : T

/**
 * Finds a number of 16 digits or more, or one with a point or an exponent, where a value can be. It must end like a
 * value, unlike the seconds of a time. Digits inside text rarely match; if they do, parsing takes ten times as long,
 * with the same result. A search that begins at quotes would take twice as long.
 */
const inexactNumberInside = /[:,[]\s*-?(?:\d{16}|\d+[.Ee][-+.\dEe]*\s*[,}\]])/

/** A separate expression: `^` among the alternatives of the other would double the time for a long text. */
const inexactNumberAlone = /^\s*-?(?:\d{16}|\d+[.Ee])/

const mayHoldInexactNumber = (text: string): boolean => inexactNumberInside.test(text) || inexactNumberAlone.test(text)

/** Sign and digits. A bigint of millions of digits takes seconds to make, and no upstream promises one of more than 78. */
const maxIntegerLength = 101

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const exactNumber: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value
  if (/^-?\d+$/.test(source)) {
    if (Number.isSafeInteger(value)) return value
    return source.length <= maxIntegerLength ? BigInt(source) : Number.NaN
  }
  return Number.isInteger(value) ? Number.NaN : value
}

/**
 * Parses JSON exactly: an integer that a number cannot hold becomes a bigint, and one of more than 100 digits NaN. A
 * number written with a point or an exponent is not an integer: if rounding would make it one
 * (`9007199254740991.4`, `5.0`, `1e3`), it becomes NaN.
 *
 * @throws SyntaxError for text that is not JSON, RangeError for text too deeply nested
 * @example
 * parseExactJson('[1, 9007199254740993, 5.0]') // [1, 9007199254740993n, NaN]
 */
export function parseExactJson(text: string): unknown {
  return mayHoldInexactNumber(text)
    ? JSON.parse(text, exactNumber as (key: string, value: unknown) => unknown)
    : JSON.parse(text)
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value under a key of JSON that may not be an object; undefined if it is absent. */
export const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

const digitsOf = {
  configurable: true,
  value(this: bigint) {
    return JSON.rawJSON(String(this))
  },
}

/** A value as its JSON text. */
export class PrintedJson {
  readonly text: string
  /** @param result with this text as its body */
  speedUp?(result: object): void
  constructor(text: string) {
    this.text = text
  }
}

/**
 * Prints JSON; a bigint becomes its digits. `toJSON` of bigints exists only while this runs: a replacer would be called
 * for every value, 60,000 in ten full blocks, and make printing take half as long again.
 *
 * @example
 * printExactJson({ fee: 9007199254740993n }) // {"fee":9007199254740993}
 */
export function printExactJson(value: unknown): string {
  if (value instanceof PrintedJson) return value.text
  Object.defineProperty(BigInt.prototype, 'toJSON', digitsOf)
  try {
    return JSON.stringify(value)
  } finally {
    Reflect.deleteProperty(BigInt.prototype, 'toJSON')
  }
}
