// Readers of values whose form was checked before.
import { at, type Path } from '../../exact-json.ts'
import { digitsOf } from './scalars.ts'

/** @throws TypeError for anything but digits */
export function integer(value: unknown, ...path: Path): bigint {
  const digits = digitsOf(at(value, ...path))
  if (digits === undefined) throw new TypeError(`${path.join('.')} is not an integer`)
  return BigInt(digits)
}

/** @throws TypeError for anything but text */
export function text(value: unknown, ...path: Path): string {
  const found = at(value, ...path)
  if (typeof found !== 'string') throw new TypeError(`${path.join('.')} is not a text`)
  return found
}

export const flag = (value: unknown, ...path: Path): boolean => at(value, ...path) === true

export function list(value: unknown, ...path: Path): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** An object with a value for each key. */
export const keyed = <Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>

/** The integers under some keys. */
export const integers = <Key extends string>(value: unknown, ...keys: readonly Key[]) =>
  keyed(keys, (key) => integer(value, key))

/** The texts under some keys. */
export const texts = <Key extends string>(value: unknown, ...keys: readonly Key[]) =>
  keyed(keys, (key) => text(value, key))

/** MINA with nine decimals. */
export function mina(nanomina: bigint): string {
  const digits = String(nanomina).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}

/** @throws RangeError past the last date */
export const isoTime = (milliseconds: bigint): string => new Date(Number(milliseconds)).toISOString()
