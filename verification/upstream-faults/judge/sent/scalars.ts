// The values that an upstream may send for a scalar.
import { numberText } from '../../exact-json.ts'
import type { Upstream } from '../../fault.ts'

/**
 * `doubtful`: no rule excludes such a value, but no real one looks like it. To show it as it is, or to refuse it, are both
 * right.
 */
export type Legality = 'legal' | 'doubtful' | 'illegal'

/** The place of a scalar: an indexer has integers in fields of text. */
export interface Place {
  /** Name of the scalar in the upstream's schema. */
  readonly type: string
  readonly field: string
  readonly upstream: Upstream
}

const amounts = /^(?:Amount|Balance|CurrencyAmount|Fee|UInt64|U64)$/
const counts = /^(?:AccountNonce|BlockTime|Epoch|Global[Ss]lot\w*|Int|Length|Slot|UInt32)$/
const names = /^(?:ChainHash|EpochSeed|LedgerHash|PublicKey|StateHash|TokenId)$/

const largestAmount = 2n ** 64n - 1n
const largestCount = 2n ** 53n - 1n
/** The last millisecond of JavaScript's dates. */
const latestDate = 8_640_000_000_000_000n

/** The digits of an integer, sent as a number or as text; undefined for anything else. */
export function digitsOf(value: unknown): string | undefined {
  const text = numberText(value) ?? value
  return typeof text === 'string' && /^\d+$/.test(text) ? text : undefined
}

/** The digits of an integer with its sign, sent as a number or as text; undefined for anything else. */
export function signedDigitsOf(value: unknown): string | undefined {
  const text = numberText(value) ?? value
  return typeof text === 'string' && /^-?\d+$/.test(text) ? text : undefined
}

function signedLegality(value: unknown): Legality {
  const digits = signedDigitsOf(value)
  if (digits === undefined) return 'illegal'
  return integerLegality(digits.replace('-', ''), 2n ** 63n - 1n) === 'legal' && digits !== '-0' ? 'legal' : 'doubtful'
}

function integerLegality(value: unknown, largest: bigint): Legality {
  const digits = digitsOf(value)
  if (digits === undefined) return 'illegal'
  return digits.length < 40 && String(BigInt(digits)) === digits && BigInt(digits) <= largest ? 'legal' : 'doubtful'
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

function textLegality({ type, field, upstream }: Place, value: unknown): Legality {
  if (typeof value !== 'string') return 'illegal'
  if (field === 'receivedTime' || type === 'DateTime')
    return isoTime.test(value) && !Number.isNaN(Date.parse(value)) ? 'legal' : 'illegal'
  if (field === 'memo' && upstream === 'indexer') return value.length <= 200 ? 'legal' : 'doubtful'
  // The contract gives texts of accounts no least length.
  // A token has no symbol unless somebody gave it one.
  if (value === '' && field === 'tokenSymbol') return 'legal'
  if (value === '') return field === 'receipt_chain_hash' || field === 'voting_for' ? 'doubtful' : 'illegal'
  if (type === 'TransactionHash') {
    if (!/^\w+$/.test(value) || value.length > 1000) return 'illegal'
    return value.length <= 100 ? 'legal' : 'doubtful'
  }
  if (type === 'TransactionId') {
    if (!/^[\w+/=-]+$/.test(value) || value.length > 10_000) return 'illegal'
    return value.length >= 50 && value.length <= 2000 ? 'legal' : 'doubtful'
  }
  // A name that later nodes may have is shown as it is, or refused.
  if (type === 'SyncStatus' && /^[A-Z]+_[A-Z]+$/.test(value)) return 'doubtful'
  if (type === 'SyncStatus') return /^[A-Z]+$/.test(value) ? 'legal' : 'illegal'
  if (type === 'UserCommandKind') return /^(?:PAYMENT|STAKE_DELEGATION)$/.test(value) ? 'legal' : 'doubtful'
  if (type === 'StateHashAsDecimal') return /^\d{1,78}$/.test(value) ? 'legal' : 'doubtful'
  if (/^(?:hash|stateHash)$/.test(field) && upstream === 'indexer')
    return /^\w{1,100}$/.test(value) ? 'legal' : 'doubtful'
  if (names.test(type)) return /^[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(value) ? 'legal' : 'doubtful'
  return /^[\x20-\x7e]{1,300}$/.test(value) ? 'legal' : 'doubtful'
}

export function legalityOf(place: Place, value: unknown): Legality {
  const { type, field, upstream } = place
  if (type === 'Sign') return value === 'Positive' || value === 'Negative' ? 'legal' : 'illegal'
  if (field === 'balance_change') return signedLegality(value)
  if (type === 'Boolean') return typeof value === 'boolean' ? 'legal' : 'illegal'
  const isDigits = upstream === 'indexer' && type === 'String'
  if (amounts.test(type) || (isDigits && /^(?:coinbase|fee)$/.test(field))) return integerLegality(value, largestAmount)
  if (type === 'BlockTime' || (isDigits && /^(?:date|utcDate)$/.test(field))) return integerLegality(value, latestDate)
  if (counts.test(type)) return integerLegality(value, largestCount)
  return textLegality(place, value)
}
