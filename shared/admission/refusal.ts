// A refusal as an HTTP answer. Plain syntax, since this also runs in a CloudFront Function.
import type { Refusal } from './rule.ts'

interface RefusalAnswer {
  readonly status: number
  /** Without the cross-origin headers, which the caller adds. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The service's own answer, word for word. */
export const refusalAnswer = (refusal: Refusal): RefusalAnswer => ({
  status: refusal.status,
  headers: { 'content-type': 'application/json', 'cache-control': refusal.cacheControl },
  body: JSON.stringify({ message: refusal.message }),
})
