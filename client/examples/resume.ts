import type { Client, PaymentToSend } from '../src/client.ts'

/** The outcome of a payment that was signed before the program ended. It is never paid twice, however often you ask. */
export async function resume(client: Client, signed: PaymentToSend, sentAtMs: number) {
  const { hash } = await client.sendUntilKnown(signed)
  const inclusion = await client.waitForInclusion(signed, { hash, sentAtMs, patienceMs: 60_000 })
  switch (inclusion.state) {
    case 'included':
      return inclusion.failureReason === undefined ? 'paid' : `failed, its fee is paid: ${inclusion.failureReason}`
    case 'superseded':
    case 'expired':
      return 'not paid, and never will be: it is safe to sign another one'
    default:
      return 'not known yet: ask again, and do not sign another one'
  }
}
