import type { Client } from '../src/client.ts'
import type { Kept } from './pay.ts'

/** The outcome of a payment that was signed before the program ended. It is never paid twice, however often you ask. */
export async function resume(client: Client, { signed, hash, sentAtMs }: Kept) {
  const inclusion = await client.waitForInclusion(signed, hash, { sentAtMs, patienceMs: 60_000 })
  switch (inclusion.state) {
    case 'included':
      return 'paid'
    case 'failed':
      return `failed, its fee is paid: ${inclusion.failureReason}`
    case 'replaced':
    case 'expired':
      return 'not paid, and never will be: it is safe to sign another one'
    default:
      return 'not known yet: ask again, and do not sign another one'
  }
}
