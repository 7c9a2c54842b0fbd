// The numbers among a caller's options. One that was read from an unset variable must not switch off what it was to set.

const counts = ['confirmations', 'limit', 'retries', 'height'] as const
const times = ['pollMs', 'patienceMs', 'timeoutMs'] as const

type Numbers = { readonly [Name in (typeof counts)[number] | (typeof times)[number]]?: unknown }

/**
 * @param options of any call, or a place on the chain; others of their members are left alone
 * @throws RangeError for a count that is no whole number from 0, such as NaN or a text; for a time that is no number from 0, and
 *   for a pause without an end
 */
export function checkNumbers(options: Numbers | undefined): void {
  const refuse = (name: string, value: unknown) => {
    throw new RangeError(`${name} cannot be ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`)
  }
  for (const name of counts) {
    const { [name]: value = 0 } = options ?? {}
    if (!Number.isSafeInteger(value) || Number(value) < 0) refuse(name, value)
  }
  for (const name of times) {
    const { [name]: value = 0 } = options ?? {}
    const isEndless = name === 'pollMs' && value === Number.POSITIVE_INFINITY
    if (typeof value !== 'number' || !(value >= 0) || isEndless) refuse(name, value)
  }
}
