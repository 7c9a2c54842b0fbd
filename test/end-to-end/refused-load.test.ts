// Upstreams, or gateways before them, that refuse calls, or say for how long they do.
import type { RequestListener } from 'node:http'
import { afterEach, expect, jest, test } from '@jest/globals'
import { createRandom } from '../../packages/testnet/random.ts'
import { knownChains } from '../../shared/deployment/networks.ts'
import { serve } from '../serving.ts'
import { chainClock, gatewayOver, get, runService, serviceOver, wallet } from './running-service.ts'

afterEach(() => void jest.restoreAllMocks())

const seconds = 40
const refuse: RequestListener = (_, response) => response.writeHead(429, { 'retry-after': String(seconds) }).end()

/** The statuses of reads in turn, and whether each tells its reader to wait for what is left of the time. */
async function readAll(urls: readonly string[]) {
  const reads: (readonly [number, boolean])[] = []
  for (const url of urls) {
    const { status, headers } = await get(url)
    const told = Number(headers.get('retry-after'))
    reads.push([status, told > seconds - 30 && told <= seconds])
  }
  return reads
}

test('a reader is told for how long the node refuses calls, and costs it none until then', async () => {
  const service = await runService()
  service.fault = refuse
  const paths = ['/summary', '/blocks', '/summary', '/pool', '/health']
  expect(await readAll(paths.map((path) => service.url + path))).toEqual(paths.map(() => [503, true]))
  // The first read, with the facts of the network beside it, and the state of the node, which is what /health is about.
  expect(service.received).toHaveLength(3)
})

const rateLimited = (data?: object) =>
  JSON.stringify({ ...data, errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATE_LIMITED' } }] })

test.each([
  [429, 'as text', 'Too Many Requests'],
  [429, 'as a GraphQL error', rateLimited()],
  [503, 'as a GraphQL error', rateLimited()],
  [503, 'as a GraphQL error beside empty data', rateLimited({ data: { bestChain: null, account: null } })],
])('a node that refuses load with %i %s is busy, and is spared as long as it says', async (status, _form, body) => {
  const { chain } = await runService()
  const received: string[] = []
  const node = await serve((request, response) => {
    received.push(request.url ?? '')
    response.writeHead(status, { 'retry-after': String(seconds) }).end(body)
  })
  const url = await serviceOver([node.url], [], { clock: chainClock })
  const paths = [`/blocks/${chain.tip().stateHash}`, `/accounts/${wallet(chain, 'alice').publicKey}`, '/pool']
  expect(await readAll(paths.map((path) => url + path))).toEqual(paths.map(() => [503, true]))
  expect(received).toHaveLength(1)
})

const [later] = knownChains.slice(-1)
if (later === undefined) throw new Error('no chain is known')

test.each(
  ['Too Many Requests', rateLimited()].flatMap((body) =>
    [429, 503].flatMap((status) => [0, 1, 2].map((pins) => [status, body, pins] as const)),
  ),
)(
  '62 GETs over a node that refuses load with %i %s, and %i networks pinned, cost it 25 questions at most',
  async (status, body, pins) => {
    const service = await runService()
    jest.spyOn(Math, 'random').mockImplementation(createRandom('refused load'))
    const clock = {
      ...chainClock,
      sinceMs: 0,
      now: () => chainClock.now() + clock.sinceMs,
      elapsed: () => clock.sinceMs,
    }
    // The second network is that of a hard fork to come.
    const networks = [
      { genesis: service.chain.genesisBlock().stateHash, chainId: service.chain.chainId },
      { genesis: later.genesisStateHash, chainId: later.chainId },
    ].slice(0, pins)
    const environment = {
      NODE_GRAPHQL_URL: service.nodeUrl,
      ...(pins > 0 && {
        GENESIS_STATE_HASH: networks.map(({ genesis }) => genesis).join(),
        CHAIN_ID: networks.map(({ chainId }) => chainId).join(),
      }),
    }
    const { url } = await serve(await gatewayOver(environment, undefined, clock))
    const { stateHash } = service.chain.tip()
    const account = `/accounts/${wallet(service.chain, 'alice').publicKey}`
    const paths = ['/summary', '/network', '/blocks', `/blocks/${stateHash}`, account, '/pool', '/health']
    expect((await get(`${url}/summary`)).status).toBe(200)
    // What it knows of the network is old enough to be asked for again.
    clock.sinceMs = 600_000
    service.fault = (_, response) => response.writeHead(status).end(body)
    service.received.length = 0
    const seen = new Set<string>()
    for (let reads = 0; reads < 62; reads += 1) {
      const answer = await get(url + paths[reads % paths.length])
      seen.add(`${answer.status} ${answer.headers.get('retry-after')}`)
    }
    expect([...seen]).toEqual(['503 5'])
    expect(service.received.length).toBeLessThanOrEqual(25)
  },
)

test.each(['', rateLimited()])(
  'a reader is told for how long the indexer refuses calls, and costs it none until then: %s',
  async (body) => {
    const { chain, nodeUrl } = await runService()
    const received: string[] = []
    const indexer = await serve((request, response) => {
      received.push(request.url ?? '')
      response.writeHead(429, { 'retry-after': String(seconds) }).end(body)
    })
    const url = await serviceOver([nodeUrl], [indexer.url], { clock: chainClock })
    const history = `${url}/accounts/${wallet(chain, 'alice').publicKey}/transactions`
    expect(await readAll([history, history])).toEqual([
      [503, true],
      [503, true],
    ])
    expect(received).toHaveLength(1)
  },
)

test('a reader whom the node fails is not told to wait for the indexer', async () => {
  const service = await runService()
  const url = await serviceOver([service.nodeUrl], [refuse], { clock: chainClock })
  service.fault = (_, response) => response.writeHead(503).end()
  const { status, headers } = await get(`${url}/blocks/${service.chain.tip().stateHash}`)
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
})
