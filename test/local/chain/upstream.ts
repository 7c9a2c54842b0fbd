// Puts GraphQL operations to an embedded node or indexer over real HTTP.
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll } from '@jest/globals'
import type { Chain } from '../../../local/chain/chain.ts'
import type { IndexerState } from '../../../local/chain/indexer/ingested.ts'
import { indexerServer } from '../../../local/chain/indexer/server.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { type Listening, listen } from '../../../local/start/listen.ts'
import { parseExactJson } from '../../../shared/mapping/json.ts'

interface Request {
  readonly path?: string
  readonly method?: string
  readonly contentType?: string
}

/** @param port read at each request */
export function clientOf(port: () => number) {
  const send = async (body: string, request: Request = {}) => {
    const { path = '/graphql', method = 'POST', contentType = 'application/json' } = request
    const headers = { 'content-type': contentType }
    const url = `http://127.0.0.1:${port()}${path}`
    const response = await fetch(url, { method, headers, ...(method === 'POST' && { body }) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    send,
    /** The answer's body, long integers as bigint. */
    ask: async (query: string, variables = {}): Promise<unknown> =>
      parseExactJson((await send(JSON.stringify({ query, variables }))).text),
  }
}

function servedInThisFile(listener: RequestListener) {
  let running: Listening
  beforeAll(async () => {
    running = await listen(listener, 0, '127.0.0.1')
  })
  afterAll(() => running.close())
  return clientOf(() => running.port)
}

/** A node that answers while the tests of this file run. */
export const nodeOf = (chain: Chain) => servedInThisFile(nodeServer(chain))

/** An indexer that answers while the tests of this file run. */
export const indexerOf = (chain: Chain, state?: IndexerState) => servedInThisFile(indexerServer(chain, state))

/** One answer of an indexer that is closed afterwards. */
export async function askIndexer(chain: Chain, query: string, state?: IndexerState): Promise<unknown> {
  const { port, close } = await listen(indexerServer(chain, state), 0, '127.0.0.1')
  return clientOf(() => port)
    .ask(query)
    .finally(close)
}

/** An integer as `parseExactJson` returns it: a number where that is exact. */
export const integer = (value: bigint) => (value > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value))
