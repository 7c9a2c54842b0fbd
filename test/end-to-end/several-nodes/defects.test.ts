// Several nodes behind the built bundles, in cold processes and over real sockets. The simulated world holds every way in which
// they once went wrong: see test/verification/world/defects.test.ts.
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { type Chain, createChain } from '../../../local/chain/chain.ts'
import type { EndpointName } from '../../../shared/endpoints/all.ts'
import { abandonedUrl, untilTestEnds } from '../../serving.ts'
import { buildFunctions, type Given, type Instance } from '../cold-instance.ts'
import { signPayment, wallet } from '../running-service.ts'
import { serveGraphQl, troubleNode } from './trouble-node.ts'

const now = Date.now()
const chainOf = (seed = 'several nodes') => createChain({ seed, now: () => now })

const functions = await buildFunctions(['getAccount', 'broadcastTransaction'])

/** An address at which no server listens. */
const nobody = async () => `${await abandonedUrl()}/graphql`

interface Setting {
  readonly urls: readonly string[]
  readonly pin?: string
  readonly indexer?: string
}

/** @param random chooses the node that the instance asks first */
async function cold(name: EndpointName, { urls, pin, indexer }: Setting, random = 0): Promise<Instance> {
  const environment = {
    NODE_GRAPHQL_URL: urls.join(),
    ...(pin !== undefined && { GENESIS_STATE_HASH: pin }),
    ...(indexer !== undefined && { INDEXER_GRAPHQL_URL: indexer, INDEXER_TIMEOUT_MS: '5000' }),
  }
  const instance = await functions.start(name, environment, random)
  untilTestEnds({ close: instance.end })
  return instance
}

const genesisOf = (chain: Chain) => chain.genesisBlock().stateHash
const payment = (chain: Chain) => ({
  method: 'POST' as const,
  path: '/broadcast/transaction',
  body: JSON.stringify(signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'))),
})
const account = (publicKey: string) => ({ path: `/accounts/${publicKey}`, pathParameters: { public_key: publicKey } })

const outcome = ({ status, headers }: Given) => [status, headers['x-broadcast-outcome']]
const sent = [201, 'accepted']

/** Cold instances at once, of which each begins at another node where there are as many. */
async function several(count: number, name: EndpointName, setting: Setting, event: Parameters<Instance['ask']>[0]) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => (await cold(name, setting, index / count)).ask(event)),
  )
}

test('a cold broadcast is sent beside a node that refuses connections, wherever it is listed', async () => {
  const chain = chainOf()
  const urls = [(await troubleNode(chain)).url, await nobody()]
  const given = await Promise.all([
    ...(await several(2, 'broadcastTransaction', { urls }, payment(chain))),
    ...(await several(2, 'broadcastTransaction', { urls: urls.toReversed() }, payment(chain))),
  ])
  expect(given.map(outcome)).toEqual(Array(4).fill(sent))
})

test('no signed command and no read goes to a node of another network', async () => {
  const [chain, other] = [chainOf(), chainOf('another network')]
  const [own, foreign] = [await troubleNode(chain, () => 30), await troubleNode(other)]
  const first = { urls: [own.url, foreign.url] }
  const pinned = { urls: [foreign.url, own.url], pin: genesisOf(chain) }
  const { publicKey } = wallet(chain, 'alice')
  const given = [
    ...(await several(2, 'broadcastTransaction', first, payment(chain))),
    ...(await several(2, 'broadcastTransaction', pinned, payment(chain))),
  ]
  const reads = [
    ...(await several(3, 'getAccount', { ...first, indexer: await nobody() }, account(publicKey))),
    ...(await several(3, 'getAccount', pinned, account(publicKey))),
  ]
  expect([given.map(outcome), foreign.asked.filter((name) => name === 'sendPayment').length]).toEqual([
    Array(4).fill(sent),
    0,
  ])
  expect(reads.map(({ status, headers }) => [status, headers['x-chain-state-hash']])).toEqual(
    Array(6).fill([200, chain.tip().stateHash]),
  )
})

test('after a broadcast in which all nodes broke their connections, the next one is sent', async () => {
  const chain = chainOf()
  const nodes = [await troubleNode(chain, () => 'broken'), await troubleNode(chain, () => 'broken')]
  const instance = await cold('broadcastTransaction', { urls: nodes.map(({ url }) => url) })
  const first = await instance.ask(payment(chain))
  for (const node of nodes) node.trouble = () => undefined
  expect([outcome(first), outcome(await instance.ask(payment(chain)))]).toEqual([[400, 'unknown'], sent])
})

test('the question to a dead indexer ends with the answer', async () => {
  const chain = chainOf()
  const closed = Promise.withResolvers<void>()
  const indexer = await serveGraphQl(({ socket }) => void once(socket, 'close').then(() => closed.resolve()))
  const failing = await troubleNode(chain, () => ({ status: 500, body: '' }))
  const instance = await cold('getAccount', { urls: [failing.url], indexer })
  const { status } = await instance.ask(account(wallet(chain, 'alice').publicKey))
  const answeredAt = performance.now()
  await closed.promise
  expect([status, performance.now() - answeredAt < 1000]).toEqual([502, true])
})
