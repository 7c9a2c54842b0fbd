// The form of a request path. No imports and plain syntax: this also runs in a CloudFront Function.

/**
 * Repeated slashes become one and a trailing slash goes; the root stays `/`.
 *
 * @param path request path as it came, still percent-encoded, without its query
 */
export function collapseSlashes(path: string): string {
  const single = path.replace(/\/+/g, '/')
  return single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single
}
