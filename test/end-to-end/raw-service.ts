// The whole service on free ports, before a node and an indexer whose very bytes a test can replace.
import { type Chain, createChain } from '../../local/chain/chain.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { listen } from '../../local/start/listen.ts'
import { httpAnswer, type RawAnswer, type RawServer, rawServer } from '../functions/runtime/upstreams/raw-server.ts'
import { gatewayOver, now } from './running-service.ts'

export interface RawUpstream {
  readonly url: string
  /** Takes the place of true answers until it is cleared. */
  fault: RawAnswer | undefined
  /** Of true answers; undefined for their own. */
  status: number | undefined
  /** Each request so far. */
  readonly requests: readonly string[]
}

export interface RawService {
  readonly url: string
  readonly chain: Chain
  readonly node: RawUpstream
  readonly indexer: RawUpstream
  close(): Promise<void>
}

/** Gives the answers of the server at this address, byte for byte, and keeps connections. */
async function rawUpstream(trueUrl: string): Promise<RawUpstream & Pick<RawServer, 'close'>> {
  const server = await rawServer(async (socket, request) => {
    if (upstream.fault !== undefined) return upstream.fault(socket, request)
    const body = Buffer.from(request.slice(request.indexOf('\r\n\r\n') + 4), 'latin1')
    const reply = await fetch(trueUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return socket.write(httpAnswer(upstream.status ?? reply.status, Buffer.from(await reply.arrayBuffer())))
  })
  const upstream: RawUpstream = { url: server.url, fault: undefined, status: undefined, requests: server.requests }
  return Object.assign(upstream, { close: server.close })
}

export async function runRawService(): Promise<RawService> {
  const chain = createChain({ seed: 'end to end', now: () => now, network: 'testnet', slotsPerEpoch: 12 })
  const [trueNode, trueIndexer] = await Promise.all([
    listen(nodeServer(chain), 0, '127.0.0.1'),
    listen(indexerServer(chain), 0, '127.0.0.1'),
  ])
  const [node, indexer] = await Promise.all(
    [trueNode, trueIndexer].map(({ port }) => rawUpstream(`http://127.0.0.1:${port}/graphql`)),
  )
  if (node === undefined || indexer === undefined) throw new Error('no upstream')
  const answer = await gatewayOver({ NODE_GRAPHQL_URL: node.url, INDEXER_GRAPHQL_URL: indexer.url })
  const front = await listen(answer, 0, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${front.port}`,
    chain,
    node,
    indexer,
    async close() {
      await Promise.all([front, node, indexer, trueNode, trueIndexer].map((server) => server.close()))
    },
  }
}
