// JSON whose numbers keep the text that they had: `5.0` stays `5.0`, and prints as it came.
declare global {
  interface JSON {
    /** ECMAScript JSON.parse source text access; in Node since 22, not yet in TypeScript's lib. */
    isRawJSON(value: unknown): value is { readonly rawJSON: string }
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const keepNumberText: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value

/** The judge reads an answer once for each rule about it. */
const latelyRead = new Map<string, unknown>()
const maxLatelyRead = 200

/**
 * Every number becomes raw JSON of its text, so that `JSON.stringify` prints it unchanged. The same text may give the same
 * object.
 *
 * @throws SyntaxError for text that is not JSON
 */
export function parseJson(text: string): unknown {
  if (latelyRead.has(text)) return latelyRead.get(text)
  const value = JSON.parse(text, keepNumberText as (key: string) => unknown)
  if (latelyRead.size === maxLatelyRead) latelyRead.clear()
  latelyRead.set(text, value)
  return value
}

/** The text of a number, undefined for anything else. */
export const numberText = (value: unknown): string | undefined => (JSON.isRawJSON(value) ? value.rawJSON : undefined)

/** A text as it is, anything else as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** A number with exactly this text. */
export const number = (text: string): unknown => JSON.rawJSON(text)

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)

/** The value under a key of an object or an index of a list; undefined if it is absent. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const step of path) {
    // Raw JSON of a number is an object too, but has no field of an answer.
    const holds = typeof found === 'object' && found !== null && Object.hasOwn(found, step)
    found = holds ? Reflect.get(found as object, step) : undefined
  }
  return found
}

export type Path = readonly (string | number)[]

/** In place of a value, it takes the key away. */
export const absent = Symbol('absent')

/** A copy with one place changed; the rest is shared with the original. */
export function changed(value: unknown, path: Path, change: (found: unknown) => unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return change(value)
  const inner = changed(at(value, step), rest, change)
  if (Array.isArray(value)) {
    const copy = [...value]
    copy.splice(Number(step), 1, ...(inner === absent ? [] : [inner]))
    return copy
  }
  if (!isObject(value)) return value
  if (inner !== absent) return { ...value, [step]: inner }
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step))
}
