// Amounts as bigint: in a parsed answer, and from MINA text.
import type { Amounts } from './schema.ts'

/** @throws TypeError unless the value is an integer or the digits of one */
function amountOf(value: unknown): bigint {
  if (typeof value === 'bigint' || (typeof value === 'string' && /^\d+$/.test(value))) return BigInt(value)
  throw new TypeError('not an integer')
}

/**
 * Types an exactly parsed body in place: amounts are bigint, all other integers number. Only amounts of the contract
 * exceed the safe integers; such an integer in a field that a later service adds stays bigint.
 *
 * @param amounts where the amounts are; the items of a list have the places of the list
 * @throws TypeError for an amount that is not an integer
 */
export function typed(value: unknown, amounts?: Amounts | true): unknown {
  if (amounts === true) return amountOf(value)
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>
    const isList = Array.isArray(value)
    for (const key of Object.keys(members)) members[key] = typed(members[key], isList ? amounts : amounts?.[key])
  }
  return value
}

/**
 * Nanomina of a MINA amount.
 *
 * @example
 * nanominaOf('1.5') // 1500000000n
 *
 * @param mina decimal text with at most nine decimals, as balances and supplies have
 * @throws RangeError for any other text
 */
export function nanominaOf(mina: string): bigint {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(mina) ?? []
  if (whole === undefined) throw new RangeError(`"${mina}" is not an amount of MINA`)
  return BigInt(whole + decimals.padEnd(9, '0'))
}

/**
 * A MINA amount for people, without needless zeros.
 *
 * @example
 * formatMina(1_500_000_000n) // '1.5'
 */
export function formatMina(nanomina: bigint): string {
  const digits = `${nanomina}`.replace('-', '').padStart(10, '0')
  const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
  return nanomina < 0n ? `-${text}` : text
}
