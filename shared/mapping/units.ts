// Amounts, times and tokens as the contract shows them.
import { WireError } from '../upstream/errors.ts'

const nanominaPerMina = 1_000_000_000n

/** Text of a MINA amount with exactly nine fractional digits: `minaDecimal(1500000000n)` is `1.500000000`. */
export const minaDecimal = (nanomina: bigint): string =>
  `${nanomina / nanominaPerMina}.${String(nanomina % nanominaPerMina).padStart(9, '0')}`

/** A JSON number with exactly these digits: a number where that is exact, else the bigint itself. */
export const jsonInteger = (integer: bigint): number | bigint =>
  integer <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(integer) : integer

const latestDateMs = 8_640_000_000_000_000

function date(milliseconds: number): Date {
  if (milliseconds > latestDateMs) throw new WireError('unreadable', `${milliseconds} ms is past the last date`)
  return new Date(milliseconds)
}

/**
 * ISO-8601 UTC with milliseconds, the times of blocks.
 *
 * @param milliseconds since 1970
 * @throws WireError past the last date that can be written
 */
export const isoTime = (milliseconds: number): string => date(milliseconds).toISOString()

/**
 * HTTP-date, the time of the summary: `Wed, 17 Mar 2021 00:00:00 GMT`.
 *
 * @param milliseconds since 1970
 * @throws WireError past the last date that can be written
 */
export const httpDate = (milliseconds: number): string => date(milliseconds).toUTCString()

/** The id of the MINA token: base58check since the Berkeley fork, a number before. */
const minaTokens: readonly string[] = ['wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf', '1']

/** Compares instead of looking up in a set, which would hash each of the 3,000 token ids in ten full blocks. */
export const isMinaToken = (tokenId: string): boolean => minaTokens.includes(tokenId)

/** MINA in the contract's number fields. */
export const minaTokenNumber = 1
