// One HTTP exchange, and what the headers of its answer say.
import { type Clock, realClock, type Signal } from './clock.ts'
import type { ErrorDetails } from './service-error.ts'

/** The part of `fetch` that the client uses. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string | null; signal: Signal },
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}>

export interface ClientOptions {
  /** Address of the service, perhaps with a path; a slash at the end is dropped. */
  readonly baseUrl: string
  /**
   * The network that you mean, as `GET /network` names it: `mainnet`, `devnet`. Nothing is sent to another one, and nothing
   * is sent without it.
   */
  readonly network?: string | undefined
  /** In place of the global `fetch`: for a proxy, for logging, for tests. */
  readonly fetch?: Fetch | undefined
  /** Time limit of one request; 30 seconds by default, since the service answers within 20. */
  readonly timeoutMs?: number | undefined
  /** Repetitions of a failed read; 2 by default. */
  readonly retries?: number | undefined
  /** In place of real time and chance, for tests. */
  readonly clock?: Clock | undefined
}

export interface Answer {
  readonly status: number
  readonly text: string
  /** Undefined if the header is absent, or hidden from a page of another site. */
  header(name: string): string | undefined
}

/** Sends one request. Rejects without a complete answer, with the signal's reason where it was aborted. */
export type Send = (path: string, more: SendMore) => Promise<Answer>

interface SendMore {
  readonly headers?: Record<string, string> | undefined
  /** Makes it a POST of JSON. */
  readonly body?: string
  readonly signal?: Signal | undefined
}

export interface Transport {
  readonly send: Send
  readonly clock: Clock
}

export function createTransport(options: ClientOptions): Transport {
  const { fetch = globalThis.fetch as Fetch, timeoutMs = 30_000, clock = realClock } = options
  const base = options.baseUrl.replace(/\/+$/, '')
  return {
    clock,
    async send(path, { headers = {}, body = null, signal }) {
      signal?.throwIfAborted()
      const controller = new AbortController()
      const stop = () => controller.abort(signal?.reason)
      signal?.addEventListener('abort', stop)
      const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
      const method = body ? 'POST' : 'GET'
      try {
        const response = await fetch(base + path, { method, headers, body, signal: controller.signal })
        const text = await response.text()
        return { status: response.status, text, header: (name) => response.headers.get(name) ?? undefined }
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
      }
    },
  }
}

/** @param clock for a `retry-after` that names an instant */
export function detailsOf(answer: Answer, clock: Clock): ErrorDetails {
  const { status, header } = answer
  const given = header('retry-after') ?? ''
  const seconds = Number(given) || (Date.parse(given) - clock.now()) / 1000
  return {
    status,
    // Undefined also for 0 and for a header that cannot be read.
    retryAfterSeconds: Math.max(0, seconds) || undefined,
    requestId: header('apigw-requestid') ?? header('x-amz-cf-id'),
  }
}

/** The message in the body of an error, for people; the status if the body has no message. */
export function wordsOf({ status, text }: Answer): string {
  try {
    const { error, message } = JSON.parse(text)
    return String(error ?? message ?? status)
  } catch {
    return String(status)
  }
}

/** The reason why no answer came, for people; anything may have been thrown. */
export const reasonOf = (thrown: unknown): string => String(Object(thrown).message ?? thrown)
