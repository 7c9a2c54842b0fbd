// A client whose time passes only in its own pauses, before answers that a test has written.
import {
  type Client,
  type ClientOptions,
  type Clock,
  createClient,
  type Fetch,
} from '../../packages/client/src/client.ts'

export const noon = Date.UTC(2026, 0, 1, 12)

/** Time that passes in pauses alone, which it lists. */
export interface PausedClock extends Clock {
  readonly pausesMs: number[]
}

/** @param onPause called in each pause, after its time has passed */
export function pausedClock(onPause: () => unknown = () => undefined): PausedClock {
  let nowMs = noon
  const pausesMs: number[] = []
  return {
    pausesMs,
    now: () => nowMs,
    random: () => 0,
    async wait(milliseconds, signal) {
      if (signal?.aborted) return
      pausesMs.push(milliseconds)
      nowMs += milliseconds
      await onPause()
    },
  }
}

export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Printed as JSON unless it is a text. */
  readonly body?: unknown
}

/** An answer, or the error in its place. */
export type Scripted = ScriptedAnswer | Error

interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The network of the chains that tests embed. */
export const network = 'testnet'

/**
 * A client of the network that the service names; that answer is not among the script, and no script counts its requests.
 *
 * @param answers in their order; the last one is given for every request after it
 */
export function scriptedClient(
  answers: readonly (Scripted | (() => Scripted))[],
  options: Partial<ClientOptions> = {},
  clock = pausedClock(),
): { readonly client: Client; readonly clock: PausedClock; readonly asked: Asked[] } {
  const asked: Asked[] = []
  const fetch: Fetch = async (url, { method, headers: asking, body: sent }) => {
    if (url.endsWith('/network')) return Response.json({ networkName: network })
    const given = answers[Math.min(asked.push({ url, method, headers: asking, body: sent }), answers.length) - 1]
    const answer = typeof given === 'function' ? given() : given
    if (answer === undefined) throw new Error('the test has written no answer')
    if (answer instanceof Error) throw answer
    const { status = 200, headers = {}, body = '' } = answer
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return new Response([204, 304].includes(status) ? null : text, { status, headers })
  }
  return {
    client: createClient({ baseUrl: 'https://service.example', network, fetch, clock, ...options }),
    clock,
    asked,
  }
}
