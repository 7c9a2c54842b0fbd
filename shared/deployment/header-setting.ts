// HTTP headers as a setting gives them. Without the global `Headers`: a function that uses it loads the built-in fetch.

/** A name as HTTP allows it. */
const name = /^[!#$%&'*+.^_`|~\w-]+$/

/** A text as HTTP allows it: no control characters but tabs, none beyond one byte. */
const text = /^[\t\x20-\x7E\x80-\xFF]*$/

const isHeader = (entry: readonly [string, unknown]): entry is [string, string] =>
  name.test(entry[0]) && typeof entry[1] === 'string' && text.test(entry[1].trim())

/**
 * HTTP headers as a setting gives them, for functions and stages alike.
 *
 * @param given an object, or its JSON text
 * @returns texts by name in lower case, without blanks around them; undefined for anything else, for what HTTP cannot
 *   carry, and for a name that is given twice, in two cases
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
