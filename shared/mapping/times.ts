// Times as the contract shows them.
import { WireError } from '../upstream/errors.ts'

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
