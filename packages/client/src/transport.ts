// One HTTP exchange, and what the headers of its answer say.
import { chainLabelOf } from './chain-label.ts'
import { type Clock, type Signal, startTimer, stopIfAborted } from './clock.ts'
import { type ErrorDetails, reasonOf, ServiceError } from './service-error.ts'

/** The signal that the platform's own `fetch` takes, where types of it are loaded. */
type PlatformSignal = typeof globalThis extends { fetch(input: never, init?: infer Init): unknown }
  ? NonNullable<Init> extends { signal?: infer Type }
    ? NonNullable<Type>
    : unknown
  : unknown

interface FetchInit {
  method: string
  headers: Record<string, string>
  body: string | null
  signal: Signal & PlatformSignal
  /** Only where the platform knows it. */
  cache?: 'no-store' | 'no-cache'
  redirect?: 'manual'
}

interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
  /** True after a redirect that `fetch` has followed. */
  readonly redirected?: boolean | undefined
  /** `opaqueredirect` for a redirect that a browser hides. */
  readonly type?: string | undefined
  readonly url?: string | undefined
}

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

export interface ClientOptions {
  /** Address of the service, perhaps with a path; a slash at the end is dropped. */
  readonly baseUrl?: string | undefined
  /**
   * In place of `baseUrl`, several addresses of services on one network, which `network` has to name. After no answer or a 5xx a
   * read asks the next one. None counts before it has named that network, or while its chain is lower than another one's by more
   * than a block. A broadcast goes to one of them, and the same bytes to the next when they are sent again.
   */
  readonly baseUrls?: readonly string[] | undefined
  /** Sent with each request, such as the key of your own gateway. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The network that you mean, as `GET /network` names it: `mainnet`, `devnet`. Nothing is sent to another one, and nothing
   * is sent without it.
   */
  readonly network?: string | undefined
  /**
   * What you sign for, as `GET /network` names it: by default `mainnet` on mainnet, and `testnet` on devnet and testnet. On a
   * network of any other name it is compared only if you give it.
   */
  readonly signatureKind?: string | undefined
  /**
   * In place of the global `fetch`, which is looked up at each request: for a proxy, for logging, for tests. It is called
   * without an object, so bind a method, and it returns answers of any status.
   */
  readonly fetch?: Fetch | undefined
  /** Time limit of one request; 30 seconds by default, since the service answers within 20. Infinity for none. */
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
  /** The other `baseUrl` to which the request was sent on, in a way that makes a GET of a POST; empty where a browser hides it. */
  readonly movedTo?: string | undefined
}

/**
 * Sends one request.
 *
 * @throws the signal's reason where it was aborted, otherwise a ServiceError without a complete answer; a NetworkMismatchError
 *   before anything was sent, where each of several addresses is on another network
 */
export type Send = (path: string, more: SendMore) => Promise<Answer>

interface SendMore {
  readonly headers?: Record<string, string> | undefined
  /** Makes it a POST of JSON. */
  readonly body?: string
  readonly signal?: Signal | undefined
  /** Notes redirects. One that would make a GET of a POST is not followed. */
  readonly notesRedirects?: boolean
  /** In place of the client's own. */
  readonly timeoutMs?: number
}

export interface Transport {
  readonly send: Send
  readonly clock: Clock
}

/** A proxy's mistake, such as a date far away, must not stop a program. */
const maxRetryAfterSeconds = 300

export const defaultTimeoutMs = 30_000

/** @throws TypeError for an address behind which no path can stand */
export function baseOf(address: unknown): string {
  const base = String(address).replace(/\/+$/, '')
  if (/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/i.test(base)) return base
  throw new TypeError(`"${base}" is not a baseUrl`)
}

/** Pages and workers of a browser: of these alone the `fetch` has a cache that asks again with the tags it knows. */
const hasBrowserCache = (): boolean => 'document' in globalThis || 'importScripts' in globalThis

/** Limits the ages that are remembered. */
const maxAges = 32

/**
 * The browser takes over the headers of a 304, and leaves what it does not have: a shared cache that has just asked names no
 * age, so that of an earlier answer stays beside the new date.
 *
 * @returns a function that hides the age which an answer to a path has from the one before
 */
function ageGuard(): (path: string, answer: Answer) => Answer {
  const ages = new Map<
    string,
    { readonly date: string | undefined; readonly age: string | undefined; readonly isLeft: boolean }
  >()
  return (path, answer) => {
    const [date, age] = [answer.header('date'), answer.header('age')]
    const before = ages.get(path)
    const isLeft = before !== undefined && before.age === age && (before.isLeft || before.date !== date)
    if (ages.size >= maxAges) ages.clear()
    ages.set(path, { date, age, isLeft })
    return { ...answer, header: (name) => (isLeft && name === 'age' ? undefined : answer.header(name)) }
  }
}

/** @param base as `baseOf` gives it */
export function sendTo(base: string, options: ClientOptions): Send {
  const exchange = async (path: string, init: FetchInit): Promise<Answer> => {
    const { body } = init
    const ask = options.fetch ?? (globalThis.fetch as Fetch)
    let movedTo: string | undefined
    // Under 307 and 308 a POST stays one. A browser hides which redirect it was, and follows it all the same.
    let isKept = false
    for (;;) {
      const response = await ask(base + path, init)
      const { status, headers: given, redirected, url } = response
      const isHidden = response.type === 'opaqueredirect'
      const text = await response.text()
      const header = (name: string) => given.get(name)?.replace(/^(.+?)(?:, *\1)+$/, '$1')
      const makesGet = status > 300 && status < 304
      isKept ||= status === 307 || status === 308
      if (makesGet) movedTo = new URL(header('location') ?? '', base + path).href
      else if (body && !isKept && (redirected || isHidden)) movedTo = isHidden ? '' : url
      const isFollowed = isHidden || isKept || (makesGet && !body)
      if (!init.redirect || !isFollowed) return { status, text, header, movedTo: movedTo?.replace(path, '') }
      delete init.redirect
    }
  }
  const withOwnAge = ageGuard()
  return async (path, { headers, body = null, signal, notesRedirects, timeoutMs = options.timeoutMs }) => {
    stopIfAborted(signal)
    const limitMs = timeoutMs ?? defaultTimeoutMs
    const controller = new AbortController()
    let stop: () => void = () => undefined
    // A polyfill's abort has no reason, and some implementations of fetch read a body on after it.
    const ending = new Promise<never>((_, reject) => {
      stop = startTimer(limitMs, signal, () => {
        reject(new ServiceError(`no answer within ${limitMs} ms`, { status: 0, code: 'timeout' }))
        controller.abort()
      })
    })
    const init: FetchInit = {
      method: body ? 'POST' : 'GET',
      headers: { ...options.headers, ...headers },
      body,
      signal: controller.signal,
    }
    // Frameworks cache what they are not told to leave alone, and some platforms throw on a word that they do not know.
    const knowsCache = 'cache' in Object(globalThis.Request?.prototype)
    if (knowsCache) init.cache = 'no-store'
    if (notesRedirects) init.redirect = 'manual'
    // A tag of our own costs a preflight each time. One of the browser's does not, and it answers a 304 with its copy.
    const isBrowsers = knowsCache && !body && !options.fetch && !options.headers && hasBrowserCache()
    const asked = isBrowsers
      ? exchange(path, { ...init, headers: {}, cache: 'no-cache' }).then(
          (answer) => withOwnAge(path, answer),
          (cause) => {
            if (!(cause instanceof TypeError) || controller.signal.aborted) throw cause
            return exchange(path, init)
          },
        )
      : exchange(path, init)
    try {
      return await Promise.race([asked, ending])
    } catch (cause) {
      stopIfAborted(signal)
      throw cause instanceof ServiceError ? cause : new ServiceError(reasonOf(cause), { status: 0, cause })
    } finally {
      stop()
    }
  }
}

/** The members of a JSON text; none of anything else, such as a page of a proxy. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** @param clock for a `retry-after` that names an instant */
export function failureOf({ status, text, header }: Answer, clock: Clock): ErrorDetails & { readonly message: string } {
  const given = header('retry-after') ?? ''
  const seconds = Number(given) || (Date.parse(given) - clock.now()) / 1000
  const { error, message } = membersOf(text)
  const words = error ?? message
  // These words are the gateway's, for a path that it does not know.
  const isOwn = words !== undefined && words !== 'Not Found'
  return {
    // For people.
    message: String(words ?? status),
    status,
    // Undefined also for 0 and for a header that cannot be read.
    retryAfterSeconds: Math.min(maxRetryAfterSeconds, Math.max(0, seconds)) || undefined,
    requestId: header('apigw-requestid') ?? header('x-amz-cf-id'),
    isFinal: (isOwn && [400, 404, 409].includes(status)) || undefined,
    chain: chainLabelOf(header),
  }
}

/** What to do about a redirect, for people. */
export const movedWords = (movedTo: string): string =>
  `no broadcast passes this redirect: make ${movedTo || 'its target'} the baseUrl`
