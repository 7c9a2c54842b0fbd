// Amounts as bigint: in a parsed answer, and from MINA text.

/** The members that are amounts in nanomina, in every answer. A test holds them against the contract. */
const amounts: readonly string[] = [
  ...['amount', 'fee', 'change', 'coinbase', 'accountCreationFee', 'minimumFee'],
  ...['min', 'median', 'p75', 'economy', 'normal', 'fast', 'feesNanomina', 'proofFeesNanomina'],
]

/** The same inside of these members. */
const amountsInside: ReadonlyMap<string, readonly string[]> = new Map([
  ['consensusState', ['totalCurrency']],
  // Of other tokens than MINA.
  ['tokenChanges', []],
])

/** @throws TypeError unless the value is an integer or the digits of one */
function amountOf(value: unknown): bigint {
  if (typeof value === 'bigint' || (typeof value === 'string' && /^\d+$/.test(value))) return BigInt(value)
  throw new TypeError('not an integer')
}

/**
 * Types an exactly parsed body in place: amounts are bigint, all other integers number. Only amounts of the contract
 * exceed the safe integers; such an integer in a field that a later service adds stays bigint.
 *
 * @throws TypeError for an amount that is not an integer
 */
export function typed(value: unknown, names: readonly string[] = amounts): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  const members = Object(value)
  for (const key of members === value ? Object.keys(members) : []) {
    const member = members[key]
    members[key] = names.includes(key) ? amountOf(member) : typed(member, amountsInside.get(key) ?? names)
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
