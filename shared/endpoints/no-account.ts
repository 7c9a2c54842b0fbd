// The answer for a key without an account, and for a text that is not a key.
import type { Failure } from '../http/answer.ts'
import { current } from '../http/answer-headers.ts'

export const noAccount = {
  status: 404,
  body: { message: 'No account found for that public key.' },
  caching: current,
} as const satisfies Failure
