// Values that may come where another was promised, and that no upstream can mean. A plausible value, which the service can
// compare with nothing, is none of them.
import { absent, isObject, number, numberText } from '../exact-json.ts'
import { secret } from '../judge/answer-form.ts'

type Kind = 'integer' | 'text' | 'flag' | 'list' | 'object' | 'null'

/** Makes a wrong value of the true one, where that is of one of these kinds. */
export interface WrongValue {
  readonly name: string
  readonly kinds: readonly Kind[]
  make(found: unknown): unknown
}

/** An integer may come as a number or as text. A longer one is a hash in digits, which is shown as it is. */
const integerText = /^-?\d{1,38}$/

export function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'flag'
  if (numberText(value) !== undefined || (typeof value === 'string' && integerText.test(value))) return 'integer'
  if (typeof value === 'string') return 'text'
  return Array.isArray(value) ? 'list' : 'object'
}

const all: readonly Kind[] = ['integer', 'text', 'flag', 'list', 'object', 'null']
const but = (...kinds: readonly Kind[]) => all.filter((kind) => !kinds.includes(kind))

const constant = (name: string, kinds: readonly Kind[], value: unknown): WrongValue => ({
  name,
  kinds,
  make: () => value,
})
const text = (value: string): WrongValue => constant(JSON.stringify(value).slice(0, 40), but('text', 'null'), value)
const numeral = (value: string): WrongValue => constant(value, all, number(value))
const made = (name: string, kinds: readonly Kind[], make: (found: unknown) => unknown): WrongValue => ({
  name,
  kinds,
  make,
})

export const otherStateHash = '3NKfgwKwq3qWFFMNcr6BcAzv1BkZip3m6ADtr9htfjD6WftD3TrS'
export const otherKey = 'B62qre3erTHfzQckNuibViWQGyyKwZseztqrjPZBv6SQF384Rg6ESAy'

/** Texts that are neither a hash nor printable in a header. */
export const unprintable = ['a\r\nx-evil: 1', '\0', '🦉', `<html>${secret}</html>`]

export const wrongValues: readonly WrongValue[] = [
  constant('null', but('null'), null),
  constant('absent', all, absent),
  constant('true', but('flag'), true),
  constant('{}', all, {}),
  constant('[]', but('list'), []),
  constant('empty text', but('null'), ''),
  constant('-1', ['integer'], '-1'),
  ...[' ', '0.5', '5.0', '1e3', '+5', ' 5', '5 ', '5\n', '0x10', '1_000', 'NaN', 'null'].map(text),
  ...['9007199254740991.4', otherStateHash, 'PAYMENT', '2026-01-01T00:00:00.000Z', ...unprintable].map(text),
  ...['0.5', '1E-3', '1e400', '9007199254740991.4'].map(numeral),
  ...['5.0', '1e3'].map((digits) => constant(`${digits} as a number`, all, number(digits))),
  constant('100 KB of text', but('text', 'null'), 'x'.repeat(100_000)),
  constant('nested objects', all, { a: { b: { c: [1] } } }),
  made('in a list', but('list'), (found) => [found]),
  made('in an object', all, (found) => ({ value: found })),
  made('in a text', but('text', 'null'), (found) => JSON.stringify(found)),
  made('as a number', ['integer'], (found) => number(String(numberText(found) ?? found))),
  made('as text', ['integer'], (found) => numberText(found) ?? found),
  made('with more keys', ['object'], (found) => (isObject(found) ? { ...found, extra: secret } : found)),
  made('with null at its end', ['list'], (found) => (Array.isArray(found) ? [...found, null] : found)),
]
