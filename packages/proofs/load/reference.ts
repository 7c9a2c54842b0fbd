// The right answers in each state of a chain: those of the service over upstreams without trouble, where the chain stands
// still. The baseline of `upstream-faults` proves such answers field by field.
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { gateway } from '../../../local/gateway/gateway.ts'
import { listen } from '../../../local/start/listen.ts'
import { serviceRoutes } from '../../../local/start/routes.ts'
import { indexerServer } from '../../testnet/indexer/server.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import type { Received } from '../upstream-faults/setting/service.ts'
import type { ChainState } from './recorded-chain.ts'

const local = '127.0.0.1'
/** Longer than a busy machine stalls. */
const patience = { UPSTREAM_TIMEOUT_MS: '20000', INDEXER_TIMEOUT_MS: '20000', INDEXER_STAKES_TIMEOUT_MS: '20000' }

export async function ask(url: string, signal: AbortSignal | null = null): Promise<Received> {
  const response = await fetch(url, { signal })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

/** Starts the service over a node in one state and an indexer in another, since a block may come between two questions. */
async function serviceOver(atNode: ChainState, atIndexer: ChainState) {
  const servers = [nodeServer(atNode.chain), indexerServer(atIndexer.chain)]
  const upstreams = await Promise.all(servers.map((one) => listen(one, 0, local)))
  const [node, indexer] = upstreams.map(({ port }) => `http://${local}:${port}/graphql`)
  const settings = readSettings({ ...patience, NODE_GRAPHQL_URL: node, INDEXER_GRAPHQL_URL: indexer })
  const front = await listen(gateway(await serviceRoutes(settings, () => undefined)), 0, local)
  return {
    url: `http://${local}:${front.port}`,
    close: () => Promise.all([front, ...upstreams].map((one) => one.close())),
  }
}

export function references() {
  const services = new Map<string, ReturnType<typeof serviceOver>>()
  const answers = new Map<string, Promise<Received>>()
  return {
    /** The right answer while node and indexer are in these states. */
    answer(atNode: ChainState, atIndexer: ChainState, path: string): Promise<Received> {
      const states = `${atNode.tip.stateHash} ${atIndexer.tip.stateHash}`
      const key = `${states} ${path}`
      const service = services.get(states) ?? serviceOver(atNode, atIndexer)
      services.set(states, service)
      const answer = answers.get(key) ?? service.then(({ url }) => ask(url + path))
      answers.set(key, answer)
      return answer
    },
    async close() {
      for (const service of services.values()) await (await service).close()
    },
  }
}
