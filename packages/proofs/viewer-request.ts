// Requests in the form in which CloudFront hands them to its functions: nothing is decoded, the values of a repeated key stand
// together.
import { parseTarget } from '../../local/gateway/target.ts'

interface Value {
  readonly value: string
}

export interface ViewerRequest {
  readonly method: string
  /** The path as the client sent it. */
  readonly uri: string
  /** As the client sent them, with all values of a repeated key. */
  readonly querystring: Readonly<Record<string, Value & { readonly multiValue?: readonly Value[] }>>
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, Value>>
}

/** @param headers by name in lower case */
export function viewerRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): ViewerRequest {
  const { path, query } = parseTarget(target)
  const values = Map.groupBy(query, ([key]) => key)
  const valuesOf = (pairs: typeof query) => {
    const [first = { value: '' }, ...others] = pairs.map(([, value]) => ({ value }))
    return others.length === 0 ? first : { ...first, multiValue: [first, ...others] }
  }
  return {
    method,
    uri: path,
    querystring: Object.fromEntries([...values].map(([key, pairs]) => [key, valuesOf(pairs)])),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
  }
}
