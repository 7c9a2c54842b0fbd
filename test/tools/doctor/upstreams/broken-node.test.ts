import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createSchema, createYoga } from 'graphql-yoga'
import { nodeResolvers } from '../../../../local/chain/node/resolvers.ts'
import { nodeSchemaText } from '../../../../local/chain/node/schema.ts'
import { endpoints } from '../../../../shared/endpoints/all.ts'
import { queries } from '../../../../tools/doctor/upstreams/queries.ts'
import { type ExaminedService, examinedService, problems, upstreamsOf } from '../examined-service.ts'

let service: ExaminedService
beforeAll(async () => {
  service = await examinedService()
})
afterEach(() => service.heal())
afterAll(() => service.close())

const again = 'fix the problems above, then run the doctor again'

describe('a node', () => {
  test('that is down has its findings, and nothing else is asked of it', async () => {
    const other = await examinedService()
    await other.closeNode()
    const lines = await problems(upstreamsOf(other))
    await other.close()
    expect(lines).toEqual([
      expect.stringMatching(/^fail node: .*connect ECONNREFUSED.* -> start the node, or correct its address /),
      'warn indexer height: 40, not compared: the node has no tip -> fix the node, then run the doctor again',
      `warn queries: not asked: the node has no tip to ask about -> ${again}`,
      `warn mutations: not checked: the node does not answer -> ${again}`,
    ])
  })

  test('that bootstraps fails, and so do the routes that need it', async () => {
    // A service of its own, since for a second after that it asks a busy node nothing.
    const other = await examinedService()
    other.chain.bootstrapping = true
    const lines = await problems(other.plan)
    await other.close()
    const gets = endpoints.filter(({ method }) => method === 'GET')
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

  test('that is stuck fails by the age of its tip', async () => {
    const clock = { aheadMs: -6_000_000 }
    const other = await examinedService(clock)
    clock.aheadMs = 0
    const lines = await problems(upstreamsOf(other))
    await other.close()
    expect(lines).toEqual([
      expect.stringMatching(
        /^fail node tip: height 40, 10[01] slots of 60 s old, more than 10 -> check the node's peers /,
      ),
    ])
  })

  test('whose chain clock is wrong fails by its slot, although its HTTP date is right', async () => {
    const other = await examinedService({ aheadMs: 600_000 })
    const lines = await problems(upstreamsOf(other))
    await other.close()
    expect(lines).toEqual([
      expect.stringMatching(/^warn node tip: height 40, (?:9|10) slots in the future -> check both clocks$/),
      expect.stringMatching(/^fail node clock: at least [\d.]+ s ahead of this machine, by its current slot -> /),
    ])
  })

  test('without the delegation mutation fails by introspection', async () => {
    const line = '  sendDelegation(signature: SignatureInput, input: SendDelegationInput!): SendDelegationPayload!\n'
    const { mutation, ...rest } = nodeResolvers(service.chain)
    const resolvers = { ...rest, mutation: { sendPayment: mutation.sendPayment } }
    const typeDefs = nodeSchemaText.replace(line, '')
    service.node = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false })
    expect(await problems(upstreamsOf(service))).toEqual([
      'fail mutation sendDelegation: Cannot query field "sendDelegation" on type "mutation". -> use a node of a supported version: this one may accept a command and then answer with an error',
    ])
  })

  test('of a version without a field fails at the queries that read it', async () => {
    const { query, ...rest } = nodeResolvers(service.chain)
    const { pooledUserCommands: _, ...known } = query
    const typeDefs = nodeSchemaText.replace(/ {2}pooledUserCommands\(.*\n/, '')
    service.node = createYoga({
      schema: createSchema({ typeDefs, resolvers: { ...rest, query: known } }),
      logging: false,
    })
    const readers = queries.filter(({ document }) => document.includes('pooledUserCommands'))
    expect(readers.length).toBeGreaterThan(1)
    expect(await problems(upstreamsOf(service))).toEqual(
      readers.map(({ name }) =>
        expect.stringMatching(
          new RegExp(`^fail query ${name}: ${name}: Cannot query field "pooledUserCommands" on type "query"`),
        ),
      ),
    )
  })
})
