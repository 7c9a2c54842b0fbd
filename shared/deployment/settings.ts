// Limits, ranges and forms of settings on which stages, functions, stack, local gateway and tools must agree.

/** The largest request body. A signed command has about 1 KB. */
export const maxBodyBytes = 16 * 1024

/** The longest that an answer may take; the API gateway gives up after 30 s. */
export const maxAnswerMs = 20_000

/** A function is stopped after this time; above `maxAnswerMs`, so that a slow upstream still gets its answer. */
export const functionTimeoutMs = 25_000

/** AWS refuses a reservation that would leave less of the account's executions to all other functions. */
export const minUnreserved = 100

/** An alarm fires above 80 % of a reservation, rounded down: of a single execution, at each request. */
export const minReserved = 2

/** The maximum number of nodes of a deployment. */
export const maxNodes = 5

/** The maximum number of indexers: one for the node's chain, one for that before a hard fork, and one to spare. */
export const maxIndexers = 3

const maxOf = { nodes: maxNodes, indexers: maxIndexers } as const

/** An upstream's address in its normal form: over HTTP, without user name and password. */
export const addressForm = /^https?:\/\/[^/@]+\//

/** An address as messages show it: without the part before the last @ and without the query, which may hold secrets. */
export const shownAddress = (given: string): string =>
  given.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@').replace(/[?#].*$/s, '?…')

/** A slash at the end of the path leads to the same place. */
function withoutLastSlash(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  if (parsed.pathname.endsWith('/')) parsed.pathname = parsed.pathname.slice(0, -1)
  return parsed.href
}

/**
 * Finds a fault in the list of a deployment's nodes or indexers, not in a single address.
 *
 * @returns what was given, as it follows "got"; undefined for a right list
 */
export function addressListFault(urls: readonly unknown[], of: keyof typeof maxOf): string | undefined {
  if (urls.length === 0) return 'an empty list'
  if (urls.length > maxOf[of]) return `more than ${maxOf[of]} ${of}`
  const texts = urls.filter((url) => typeof url === 'string')
  return new Set(texts.map(withoutLastSlash)).size < texts.length ? 'the same address twice' : undefined
}

/** From the first number to the second, both included. */
export interface Range {
  readonly min: number
  readonly max: number
  readonly unit?: 'milliseconds'
}

/** The numbers of a range in words. */
export const wordsOf = ({ min, max }: Range): string => `a whole number from ${min} to ${max}`

/** For one call to an upstream, which must not take longer than an answer may. */
export const timeoutRange: Range = { min: 1, max: maxAnswerMs, unit: 'milliseconds' }

const maxAttemptMs = 2500

/**
 * The time that each address of a name has for a connection before the next one is tried, in milliseconds. Node's own
 * 250 ms are too short for a far host or one lost packet. The last address has no such limit, but it may be an IPv6
 * address, which many networks cannot reach, AWS Lambda's among them.
 *
 * @param timeoutMs for a whole call
 */
export const attemptMsWithin = (timeoutMs: number): number => Math.min(maxAttemptMs, Math.ceil(timeoutMs / 3))

/** A name as HTTP allows it. */
const name = /^[!#$%&'*+.^_`|~\w-]+$/

/** A text as HTTP allows it: no control characters but tabs, none beyond one byte. */
const text = /^[\t\x20-\x7E\x80-\xFF]*$/

const isHeader = (entry: readonly [string, unknown]): entry is [string, string] =>
  name.test(entry[0]) && typeof entry[1] === 'string' && text.test(entry[1].trim())

/**
 * HTTP headers as a setting gives them. Without the global `Headers`: a function that uses it loads the built-in fetch.
 *
 * @param given an object, or its JSON text
 * @returns texts by name in lower case, without blanks around them; undefined for anything else, for what HTTP cannot
 *   carry, and for a name given twice, in upper and lower case
 */
export function headersFrom(given: unknown): Readonly<Record<string, string>> | undefined {
  try {
    const parsed: unknown = typeof given === 'string' ? JSON.parse(given) : given
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
    const entries = Object.entries(parsed)
    if (!entries.every(isHeader)) return undefined
    const headers = new Map(entries.map(([name, text]) => [name.toLowerCase(), text.trim()]))
    return headers.size === entries.length ? Object.fromEntries(headers) : undefined
  } catch {
    return undefined
  }
}
