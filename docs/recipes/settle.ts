import { checkNetwork, type Network, NetworkMismatch } from './network.ts'
import { parseExact } from './parse-exact.ts'
import type { signedPayment } from './pay.ts'

type Signed = NonNullable<Awaited<ReturnType<typeof signedPayment>>>
type Payment = Network & Pick<Signed, 'hash' | 'terms' | 'body'>
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** A payment that has been pending for so long is sent again. */
const staleSeconds = 900

/** Refusals of the bytes themselves. */
const forever = ['invalid-signature', 'memo-too-long', 'invalid-request']

/** Undefined where the service does not show the command. */
const paysTheSame = (command: ReturnType<typeof parseExact>, { to, amount }: Payment['terms']): boolean | undefined =>
  command?.balanceChanges?.some(({ publicKey }: { publicKey: string }) => publicKey === to) ??
  (command && command.to === to && String(command.amount) === amount)

/**
 * Sends a payment and follows it until 15 blocks confirm what became of it, or patience ends: so many seconds. On mainnet take
 * 8100, 90 slots, in which 16 blocks nearly always come. Say `neverSent: true` only before its first sending. If it is `replaced`,
 * sign another one only where `paysTheSame` is false. Throws a NetworkMismatch where the service is on another network.
 */
export async function settle(
  url: string,
  payment: Payment & { readonly neverSent?: boolean },
  patience: number,
  wait = pause,
) {
  const { hash, terms, body } = payment
  const question = `${url}/transactions/${hash}?${new URLSearchParams(terms)}`
  // Other trouble passes.
  const attempt = <Answer>(request: () => Promise<Answer>) =>
    checkNetwork(url, payment)
      .then(request)
      .catch((error) => {
        if (error instanceof NetworkMismatch) throw error
        return undefined
      })
  const ask = () =>
    attempt(async () => {
      const answer = await fetch(question)
      const height = Number(answer.headers.get('x-chain-height'))
      return { ...parseExact(await answer.text()).transaction, height }
    })
  const send = () => attempt(() => fetch(`${url}/broadcast/transaction`, { method: 'POST', body }))
  let sent = await send()
  let maySent = !payment.neverSent
  let refusals = 0
  let pendingSeconds = 0
  let thereAt = 0
  let absentSince: number | undefined
  for (let left = patience; ; ) {
    const outcome = sent?.headers.get('x-broadcast-outcome')
    const code = sent?.headers.get('x-broadcast-code') ?? ''
    const isRefused = outcome === 'refused'
    maySent ||= !isRefused
    // A request without an answer may still be under way.
    const seconds = Math.min(left, isRefused ? Math.min(10 * 2 ** refusals++, 3600) : outcome ? 10 : 30)
    await wait(seconds)
    left -= seconds
    const { state = 'unknown', sending, height, ...fate } = (await ask()) ?? {}
    const isDeep = fate.final === true || fate.confirmations >= 15
    // Only all terms tell a payment from another one with its nonce.
    const isProven = state === 'included' || fate.terms?.memo === terms.memo
    const end = state === 'replaced' ? { ...fate, paysTheSame: paysTheSame(fate.command, terms) } : fate
    if (['included', 'replaced', 'expired'].includes(state) && isDeep && isProven) return { state, ...end }
    if (sending === 'no-account') {
      // Until then a reorganisation may have taken off the first deposit, or a daemon is stuck.
      absentSince ??= Math.max(thereAt, height)
      if (height >= absentSince + 15) return { state: 'no-account' }
    } else if (state !== 'unknown') {
      thereAt = Math.max(thereAt, height)
      absentSince = undefined
    }
    const isOpen = maySent || ['expired', 'network-paused'].includes(code)
    if (sending === 'possible' && isRefused && (forever.includes(code) || !isOpen)) return { state: 'refused', code }
    const because = sending === 'possible' && isRefused ? code : (sending ?? state)
    if (left <= 0) return { state: 'unconfirmed', because }
    pendingSeconds = state === 'pending' ? pendingSeconds + seconds : 0
    if (sending === 'possible') sent = await send()
    if (pendingSeconds < staleSeconds) continue
    pendingSeconds = 0
    // A node has it, so this answer decides nothing.
    await send()
  }
}
