// The target of an HTTP request line, split as API Gateway does it.
import { collapseSlashes } from '../../shared/agreements/paths.ts'

export interface Target {
  /** Decoded segments; split before decoding, so that an encoded slash stays inside its segment. */
  readonly segments: readonly string[]
  /** The decoded path, cut at a decoded question mark: API Gateway's `rawPath`, which is not raw. */
  readonly rawPath: string
  /** Still encoded, without the question mark. */
  readonly rawQueryString: string
  /** Decoded; the values of a repeated key are joined by a comma. */
  readonly query: ReadonlyMap<string, string>
}

const schemeAndAuthority = /^https?:\/\/[^/?]*/i

/**
 * @param requestTarget the text after the method: `/blocks?limit=2`, or the absolute form that a proxy sends
 * @throws URIError for malformed percent-encoding
 */
export function parseTarget(requestTarget: string): Target {
  const [, encodedPath = '', rawQueryString = ''] =
    /^([^?]*)\??(.*)$/s.exec(requestTarget.replace(schemeAndAuthority, '')) ?? []
  const segments = collapseSlashes(encodedPath || '/')
    .split('/')
    .slice(1)
    .map(decodeURIComponent)
  const [rawPath = ''] = `/${segments.join('/')}`.split('?')
  return { segments, rawPath, rawQueryString, query: parseQuery(rawQueryString) }
}

function parseQuery(rawQueryString: string): Map<string, string> {
  // URLSearchParams accepts malformed encoding; this call throws.
  decodeURIComponent(rawQueryString)
  const query = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(rawQueryString)) {
    const earlier = query.get(key)
    query.set(key, earlier === undefined ? value : `${earlier},${value}`)
  }
  return query
}
