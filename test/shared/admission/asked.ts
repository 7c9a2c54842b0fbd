// Requests as admission sees them.
import type { Asked } from '../../../shared/admission/admit.ts'

/** @param target path and query as they come, still percent-encoded */
export function asked(method: string, target: string, headers: Asked['headers'] = {}): Asked {
  const [path = '', ...rest] = target.split('?')
  const query = rest
    .join('?')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const [key = '', ...value] = pair.split('=')
      return [key, value.join('=')]
    })
  return { method, path, query, headers }
}
