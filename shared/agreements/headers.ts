/**
 * HTTP headers as a setting gives them, for functions and stages alike.
 *
 * @param given an object, or its JSON text
 * @returns texts by name in lower case; undefined for anything else, and for what HTTP cannot carry
 */
export function headersFrom(given: unknown): Readonly<Record<string, string>> | undefined {
  try {
    const parsed: unknown = typeof given === 'string' ? JSON.parse(given) : given
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
    const entries = Object.entries(parsed)
    if (!entries.every(([, text]) => typeof text === 'string')) return undefined
    return Object.fromEntries(new Headers(Object.fromEntries(entries)))
  } catch {
    return undefined
  }
}
