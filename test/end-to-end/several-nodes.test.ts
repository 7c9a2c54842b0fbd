// Several nodes behind the built bundles: cold processes and real sockets. The simulated world (packages/proofs/world) has
// every other way in which several nodes once went wrong.
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import type { RequestLine } from '../../functions/runtime/log.ts'
import { type Chain, createChain } from '../../packages/testnet/chain.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import type { EndpointName } from '../../shared/endpoints/all.ts'
import { serve, unservedUrl, untilTestEnds } from '../serving.ts'
import { buildFunctions, type Given } from './cold-instance.ts'
import { signPayment, wallet } from './running-service.ts'

/** The processes have the machine's clock, on which the tip is fresh. */
const now = Date.now()
const chainOf = () => createChain({ seed: 'several nodes', now: () => now, signsOwnCommands: false })
const functions = await buildFunctions(['getAccount', 'broadcastTransaction'])

/** The trouble that a question meets, by its document; `undefined` lets the node answer. */
type Trouble = (document: string) => number | 'hangs' | 'broken' | undefined

async function troubleNode(chain: Chain, trouble: Trouble = () => undefined) {
  const daemon = await serve(nodeServer(chain))
  const node = { url: '', trouble }
  const { url } = await serve(async (request, response) => {
    const body = await text(request)
    const met = node.trouble(body)
    if (met === 'hangs') return
    if (met === 'broken') return void request.socket.destroy()
    if (met !== undefined) return void response.writeHead(met).end('oops')
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${daemon.url}/graphql`, { method: 'POST', headers, body })
    response.writeHead(reply.status).end(await reply.text())
  })
  return Object.assign(node, { url: `${url}/graphql` })
}

async function cold(name: EndpointName, urls: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const instance = await functions.start(name, { NODE_GRAPHQL_URL: urls.join(), ...environment })
  untilTestEnds({ close: instance.end })
  return instance
}

const payment = (chain: Chain) => ({
  method: 'POST' as const,
  path: '/broadcast/transaction',
  body: JSON.stringify(signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'))),
})
const outcome = ({ status, headers }: Given) => [status, headers['x-broadcast-outcome']]
const sent = [201, 'accepted']

test('a cold broadcast is sent beside a node that refuses connections, wherever it is listed', async () => {
  const chain = chainOf()
  const urls = [(await troubleNode(chain)).url, `${unservedUrl}/graphql`]
  for (const listed of [urls, urls.toReversed()]) {
    expect(outcome(await (await cold('broadcastTransaction', listed)).ask(payment(chain)))).toEqual(sent)
  }
})

test('a cold broadcast is sent beside a node in any trouble, with a pin', async () => {
  const chain = chainOf()
  const good = await troubleNode(chain)
  const bootstrapping = chainOf()
  bootstrapping.bootstrapping = true
  const bad = await Promise.all([
    troubleNode(chain, () => 500),
    troubleNode(chain, () => 'hangs'),
    troubleNode(chain, (document) => (document.includes('daemonStatus') ? 'hangs' : undefined)),
    troubleNode(bootstrapping),
  ])
  const pin = { GENESIS_STATE_HASH: chain.genesisBlock().stateHash }
  for (const { url } of bad) {
    const instance = await cold('broadcastTransaction', [url, good.url], pin)
    expect(outcome(await instance.ask(payment(chain)))).toEqual(sent)
  }
})

test('after a broadcast in which all nodes broke their connections, the next one is sent', async () => {
  const chain = chainOf()
  const nodes = [await troubleNode(chain, () => 'broken'), await troubleNode(chain, () => 'broken')]
  const instance = await cold(
    'broadcastTransaction',
    nodes.map(({ url }) => url),
  )
  const first = await instance.ask(payment(chain))
  for (const node of nodes) node.trouble = () => undefined
  expect([outcome(first), outcome(await instance.ask(payment(chain)))]).toEqual([[400, 'unknown'], sent])
})

test('the question to a dead indexer ends with the answer', async () => {
  const chain = chainOf()
  const closed = Promise.withResolvers<void>()
  const indexer = await serve(({ socket }) => void once(socket, 'close').then(() => closed.resolve()))
  const failing = await troubleNode(chain, () => 500)
  const environment = { INDEXER_GRAPHQL_URL: indexer.url, INDEXER_TIMEOUT_MS: '20000' }
  const instance = await cold('getAccount', [failing.url], environment)
  const { publicKey } = wallet(chain, 'alice')
  const { status } = await instance.ask({ path: `/accounts/${publicKey}`, pathParameters: { public_key: publicKey } })
  await closed.promise
  const [line] = (await instance.end()) as readonly RequestLine[]
  const outcomes = new Set(line?.upstream.map(({ outcome }) => outcome))
  // The node's answer, and no time-out of the indexer's question.
  expect([status, outcomes]).toEqual([502, new Set([500, 'cancelled'])])
})
