// How each setting of a stage is written as text, and how a wrong one is shown without its secrets.

/** How one setting is written. */
export interface Rule<T> {
  readonly wants: string
  readonly example: string
  /** Taken where nothing is given; without it something must be. */
  readonly fallback?: T
  /**
   * `undefined` for text that does not say what is wanted.
   *
   * @throws Error saying what is wrong, where the text alone does not show it
   */
  parse(text: string): T | undefined
  /** The refused text without its secrets. */
  show(text: string): string
}

/** A setting that a stage can do without: null where nothing is given. */
export const optional = <T>(rule: Rule<T>): Rule<T | null> => ({ ...rule, fallback: null })

/** Text that holds no secret, as a message shows it. */
export const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

export const stage: Rule<string> = {
  wants: 'a lower-case letter, then at most 29 lower-case letters, digits and hyphens',
  example: 'dev',
  fallback: 'dev',
  parse: (text) => (/^[a-z][a-z0-9-]{0,29}$/.test(text) ? text : undefined),
  show: quoted,
}

/**
 * An address of a GraphQL upstream.
 *
 * @param owner whose GraphQL it is, as in `a node's`
 */
export const graphqlUrl = (owner: string, example: string): Rule<string> => ({
  wants: `the http or https address of ${owner} GraphQL, without user name and password`,
  example,
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const isUsable = url?.username === '' && url.password === '' && ['http:', 'https:'].includes(url.protocol)
    return isUsable ? url.href : undefined
  },
  // Before the last @ there may be a password, and after a ? a key, in text that is no address as well.
  show: (text) => quoted(text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@').replace(/[?#].*$/s, '?…')),
})

/** Of one call to an upstream, in milliseconds. The functions accept the same range. */
export const timeoutMs = (fallback: number): Rule<number> => ({
  wants: 'whole milliseconds from 1 to 20000',
  example: String(fallback),
  fallback,
  parse(text) {
    const milliseconds = /^\d{1,5}$/.test(text) ? Number(text) : 0
    return milliseconds >= 1 && milliseconds <= 20_000 ? milliseconds : undefined
  },
  show: quoted,
})

/** HTTP headers, their names in lower case. */
export const headers: Rule<Readonly<Record<string, string>>> = {
  wants: 'a JSON object of header names and their texts',
  example: '{"x-api-key":"secret"}',
  fallback: {},
  parse(text) {
    try {
      const parsed: unknown = JSON.parse(text)
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
      const entries = Object.entries(parsed)
      if (!entries.every(([, value]) => typeof value === 'string')) return undefined
      // Refuses what HTTP cannot carry.
      return Object.fromEntries(new Headers(Object.fromEntries(entries)))
    } catch {
      return undefined
    }
  },
  show: (text) => `${text.length} characters, not shown since they may hold a key,`,
}
