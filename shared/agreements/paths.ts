// The form of a request path. No imports and plain syntax: this also runs in a CloudFront Function.

/**
 * What is between the slashes of a path. Repeated slashes count as one, and one at the end as none.
 *
 * @param path request path as it came, still percent-encoded, without its query
 */
export const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '')

/** A path with one slash before each segment, and no other; the root is `/`. */
export const collapseSlashes = (path: string): string => `/${segmentsOf(path).join('/')}`
