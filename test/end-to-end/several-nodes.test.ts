// Several nodes behind the deployed functions, over real connections. What only time decides is in test/shared/chain and
// test/verification/world.
import type { RequestListener } from 'node:http'
import { afterAll, describe, expect, test } from '@jest/globals'
import { type Chain, createChain } from '../../local/chain/chain.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import type { EndpointName } from '../../shared/endpoints/all.ts'
import { abandonedUrl, serve, untilTestEnds } from '../local/serving.ts'
import { buildFunctions, type Given } from './cold-instance.ts'
import { now, signPayment, wallet } from './running-service.ts'

const functions = await buildFunctions(['getBlock', 'getBlocks', 'getAccount', 'broadcastTransaction'])
afterAll(() => functions.remove())

const chainOf = (seed = 'several nodes') => createChain({ seed, now: () => now })

/** A node that can break each connection. */
async function nodeOf(chain: Chain) {
  const answer = nodeServer(chain)
  const node = { isBroken: false, url: '' }
  const { url } = await serve((request, response) =>
    node.isBroken ? void request.socket.destroy() : answer(request, response),
  )
  return Object.assign(node, { url: `${url}/graphql` })
}

/** @param random chooses the node that is asked first */
async function cold(name: EndpointName, urls: readonly string[], random = 0, more: Record<string, string> = {}) {
  const instance = await functions.start(name, { NODE_GRAPHQL_URL: urls.join(), ...more }, random)
  untilTestEnds({ close: () => instance.end() })
  return instance
}

const payment = (chain: Chain) => ({
  method: 'POST' as const,
  body: JSON.stringify(signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'))),
})
const accountOf = (chain: Chain) => ({ pathParameters: { public_key: wallet(chain, 'alice').publicKey } })
const blockOf = (chain: Chain) => ({ pathParameters: { state_hash: chain.tip().stateHash } })

const outcome = ({ status, headers }: Given) => [status, headers['x-broadcast-outcome']]
const sent = [201, 'accepted']

describe.each([0, 0.25, 0.5, 0.75])('a cold instance whose chance is %d', (random) => {
  test('reads and broadcasts beside two nodes that refuse connections, to both nodes that are left', async () => {
    const chains = [chainOf(), chainOf()]
    const nodes = await Promise.all(chains.map(nodeOf))
    const urls = [await abandonedUrl(), nodes[0]?.url ?? '', await abandonedUrl(), nodes[1]?.url ?? '']
    const [read, post] = await Promise.all([
      cold('getBlocks', urls, random),
      cold('broadcastTransaction', urls, random),
    ])
    expect((await read.ask({})).status).toBe(200)
    expect(outcome(await post.ask(payment(chainOf())))).toEqual(sent)
    expect(chains.map((chain) => chain.pool().length)).toEqual([1, 1])
  })

  test.each([
    ['listed first', (own: string, foreign: string) => [[own, foreign], {}] as const],
    [
      'pinned',
      (own: string, foreign: string) =>
        [[foreign, own], { GENESIS_STATE_HASH: chainOf().genesisBlock().stateHash }] as const,
    ],
  ])('sends no command to a node of another network and reads nothing there, its own %s', async (_how, setting) => {
    const [chain, other] = [chainOf(), chainOf('another network')]
    const [own, foreign] = [await nodeOf(chain), await nodeOf(other)]
    const [urls, pin] = setting(own.url, foreign.url)
    const [read, post] = await Promise.all([
      cold('getAccount', urls, random, pin),
      cold('broadcastTransaction', urls, random, pin),
    ])
    const { status, headers } = await read.ask(accountOf(chain))
    expect([status, headers['x-chain-state-hash']]).toEqual([200, chain.tip().stateHash])
    expect([outcome(await post.ask(payment(chain))), other.pool()]).toEqual([sent, []])
  })
})

test('a broadcast is sent by an instance whose last one met broken connections only', async () => {
  const chain = chainOf()
  const nodes = [await nodeOf(chain), await nodeOf(chain)]
  const urls = nodes.map(({ url }) => url)
  const instance = await cold('broadcastTransaction', urls)
  for (const node of nodes) node.isBroken = true
  expect(outcome(await instance.ask(payment(chain)))).toEqual([400, 'unknown'])
  for (const node of nodes) node.isBroken = false
  expect(outcome(await instance.ask(payment(chain)))).toEqual(sent)
})

test('a block that an instance has shown is not denied by a node that lags, when the newest one goes down', async () => {
  const [ahead, behind] = [chainOf(), chainOf()]
  ahead.produceBlock()
  const [newest, lagging] = [await nodeOf(ahead), await nodeOf(behind)]
  const instance = await cold('getBlock', [newest.url, lagging.url])
  expect((await instance.ask(blockOf(ahead))).status).toBe(200)
  newest.isBroken = true
  const { status, headers } = await instance.ask(blockOf(ahead))
  expect([status, headers['retry-after']]).toEqual([503, '5'])
})

test('the question to an indexer that hangs ends with the answer', async () => {
  const failing: RequestListener = (_request, response) => response.writeHead(500).end()
  const closed = Promise.withResolvers<void>()
  const [node, indexer] = [await serve(failing), await serve(({ socket }) => socket.once('close', closed.resolve))]
  const more = { INDEXER_GRAPHQL_URL: `${indexer.url}/graphql`, INDEXER_TIMEOUT_MS: '20000' }
  const instance = await cold('getAccount', [`${node.url}/graphql`], 0, more)
  expect((await instance.ask(accountOf(chainOf()))).status).toBe(502)
  const answeredAt = performance.now()
  await closed.promise
  expect(performance.now() - answeredAt).toBeLessThan(10_000)
})
