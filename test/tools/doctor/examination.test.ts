import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { listen } from '../../../local/start/listen.ts'
import { startService } from '../../../local/start/service.ts'
import { responses } from '../../../shared/contract/responses.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { mutations, queries } from '../../../tools/doctor/upstreams/queries.ts'
import { type ExaminedService, examinedService, linesOf, problems, upstreamsOf } from './examined-service.ts'

// An examination sends some fifty requests one after the other, perhaps on a busy machine.
jest.setTimeout(20_000)

const posts = endpoints.filter(({ method }) => method === 'POST')
const gets = endpoints.filter(({ method }) => method === 'GET')
const lookups = endpoints.filter(({ name }) => responses[name]?.[404] !== undefined)
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

describe('an indexer', () => {
  test('that is down gets no other question, and does not affect the checks of the node', async () => {
    const gone = await listen(() => undefined, 0, '127.0.0.1')
    await gone.close()
    const { settings, expected } = service.plan
    if (settings?.indexer === undefined) throw new Error('no indexer is configured')
    const indexer = { ...settings.indexer, url: `http://127.0.0.1:${gone.port}/graphql` }
    const lines = await linesOf({ expected, settings: { ...settings, indexer }, unreadKeys: [], secrets: [] })
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

  test('of another chain fails by its genesis block', async () => {
    service.indexer.genesisStateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
    expect(await problems(upstreamsOf(service))).toEqual([
      `fail indexer chain: its genesis block is 3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ, the node's is ${service.chain.genesisBlock().stateHash} -> point the stage to an indexer of the node's network; after a hard fork, let the indexer ingest the new chain`,
    ])
  })
})
