// One HTTP request to a deployed service, as a browser on another site's page sends it.
import { maxAnswerBytes } from '../../../functions/runtime/upstreams/transport.ts'

export interface HttpAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly tookMs: number
}

/** An answer, or the reason for its absence. */
export type Probe = HttpAnswer | { readonly failure: string }

export interface ProbeRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The API gateway gives up after this long. */
export const maxAnswerMs = 30_000

/** Makes a request look like one from another site's page. */
export const fromAnotherSite = { origin: 'https://doctor.example' }

/** An error with its causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`
}

/** Fails above the largest answer that the service itself takes from an upstream, and counts what was unpacked. */
function countingBytes(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= maxAnswerBytes) controller.enqueue(chunk)
      else controller.error(new Error(`an answer of more than ${maxAnswerBytes} bytes`))
    },
  })
}

/** Returns redirects, and does not follow them. Reading a body of more than 8 MB fails, compressed or not. */
export async function fetchUnredirected(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const { body, status, statusText, headers } = response
  return body === null ? response : new Response(body.pipeThrough(countingBytes()), { status, statusText, headers })
}

/** Sends a request; redirects are returned, not followed. */
export async function probe(url: string, { method = 'GET', headers = {}, body }: ProbeRequest = {}): Promise<Probe> {
  const startedAt = performance.now()
  const signal = AbortSignal.timeout(maxAnswerMs)
  try {
    const sent = { method, headers: { ...headers }, signal }
    const response = await fetchUnredirected(url, body === undefined ? sent : { ...sent, body })
    const text = await response.text()
    const tookMs = Math.round(performance.now() - startedAt)
    return { status: response.status, headers: Object.fromEntries(response.headers), text, tookMs }
  } catch (error) {
    return { failure: signal.aborted ? `no answer within ${maxAnswerMs} ms` : reasonOf(error) }
  }
}
