// A busy chain behind the service, before a program that loads its accounts into a database.
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { gateway } from '../../../local/gateway/gateway.ts'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { listen } from '../../../local/start/listen.ts'
import { serviceRoutes } from '../../../local/start/routes.ts'
import { indexerServer } from '../../testnet/indexer/server.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { type BusyChain, busyChain } from '../account-history/busy-chain.ts'

export interface Stage {
  readonly chain: BusyChain
  readonly url: string
  /** Called with the path of each request before its answer; one that returns false gets a 503. */
  onRequest: (path: string) => boolean
  /** Pages that were a 409. */
  readonly counts: { replaced: number }
  close(): Promise<unknown>
}

/** The pages that a walk is given are so short that reorganisations come between them. */
const commandsOfPage = 4

/** What a 503 asks a program to wait. */
export const retryAfterSeconds = 1

/** A busy machine must not look like an upstream that hangs. */
const patience = { UPSTREAM_TIMEOUT_MS: '20000', INDEXER_TIMEOUT_MS: '20000', INDEXER_STAKES: 'false' }

/** @param accounts number of keys beside those of the embedded chain */
export async function loadingStage(
  seed: string,
  accounts: number,
  historyBlocks: number,
  blockSeconds?: number,
): Promise<Stage> {
  const chain = busyChain(seed, accounts, historyBlocks, blockSeconds)
  const { node, indexed } = chain.day
  const servers = [
    await listen(nodeServer(node), 0, '127.0.0.1'),
    await listen(indexerServer(indexed), 0, '127.0.0.1'),
  ] as const
  const [NODE_GRAPHQL_URL, INDEXER_GRAPHQL_URL] = servers.map(({ port }) => `http://127.0.0.1:${port}/graphql`)
  const settings = readSettings({ ...patience, NODE_GRAPHQL_URL, INDEXER_GRAPHQL_URL })
  const clock = { ...hurriedClock, now: chain.now }
  const answer = gateway(await serviceRoutes(settings, () => undefined, clock), { now: chain.now })
  const front = await listen(
    (request, response) => {
      const path = request.url ?? ''
      if (!stage.onRequest(path)) {
        response.writeHead(503, { 'retry-after': String(retryAfterSeconds) }).end('{"message":"later"}')
        return
      }
      request.url = path.replace('limit=100', `limit=${commandsOfPage}`)
      response.on('finish', () => {
        if (response.statusCode === 409) stage.counts.replaced++
      })
      answer(request, response)
    },
    0,
    '127.0.0.1',
  )
  const stage: Stage = {
    chain,
    url: `http://127.0.0.1:${front.port}`,
    onRequest: () => true,
    counts: { replaced: 0 },
    close: () => Promise.all([front, ...servers].map(({ close }) => close())),
  }
  return stage
}
