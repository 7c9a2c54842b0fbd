// The fate of a command: under a fault a service may say less than the truth, and never anything else.
import { at, textOf } from '../../exact-json.ts'
import type { Received } from '../../setting/service.ts'
import { bodyOf, keptSeconds } from '../answer-form.ts'
import { compared, told } from '../comparison.ts'
import type { Evidence } from '../evidence.ts'

/** The statements that may stand in place of each truth: who cannot see everything leaves the sending open, or to the ledger. */
const lessThan: Readonly<Record<string, readonly string[]>> = {
  included: ['nonce-used', 'unknown'],
  pending: ['unknown'],
  replaced: ['nonce-used', 'unknown'],
  'nonce-used': ['unknown'],
  expired: ['unknown'],
  'rival-pending': ['unknown'],
  'waits-for-nonce': ['unknown'],
  'no-account': ['unknown'],
}

const saidIn = (transaction: unknown): string => textOf(at(transaction, 'sending') ?? at(transaction, 'state'))

/** An answer that says less may leave these out or change them: how far it looked, and a hint. */
const aboutLooking = /^(?:searched|hint|confirmations)$/

/** @returns undefined for an answer that says nothing of a fate */
export function fateFaults({ usual }: Evidence, given: Received): readonly string[] | undefined {
  const [truth, body] = [bodyOf(usual.received), bodyOf(given)].map((whole) => at(whole, 'transaction'))
  if (given.status !== 200 || truth === undefined || body === undefined) return undefined
  const [wanted, said] = [saidIn(truth), saidIn(body)]
  const isLess = wanted !== said
  if (isLess && !lessThan[wanted]?.includes(said)) return [`wanted ${wanted}, got ${said}`]
  const { others } = compared(truth, body)
  const wrong = others.filter((path) => {
    const [key] = path
    if (aboutLooking.test(textOf(key))) return false
    if (isLess && (key === 'state' || key === 'sending')) return false
    // Who calls it replaced or included names the command that used the nonce: so may who says less.
    return !(key === 'by' && at(body, 'by') === at(truth, 'chainHash'))
  })
  const kept = keptSeconds(given)
  return [...told(truth, body, wrong), ...(isLess && kept > 2 ? [`is kept ${kept} s`] : [])]
}
