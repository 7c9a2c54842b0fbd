import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { createSchema, createYoga } from 'graphql-yoga'
import { nodeResolvers } from '../../../local/chain/node/resolvers.ts'
import { nodeSchemaText } from '../../../local/chain/node/schema.ts'
import { type Doctored, doctored, troubles, upstreamsOf } from '../doctored.ts'

// A visit asks some fifty questions, one after the other, perhaps on a busy machine.
jest.setTimeout(20_000)

let service: Doctored
beforeAll(async () => {
  service = await doctored()
})
afterEach(() => service.heal())
afterAll(() => service.close())

const again = 'mend the above first, then run the doctor again'

describe('a node', () => {
  test('that is down has its lines, and nothing is asked of it', async () => {
    const other = await doctored()
    await other.closeNode()
    const lines = await troubles(upstreamsOf(other))
    await other.close()
    expect(lines).toEqual([
      expect.stringMatching(/^fail node: .*connect ECONNREFUSED.* -> start the node, or correct its address /),
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
