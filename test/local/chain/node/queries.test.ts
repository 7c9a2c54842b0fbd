import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import type { NodeClient } from './client.ts'
import { startNode } from './client.ts'

const { chain, wallet } = startSession({ historyBlocks: 40 })
let node: NodeClient

beforeAll(async () => {
  node = await startNode(chain)
})
afterAll(() => node.close())

describe('a block', () => {
  test('lists its zkApp commands apart, and counts them among its commands', async () => {
    const block = chain.frontier().find(({ zkappCommands }) => zkappCommands.length > 0)
    const { body } = await node.ask(
      `query ($hash: String) { block(stateHash: $hash) { commandTransactionCount
        transactions { userCommands { hash } zkappCommands { hash } } } }`,
      { hash: block?.stateHash },
    )
    const { userCommands = [], zkappCommands = [] } = block ?? {}
    expect(body).toEqual({
      data: {
        block: {
          commandTransactionCount: userCommands.length + zkappCommands.length,
          transactions: {
            userCommands: userCommands.toReversed().map(({ command: { hash } }) => ({ hash })),
            zkappCommands: zkappCommands.toReversed().map(({ hash }) => ({ hash })),
          },
        },
      },
    })
  })

  test('has the chain’s values in the daemon’s encodings: integers as text but for a few numbers', async () => {
    const block = chain.bestChain()[39]
    const last = block?.userCommands.at(-1)
    const { body } = await node.ask(
      `query ($hash: String) { block(stateHash: $hash) { stateHash creatorAccount { publicKey }
        protocolState { blockchainState { date utcDate } consensusState { blockHeight totalCurrency slot slotSinceGenesis epoch } }
        transactions { coinbase userCommands { __typename hash nonce fee amount validUntil token failureReason } }
        snarkJobs { fee workIds } } }`,
      { hash: block?.stateHash },
    )
    expect(body).toMatchObject({
      data: {
        block: {
          stateHash: block?.stateHash,
          creatorAccount: { publicKey: block?.creator },
          protocolState: {
            blockchainState: { date: String(block?.date), utcDate: String(block?.date) },
            consensusState: {
              blockHeight: '40',
              totalCurrency: String(block?.totalCurrency),
              slot: String((block?.slot ?? 0) % 40),
              slotSinceGenesis: String(block?.slot),
              epoch: '1',
            },
          },
          transactions: {
            coinbase: '720000000000',
            userCommands: [
              {
                __typename: 'UserCommandPayment',
                hash: last?.command.hash,
                nonce: last?.command.nonce,
                fee: String(last?.command.fee),
                amount: String(last?.command.amount),
                validUntil: '4294967295',
                token: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
                failureReason: null,
              },
              { __typename: 'UserCommandDelegation' },
              { __typename: 'UserCommandPayment' },
            ],
          },
          snarkJobs: block?.snarkJobs.map(({ fee, workIds }) => ({ fee: String(fee), workIds })),
        },
      },
    })
  })

  const byHash = 'query ($hash: String) { block(stateHash: $hash) { stateHash } }'
  const byHeight = 'query ($height: Int) { block(height: $height) { stateHash } }'

  test('is found by hash down to the root of the frontier but not below', async () => {
    const root = chain.frontier()[0]?.stateHash ?? ''
    const older = chain.frontier()[0]?.previousStateHash ?? ''
    expect((await node.ask(byHash, { hash: root })).body).toEqual({ data: { block: { stateHash: root } } })
    expect(await node.ask(byHash, { hash: older })).toEqual({
      status: 200,
      contentType: null,
      body: {
        errors: [{ message: `Block with state hash ${older} not found in transition frontier`, path: ['block'] }],
        data: null,
      },
    })
  })

  test('is found by height above the root only', async () => {
    const [root, next] = chain.frontier()
    const found = await node.ask(byHeight, { height: next?.height })
    expect(found.body).toEqual({ data: { block: { stateHash: next?.stateHash } } })
    expect((await node.ask(byHeight, { height: root?.height })).body).toMatchObject({
      errors: [{ message: `Could not find block in transition frontier with height ${root?.height}` }],
      data: null,
    })
  })

  test.each(['block', 'block(stateHash: "x", height: 1)'])('needs one of hash and height: %s', async (field) => {
    expect((await node.ask(`{ ${field} { stateHash } }`)).body).toMatchObject({
      errors: [{ message: 'Must provide exactly one of state hash, height' }],
      data: null,
    })
  })

  test('of the best chain comes after its parent, the tip last', async () => {
    const ask = async (length: number | null) =>
      (await node.ask('query ($n: Int) { bestChain(maxLength: $n) { stateHash } }', { n: length })).body
    const last = (count: number) =>
      chain
        .bestChain()
        .slice(-count)
        .map(({ stateHash }) => ({ stateHash }))
    expect(await ask(2)).toEqual({ data: { bestChain: last(2) } })
    expect([await ask(400), await ask(null)]).toEqual([
      { data: { bestChain: last(30) } },
      { data: { bestChain: last(30) } },
    ])
  })
})

describe('an account', () => {
  const query =
    'query ($key: PublicKey!) { account(publicKey: $key) { publicKey balance { total unknown liquid locked blockHeight stateHash } nonce timing { cliffTime } } }'

  test('with a time lock has its locked part and its timing', async () => {
    const { publicKey } = wallet('frank')
    const tip = chain.tip()
    expect((await node.ask(query, { key: publicKey })).body).toEqual({
      data: {
        account: {
          publicKey,
          balance: {
            total: '10050000000000',
            unknown: '10050000000000',
            liquid: '50000000000',
            locked: '10000000000000',
            blockHeight: String(tip.height),
            stateHash: tip.stateHash,
          },
          nonce: '0',
          timing: { cliffTime: '100000' },
        },
      },
    })
  })

  test('that does not exist is null without an error', async () => {
    const { publicKey } = startSession({ seed: 'elsewhere', historyBlocks: 1 }).wallet('alice')
    expect((await node.ask(query, { key: publicKey })).body).toEqual({ data: { account: null } })
  })
})
