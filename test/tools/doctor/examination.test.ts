import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { buildSchema, graphql } from 'graphql'
import { startService } from '../../../local/start/service.ts'
import { changedOnTheWay } from '../../../packages/proofs/changed-answers.ts'
import { namedIn } from '../../../packages/testnet/named.ts'
import { nodeResolvers } from '../../../packages/testnet/node/resolvers.ts'
import { nodeSchemaText } from '../../../packages/testnet/node/schema.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { filledPath, heldValues, unheldValues } from '../../../shared/contract/parameters.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { mutations, queries } from '../../../tools/doctor/upstreams/queries.ts'
import { serve, untilTestEnds } from '../../serving.ts'
import { badOptions, examinedService, gets, linesOf, lookups, posts, problems } from './examined-service.ts'

// An examination sends some fifty requests one after the other, perhaps on a busy machine.
jest.setTimeout(120_000)

const { chain, plan, upstreams, received, stand, indexerState } = await examinedService()
afterEach(() => {
  delete stand.in
  delete indexerState.behind
})
const { settings } = upstreams
/** No server has this port. */
const gone = { ...settings.node, url: 'http://127.0.0.1:1/graphql' }
const settingsOfNode = { ...settings, indexers: [] }
const [theIndexer = gone] = settings.indexers

/** Refuses a question with a name unknown to it before it executes anything, and answers any other as our node does. */
const rustNode = (unknown: RegExp): RequestListener => {
  const schema = buildSchema(nodeSchemaText)
  const { query: rootValue } = nodeResolvers(chain)
  return async (request, response) => {
    const { query } = JSON.parse(await text(request))
    response.setHeader('content-type', 'application/json')
    if (unknown.test(query))
      response.writeHead(400).end('{"errors":[{"message":"Unknown field \\"x\\" on type \\"Y\\""}]}')
    else response.end(JSON.stringify(await graphql({ schema, rootValue, source: query })))
  }
}

const again = 'fix the problems above, then run the doctor again'

describe('a healthy service', () => {
  test('gets one line per check, all ok, and receives no mutation', async () => {
    const [latest] = chain.bestChain().findLast(({ userCommands }) => userCommands.length > 0)?.userCommands ?? []
    const values = { ...heldValues(namedIn(chain)), hash: latest?.command.hash ?? '' }
    const filled = (path: string) => filledPath(path, values).replace(/(?<=[/-]\w{6})\w{20,}/, '…')
    const cached = (request: string, status = 200) => `${request}: answers ${status} in N ms (public, for some time)`
    const allowedOn = (count: number) => `allowed on ${count} of ${count} answers`
    const lines = await linesOf(plan)
    expect(
      lines.map((line) =>
        line
          .replace(/max-age=\d+, (?:stale-while-revalidate=10, )?stale-if-error=\d+/, 'for some time')
          .replace(/^ok {3}/, ''),
      ),
    ).toEqual([
      'node: answers in N ms (time-out 20000 ms)',
      `node chain id: ${chain.chainId}, as configured`,
      'node network: mina:testnet, as configured',
      `node genesis: ${chain.genesisBlock().stateHash} (genesisStateHash pins none)`,
      'node sync: SYNCED',
      'node tip: height 40, N slots of 3600 s old',
      'node clock: agrees with this machine, by its current slot and HTTP date',
      'node words: arrive as it says them',
      expect.stringMatching(/^node address: at least 1 daemon answers here, by 12 answers on new connections\. If /),
      'indexer: answers in N ms (time-out 20000 ms)',
      'indexer version: 0.2.0; lists zkApp commands among the others',
      "indexer chain: the node's, by its genesis block",
      'indexer height: 40, the node is at 40',
      "indexer staking ledger: has the one of the node's epoch and the next one's",
      'indexer staking walk: answers in N ms (time-out 20000 ms)',
      ...queries.map(({ name, timeoutMs = 20_000 }) => `query ${name}: answers in N ms (time-out ${timeoutMs} ms)`),
      ...mutations.map(({ name }) => `mutation ${name}: the node has it, with every argument and field (not sent)`),
      ...posts.map(({ path }) => `POST ${path}: answers 400 in N ms (no-store)`),
      ...gets.flatMap(({ path }) => [
        cached(`GET ${filled(path)}`),
        ...(path === '/health'
          ? ['service health: ok: 1 of 1 nodes synced, slots since the tip N, the indexer 0 blocks behind']
          : []),
      ]),
      cached('GET //summary/'),
      ...lookups.map(({ path }) => cached(`GET ${path.replace(/{.*}/, 'unknown')}`, 404)),
      ...badOptions.map((path) => `GET ${path}: answers 400 in N ms (no-store)`),
      'GET /no-such-path: answers 404 in N ms (no-store)',
      `service chain id: ${chain.chainId}, as configured`,
      'service height: 40, the node is at 40',
      expect.stringMatching(/^exact numbers: \d{10}\.\d{9} MINA in block and summary$/),
      `CORS preflight: ${allowedOn(posts.length)}`,
      `CORS: ${allowedOn(gets.length + 1)}`,
      `CORS on errors: ${allowedOn(posts.length + lookups.length + badOptions.length + 1)}`,
    ])
    expect(lines.filter((line) => !line.startsWith('ok   '))).toEqual([])
    expect(received.length).toBeGreaterThan(10)
    expect(received.filter((body) => /"query":\s*"\s*mutation/.test(body))).toEqual([])
    expect(chain.pool()).toEqual([])
  })

  test('needs no indexer, and no upstream in the plan', async () => {
    const environment = { INDEXER_GRAPHQL_URL: '' }
    const { url } = untilTestEnds(await startService({ environment, log: () => undefined }))
    const lines = await linesOf({ expected: {}, url, unreadKeys: [], secrets: [] })
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
    const asked = endpoints.map(({ method, path }) => `ok   ${method} ${path.replace(/{.*/, '')}`)
    expect(asked.filter((start) => !lines.some((line) => line.startsWith(start)))).toEqual([])
  })
})

describe('a node', () => {
  test('that is down has its findings, and gets no other question', async () => {
    expect(await problems({ ...upstreams, settings: { ...settings, node: gone } })).toEqual([
      expect.stringMatching(
        /^fail node: refuses connections: .*connect ECONNREFUSED.* -> Start it, or correct --node, nodeGraphqlUrl or its entry of nodes/,
      ),
      'warn indexer height: 40, not compared: the node has no tip -> fix the node, then run the doctor again',
      `warn queries: not asked: the node has no tip to ask about -> ${again}`,
      `warn mutations: not checked: the node does not answer -> ${again}`,
    ])
  })

  test('that bootstraps fails, and so do the routes that need it', async () => {
    // A separate service: for a second after this it asks a busy node nothing.
    const other = await examinedService()
    other.chain.bootstrapping = true
    const [withParameter, others] = [true, false].map((has) => gets.filter(({ path }) => path.includes('{') === has))
    const notAsked =
      'not asked: its parameter comes from GET /summary, the block named there or the latest commands, and one of these is missing -> fix those requests, then run the doctor again'
    const saying = (body: string) =>
      `answers 503 instead of 200: ${body} -> examine its node and indexer: npm run doctor -- --stage X, from a network that reaches them`
    const busy = saying('{"message":"Upstream unavailable."}')
    const down = saying('{"status":"down","nodes":{"listed":1,"answering":1,"synced":0}}')
    expect(await problems(other.plan)).toEqual([
      'fail node sync: BOOTSTRAP: it has no blocks yet, and the service answers 503 unless another node serves -> wait until it is SYNCED, ten minutes to an hour after its start',
      'fail node tip: nodeTip: the node is bootstrapping -> wait until the node is SYNCED, then run the doctor again',
      'warn indexer height: 40, not compared: the node has no tip -> fix the node, then run the doctor again',
      `warn queries: not asked: the node has no tip to ask about -> ${again}`,
      ...(withParameter ?? []).map(({ path }) => `warn GET ${path}: ${notAsked}`),
      ...(others ?? []).map(({ path }) => `fail GET ${path}: ${path === '/health' ? down : busy}`),
      `fail GET //summary/: ${busy}`,
    ])
  })

  test('of another chain than the configured one fails at node and service', async () => {
    const wanted = 'b8'.repeat(32)
    const says = `${chain.chainId}, but ${wanted} is configured`
    const remedy = 'point the stage to a node of that chain; after a hard fork, set the new chain id in its settings'
    expect(await problems({ ...plan, expected: { chainIds: [wanted], network: 'mainnet' } })).toEqual([
      `fail node chain id: ${says} -> ${remedy}`,
      'fail node network: mina:testnet, but mainnet is configured -> point the stage to a node of that network',
      `fail service chain id: ${says} -> ${remedy}`,
    ])
  })

  test('of a version without a field fails at the queries that read it', async () => {
    const schema = buildSchema(nodeSchemaText.replace(/ {2}pooledUserCommands\(.*\n/, ''))
    const { query: rootValue } = nodeResolvers(chain)
    stand.in = async (request, response) => {
      const { query: source, variables: variableValues } = JSON.parse(await text(request))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(await graphql({ schema, rootValue, source, variableValues })))
    }
    const readers = queries.filter(({ document }) => document.includes('pooledUserCommands'))
    expect(readers.length).toBeGreaterThan(1)
    expect(await problems(upstreams)).toEqual(
      readers.map(({ name }) => expect.stringContaining(`${name}: Cannot query field "pooledUserCommands"`)),
    )
  })

  test.each([
    ['that refuses the first question', /consensusTimeNow|blockchainLength/],
    ['that answers for its status and its tip', /PublicKey|blockchainLength/],
  ])('%s, as a Rust node may, is named as one and gets no query', async (_which, unknown) => {
    stand.in = rustNode(unknown)
    const before = received.length
    expect(await problems({ ...upstreams, settings: settingsOfNode })).toEqual([
      'fail node: a Rust node, which is not supported: its blocks do not show failed commands, coinbase or fee transfers -> Use an OCaml daemon: the service leaves this node out',
      'warn queries: not asked: a Rust node does not understand them -> fix the problems above, then run the doctor again',
      'warn mutations: not checked: no command is sent to a Rust node -> fix the problems above, then run the doctor again',
    ])
    expect(received.length - before).toBeLessThan(6)
  })

  test.each([
    ['masks', () => 'Unexpected error.'],
    ['puts words before', (own: string) => `Exception while fetching data (/block) : ${own}`],
  ])('whose server %s its words fails, though every question is answered', async (_how, reworded) => {
    const { url } = await serve(nodeServer(chain))
    stand.in = changedOnTheWay(`${url}/graphql`, (text) => {
      const answer = JSON.parse(text)
      const errors = answer.errors?.map(({ message }: { message: string }) => ({ message: reworded(message) }))
      return JSON.stringify({ ...answer, errors })
    })
    const own = `Block with state hash ${unheldValues.state_hash} not found in transition frontier`
    const finding = (name: string) =>
      `fail ${name} words: of a block that it does not hold it says: ${reworded(own)} -> let what stands before it pass the node's error messages on as they are: maskedErrors: false in GraphQL Yoga, include_subgraph_errors in Apollo Router, a DataFetcherExceptionHandler in graphql-java; until then every unknown block is a 502, and every refused command unknown`
    expect(await problems({ ...upstreams, settings: settingsOfNode })).toEqual([finding('node')])
    const named = (name: string) => ({ ...settings.node, name, sharedAddress: false })
    const nodes = [named('a'), named('b')]
    expect(await problems({ ...upstreams, settings: { ...settingsOfNode, nodes } })).toEqual(
      expect.arrayContaining([finding('node a'), finding('node b')]),
    )
  })

  test('whose gateway refuses the question for its tip as too deep is not waited for', async () => {
    const { url } = await serve(nodeServer(chain))
    stand.in = async (request, response) => {
      const body = await text(request)
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
      if (!body.includes('stakingEpochData')) response.end(await (await fetch(`${url}/graphql`, init)).text())
      else
        response
          .writeHead(400)
          .end('{"errors":[{"message":"nodeTip query depth (6) exceeds the query depth limit of 5"}]}')
    }
    expect(await problems({ ...upstreams, settings: settingsOfNode })).toContain(
      'fail node tip: refuses our questions as too deep or too complex: nodeTip: nodeTip query depth (6) exceeds the query depth limit of 5 -> Raise the limits of the gateway in front of it: docs/upstreams.md says what our questions need',
    )
  })

  test('that refuses everything with HTTP 400 in words of its gateway is not taken for a Rust node', async () => {
    stand.in = (_request, response) => response.writeHead(400).end('{"message":"Bad Request"}')
    expect(await problems({ ...upstreams, settings: settingsOfNode })).toEqual([
      expect.stringMatching(/^fail node: refuses the request as bad HTTP: .*HTTP 400 -> Write https:\/\//),
      `warn queries: not asked: the node has no tip to ask about -> ${again}`,
      `warn mutations: not checked: the node does not answer -> ${again}`,
    ])
  })

  test('of several is examined, and then compared with the others', async () => {
    const named = (name: string, node = settings.node) => ({ ...node, name, sharedAddress: false })
    const nodes = [named('a'), named('b'), named('c', gone)]
    expect(await linesOf({ ...upstreams, settings: { ...settings, nodes } })).toEqual(
      expect.arrayContaining([
        'ok   node a sync: SYNCED',
        'ok   node b sync: SYNCED',
        expect.stringMatching(/^fail node c: /),
        'ok   nodes network: genesis and chain id of 2 nodes agree',
        'ok   nodes heights: a 40, b 40',
      ]),
    )
  })
})

describe('an indexer', () => {
  test('that is down gets no other question, and does not affect the checks of the node', async () => {
    const lines = await linesOf({ ...upstreams, settings: { ...settings, indexers: [gone] } })
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
      expect.stringMatching(
        /^fail indexer: refuses connections: .*connect ECONNREFUSED.* -> Start it, or correct --indexer /,
      ),
    ])
    const ofNode = queries.filter(({ upstream }) => upstream === 'node')
    expect(lines.filter((line) => line.includes('query '))).toHaveLength(ofNode.length)
  })

  test('that refuses a question as too complex is told the limits that our questions need', async () => {
    const refusal = '{"data":null,"errors":[{"message":"Query is too complex."}]}'
    const refusing = (answer: string, question: string) => (question.includes('accountCommands') ? refusal : answer)
    const { url } = await serve(changedOnTheWay(theIndexer.url, refusing))
    const indexers = [{ ...theIndexer, url }]
    expect(await problems({ ...upstreams, settings: { ...settings, indexers } })).toEqual([
      'fail query accountCommands: refuses our questions as too deep or too complex: accountCommands: Query is too complex. -> Raise the limits of the gateway in front of it: docs/upstreams.md says what our questions need',
    ])
  })

  test.each([
    [400, '{"data":null,"errors":[{"message":"Cannot query field \\"x\\" on type \\"Block\\"."}]}'],
    [200, '{"data":null,"errors":[{"message":"Unknown field \\"x\\" on type \\"Block\\"."}]}'],
  ])('that lacks a field, and says so with HTTP %i and %s, is of another version', async (status, refusal) => {
    const { url } = await serve(async (request, response) => {
      const body = await text(request)
      const headers = { 'content-type': 'application/json' }
      if (body.includes('accountCommands')) response.writeHead(status).end(refusal)
      else response.end(await (await fetch(theIndexer.url, { method: 'POST', headers, body })).text())
    })
    expect(await problems({ ...upstreams, settings: { ...settings, indexers: [{ ...theIndexer, url }] } })).toEqual([
      expect.stringMatching(
        /^fail query accountCommands: does not have a field that is asked for: .* -> Use an indexer of a supported version$/,
      ),
    ])
  })

  test('that is behind leaves the newest blocks without times and accounts without counters', async () => {
    indexerState.behind = 11
    const lines = await problems(plan)
    const briefly = 'public, max-age=1, stale-while-revalidate=10, stale-if-error=60'
    const withoutTime = `answers 200 in N ms (${briefly}) without receivedTime -> examine the indexer: npm run doctor`
    const isOfReads = (line: string) => /^warn GET .* without .* -> examine the indexer: /.test(line)
    expect(lines.filter((line) => !isOfReads(line))).toEqual([
      expect.stringMatching(/^fail indexer height: 29, 11 blocks behind the node: /),
      expect.stringMatching(
        /^warn service health: degraded: 1 of 1 nodes synced, .*, the indexer 11 blocks behind -> /,
      ),
    ])
    const ofReads = lines.filter(isOfReads).map((line) => line.replace(/\/\w{6}…/, '/…'))
    const expected = [
      `warn GET /blocks: ${withoutTime} -- --stage X`,
      `warn GET /blocks/…: ${withoutTime} -- --stage X`,
      expect.stringMatching(/^warn GET \/accounts\/…: .* without totalTx,totalBlocks,totalSnarks,username/),
      `warn GET /blocks/height/40: ${withoutTime} -- --stage X`,
      expect.stringMatching(/^warn GET \/blocks\/before\/40-.*: answers 200 .* without receivedTime/),
    ]
    expect(ofReads).toEqual(expect.arrayContaining(expected))
  })
})
