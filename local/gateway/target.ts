// The target of an HTTP request line, nothing of it decoded.

export interface Target {
  readonly path: string
  /** In their order; a key without `=` has the value `''`. */
  readonly query: readonly (readonly [key: string, value: string])[]
}

const schemeAndAuthority = /^https?:\/\/[^/?]*/i

/** Splits at the first occurrence; the second part is empty without one. */
function splitAt(separator: string, text: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

/** @param requestTarget the text after the method: `/blocks?limit=2`, or the absolute form that a proxy sends */
export function parseTarget(requestTarget: string): Target {
  const [path, query] = splitAt('?', requestTarget.replace(schemeAndAuthority, ''))
  const pairs = query.split('&').filter((pair) => pair !== '')
  return { path: path || '/', query: pairs.map((pair) => splitAt('=', pair)) }
}
