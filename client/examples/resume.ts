import type { Client, SignedCommand } from '../src/client.ts'
import type { Kept } from './pay.ts'

/**
 * The outcome of a payment that was signed before the program ended. It is never paid twice, however often you ask.
 *
 * @param others your other commands with this nonce for the same purpose, such as one with a higher fee: never pay again because of them
 */
export async function resume(client: Client, { signed, hash, sentAtTip }: Kept, others: readonly SignedCommand[] = []) {
  const inclusion = await client.waitForInclusion(signed, hash, { sentAtTip, rivals: others, patienceMs: 60_000 })
  switch (inclusion.state) {
    case 'included':
      return 'paid'
    case 'failed':
      return `failed, its fee is paid: ${inclusion.failureReason}`
    case 'replaced':
      if (others.some((other) => other.hash === inclusion.by))
        return 'replaced by another one of yours: ask for that one'
      return 'not paid, and never will be: it is safe to sign another one'
    case 'expired':
      if (others.length > 0)
        return 'not paid, but another one of yours may be: ask for each before you sign another one'
      return 'not paid, and never will be: it is safe to sign another one'
    default:
      return 'not known yet: ask again, and do not sign another one'
  }
}
