// Instances of the service before a daemon that is well and one that stopped, at two addresses or behind one.
import type { RequestListener } from 'node:http'
import { elapsedMs } from '../../../functions/runtime/elapsed-time.ts'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { gateway } from '../../../local/gateway/gateway.ts'
import { listen } from '../../../local/start/listen.ts'
import { serviceRoutes } from '../../../local/start/routes.ts'
import type { Clock } from '../../../shared/chain/port.ts'
import type { Chain } from '../../testnet/chain.ts'
import { indexerServer } from '../../testnet/indexer/server.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { createRandom, integerBetween } from '../../testnet/random.ts'

export const layouts = ['the good daemon alone', 'two addresses', 'one address'] as const
export type Layout = (typeof layouts)[number]

const local = '127.0.0.1'
const patience = { UPSTREAM_TIMEOUT_MS: '20000', INDEXER_TIMEOUT_MS: '20000', INDEXER_STAKES_TIMEOUT_MS: '20000' }

/** Pauses of the service pass so much faster. */
const hurry = 10

const warmInstances = 3
/** The share of requests that meet an instance which knows nothing yet. */
const newShare = 0.2

export type Fleet = Awaited<ReturnType<typeof startFleet>>

/**
 * @param now of the chain, ms since 1970
 * @param stopped how the other daemon stands; it may stop later
 */
export async function startFleet(
  layout: Layout,
  now: () => number,
  good: Chain,
  stopped: () => Chain,
  withIndexer = false,
) {
  const random = createRandom(`fleet ${layout}`)
  let calls = 0
  const counted =
    (serve: RequestListener): RequestListener =>
    (request, response) => {
      calls++
      serve(request, response)
    }
  const goodServer = nodeServer(good)
  const servers = new WeakMap<Chain, RequestListener>()
  const stoppedServer: RequestListener = (request, response) => {
    const chain = stopped()
    const serve = servers.get(chain) ?? nodeServer(chain)
    servers.set(chain, serve)
    serve(request, response)
  }
  const either: RequestListener = (request, response) =>
    (random() < 0.5 ? goodServer : stoppedServer)(request, response)
  const nodes = {
    'the good daemon alone': [goodServer],
    'two addresses': [goodServer, stoppedServer],
    'one address': [either],
  }[layout]
  const upstreams = await Promise.all(nodes.map((serve) => listen(counted(serve), 0, local)))
  const indexer = withIndexer ? await listen(counted(indexerServer(good)), 0, local) : undefined
  const urlOf = ({ port }: { readonly port: number }) => `http://${local}:${port}/graphql`
  const settings = readSettings({
    ...patience,
    NODE_GRAPHQL_URL: upstreams.map(urlOf).join(),
    ...(indexer && { INDEXER_GRAPHQL_URL: urlOf(indexer) }),
  })
  const clock: Clock = {
    now,
    elapsed: () => elapsedMs() * hurry,
    after(milliseconds, action) {
      const timer = setTimeout(action, milliseconds / hurry)
      return () => clearTimeout(timer)
    },
  }
  const instance = async () => gateway(await serviceRoutes(settings, () => undefined, clock), { now })
  const warm = await Promise.all(Array.from({ length: warmInstances }, instance))
  let [requests, refusals] = [0, 0]
  /** A front of its own for each caller, whose requests it tells. */
  async function front(onAnswer: (path: string, status: number) => void = () => undefined) {
    const { port, close } = await listen(
      async (request, response) => {
        requests++
        const index = integerBetween(random, 0, warmInstances - 1)
        const asked = random() < newShare ? await instance() : warm[index]
        response.once('finish', () => {
          if (response.statusCode === 503) refusals++
          onAnswer(request.url ?? '', response.statusCode)
        })
        asked?.(request, response)
      },
      0,
      local,
    )
    return { url: `http://${local}:${port}`, close }
  }
  return {
    front,
    /** Requests of callers, those answered 503, and calls to upstreams, so far. */
    counts: () => ({ requests, refusals, calls }),
    close: () => Promise.all([...upstreams, ...(indexer ? [indexer] : [])].map((each) => each.close())),
  }
}
