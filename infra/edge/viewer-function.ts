// The code that CloudFront runs before its cache, so that each resource has one cache key.
import { collapseSlashes } from '../../shared/agreements/paths.ts'

/** Node replaces types with blanks. */
const sourceOf = (pureFunction: (path: string) => string): string =>
  pureFunction
    .toString()
    .replace(/ +(?=[,)])/g, '')
    .replace(/ +(?=\{)/g, ' ')

/**
 * A CloudFront Function (JavaScript runtime 2.0) for viewer requests. It collapses slashes with the service's own function
 * and drops unknown query keys.
 *
 * @param queryKeys of all endpoints
 */
export const viewerFunctionCode = (queryKeys: readonly string[]): string => `${sourceOf(collapseSlashes)}

function handler(event) {
  const request = event.request
  const query = {}
  const known = ${JSON.stringify(queryKeys)}
  known.forEach((key) => {
    if (request.querystring[key]) query[key] = request.querystring[key]
  })
  request.uri = collapseSlashes(request.uri)
  request.querystring = query
  return request
}
`
