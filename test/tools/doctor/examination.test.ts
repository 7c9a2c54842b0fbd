import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { createSchema, createYoga } from 'graphql-yoga'
import { nodeResolvers } from '../../../local/chain/node/resolvers.ts'
import { nodeSchemaText } from '../../../local/chain/node/schema.ts'
import { startService } from '../../../local/start/service.ts'
import { contracts, endpoints } from '../../../shared/endpoints/all.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { mutations, queries } from '../../../tools/doctor/upstreams/queries.ts'
import { type ExaminedService, examinedService, linesOf, problems, upstreamsOf } from './examined-service.ts'

// An examination sends some fifty requests one after the other, perhaps on a busy machine.
jest.setTimeout(20_000)

const posts = endpoints.filter(({ method }) => method === 'POST')
const gets = endpoints.filter(({ method }) => method === 'GET')
const lookups = endpoints.filter(({ name }) => contracts[name].responses[404] !== undefined)
const cached = 'public, for some time'
const allowedOn = (count: number) => `allowed on ${count} of ${count} answers`

let service: ExaminedService
beforeAll(async () => {
  service = await examinedService()
})
afterEach(() => service.heal())
afterAll(() => service.close())

describe('a healthy service', () => {
  test('gets one line per check, all ok, and receives no mutation', async () => {
    const { plan, chain, received } = service
    const { stateHash, creator } = chain.tip()
    const filled = (path: string) =>
      path.replace('{state_hash}', `${stateHash.slice(0, 6)}…`).replace('{public_key}', `${creator.slice(0, 6)}…`)
    const lines = await linesOf(plan)
    const withoutTimes = lines.map((line) =>
      line.replace(/max-age=\d+, (?:stale-while-revalidate=10, )?stale-if-error=\d+/, 'for some time'),
    )
    expect(withoutTimes).toEqual([
      'ok   node: answers in N ms (time-out 20000 ms)',
      `ok   node chain id: ${chain.chainId}, as configured`,
      'ok   node network: mina:testnet, as configured',
      `ok   node genesis: ${chain.genesisBlock().stateHash} (genesisStateHash pins none)`,
      'ok   node sync: SYNCED',
      'ok   node tip: height 40, N slots of 60 s old',
      'ok   node clock: agrees with this machine, by its current slot and HTTP date',
      'ok   indexer: answers in N ms (time-out 20000 ms)',
      "ok   indexer chain: the node's, by its genesis block",
      'ok   indexer height: 40, the node is at 40',
      "ok   indexer staking ledger: has the one of the node's epoch and the next one's",
      'ok   indexer staking walk: answers in N ms (time-out 20000 ms)',
      ...queries.map(({ name }) => `ok   query ${name}: answers in N ms (time-out 20000 ms)`),
      ...mutations.map(
        ({ name }) => `ok   mutation ${name}: the node has it, with every argument and field (not sent)`,
      ),
      ...posts.map(({ path }) => `ok   POST ${path}: answers 400 in N ms (no-store)`),
      ...gets.map(({ path }) => `ok   GET ${filled(path)}: answers 200 in N ms (${cached})`),
      `ok   GET //summary/: answers 200 in N ms (${cached})`,
      ...lookups.map(({ path }) => `ok   GET ${path.replace(/{.*}/, 'unknown')}: answers 404 in N ms (${cached})`),
      'ok   GET /blocks?limit=0: answers 400 in N ms (no-store)',
      'ok   GET /no-such-path: answers 404 in N ms (no-store)',
      `ok   service chain id: ${chain.chainId}, as configured`,
      'ok   service height: 40, the node is at 40',
      expect.stringMatching(/^ok {3}exact numbers: \d{10}\.\d{9} MINA in block and summary$/),
      `ok   CORS preflight: ${allowedOn(posts.length)}`,
      `ok   CORS: ${allowedOn(gets.length + 1)}`,
      `ok   CORS on errors: ${allowedOn(posts.length + lookups.length + 2)}`,
    ])
    expect(received.length).toBeGreaterThan(10)
    expect(received.filter((body) => /"query":\s*"\s*mutation/.test(body))).toEqual([])
    expect(chain.pool()).toEqual([])
  })

  test('needs no indexer, and no upstream in the plan', async () => {
    const bare = await startService({ environment: { INDEXER_GRAPHQL_URL: '' }, log: () => undefined })
    const lines = await linesOf({ expected: {}, url: bare.url, unreadKeys: [], secrets: [] })
    await bare.close()
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
    const isChecked = ({ method, path }: Endpoint) =>
      lines.some((line) => line.startsWith(`ok   ${method} ${path.replace(/{.*/, '')}`))
    expect(endpoints.filter((endpoint) => !isChecked(endpoint))).toEqual([])
  })
})

/** No server has this port. */
const nowhere = 'http://127.0.0.1:1/graphql'
const again = 'fix the problems above, then run the doctor again'

describe('a node', () => {
  test('that is down has its findings, and nothing else is asked of it', async () => {
    const { settings, ...plan } = upstreamsOf(service)
    const lines = await problems({ ...plan, settings: { ...settings, node: { ...settings.node, url: nowhere } } })
    expect(lines).toEqual([
      expect.stringMatching(/^fail node: .*connect ECONNREFUSED.* -> start the node, or correct its address /),
      'warn indexer height: 40, not compared: the node has no tip -> fix the node, then run the doctor again',
      `warn queries: not asked: the node has no tip to ask about -> ${again}`,
      `warn mutations: not checked: the node does not answer -> ${again}`,
    ])
  })

  test('that bootstraps fails, and so do the routes that need it', async () => {
    // A separate service: for a second after this it asks a busy node nothing.
    const other = await examinedService()
    other.chain.bootstrapping = true
    const lines = await problems(other.plan)
    await other.close()
    const withParameter = gets.filter(({ path }) => path.includes('{'))
    const notAsked =
      'not asked: its parameter comes from GET /summary and the block named there, and one of the two failed -> fix those requests, then run the doctor again'
    const busy =
      'answers 503 instead of 200: {"message":"Upstream unavailable."} -> examine its node: npm run doctor -- --stage X, from a network that reaches it'
    expect(lines).toEqual([
      'fail node sync: BOOTSTRAP: it has no blocks yet, and the service answers 503 -> wait until it is SYNCED, some ten minutes after its start',
      'fail node tip: nodeTip: the node is bootstrapping -> wait until the node is SYNCED, then run the doctor again',
      'warn indexer height: 40, not compared: the node has no tip -> fix the node, then run the doctor again',
      `warn queries: not asked: the node has no tip to ask about -> ${again}`,
      ...withParameter.map(({ path }) => `warn GET ${path}: ${notAsked}`),
      ...gets.filter((get) => !withParameter.includes(get)).map(({ path }) => `fail GET ${path}: ${busy}`),
      `fail GET //summary/: ${busy}`,
    ])
  })

  test('of another chain than the configured one fails at node and service', async () => {
    const { plan, chain } = service
    const wanted = 'b8'.repeat(32)
    const says = `${chain.chainId}, but ${wanted} is configured`
    const remedy = 'point the stage to a node of that chain; after a hard fork, set the new chain id in its settings'
    expect(await problems({ ...plan, expected: { chainId: wanted, network: 'mainnet' } })).toEqual([
      `fail node chain id: ${says} -> ${remedy}`,
      'fail node network: mina:testnet, but mainnet is configured -> point the stage to a node of that network',
      `fail service chain id: ${says} -> ${remedy}`,
    ])
  })

  test('whose chain clock is wrong fails by its slot, although its HTTP date is right', async () => {
    const other = await examinedService(600_000)
    const lines = await problems(upstreamsOf(other))
    await other.close()
    expect(lines).toEqual([
      expect.stringMatching(/^warn node tip: height 40, (?:9|10) slots in the future -> check both clocks$/),
      expect.stringMatching(/^fail node clock: at least [\d.]+ s ahead of this machine, by its current slot -> /),
    ])
  })

  test('of a version without a field fails at the queries that read it', async () => {
    const { query, ...rest } = nodeResolvers(service.chain)
    const { pooledUserCommands: _, ...known } = query
    const typeDefs = nodeSchemaText.replace(/ {2}pooledUserCommands\(.*\n/, '')
    const resolvers = { ...rest, query: known }
    service.node = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false })
    const readers = queries.filter(({ document }) => document.includes('pooledUserCommands'))
    expect(readers.length).toBeGreaterThan(1)
    expect(await problems(upstreamsOf(service))).toEqual(
      readers.map(({ name }) => expect.stringContaining(`${name}: Cannot query field "pooledUserCommands"`)),
    )
  })
})

test('several nodes are each examined, and then compared', async () => {
  const { settings, ...plan } = upstreamsOf(service)
  const node = (name: string, url = settings.node.url) => ({ ...settings.node, url, name, sharedAddress: false })
  const nodes = [node('a'), node('b'), node('c', nowhere)]
  const lines = await linesOf({ ...plan, settings: { ...settings, nodes } })
  expect(lines).toEqual(
    expect.arrayContaining([
      'ok   node b sync: SYNCED',
      expect.stringMatching(/^fail node c: /),
      'ok   nodes network: genesis and chain id of 2 nodes agree',
      'ok   nodes heights: a 40, b 40',
    ]),
  )
})

describe('an indexer', () => {
  test('that is down gets no other question, and does not affect the checks of the node', async () => {
    const { settings, ...plan } = upstreamsOf(service)
    const indexer = { ...settings.indexer, url: nowhere }
    const lines = await linesOf({ ...plan, settings: { ...settings, indexer } })
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
      expect.stringMatching(/^fail indexer: .*connect ECONNREFUSED.* -> start the indexer, or correct its address /),
    ])
    const ofNode = queries.filter(({ upstream }) => upstream === 'node')
    expect(lines.filter((line) => line.includes('query '))).toHaveLength(ofNode.length)
  })

  test('that is behind leaves the newest blocks without times and accounts without counters', async () => {
    const { plan, indexer } = service
    indexer.behind = 11
    const remedy = 'examine the indexer: npm run doctor -- --stage X'
    expect(await problems(plan)).toEqual([
      'fail indexer height: 29, 11 blocks behind the node: accounts are served without username and counters -> check that the indexer still receives blocks; it may need a restart or time to catch up',
      `warn GET /blocks: answers 200 in N ms (public, max-age=1, stale-while-revalidate=10, stale-if-error=60) without receivedTime -> ${remedy}`,
      expect.stringMatching(
        /^warn GET \/blocks\/\w{6}…: answers 200 in N ms \(public, max-age=1, stale-while-revalidate=10, stale-if-error=60\) without receivedTime -> /,
      ),
      expect.stringMatching(
        /^warn GET \/accounts\/\w{6}…: answers 200 in N ms \(public, max-age=1, stale-if-error=0\) without totalTx,totalBlocks,totalSnarks,username/,
      ),
    ])
  })
})
