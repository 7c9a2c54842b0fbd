// Values as JSON has them: integers exactly, so that digits beyond 2^53 are read as bigint and printed as the same digits,
// and amounts, times and tokens as the contract shows them.
import { WireError } from '../upstream/errors.ts'

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
 * A number of 16 digits or more, or one with a point or an exponent, where a value can stand. Digits inside text rarely
 * match; when they do, parsing takes longer and gives the same.
 */
const inexactNumberInside = /[:,[]\s*-?(?:\d{16}|\d+[.Ee])/

/** A separate expression: `^` among the alternatives of the other would double the time for a long text. */
const inexactNumberAlone = /^\s*-?(?:\d{16}|\d+[.Ee])/

const mayHoldInexactNumber = (text: string): boolean => inexactNumberInside.test(text) || inexactNumberAlone.test(text)

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const exactNumber: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source)
  return Number.isInteger(value) ? Number.NaN : value
}

/**
 * Parses JSON exactly: an integer that a number cannot hold becomes a bigint. A number written with a point or an
 * exponent is not an integer: where rounding would make it one (`9007199254740991.4`, `5.0`, `1e3`), it becomes NaN.
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
 * Prints JSON; a bigint becomes its digits. `toJSON` of bigints exists only while this runs: a replacer would be called
 * for every value, 60,000 in ten full blocks, and make printing take half as long again.
 *
 * @example
 * printExactJson({ fee: 9007199254740993n }) // {"fee":9007199254740993}
 */
export function printExactJson(value: unknown): string {
  Object.defineProperty(BigInt.prototype, 'toJSON', digitsOf)
  try {
    return JSON.stringify(value)
  } finally {
    Reflect.deleteProperty(BigInt.prototype, 'toJSON')
  }
}

const nanominaPerMina = 1_000_000_000n

/** Text of a MINA amount with exactly nine fractional digits: `minaDecimal(1500000000n)` is `1.500000000`. */
export const minaDecimal = (nanomina: bigint): string =>
  `${nanomina / nanominaPerMina}.${String(nanomina % nanominaPerMina).padStart(9, '0')}`

/** A JSON number with exactly these digits: a number where that is exact, else the bigint itself. */
export const jsonInteger = (integer: bigint): number | bigint =>
  integer <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(integer) : integer

const latestDateMs = 8_640_000_000_000_000

function date(milliseconds: number): Date {
  if (milliseconds > latestDateMs) throw new WireError('unreadable', `${milliseconds} ms is past the last date`)
  return new Date(milliseconds)
}

/**
 * ISO-8601 UTC with milliseconds, the times of blocks.
 *
 * @param milliseconds since 1970
 * @throws WireError past the last date that can be written
 */
export const isoTime = (milliseconds: number): string => date(milliseconds).toISOString()

/**
 * HTTP-date, the time of the summary: `Wed, 17 Mar 2021 00:00:00 GMT`.
 *
 * @param milliseconds since 1970
 * @throws WireError past the last date that can be written
 */
export const httpDate = (milliseconds: number): string => date(milliseconds).toUTCString()

/** The id of the MINA token: base58check since the Berkeley fork, a number before. */
const minaTokens: readonly string[] = ['wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf', '1']

/** Compares instead of looking up in a set, which would hash each of the 3,000 token ids in ten full blocks. */
export const isMinaToken = (tokenId: string): boolean => minaTokens.includes(tokenId)

/** MINA in the contract's number fields. */
export const minaTokenNumber = 1
