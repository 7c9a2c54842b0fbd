// Reading values that are known to be what was promised.
import { at } from '../../exact-json.ts'
import { digitsOf } from './scalars.ts'

type Steps = readonly (string | number)[]

/** @throws TypeError for anything but digits */
export function integer(value: unknown, ...path: Steps): bigint {
  const digits = digitsOf(at(value, ...path))
  if (digits === undefined) throw new TypeError(`${path.join('.')} is no integer`)
  return BigInt(digits)
}

/** @throws TypeError for anything but text */
export function text(value: unknown, ...path: Steps): string {
  const found = at(value, ...path)
  if (typeof found !== 'string') throw new TypeError(`${path.join('.')} is no text`)
  return found
}

export const flag = (value: unknown, ...path: Steps): boolean => at(value, ...path) === true

export function list(value: unknown, ...path: Steps): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** MINA with nine decimals. */
export function mina(nanomina: bigint): string {
  const digits = String(nanomina).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}

/** @throws RangeError past the last date */
export const isoTime = (milliseconds: bigint): string => new Date(Number(milliseconds)).toISOString()
