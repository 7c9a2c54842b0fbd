// Requests as admission sees them.
import { parseTarget } from '../../../local/gateway/target.ts'
import type { Asked } from '../../../shared/admission/admit.ts'

/** @param target path and query as they come, still percent-encoded */
export const asked = (method: string, target: string, headers: Asked['headers'] = {}): Asked => ({
  method,
  headers,
  ...parseTarget(target),
})
