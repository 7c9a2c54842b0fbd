// Puts GraphQL operations to an embedded node or indexer over real HTTP.
import type { Chain } from '../../packages/testnet/chain.ts'
import type { IndexerState } from '../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { parseExactJson } from '../../shared/mapping/exact-json.ts'
import { type Served, serve, untilFileEnds } from '../serving.ts'

interface Request {
  readonly path?: string
  readonly method?: string
  readonly contentType?: string
}

export function clientOf(served: Served | Promise<Served>) {
  const send = async (body: string, request: Request = {}) => {
    const { path = '/graphql', method = 'POST', contentType = 'application/json' } = request
    const headers = { 'content-type': contentType }
    const { url } = await served
    const response = await fetch(url + path, { method, headers, ...(method === 'POST' && { body }) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    send,
    /** The answer's body, long integers as bigint. */
    ask: async (query: string, variables = {}): Promise<unknown> =>
      parseExactJson((await send(JSON.stringify({ query, variables }))).text),
  }
}

/** A node that answers while the tests of this file run. */
export const nodeOf = (chain: Chain) => clientOf(serve(nodeServer(chain), untilFileEnds))

/** An indexer that answers while the tests of this file run. */
export const indexerOf = (chain: Chain, state?: IndexerState) =>
  clientOf(serve(indexerServer(chain, state), untilFileEnds))

/** One answer of an indexer. */
export const askIndexer = async (chain: Chain, query: string, state?: IndexerState): Promise<unknown> =>
  clientOf(await serve(indexerServer(chain, state))).ask(query)

/** An integer as `parseExactJson` returns it: a number where that is exact. */
export const integer = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)
