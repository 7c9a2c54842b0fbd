// Values that may come where another was promised.
import { absent, isObject, number, numberText } from '../exact-json.ts'
import { secret } from '../judge/answer-form.ts'

/** Makes a wrong value of the true one; undefined where it would make the true one again. */
export type WrongValue = readonly [name: string, make: (found: unknown) => unknown]

const constant = (name: string, value: unknown): WrongValue => [name, () => value]
const text = (value: string): WrongValue => constant(JSON.stringify(value).slice(0, 40), value)
const numeral = (value: string): WrongValue => constant(value.slice(0, 40), number(value))
const listed =
  (make: (list: readonly unknown[]) => unknown) =>
  (found: unknown): unknown =>
    Array.isArray(found) ? make(found) : undefined

export const otherStateHash = '3NKfgwKwq3qWFFMNcr6BcAzv1BkZip3m6ADtr9htfjD6WftD3TrS'
export const otherKey = 'B62qre3erTHfzQckNuibViWQGyyKwZseztqrjPZBv6SQF384Rg6ESAy'

export const wrongValues: readonly WrongValue[] = [
  constant('null', null),
  constant('absent', absent),
  constant('true', true),
  constant('false', false),
  constant('{}', {}),
  constant('[]', []),
  ...['', ' ', '0', '1', '-1', '0.5', '5.0', '1e3', '+5', ' 5', '5 ', '5\n', '007', '0x10', '1_000', 'NaN', 'null'].map(
    text,
  ),
  ...['0', '1', '-1', '0.5', '5.0', '1e3', '1E-3', '1e400', '9007199254740991', '9007199254740993'].map(numeral),
  ...['9007199254740991.4', '18446744073709551615', '18446744073709551616', '9'.repeat(400)].map(numeral),
  ...['9007199254740991', '9007199254740991.4', '9007199254740993', '18446744073709551615'].map(text),
  ...['18446744073709551616', '9'.repeat(38), '9'.repeat(400), '8640000000000001', otherStateHash, otherKey].map(text),
  ...['PAYMENT', 'STAKE_DELEGATION', 'ZKAPP', '2026-01-01T00:00:00.000Z', 'Thu, 01 Jan 2026 00:00:00 GMT'].map(text),
  ...['a\r\nx-evil: 1', '\0', '\u202e', '🦉', '__proto__', `<html>${secret}</html>`].map(text),
  constant('100 KB of text', 'x'.repeat(100_000)),
  constant('nested objects', { a: { b: { c: [1] } } }),
  ['in a list', (found) => [found]],
  ['in an object', (found) => ({ value: found })],
  ['in a text', (found) => JSON.stringify(found)],
  ['longer by a letter', (found) => (typeof found === 'string' ? `${found}1` : undefined)],
  ['shorter by a letter', (found) => (typeof found === 'string' ? found.slice(0, -1) : undefined)],
  ['in other case', (found) => (typeof found === 'string' ? found.toLowerCase() : undefined)],
  ['as a number', (found) => (typeof found === 'string' && /^(?:0|[1-9]\d*)$/.test(found) ? number(found) : undefined)],
  ['as text', (found) => numberText(found)],
  ['with more keys', (found) => (isObject(found) ? { ...found, extra: secret } : undefined)],
  ['twice', listed((list) => [...list, ...list])],
  ['with the first twice', listed((list) => [...list.slice(0, 1), ...list])],
  ['reversed', listed((list) => list.toReversed())],
  ['without the first', listed((list) => list.slice(1))],
  ['without the last', listed((list) => list.slice(0, -1))],
  ['without the middle', listed((list) => list.toSpliced(Math.floor(list.length / 2), 1))],
  ['with null at its end', listed((list) => [...list, null])],
]
