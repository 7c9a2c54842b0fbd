// Requests in the form in which CloudFront hands them to its functions: nothing is decoded, the values of a repeated key stand
// together.
import { parseTarget } from '../../local/gateway/target.ts'
import type { ViewerRequest } from './distribution.ts'

/** @param headers by name in lower case */
export function viewerRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Required<ViewerRequest> {
  const { path, query } = parseTarget(target)
  const values = new Map<string, { value: string }[]>()
  for (const [key, value] of query) values.set(key, [...(values.get(key) ?? []), { value }])
  const named = [...values].map(([key, given]) => {
    const first = given[0] ?? { value: '' }
    return [key, given.length === 1 ? first : { ...first, multiValue: given }] as const
  })
  return {
    method,
    uri: path,
    querystring: Object.fromEntries(named),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
  }
}
