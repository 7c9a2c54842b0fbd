// Nodes that answer with what was recorded from an embedded one.
import { Worker } from 'node:worker_threads'
import { portsOver } from '../../../functions/runtime/upstreams/upstreams.ts'
import { listen } from '../../../local/start/listen.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { isObject, printExactJson } from '../../../shared/mapping/exact-json.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { createChain as createEmbeddedChain } from '../../testnet/chain.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { fillBlocks } from './full-blocks.ts'

export const embeddedChain = () => createEmbeddedChain({ seed: 'recorded', now: () => Date.UTC(2026, 0, 1) })

/** The pins of a stage on that chain. Every stage of a public network has both. */
export function embeddedPins(): { readonly genesisStateHash: string; readonly chainId: string } {
  const chain = embeddedChain()
  return { genesisStateHash: chain.genesisBlock().stateHash, chainId: chain.chainId }
}

/** One answer to several questions: what both show of a thing, as the later one has it. */
const joined = (one: unknown, other: unknown): unknown =>
  isObject(one) && isObject(other)
    ? {
        ...one,
        ...Object.fromEntries(Object.entries(other).map(([key, value]) => [key, joined(Reflect.get(one, key), value)])),
      }
    : other

/** The embedded node's data for all questions of an endpoint. */
async function recordedData(endpoint: Endpoint, input: unknown): Promise<unknown> {
  const server = await listen(nodeServer(embeddedChain()), 0, '127.0.0.1')
  const { genesisStateHash, chainId } = embeddedPins()
  const options = portsOver({
    node: { url: `http://127.0.0.1:${server.port}/graphql`, headers: {}, timeoutMs: 8000 },
    indexers: [],
    genesisStateHashes: [genesisStateHash],
    chainIds: [chainId],
  })
  let data: unknown
  const nodes = options.nodes.map((node) => ({
    ...node,
    async query(...question: Parameters<QueryUpstream>) {
      const reply = await node.query(...question)
      data = joined(data, reply.data)
      return reply
    },
  }))
  const view = createChain({ ...options, nodes }).view({ withinMs: 8000 })
  const { status } = await endpoint.run(input, view)
  view.end()
  await server.close()
  if (status >= 300) throw new Error(`${endpoint.name} answers ${status}`)
  return data
}

export const recordedAnswer = async (endpoint: Endpoint, body?: unknown): Promise<string> =>
  printExactJson({ data: await recordedData(endpoint, endpoint.input({ path: {}, query: {}, body })) })

/** A node's answer for GET /blocks?limit=10, each block with as many commands as a busy real one. */
export async function tenFullBlocks(): Promise<string> {
  const data = await recordedData(getBlocks, { limit: 10 })
  const { bestChain } = data as { bestChain: Parameters<typeof fillBlocks>[0] }
  fillBlocks(bestChain)
  return printExactJson({ data })
}

const source = `
  const { createServer } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer((request, response) =>
    request.resume().on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(workerData[request.url.slice(1)])))
  // On a machine that stalls, a peer must not meet a connection that was closed meanwhile.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

/** Starts a node on a separate thread. `urlOf(index)` is the GraphQL address that always answers with this text. */
export async function cannedNode(answers: readonly string[]) {
  const worker = new Worker(source, { eval: true, workerData: answers })
  const port = await new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  return { urlOf: (index: number) => `http://127.0.0.1:${port}/${index}`, close: () => worker.terminate() }
}
