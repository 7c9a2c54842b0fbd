// Requests as admission sees them.
import { parseTarget } from '../../../local/gateway/target.ts'
import type { Asked } from '../../../shared/admission/admit.ts'

/** @param target path and query as they come, still percent-encoded */
export function asked(method: string, target: string, headers: Asked['headers'] = {}): Asked {
  const { path, query } = parseTarget(target)
  return { method, headers, path, query: (max) => (query.length > max ? undefined : query) }
}
