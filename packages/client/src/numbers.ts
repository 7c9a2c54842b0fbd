// The numbers among a caller's options. One that was read from an unset variable must not switch off what it was to set.

const counts = ['confirmations', 'limit', 'retries', 'height'] as const
const times = ['pollMs', 'patienceMs', 'timeoutMs'] as const

type Numbers = { readonly [Name in (typeof counts)[number] | (typeof times)[number]]?: unknown }

/**
 * @param options of any call, or a place on the chain; others of their members are left alone
 * @throws RangeError unless each count is a whole number of at least 0, and each time a number of at least 0; also for an endless
 *   pause. NaN and texts are refused
 */
export function checkNumbers(options: Numbers | undefined): void {
  for (const name of [...counts, ...times]) {
    const { [name]: value = 0 }: Numbers = options ?? {}
    const isCount = counts.some((count) => count === name)
    const isEndless = name === 'pollMs' && value === Infinity
    const isRight = isCount ? Number.isSafeInteger(value) : typeof value === 'number' && !isEndless
    if (isRight && Number(value) >= 0) continue
    throw new RangeError(`${name} cannot be ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`)
  }
}
