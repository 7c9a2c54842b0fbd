// The code that CloudFront runs before it looks into its cache, so that one thing has one key there.
import { collapseSlashes } from '../../shared/paths.ts'

/** Node leaves blanks where types stood. */
const sourceOf = (pureFunction: (path: string) => string): string =>
  pureFunction
    .toString()
    .replace(/ +(?=[,)])/g, '')
    .replace(/ +(?=\{)/g, ' ')

/**
 * A CloudFront Function (JavaScript runtime 2.0) for viewer requests: collapses slashes by the service's own function
 * and drops query keys that no endpoint knows.
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
