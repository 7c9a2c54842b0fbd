import { parseExact } from './parse-exact.ts'
import type { signedPayment } from './pay.ts'

type Payment = NonNullable<Awaited<ReturnType<typeof signedPayment>>>
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Sends a payment and follows it until 15 blocks confirm what became of it, or patience ends. It is never paid twice. */
export async function settle(url: string, payment: Payment, patience: number, wait = pause) {
  const { hash, terms, body } = payment
  const question = `${url}/transactions/${hash}?${new URLSearchParams(terms)}`
  const ask = async () => parseExact(await (await fetch(question)).text()).transaction
  const send = () => fetch(`${url}/broadcast/transaction`, { method: 'POST', body }).catch(() => undefined)
  let sent = await send()
  for (let left = patience; ; ) {
    const outcome = sent?.headers.get('x-broadcast-outcome')
    // A request without an answer may still be under way.
    const seconds = Math.min(left, outcome ? 10 : 30)
    await wait(seconds)
    left -= seconds
    const { state, sending, ...fate } = (await ask().catch(() => undefined)) ?? { state: 'unknown' }
    const isDeep = fate.final === true || fate.confirmations >= 15
    // Only a service that has compared all terms can tell a payment from another one with its nonce.
    const isProven = state === 'included' || fate.terms?.memo === terms.memo
    if (['included', 'replaced', 'expired'].includes(state) && isDeep && isProven) return { state, ...fate }
    if (sending === 'no-account') return { state: 'no-account' }
    if (sending === 'possible' && outcome === 'refused') return { state: sent?.headers.get('x-broadcast-code') }
    if (left <= 0) return { state: 'unconfirmed', because: sending ?? state }
    if (sending === 'possible') sent = await send()
  }
}
