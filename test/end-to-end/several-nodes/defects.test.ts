// One row for each way in which several nodes once went wrong: the built bundles, cold processes, real sockets.
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { type Chain, createChain } from '../../../local/chain/chain.ts'
import type { EndpointName } from '../../../shared/endpoints/all.ts'
import { unservedUrl, untilTestEnds } from '../../serving.ts'
import { buildFunctions, type Given, type Instance } from '../cold-instance.ts'
import { signPayment, wallet } from '../running-service.ts'
import { graphQlErrors, serveGraphQl, type Trouble, type TroubleNode, troubleNode } from './trouble-node.ts'

const now = Date.now()
const chainOf = (seed = 'several nodes') => createChain({ seed, now: () => now, signsOwnCommands: false })

const functions = await buildFunctions(['getBlock', 'getBlocks', 'getAccount', 'broadcastTransaction'])

/** Addresses at which no server listens. */
const nobody = (node = 1) => `${unservedUrl}/graphql?node=${node}`

interface Setting {
  /** Several addresses, or one behind which several daemons may be. */
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
const payment = (chain: Chain, changes: object = {}) => ({
  method: 'POST' as const,
  path: '/broadcast/transaction',
  body: JSON.stringify(signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'), changes)),
})
const block = (stateHash: string) => ({ path: `/blocks/${stateHash}`, pathParameters: { state_hash: stateHash } })
const account = (publicKey: string) => ({ path: `/accounts/${publicKey}`, pathParameters: { public_key: publicKey } })
const blocks = { path: '/blocks' }

const outcome = ({ status, headers }: Given) => [status, headers['x-broadcast-outcome']]
const sent = [201, 'accepted']
const hash = (index: number, chain: Chain) => chain.bestChain().at(index)?.stateHash ?? ''
const isMutation = (name: string) => name === 'sendPayment'
const mutations = ({ asked }: TroubleNode) => asked.filter(isMutation).length

/** Cold instances at once, of which each begins at another node where there are as many. */
async function several(count: number, name: EndpointName, setting: Setting, event: Parameters<Instance['ask']>[0]) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => (await cold(name, setting, index / count)).ask(event)),
  )
}

test('1: a cold broadcast is sent beside a node that refuses connections, wherever it is listed', async () => {
  const chain = chainOf()
  const urls = [(await troubleNode([chain])).url, nobody()]
  const given = await Promise.all([
    ...(await several(2, 'broadcastTransaction', { urls }, payment(chain))),
    ...(await several(2, 'broadcastTransaction', { urls: urls.toReversed() }, payment(chain))),
  ])
  expect(given.map(outcome)).toEqual(Array(4).fill(sent))
})

test('2: a cold broadcast reaches each of three nodes 50 ms away', async () => {
  const chain = chainOf()
  const nodes = await Promise.all([1, 2, 3].map(() => troubleNode([chain], () => 50)))
  await several(3, 'broadcastTransaction', { urls: nodes.map(({ url }) => url) }, payment(chain))
  expect(nodes.map(mutations)).toEqual([3, 3, 3])
})

const slowStatus: Trouble = (_name, document) => (document.includes('daemonStatus') ? 2500 : undefined)

test('3, 11: nodes that are slow with their status delay neither broadcasts nor reads', async () => {
  const chain = chainOf()
  const urls = await Promise.all([1, 2].map(async () => (await troubleNode([chain], slowStatus)).url))
  const [post] = await several(1, 'broadcastTransaction', { urls }, payment(chain))
  const [get] = await several(1, 'getBlocks', { urls }, blocks)
  expect([post && outcome(post), get?.status, (get?.tookMs ?? 9999) < 2000]).toEqual([sent, 200, true])
})

test('4: a cold broadcast is sent beside a node in any trouble, with a pin', async () => {
  const chain = chainOf()
  const good = (await troubleNode([chain])).url
  const bootstrapping = chainOf()
  bootstrapping.bootstrapping = true
  const troubles: readonly Trouble[] = [
    () => ({ status: 500, body: 'oops' }),
    () => ({ status: 503, body: '' }),
    () => 'hangs',
    (_name, document) => (document.includes('daemonStatus') ? 'hangs' : undefined),
  ]
  const bad = await Promise.all(troubles.map(async (trouble) => (await troubleNode([chain], trouble)).url))
  const all = [...bad, (await troubleNode([bootstrapping])).url]
  const given = await Promise.all(
    all.map(async (url) => {
      const [answer] = await several(
        1,
        'broadcastTransaction',
        { urls: [url, good], pin: genesisOf(chain) },
        payment(chain),
      )
      return answer && outcome(answer)
    }),
  )
  expect(given).toEqual(all.map(() => sent))
})

test('5: no signed command and no read goes to a node of another network', async () => {
  const [chain, other] = [chainOf(), chainOf('another network')]
  const [own, foreign] = [await troubleNode([chain], () => 30), await troubleNode([other])]
  const first = { urls: [own.url, foreign.url] }
  const pinned = { urls: [foreign.url, own.url], pin: genesisOf(chain) }
  const { publicKey } = wallet(chain, 'alice')
  const given = [
    ...(await several(2, 'broadcastTransaction', first, payment(chain))),
    ...(await several(2, 'broadcastTransaction', pinned, payment(chain))),
  ]
  const reads = [
    ...(await several(3, 'getAccount', { ...first, indexer: nobody() }, account(publicKey))),
    ...(await several(3, 'getAccount', pinned, account(publicKey))),
  ]
  expect([given.map(outcome), mutations(foreign)]).toEqual([Array(4).fill(sent), 0])
  expect(reads.map(({ status, headers }) => [status, headers['x-chain-state-hash']])).toEqual(
    Array(6).fill([200, chain.tip().stateHash]),
  )
})

test('6: every block of the best chain is canonical, over nodes of which one is a block behind or stuck', async () => {
  const [ahead, behind] = [chainOf(), chainOf()]
  for (let produced = 0; produced < 3; produced++) ahead.produceBlock()
  const urls = [(await troubleNode([ahead])).url, (await troubleNode([behind])).url]
  const shared = [(await troubleNode([ahead, behind, ahead])).url]
  for (const setting of [{ urls }, { urls: shared }]) {
    const instance = await cold('getBlock', setting)
    for (let index = -1; index > -15; index--) {
      const { status, body } = await instance.ask(block(hash(index, ahead)))
      expect([index, status, JSON.parse(body)]).toMatchObject([index, 200, { block: { canonical: true } }])
    }
  }
})

test('7: a block that two of three daemons behind one address hold is found', async () => {
  const [ahead, behind] = [chainOf(), chainOf()]
  ahead.produceBlock()
  const instance = await cold('getBlock', { urls: [(await troubleNode([ahead, ahead, behind])).url] })
  const given = []
  for (let read = 0; read < 12; read++) given.push((await instance.ask(block(ahead.tip().stateHash))).status)
  expect(given).toEqual(Array(12).fill(200))
})

test('8: an address that refuses one call of twenty fails no read', async () => {
  const chain = chainOf()
  let calls = 0
  const node = await troubleNode([chain], () => (++calls % 20 === 0 ? { status: 503, body: '' } : undefined))
  const instance = await cold('getBlocks', { urls: [node.url] })
  const given = []
  for (let read = 0; read < 100; read++) given.push((await instance.ask(blocks)).status)
  expect([given, calls <= 110]).toEqual([Array(100).fill(200), true])
})

test('9: after a broadcast in which all nodes broke their connections, the next one is sent', async () => {
  const chain = chainOf()
  const nodes = [await troubleNode([chain], () => 'broken'), await troubleNode([chain], () => 'broken')]
  const instance = await cold('broadcastTransaction', { urls: nodes.map(({ url }) => url) })
  const first = await instance.ask(payment(chain))
  for (const node of nodes) node.trouble = () => undefined
  expect([outcome(first), outcome(await instance.ask(payment(chain)))]).toEqual([[400, 'unknown'], sent])
})

test('10: two of five nodes are enough for a cold read and a cold broadcast', async () => {
  const chain = chainOf()
  const up = await Promise.all([1, 2].map(async () => (await troubleNode([chain])).url))
  const down = [1, 2, 3].map(nobody)
  const reads = await several(4, 'getBlocks', { urls: [...down, ...up] }, blocks)
  const posts = await several(2, 'broadcastTransaction', { urls: [...down, ...up] }, payment(chain))
  expect([reads.map(({ status }) => status), posts.map(outcome)]).toEqual([Array(4).fill(200), Array(2).fill(sent)])
})

test('12: with an empty budget a node that hangs is joined by a healthy one', async () => {
  const chain = chainOf()
  const nodes = [await troubleNode([chain]), await troubleNode([chain])]
  const instance = await cold('getBlocks', { urls: nodes.map(({ url }) => url) })
  for (const node of nodes) node.trouble = () => ({ status: 503, body: '' })
  for (let read = 0; read < 2; read++) await instance.ask(blocks)
  for (const node of nodes) node.trouble = () => undefined
  for (let read = 0; read < 3; read++) await instance.ask(blocks)
  const before = nodes.map(({ asked }) => asked.length)
  await instance.ask(blocks)
  const leader = nodes.find(({ asked }, index) => asked.length > (before[index] ?? 0))
  if (leader !== undefined) leader.trouble = () => 'hangs'
  const { status, tookMs } = await instance.ask(blocks)
  expect([status, tookMs < 4000]).toEqual([200, true])
})

test('13: when the newest node goes down, one that lags does not deny a block that was shown', async () => {
  const [ahead, behind] = [chainOf(), chainOf()]
  ahead.produceBlock()
  const newest = await troubleNode([ahead])
  const lagging = await troubleNode([behind])
  const instance = await cold('getBlock', { urls: [newest.url, lagging.url] })
  const tip = block(ahead.tip().stateHash)
  const first = await instance.ask(tip)
  newest.trouble = () => 'broken'
  const { status, headers } = await instance.ask(tip)
  expect([first.status, status, headers['retry-after']]).toEqual([200, 503, '5'])
})

test('14: the question to a dead indexer ends with the answer', async () => {
  const chain = chainOf()
  const closed = Promise.withResolvers<void>()
  const indexer = await serveGraphQl(({ socket }) => void once(socket, 'close').then(() => closed.resolve()))
  const failing = await troubleNode([chain], () => ({ status: 500, body: '' }))
  const instance = await cold('getAccount', { urls: [failing.url], indexer })
  const { status } = await instance.ask(account(wallet(chain, 'alice').publicKey))
  const answeredAt = performance.now()
  await closed.promise
  expect([status, performance.now() - answeredAt < 1000]).toEqual([502, true])
})

const rust: Trouble = (name) =>
  name === 'nodeTip' || name === 'networkCheck' || isMutation(name) || name === 'findCommand' || name === 'latestBlocks'
    ? graphQlErrors('Unknown field "blockchainLength" on type "ConsensusState"', 400)
    : undefined
const withoutFrontier: Trouble = (name) =>
  isMutation(name)
    ? graphQlErrors(
        "Couldn't send user command: (failure \"We don't have a transition frontier at the moment, so we're unable to verify any transactions.\")",
      )
    : undefined

test.each([
  ['15: a Rust node', rust],
  ['16: a daemon whose pool has no ledger', withoutFrontier],
] as const)('%s leaves a refusal by the node beside it a refusal', async (_what, trouble) => {
  const chain = chainOf()
  const urls = [(await troubleNode([chain])).url, (await troubleNode([chain], trouble)).url]
  const refusals = await several(2, 'broadcastTransaction', { urls }, payment(chain, { fee: '1' }))
  const poor = await several(2, 'broadcastTransaction', { urls }, payment(chain, { amount: '9000000000000000000' }))
  expect(
    [...refusals, ...poor].map(({ status, headers, tookMs }) => [status, headers['x-broadcast-code'], tookMs < 3000]),
  ).toEqual([...Array(2).fill([400, 'fee-too-low', true]), ...Array(2).fill([400, 'insufficient-funds', true])])
  expect((await several(2, 'getBlocks', { urls }, blocks)).map(({ status }) => status)).toEqual([200, 200])
})

test('17: a block above the tip of a stuck node is found at the other one, though that fails a third of the questions for a height', async () => {
  const [ahead, stuck] = [chainOf(), chainOf()]
  for (let produced = 0; produced < 7; produced++) ahead.produceBlock()
  let heights = 0
  const failing = await troubleNode([ahead], (_name, document) =>
    document.includes('block(height') && heights++ % 6 < 2 ? { status: 500, body: '' } : undefined,
  )
  const instance = await cold('getBlock', { urls: [failing.url, (await troubleNode([stuck])).url] })
  const given = []
  for (let read = 0; read < 40; read++) given.push((await instance.ask(block(hash(-2 - (read % 4), ahead)))).status)
  expect(given).toEqual(Array(40).fill(200))
})

test('18: a service whose clock is two slots slow answers every block by its hash', async () => {
  const early = createChain({ seed: 'several nodes', now: () => now + 2 * 180_000 + 30_000, signsOwnCommands: false })
  for (let produced = 0; produced < 3; produced++) early.produceBlock()
  const own = [(await troubleNode([early])).url, (await troubleNode([early])).url]
  for (const urls of [own, own.slice(0, 1)]) {
    const instance = await cold('getBlock', { urls })
    for (const index of [-1, -2, -3, -2]) {
      const { status, body, headers } = await instance.ask(block(hash(index, early)))
      expect([index, status, JSON.parse(body), headers['cache-control']]).toMatchObject([
        ...[index, 200, { block: { canonical: true } }],
        expect.stringContaining('max-age=1,'),
      ])
    }
    expect(await instance.end()).toContainEqual(expect.objectContaining({ isClockBehind: true }))
  }
})

/** The old chain, and the one that a hard fork begins below its last three blocks. */
function forkedChains() {
  const old = chainOf('the day of a fork')
  const next = old.forkAfter(3)
  next.produceBlock()
  return { old, next, pin: [old, next].map(genesisOf).join() }
}

test.each<[string, (next: Chain, old: Chain) => Promise<TroubleNode | undefined>]>([
  ['the other one is old', (_next, old) => troubleNode([old])],
  ['the other one is stopped', (_next, old) => troubleNode([old], () => 'broken')],
  ['the other one is gone for good', async () => undefined],
  ['the other one is upgraded too', (next) => troubleNode([next])],
])('19: with two pins, a node on the new chain is read and gets every command, where %s', async (what, otherNode) => {
  const { old, next, pin } = forkedChains()
  const upgraded = await troubleNode([next])
  const other = await otherNode(next, old)
  const url = other?.url ?? nobody()
  for (const urls of [
    [upgraded.url, url],
    [url, upgraded.url],
  ]) {
    const reads = await several(2, 'getBlocks', { urls, pin }, blocks)
    expect(reads.map(({ status, headers }) => [status, headers['x-chain-state-hash']])).toEqual(
      Array(2).fill([200, next.tip().stateHash]),
    )
    const [post] = await several(1, 'broadcastTransaction', { urls, pin }, payment(next))
    expect(post && outcome(post)).toEqual(sent)
  }
  if (what === 'the other one is old') expect(other && mutations(other)).toBe(0)
})

test('20: without a pin the first listed node is followed while it is old, and by a cold instance the other one once it is stopped', async () => {
  const { old, next } = forkedChains()
  const first = await troubleNode([old])
  const urls = [first.url, (await troubleNode([next])).url]
  const [before] = await several(1, 'getBlocks', { urls }, blocks)
  first.trouble = () => 'broken'
  const [after] = await several(1, 'getBlocks', { urls }, blocks)
  expect([before, after].map((read) => [read?.status, read?.headers['x-chain-state-hash']])).toEqual([
    [200, old.tip().stateHash],
    [200, next.tip().stateHash],
  ])
})
