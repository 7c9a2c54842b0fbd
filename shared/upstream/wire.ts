// Describes what an upstream promises to send. One description gives the GraphQL selection, the static type and the
// run-time check, so that what is asked for, what is read and what the compiler believes cannot differ.
import { WireError } from './errors.ts'

/** The variables of a question. */
export type Variables = Readonly<Record<string, unknown>>

/** Something an upstream sends: how it is selected in a document and how it is read from an answer. */
export interface WireType<T> {
  /** The selection set in braces; empty for a scalar. */
  readonly selection: string
  /** The field with its arguments if it is not just the key, such as `bestChain(maxLength: 1)`. */
  readonly call?: string
  /**
   * @param value what the upstream sent at `path`; undefined if the key is absent
   * @param asked the variables of the question that it answers; without them nothing fits a call that has a variable
   * @throws WireError naming the path: `unreadable` when it is not what was promised, `mismatched` when it answers
   *   another question or contradicts itself
   */
  read(value: unknown, path: string, asked?: Variables): T
}

/** The static type of a description: `type NodeBlock = Wire<typeof nodeBlock>`. */
export type Wire<W> = W extends WireType<infer T> ? T : never

const broken = (path: string, wanted: string, value: unknown): WireError =>
  new WireError('unreadable', `${path}: wanted ${wanted}, got ${value === null ? 'null' : typeof value}`)

/** True if a value fits the question that it answers, and itself. */
export type Fits<T> = (value: T, asked: Variables) => boolean

/**
 * A bundle leaves out the scalars that its function does not use.
 *
 * @__NO_SIDE_EFFECTS__
 */
const scalar = <T>(wanted: string, parse: (value: unknown) => T | undefined): WireType<T> => ({
  selection: '',
  read(value, path) {
    const parsed = parse(value)
    if (parsed === undefined) throw broken(path, wanted, value)
    return parsed
  },
})

/** Digits as text (the daemon), a JSON number (the Rust node), or a bigint (a long JSON number read exactly). */
function digits(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value >= 0n ? value : undefined
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0) ? BigInt(value) : undefined
  }
  return typeof value === 'string' && /^\d{1,39}$/.test(value) ? BigInt(value) : undefined
}

/**
 * Every text has a bound: an expression over a long one, or an answer full of them, would hold the process up.
 *
 * @__NO_SIDE_EFFECTS__
 */
const textOf = (shortest: number, longest: number): WireType<string> =>
  scalar(`text of ${shortest} to ${longest} characters`, (value) =>
    typeof value === 'string' && value.length >= shortest && value.length <= longest ? value : undefined,
  )

/**
 * @param form with a bound for its length
 * @__NO_SIDE_EFFECTS__
 */
const textLike = (wanted: string, form: RegExp): WireType<string> =>
  scalar(wanted, (value) => (typeof value === 'string' && form.test(value) ? value : undefined))

/** Free text, such as the reason of a failure or a user name. Real ones have about forty characters. */
export const text = textOf(1, 4000)

/** Free text that may be empty, such as an address that an account's owner writes. */
export const freeText = textOf(0, 4000)

/**
 * Text of a known form: a key, hash, memo or token in base58check, a VRF output in base64, a chain id, the digits of a field
 * element. The longest real one has 77 characters.
 */
export const shortText = textOf(1, 100)

/** Text of a known form that may be empty. */
export const anyText = textOf(0, 100)

/** A hash in base58check: some 50 characters of the alphabet. It goes into a header, so its length is bounded. */
export const hash = textLike('a hash of at most 100 characters', /^\w{1,100}$/)

/** A field element: its digits as text. */
export const fieldText = textLike('the digits of a field element', /^\d{1,78}$/)

/** A command's id: base64 since the Berkeley fork, base58check before. A real one has some hundred characters. */
export const commandId = textLike('a command id', /^[\w+/=-]{1,4000}$/)

/** A time in ISO-8601 UTC, as milliseconds since 1970. */
export const isoInstant: WireType<number> = scalar('a time in ISO-8601 UTC', (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value)) return undefined
  const milliseconds = Date.parse(value)
  return Number.isNaN(milliseconds) ? undefined : milliseconds
})

/** A value of an enumeration: a word of capitals. An answer with a new word is not refused. */
export const word = textLike('a word of capitals', /^[A-Z_]{1,30}$/)

/** The name of a network, such as `mina:mainnet`. It is shown to callers, so its form is bounded. */
export const networkId = textLike('the name of a network', /^[\w:.-]{1,60}$/)

/** The kind of signature that a network takes: `mainnet`, or words with a name. It is shown to callers. */
export const signatureKindText = textLike('a kind of signature', /^[\w:. -]{1,80}$/)

export const flag: WireType<boolean> = scalar('true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
)

/** An unsigned integer that a JavaScript number holds exactly: heights, slots, nonces, milliseconds. */
export const count: WireType<number> = scalar('an integer from 0 to 2^53-1', (value) => {
  // Most of them, which need no bigint.
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  const integer = digits(value)
  return integer !== undefined && integer <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(integer) : undefined
})

/** The greatest time that JavaScript can show as a date. */
const latestMs = 8.64e15

/** A time as an integer of milliseconds since 1970. */
export const instant: WireType<number> = scalar('milliseconds since 1970', (value) => {
  const milliseconds = digits(value)
  return milliseconds !== undefined && milliseconds <= BigInt(latestMs) ? Number(milliseconds) : undefined
})

/** An unsigned amount in nanomina. */
export const nanomina: WireType<bigint> = scalar('an unsigned integer of nanomina', digits)

/** The value without its sign; undefined for one without a minus. */
function withoutMinus(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('-') ? value.slice(1) : undefined
  return (typeof value === 'number' || typeof value === 'bigint') && value < 0 ? -value : undefined
}

/** An amount with its sign: digits as text, or a JSON number. */
export const signedInteger: WireType<bigint> = scalar('an integer', (value) => {
  const negated = withoutMinus(value)
  if (negated === undefined) return digits(value)
  const magnitude = digits(negated)
  return magnitude === undefined ? undefined : -magnitude
})

const signs: ReadonlyMap<unknown, boolean> = new Map([
  ['Positive', false],
  ['Negative', true],
])

/** The sign of an amount, `Positive` or `Negative`: true for a negative one. */
export const negation: WireType<boolean> = scalar('Positive or Negative', (value) => signs.get(value))

/** A value that the upstream may send as null. An absent key is not null: GraphQL answers every selected field. */
export const nullable = <T>(type: WireType<T>): WireType<T | null> => ({
  ...type,
  read: (value, path, asked) => (value === null ? null : type.read(value, path, asked)),
})

/** A value that the question asks for only if this variable is true, by `@include`. */
export const includedIf = <T>(variable: string, type: WireType<T>): WireType<T | undefined> => ({
  ...type,
  read: (value, path, asked) => (asked?.[variable] === true ? type.read(value, path, asked) : undefined),
})

/** A value that must fit the question, or agree with itself. */
export const consistent = <T>(type: WireType<T>, fits: Fits<T>): WireType<T> => ({
  ...type,
  read(value, path, asked = {}) {
    const known = type.read(value, path, asked)
    if (!fits(known, asked)) throw new WireError('mismatched', `${path}: does not fit the question, or itself`)
    return known
  },
})

/** Puts the outer path before that of an inner error, so that paths cost nothing without an error. */
const within = (path: string, error: unknown): unknown =>
  error instanceof WireError ? new WireError(error.fault, path + error.message) : error

export const listOf = <T>(item: WireType<T>): WireType<readonly T[]> => ({
  selection: item.selection,
  read(value, path, asked) {
    if (!Array.isArray(value)) throw broken(path, 'a list', value)
    return value.map((element, index) => {
      try {
        return item.read(element, '', asked)
      } catch (error) {
        throw within(`${path}[${index}]`, error)
      }
    })
  },
})

/** A call with a variable asks for something particular, so it must say what fits. */
type FitsOf<Call extends string, T> = string extends Call
  ? [fits: Fits<T>]
  : Call extends `${string}$${string}`
    ? [fits: Fits<T>]
    : [fits?: Fits<T>]

/**
 * A field that takes arguments or gets another name.
 *
 * @param call GraphQL text, such as `bestChain(maxLength: 1)` or `block(stateHash: $stateHash)`
 * @param fits true if the value answers the question; required for a call with a variable
 * @example
 * const data = shape({
 *   block: called('block(stateHash: $stateHash)', nodeBlock, (block, asked) => block.stateHash === asked.stateHash),
 * })
 */
export const called = <const Call extends string, T>(
  call: Call,
  type: WireType<T>,
  ...[fits]: FitsOf<Call, T>
): WireType<T> => ({ ...(fits === undefined ? type : consistent(type, fits)), call })

/**
 * An object of which exactly these fields are selected and read.
 *
 * @example
 * const tip = shape({ stateHash: hash, height: count })
 * tip.selection // {stateHash height}
 * tip.read({ stateHash: '3N…', height: '7' }, 'tip') // { stateHash: '3N…', height: 7 }
 */
export function shape<Fields extends Record<string, WireType<unknown>>>(
  fields: Fields,
): WireType<{ readonly [Key in keyof Fields]: Wire<Fields[Key]> }> {
  const members = Object.entries(fields).map(([key, type]) => ({ key, path: `.${key}`, type }))
  // An object that gets a dozen keys one by one becomes a hash table, which takes twice as long to fill; a parsed one does not.
  const blank: Record<string, unknown> = JSON.parse(JSON.stringify(fields, (key, value) => (key === '' ? value : null)))
  const selection = members.map(({ key, type: { call, selection } }) => {
    if (call === undefined) return key + selection
    return (call.split('(')[0] === key ? call : `${key}:${call}`) + selection
  })
  return {
    selection: `{${selection.join(' ')}}`,
    read(value, path, asked) {
      if (typeof value !== 'object' || value === null) throw broken(path, 'an object', value)
      const source: Readonly<Record<string, unknown>> = value as Record<string, unknown>
      const target: Record<string, unknown> = { ...blank }
      try {
        for (let index = 0; index < members.length; index++) {
          const { key, path: at, type } = members[index] as (typeof members)[number]
          target[key] = type.read(source[key], at, asked)
        }
      } catch (error) {
        throw within(path, error)
      }
      return target as { readonly [Key in keyof Fields]: Wire<Fields[Key]> }
    },
  }
}
