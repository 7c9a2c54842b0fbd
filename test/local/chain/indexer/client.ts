// Puts GraphQL operations to an embedded indexer over real HTTP, on a free port of the loopback interface.
import type { Chain } from '../../../../local/chain/chain.ts'
import type { IndexerState } from '../../../../local/chain/indexer/ingested.ts'
import { indexerServer } from '../../../../local/chain/indexer/server.ts'
import type { IndexerTiming } from '../../../../local/chain/indexer/workers.ts'
import { listen } from '../../../../local/start/listen.ts'
import { parseExactJson } from '../../../../shared/mapping/json.ts'

export interface IndexerClient {
  readonly port: number
  /** The body of the answer, long integers as bigint. */
  ask(query: string, variables?: object): Promise<unknown>
  send(path: string, body: string, method?: string): Promise<{ status: number; headers: Headers; text: string }>
  close(): Promise<void>
}

export async function startIndexer(chain: Chain, state?: IndexerState, timing?: IndexerTiming): Promise<IndexerClient> {
  const { port, close } = await listen(indexerServer(chain, state, timing), 0, '127.0.0.1')
  const send = async (path: string, body: string, method = 'POST') => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      ...(method === 'POST' && { body }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    port,
    ask: async (query, variables = {}) =>
      parseExactJson((await send('/graphql', JSON.stringify({ query, variables }))).text),
    send,
    close,
  }
}

/** One answer of an indexer that is closed afterwards. */
export async function askOnce(chain: Chain, query: string, state?: IndexerState): Promise<unknown> {
  const indexer = await startIndexer(chain, state)
  return indexer.ask(query).finally(indexer.close)
}
