// The way from a client to the service: the routes, a cache that keeps each answer as long as it may, and losses.

import { type DeclaredEndpoint, endpoints } from '../../../../shared/endpoints/all.ts'
import type { Answer } from '../../../../shared/http/answer.ts'
import { tipHeaders } from '../../../../shared/http/answer-headers.ts'
import { printExactJson } from '../../../../shared/mapping/exact-json.ts'
import type { Fetch } from '../../../client/src/client.ts'
import { integerBetween, type Random } from '../../../testnet/random.ts'
import type { HistoryCommand } from '../broadcasts/signed-command.ts'
import type { Answered, Fleet } from '../service/fleet.ts'
import type { VirtualTime } from '../time.ts'

export const baseUrl = 'http://service'

interface Stored {
  readonly answer: Answer
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly at: number
}

const routes = endpoints.map((endpoint) => ({
  endpoint,
  matcher: new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

function routeOf(method: string, path: string) {
  for (const { endpoint, matcher } of routes) {
    const match = endpoint.method === method ? matcher.exec(path) : null
    if (match !== null) return { endpoint, path: match.groups ?? {} }
  }
  throw new Error(`no route for ${method} ${path}`)
}

/** The height that a question names, or 0. */
const heightIn = ({ pathname }: URL): number => Number(/^\/blocks\/height\/(\d+)$/.exec(pathname)?.[1] ?? 0)

const headersOf = ({ answer, tip }: Answered, endpoint: DeclaredEndpoint, now: number) => ({
  ...(endpoint.method === 'GET' && tip
    ? {
        [tipHeaders.height]: String(tip.height),
        [tipHeaders.stateHash]: tip.stateHash,
        [tipHeaders.time]: new Date(tip.atMs).toISOString(),
        [tipHeaders.syncStatus]: tip.syncStatus,
      }
    : {}),
  ...answer.headers,
  date: new Date(now).toUTCString(),
})

/**
 * @param losses the share of requests that get no answer; some of them reach the service
 * @param commandOf the command that a broadcast's body carries
 * @param asked called for each request with the answer's status, 0 without one, and its words: `behind` for a 404 of a daemon whose
 *   tip is below the height
 */
export function createEdge(
  random: Random,
  time: VirtualTime,
  fleet: Fleet,
  losses: number,
  commandOf: (body: string) => HistoryCommand | undefined,
  asked: (path: string, status: number, told: string, body: string | null) => void,
): Fetch {
  const cache = new Map<string, Stored>()

  async function serve(method: string, url: URL, body: string | null): Promise<Stored> {
    const held = cache.get(url.href)
    const { maxAgeSeconds = 0 } = held?.answer.caching ?? {}
    if (held && method === 'GET' && time.now() - held.at < maxAgeSeconds * 1000) return held
    const { endpoint, path } = routeOf(method, url.pathname)
    const request = {
      path,
      query: Object.fromEntries(url.searchParams),
      body: body === null ? undefined : JSON.parse(body),
    }
    const command = body === null ? undefined : commandOf(body)
    const answered = await fleet(endpoint, request, {
      ...(command && { command }),
      sent: () => undefined,
      executed: () => () => undefined,
      troubled: () => undefined,
    })
    const { answer } = answered
    const headers = headersOf(answered, endpoint, time.now())
    const stored = { answer, headers, text: printExactJson(answer.body), at: time.now() }
    cache.set(url.href, stored)
    return stored
  }

  return async (address, { method = 'GET', body = null }: Partial<Parameters<Fetch>[1]> = {}) => {
    const url = new URL(address)
    await time.wait(integerBetween(random, 1, 200))
    const dice = random()
    const lost = (why: string): never => {
      asked(`${method} ${url.pathname}`, 0, why, body)
      throw new TypeError(why)
    }
    if (dice < losses / 3) return lost('the request was lost')
    if (dice < losses / 2) {
      asked(`${method} ${url.pathname}`, 429, 'throttled', body)
      return new Response('{"message":"Too Many Requests"}', { status: 429 })
    }
    const { answer, headers, text, at } = await serve(method, url, body)
    if (dice < losses) return lost('the answer was lost')
    const { 'x-broadcast-outcome': outcome = '', 'x-broadcast-code': code = '' } = answer.headers ?? {}
    const { state = '', sending = '', failureReason } = Object(Object(answer.body).transaction)
    const isBehind = answer.status === 404 && Number(headers[tipHeaders.height]) < heightIn(url)
    const told = [outcome, code, state, failureReason && 'failed', sending, isBehind && 'behind']
      .filter(Boolean)
      .join(' ')
    asked(`${method} ${url.pathname}`, answer.status, told, body)
    const age = String(Math.floor((time.now() - at) / 1000))
    return new Response(text, { status: answer.status, headers: { ...headers, age } })
  }
}
