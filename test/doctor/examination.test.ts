import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { listen } from '../../local/start/listen.ts'
import { startService } from '../../local/start/service.ts'
import { type Doctored, doctored, linesOf, troubles, upstreamsOf } from './doctored.ts'

// A visit asks some fifty questions, one after the other, perhaps on a busy machine.
jest.setTimeout(20_000)

let service: Doctored
beforeAll(async () => {
  service = await doctored()
})
afterEach(() => service.heal())
afterAll(() => service.close())

describe('a healthy service', () => {
  test('gets one line a check, all ok, and is sent no mutation', async () => {
    const { plan, chain, received } = service
    const tip = chain.tip()
    expect(await linesOf(plan)).toEqual([
      'ok   node: answers in N ms (time-out 20000 ms)',
      `ok   node chain id: ${chain.chainId}, as configured`,
      'ok   node network: mina:testnet, as configured',
      'ok   node sync: SYNCED',
      'ok   node tip: height 40, N slots of 60 s old',
      'ok   node clock: agrees with this machine, by its current slot and HTTP date',
      'ok   indexer: answers in N ms (time-out 20000 ms)',
      "ok   indexer chain: the node's, by its genesis block",
      'ok   indexer height: 40, the node is at 40',
      "ok   indexer staking ledger: has the one of the node's epoch",
      ...[
        ...['findCommand', 'latestBlocks', 'latestReceivedTimes', 'blockByStateHash', 'nodeGenesis', 'receivedTimeOf'],
        ...['indexedBlock', 'accountByPublicKey', 'indexedAccount', 'nodeChainId', 'stakesInLedger', 'chainSummary'],
      ].map((name) => `ok   query ${name}: answers in N ms (time-out 20000 ms)`),
      'ok   mutation sendPayment: the node knows it, with every argument and field (not sent)',
      'ok   mutation sendDelegation: the node knows it, with every argument and field (not sent)',
      'ok   POST /broadcast/transaction: answers 400 in N ms (no-store)',
      'ok   POST /broadcast/delegation: answers 400 in N ms (no-store)',
      'ok   GET /blocks: answers 200 in N ms (public, max-age=5, stale-if-error=60)',
      `ok   GET /blocks/${tip.stateHash.slice(0, 6)}…: answers 200 in N ms (public, max-age=15, stale-if-error=60)`,
      `ok   GET /accounts/${tip.creator.slice(0, 6)}…: answers 200 in N ms (public, max-age=3, stale-if-error=0)`,
      'ok   GET /summary: answers 200 in N ms (public, max-age=5, stale-if-error=60)',
      'ok   GET //summary/: answers 200 in N ms (public, max-age=5, stale-if-error=60)',
      'ok   GET /blocks/unknown: answers 404 in N ms (public, max-age=5, stale-if-error=0)',
      'ok   GET /accounts/unknown: answers 404 in N ms (public, max-age=5, stale-if-error=0)',
      'ok   GET /blocks?limit=0: answers 400 in N ms (no-store)',
      'ok   GET /no-such-path: answers 404 in N ms (no cache-control)',
      `ok   service chain id: ${chain.chainId}, as configured`,
      'ok   service height: 40, the node is at 40',
      expect.stringMatching(/^ok {3}exact numbers: \d{10}\.\d{9} MINA in block and summary$/),
      'ok   CORS preflight: allowed on 2 of 2 answers',
      'ok   CORS: allowed on 5 of 5 answers',
      'ok   CORS on errors: allowed on 6 of 6 answers',
    ])
    expect(received.length).toBeGreaterThan(10)
    expect(received.filter((body) => /"query":\s*"\s*mutation/.test(body))).toEqual([])
    expect(chain.pool()).toEqual([])
  })

  test('needs no indexer, and no upstream to be looked at', async () => {
    const bare = await startService({ environment: { INDEXER_GRAPHQL_URL: '' }, log: () => undefined })
    const lines = await linesOf({ expected: {}, url: bare.url, unreadKeys: [], secrets: [] })
    await bare.close()
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
    expect(lines).toHaveLength(16)
  })
})

describe('an indexer', () => {
  test('that is down is asked nothing else, and leaves the node its lines', async () => {
    const gone = await listen(() => undefined, 0, '127.0.0.1')
    await gone.close()
    const { settings, expected } = service.plan
    if (settings?.indexer === undefined) throw new Error('no indexer is configured')
    const indexer = { ...settings.indexer, url: `http://127.0.0.1:${gone.port}/graphql` }
    const lines = await linesOf({ expected, settings: { ...settings, indexer }, unreadKeys: [], secrets: [] })
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
      expect.stringMatching(/^fail indexer: .*connect ECONNREFUSED.* -> start the indexer, or correct its address /),
    ])
    expect(lines.filter((line) => line.includes('query '))).toHaveLength(7)
  })

  test('that is behind costs the newest blocks their times, and accounts their counters', async () => {
    const { plan, indexer } = service
    indexer.behind = 11
    const remedy = 'examine the indexer: npm run doctor -- --stage X'
    expect(await troubles(plan)).toEqual([
      'fail indexer height: 29, 11 blocks behind the node: accounts are served without username and counters -> check that the indexer still gets blocks; it may need a restart or time to catch up',
      `warn GET /blocks: answers 200 in N ms (public, max-age=1, stale-if-error=60) without receivedTime -> ${remedy}`,
      expect.stringMatching(
        /^warn GET \/blocks\/\w{6}…: answers 200 in N ms \(public, max-age=1, stale-if-error=60\) without receivedTime -> /,
      ),
      expect.stringMatching(
        /^warn GET \/accounts\/\w{6}…: answers 200 in N ms \(public, max-age=1, stale-if-error=0\) without totalTx,totalBlocks,totalSnarks,username/,
      ),
    ])
  })

  test('of another chain is told by its genesis block', async () => {
    service.indexer.genesisStateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
    expect(await troubles(upstreamsOf(service))).toEqual([
      `fail indexer chain: its genesis block is 3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ, the node's is ${service.chain.genesisBlock().stateHash} -> point the stage to an indexer of the node's network; after a hard fork, let the indexer ingest the new chain`,
    ])
  })
})
