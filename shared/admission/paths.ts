// The form of a request path. Plain syntax and no expression that backtracks: this also runs in a CloudFront Function.

/**
 * Repeated slashes become one and a trailing slash goes; the root stays `/`.
 *
 * @param path request path as it came, still percent-encoded, without its query
 */
export function collapseSlashes(path: string): string {
  const single = path.replace(/\/+/g, '/')
  return single.length > 1 && single.slice(-1) === '/' ? single.slice(0, -1) : single
}
