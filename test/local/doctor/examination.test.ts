import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createSchema, createYoga } from 'graphql-yoga'
import { nodeResolvers } from '../../../local/chain/node-resolvers.ts'
import { nodeSchemaText } from '../../../local/chain/node-schema.ts'
import type { Plan } from '../../../local/doctor/plan.ts'
import { startService } from '../../../local/start/service.ts'
import { type Doctored, doctored, linesOf, troubles } from './doctored.ts'

let service: Doctored
beforeAll(async () => {
  service = await doctored()
})
afterEach(() => service.heal())
afterAll(() => service.close())

/** Node and indexer alone. */
const upstreamsOf = ({ plan: { url: _, ...rest } }: Doctored): Plan => rest

const again = 'mend the above first, then run the doctor again'

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
      'ok   GET /blocks: answers 200 in N ms (public, max-age=5)',
      `ok   GET /blocks/${tip.stateHash.slice(0, 6)}…: answers 200 in N ms (public, max-age=15)`,
      `ok   GET /accounts/${tip.creator.slice(0, 6)}…: answers 200 in N ms (public, max-age=3)`,
      'ok   GET /summary: answers 200 in N ms (public, max-age=5)',
      'ok   GET //summary/: answers 200 in N ms (public, max-age=5)',
      'ok   GET /blocks/unknown: answers 404 in N ms (public, max-age=5)',
      'ok   GET /accounts/unknown: answers 404 in N ms (public, max-age=5)',
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

describe('a node', () => {
  test('that is down has its lines, and nothing is asked of it', async () => {
    const other = await doctored()
    await other.closeNode()
    const lines = await troubles(upstreamsOf(other))
    await other.close()
    expect(lines).toEqual([
      expect.stringMatching(/^fail node: .*fetch failed.* -> start the node, or correct its address /),
      'warn indexer height: 40, not compared: the node has no tip -> mend the node first, then run the doctor again',
      `warn queries: not asked: the node has no tip to ask about -> ${again}`,
      `warn mutations: not looked up: the node does not answer -> ${again}`,
    ])
  })

  test('that bootstraps is told, and so is what the service answers then', async () => {
    service.chain.bootstrapping = true
    const lines = await troubles(service.plan)
    const notAsked =
      'not asked: nothing is known to ask for without an answer to GET /summary and the block that it names -> mend those first, then run the doctor again'
    const busy =
      'answers 503 instead of 200: {"message":"Upstream unavailable."} -> examine its node: npm run doctor -- --stage X, from a place that reaches it'
    expect(lines).toEqual([
      'fail node sync: BOOTSTRAP: it has no blocks yet, and the service answers 503 -> wait until it is SYNCED, some ten minutes after its start',
      'fail node tip: nodeTip: the node is bootstrapping -> wait until the node is SYNCED, then run the doctor again',
      'warn indexer height: 40, not compared: the node has no tip -> mend the node first, then run the doctor again',
      `warn queries: not asked: the node has no tip to ask about -> ${again}`,
      `warn GET /blocks/{state_hash}: ${notAsked}`,
      `warn GET /accounts/{public_key}: ${notAsked}`,
      `fail GET /blocks: ${busy}`,
      `fail GET /summary: ${busy}`,
      `fail GET //summary/: ${busy}`,
    ])
  })

  test('of another chain than the configured one is told by node and service', async () => {
    const { plan, chain } = service
    const wanted = 'b8'.repeat(32)
    const says = `${chain.chainId}, but ${wanted} is configured`
    const remedy = 'point the stage to a node of that chain; after a hard fork, set the new chain id in its settings'
    expect(await troubles({ ...plan, expected: { chainId: wanted, network: 'mainnet' } })).toEqual([
      `fail node chain id: ${says} -> ${remedy}`,
      'fail node network: mina:testnet, but mainnet is configured -> point the stage to a node of that network',
      `fail service chain id: ${says} -> ${remedy}`,
    ])
  })

  test('that stands still is told by the age of its tip', async () => {
    const clock = { aheadMs: -6_000_000 }
    const other = await doctored(clock)
    clock.aheadMs = 0
    const lines = await troubles(upstreamsOf(other))
    await other.close()
    expect(lines).toEqual([
      expect.stringMatching(
        /^fail node tip: height 40, 10[01] slots of 60 s old, more than 10 -> check the node's peers /,
      ),
    ])
  })

  test('whose clock is wrong is told by its slot, for its HTTP date is right', async () => {
    const other = await doctored({ aheadMs: 600_000 })
    const lines = await troubles(upstreamsOf(other))
    await other.close()
    expect(lines).toEqual([
      expect.stringMatching(/^warn node tip: height 40, (?:9|10) slots in the future -> look at the clocks$/),
      expect.stringMatching(/^fail node clock: at least [\d.]+ s ahead of this machine, by its current slot -> /),
    ])
  })

  test('that knows no delegation is told by introspection', async () => {
    const line = '  sendDelegation(signature: SignatureInput, input: SendDelegationInput!): SendDelegationPayload!\n'
    const { mutation, ...rest } = nodeResolvers(service.chain)
    const resolvers = { ...rest, mutation: { sendPayment: mutation.sendPayment } }
    const typeDefs = nodeSchemaText.replace(line, '')
    service.node = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false })
    expect(await troubles(upstreamsOf(service))).toEqual([
      'fail mutation sendDelegation: Cannot query field "sendDelegation" on type "mutation". -> use a node of a supported version: this one may take a command and then answer with an error',
    ])
  })

  test('of a version without a field that a query reads is told by that query', async () => {
    const { query, ...rest } = nodeResolvers(service.chain)
    const { pooledUserCommands: _, ...known } = query
    const typeDefs = nodeSchemaText.replace(/ {2}pooledUserCommands\(.*\n/, '')
    service.node = createYoga({
      schema: createSchema({ typeDefs, resolvers: { ...rest, query: known } }),
      logging: false,
    })
    expect(await troubles(upstreamsOf(service))).toEqual([
      expect.stringMatching(
        /^fail query findCommand: findCommand: Cannot query field "pooledUserCommands" on type "query"/,
      ),
      expect.stringMatching(
        /^fail query accountByPublicKey: accountByPublicKey: Cannot query field "pooledUserCommands"/,
      ),
    ])
  })
})

describe('an indexer', () => {
  test('that is behind costs the newest blocks their times, and accounts their counters', async () => {
    const { plan, indexer } = service
    indexer.behind = 11
    const remedy = 'examine the indexer: npm run doctor -- --stage X'
    expect(await troubles(plan)).toEqual([
      'fail indexer height: 29, 11 blocks behind the node: accounts are served without username and counters -> check that the indexer still gets blocks; it may need a restart or time to catch up',
      `warn GET /blocks: answers 200 in N ms (public, max-age=1) without receivedTime -> ${remedy}`,
      expect.stringMatching(
        /^warn GET \/blocks\/\w{6}…: answers 200 in N ms \(public, max-age=1\) without receivedTime -> /,
      ),
      expect.stringMatching(
        /^warn GET \/accounts\/\w{6}…: answers 200 in N ms \(public, max-age=1\) without totalTx,totalBlocks,totalSnarks,username/,
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
