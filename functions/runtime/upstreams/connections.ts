// The connections of a transport, kept between requests. Lambda freezes an instance between two requests, and no timer
// runs meanwhile: how long a connection idled is judged by the wall clock, when it would be used again.
import type { AgentOptions, ClientRequest, RequestOptions } from 'node:http'
import { attemptMsWithin, maxAnswerMs } from '../../../shared/deployment/settings.ts'
import { memberOf } from '../../../shared/mapping/exact-json.ts'

/** Load balancers drop an idle connection after 60 s, and some after 35 s. */
export const maxIdleMs = 30_000

/** Only a new connection looks up the upstream's name, whose addresses may have changed by then. */
const maxAgeMs = 60_000

/** A connection that idled for less is hardly ever dead. */
export const freshMs = 2000

/** The server counts from when it sent its answer, we from when we received it. */
const hintMarginMs = 1000

type Protocol = 'http:' | 'https:'

export interface Connections {
  /** Sends a request over a connection that idled for less than `mayIdleMs`, or over a new one. */
  request(url: string, options: RequestOptions, mayIdleMs: number): ClientRequest
  /** Closes the connections that no request uses. */
  dropIdle(): void
}

interface Use {
  /** When the connection carried its first request. */
  readonly openedAt: number
  /** When a connection's last answer was complete, in milliseconds on the wall clock. */
  readonly endedAt: number
  /** For how long it may be used again. */
  readonly keptMs: number
}

/** The idle time that a server allows by `Keep-Alive: timeout=<seconds>`. */
function keptMsOf(hint: string | string[] | undefined): number {
  const seconds = /(?:^|[\s,])timeout=(\d+)/i.exec(String(hint ?? ''))?.[1]
  return seconds === undefined ? maxIdleMs : Number(seconds) * 1000 - hintMarginMs
}

/**
 * Loads Node's client for a protocol. An import of `node:http` would load the built-in fetch, which took more time than
 * all else in a cold start; one of `node:https` would load TLS even for nodes that are reached without it.
 */
const clientFor = (protocol: Protocol) =>
  protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')

/**
 * The parts of an address, as Node's client takes them. SNI gets no dot at the end of a host name: TLS servers written in Go
 * refuse one.
 */
export function addressOf(url: string): RequestOptions & { readonly servername?: string } {
  const address = process.getBuiltinModule('node:url').urlToHttpOptions(new URL(url))
  const { protocol, hostname } = address
  return protocol === 'https:' && hostname?.endsWith('.') ? { ...address, servername: hostname.slice(0, -1) } : address
}

function openConnections(
  protocol: Protocol,
  { now = Date.now, timeoutMs = maxAnswerMs }: ConnectionOptions,
): Connections {
  const { Agent, globalAgent, request } = clientFor(protocol)
  const { options }: { readonly options?: AgentOptions } = Object(globalAgent)
  const agent = new Agent({
    keepAlive: true,
    // The timer closes idle connections of a process that runs on.
    timeout: maxIdleMs,
    autoSelectFamilyAttemptTimeout: attemptMsWithin(timeoutMs),
    // Set if NODE_USE_ENV_PROXY makes Node honour HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
    proxyEnv: options?.proxyEnv,
  })
  // Node would parse the address on each request.
  const parsed = new Map<string, RequestOptions>()
  const uses = new WeakMap<object, Use>()

  const isFresh = (socket: object, mayIdleMs: number): boolean => {
    const use = uses.get(socket)
    if (use === undefined) return false
    const idleMs = now() - use.endedAt
    const ageMs = now() - use.openedAt
    // If the clock was set back, the ages mean nothing.
    return idleMs >= 0 && idleMs < Math.min(mayIdleMs, use.keptMs) && ageMs >= 0 && ageMs < maxAgeMs
  }

  const dropIdleFor = (mayIdleMs: number): void => {
    for (const sockets of Object.values(agent.freeSockets)) {
      // The agent reuses the newest, and skips closed ones only at the old end: all up to the newest stale one must go.
      const staleFrom = (sockets ?? []).findLastIndex((socket) => !isFresh(socket, mayIdleMs))
      for (const socket of sockets?.slice(0, staleFrom + 1) ?? []) socket.destroy()
    }
  }

  return {
    request(url, requestOptions, mayIdleMs) {
      dropIdleFor(mayIdleMs)
      let keptMs = 0
      const startedAt = now()
      const address = parsed.get(url) ?? addressOf(url)
      parsed.set(url, address)
      const started = request({ ...address, ...requestOptions, agent })
      return (
        started
          .on('response', ({ headers }) => {
            keptMs = keptMsOf(headers['keep-alive'])
          })
          // Just before the agent gets the connection back.
          .on('close', () => {
            if (!started.socket) return
            const { openedAt = startedAt } = uses.get(started.socket) ?? {}
            uses.set(started.socket, { openedAt, endedAt: now(), keptMs })
          })
      )
    },
    dropIdle: () => dropIdleFor(0),
  }
}

export interface ConnectionOptions {
  /** Loads the client for this address's protocol now: Lambda gives start-up more processor time than a request. */
  readonly loadFor?: string
  /** For a whole call to the upstream, in milliseconds. */
  readonly timeoutMs?: number
  /** Wall clock in milliseconds. */
  readonly now?: () => number
}

/** Opens connections for each protocol when a URL first needs them. */
export function connectionsByProtocol(options: ConnectionOptions): (url: string) => Connections {
  const { loadFor } = options
  const opened = new Map<Protocol, Connections>()
  const connectionsFor = (url: string): Connections => {
    const protocol = url.startsWith('https:') ? 'https:' : 'http:'
    const connections = opened.get(protocol) ?? openConnections(protocol, options)
    opened.set(protocol, connections)
    return connections
  }
  if (loadFor !== undefined) connectionsFor(loadFor)
  return connectionsFor
}

/** One error for each address that was tried, or the error itself. */
function eachOf(error: unknown): readonly unknown[] {
  const each = memberOf(error, 'errors')
  return Array.isArray(each) && each.length > 0 ? each.flatMap(eachOf) : [error]
}

/** The message of an error, or one for each address that was tried. */
export function describe(error: unknown): string {
  const messages = eachOf(error).map((each) => memberOf(each, 'message') ?? each)
  return messages.map(String).join(', ')
}

/** True if what came is not HTTP. */
export const isNoHttp = (error: unknown): boolean => String(memberOf(error, 'code')).startsWith('HPE_')
