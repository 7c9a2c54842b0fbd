// A service behind whose one address two daemons answer in turn, of which one stands still; time passes in requests and pauses.
import { type ClientOptions, type Clock, createClient, type Fetch } from '../../packages/client/src/client.ts'
import { network, noon } from './scripted-service.ts'

export interface Daemons {
  /** Of the good daemon when the client starts, and the time that each block after it takes. */
  readonly height: number
  readonly blockMs: number
  /** Of the daemon that stands still, and how many of its blocks the network has left; absent for the good one alone. */
  readonly stopped?: { readonly height: number; readonly orphans: number } | undefined
  /** Which of the two answers; in turn by default, the stopped one first. */
  readonly isStopped?: (request: number) => boolean
  readonly requestMs?: number
  /** Of a cache before both, which asks again with the tag that it has. */
  readonly cacheMs?: number
  /** The chain that the good daemon follows has other blocks above this height. */
  readonly forkedAbove?: number
  /** Changes an answer on its way. */
  readonly onWay?: (answer: Response, path: string, tag: string | undefined) => Response
}

interface Kept {
  readonly atMs: number
  readonly answer: Response
}

const canonical = (height: number) => `3N${height}`
export const orphan = (height: number) => `3Nx${height}`

/** @returns a client, its clock and the number of its requests */
export function clientOfDaemons(daemons: Daemons, options: Partial<ClientOptions> = {}) {
  const { requestMs = 100, cacheMs = 0, stopped, onWay = (answer) => answer } = daemons
  const { isStopped = (request: number) => request % 2 === 0 } = daemons
  let nowMs = noon
  let requests = 0
  const cache = new Map<string, Kept>()
  const clock: Clock = {
    now: () => nowMs,
    random: () => 0,
    async wait(milliseconds, signal) {
      if (!signal?.aborted) nowMs += milliseconds
    },
  }

  function daemonAnswer(path: string): Response {
    const isBad = isStopped(requests++)
    const bad = isBad ? stopped : undefined
    const tip = bad?.height ?? daemons.height + Math.floor((nowMs - noon) / daemons.blockMs)
    const hashAt = (height: number) => (bad && height > bad.height - bad.orphans ? orphan(height) : canonical(height))
    const headers = { 'x-chain-height': `${tip}`, 'x-chain-state-hash': hashAt(tip), 'x-chain-time': '2026' }
    if (path === '/network') return Response.json({ networkName: network, genesisStateHash: canonical(1) })
    if (path === '/summary') {
      const body = { blockchainLength: tip, stateHash: hashAt(tip) }
      return Response.json(body, { headers: { ...headers, etag: `"${hashAt(tip)}"` } })
    }
    const [, , place = '', at = ''] = path.split('/')
    const height = Number(at || /\d+$/.exec(place))
    const stateHash = at ? hashAt(height) : place
    if (height > tip || height < 1) return Response.json({ message: 'No block.' }, { status: 404, headers })
    const parent = at ? hashAt(height - 1) : canonical(height - 1)
    const block = {
      ...{ stateHash, blockHeight: height, canonical: stateHash === hashAt(height) },
      protocolState: { previousStateHash: parent },
      transactions: { userCommands: [], zkappCommands: [] },
    }
    return Response.json({ block }, { headers: { ...headers, etag: `"${stateHash}"` } })
  }

  /** A cache that answers from its copy while that is fresh, and takes the labels of a 304 over when it asks again. */
  function cached(path: string): Response {
    const kept = cache.get(path)
    if (kept && nowMs - kept.atMs < cacheMs) return kept.answer.clone()
    const answer = daemonAnswer(path)
    cache.set(path, { atMs: nowMs, answer: answer.clone() })
    return answer
  }

  const fetch: Fetch = async (url, { headers }) => {
    const path = new URL(url).pathname
    nowMs += requestMs
    const whole = cacheMs > 0 ? cached(path) : daemonAnswer(path)
    const tag = headers['if-none-match']
    const isSame = tag !== undefined && tag === whole.headers.get('etag')
    const answer = isSame ? new Response(null, { status: 304, headers: whole.headers }) : whole
    return onWay(answer, path, tag)
  }
  const client = createClient({ baseUrl: 'https://service.example', network, clock, fetch, retries: 0, ...options })
  return { client, clock, requests: () => requests }
}
