import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import type { IndexerClient } from './client.ts'
import { askOnce, startIndexer } from './client.ts'

const { chain, pay, wallet, advance } = startSession({ historyBlocks: 45, slotsPerEpoch: 20 })
const { publicKey: alice } = wallet('alice')
pay({ from: 'alice', to: 'alice', amount: 5n })
pay({ from: 'alice', to: 'bob', amount: 7n, nonce: 1 })
advance(10_000)
chain.produceBlock()
chain.reorganise(2)
// The commands of the abandoned block are now in a second one, too.
chain.produceBlock()
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain)
})
afterAll(() => indexer.close())

const one = (fields: string, publicKey: string) =>
  indexer.ask(`query ($key: String) { accounts(query: {publicKey: $key}) { ${fields} } }`, { key: publicKey })

/** Adds one to a key's count. */
const increment = (counts: Map<string, number>, publicKey: string) =>
  counts.set(publicKey, (counts.get(publicKey) ?? 0) + 1)

describe('the counters', () => {
  const fields = 'publicKey pk_total_num_blocks pk_total_num_snarks pk_total_num_user_commands'

  test('of all accounts equal a count over all blocks, abandoned ones too', async () => {
    const [made, proven, commands] = [new Map(), new Map(), new Map()]
    for (const { creator, snarkJobs, userCommands, zkappCommands } of chain.allBlocks()) {
      increment(made, creator)
      for (const { prover } of snarkJobs) increment(proven, prover)
      for (const { from } of zkappCommands) increment(commands, from)
      for (const { command } of userCommands) {
        increment(commands, command.from)
        if (command.to !== command.from) increment(commands, command.to)
      }
    }
    expect(chain.allBlocks().length).toBeGreaterThan(chain.bestChain().length)
    expect(await indexer.ask(`{ accounts { ${fields} } }`)).toEqual({
      data: {
        accounts: [...chain.ledger().values()]
          .toSorted((left, right) => (left.balance > right.balance ? -1 : left.balance < right.balance ? 1 : 0))
          .map(({ publicKey }) => ({
            publicKey,
            pk_total_num_blocks: made.get(publicKey) ?? 0,
            pk_total_num_snarks: proven.get(publicKey) ?? 0,
            pk_total_num_user_commands: commands.get(publicKey) ?? 0,
          })),
      },
    })
  })

  test('count a command to oneself once, and a command in two blocks twice', async () => {
    expect(await one(fields, alice)).toEqual({
      data: {
        accounts: [{ publicKey: alice, pk_total_num_blocks: 0, pk_total_num_snarks: 0, pk_total_num_user_commands: 4 }],
      },
    })
  })

  test('of the current epoch leave out earlier epochs', async () => {
    const creator = chain.tip().creator
    const blocks = chain.allBlocks().filter((block) => block.creator === creator)
    const current = blocks.filter(({ epoch }) => epoch === chain.tip().epoch)
    expect(current.length).toBeLessThan(blocks.length)
    expect(await one('pk_epoch_num_blocks pk_total_num_blocks', creator)).toEqual({
      data: { accounts: [{ pk_epoch_num_blocks: current.length, pk_total_num_blocks: blocks.length }] },
    })
  })
})

describe('an account', () => {
  test('has its state in the ledger of the best tip', async () => {
    const account = chain.account(alice)
    const fields = 'username delegate balance nonce timeLocked timing { cliff_time } token receiptChainHash votingFor'
    expect(account?.nonce).toBe(2)
    expect(await one(`${fields} is_genesis_account genesis_account block_height`, alice)).toEqual({
      data: {
        accounts: [
          {
            username: 'Alice',
            delegate: alice,
            balance: Number(account?.balance),
            nonce: 2,
            timeLocked: false,
            timing: null,
            token: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
            receiptChainHash: account?.receiptChainHash,
            votingFor: account?.votingFor,
            is_genesis_account: true,
            genesis_account: 5_000_000_000_000,
            block_height: chain.tip().height,
          },
        ],
      },
    })
  })

  test('with a time lock has its timing in nanomina and slots', async () => {
    const timing = 'cliff_amount cliff_time initial_minimum_balance vesting_period vesting_increment'
    expect(await one(`timeLocked timing { ${timing} }`, wallet('frank').publicKey)).toEqual({
      data: {
        accounts: [
          {
            timeLocked: true,
            timing: {
              cliff_amount: 2_500_000_000_000,
              cliff_time: 100_000,
              initial_minimum_balance: 10_000_000_000_000,
              vesting_period: 100,
              vesting_increment: 75_000_000_000,
            },
          },
        ],
      },
    })
  })

  test('above 2^53 nanomina keeps every digit', async () => {
    const { publicKey } = wallet('oscar')
    const query = JSON.stringify({ query: `{accounts(query: {publicKey: "${publicKey}"}) {balance}}` })
    const { text } = await indexer.send('/graphql', query)
    expect(text).toBe('{"data":{"accounts":[{"balance":9007199254740993}]}}')
  })

  test('created after the genesis block is marked as such', async () => {
    const newcomer = [...chain.ledger().keys()].find((key) => !chain.stakingLedger(0)?.accounts.has(key)) ?? ''
    expect(await one('publicKey is_genesis_account genesis_account', newcomer)).toEqual({
      data: { accounts: [{ publicKey: newcomer, is_genesis_account: false, genesis_account: null }] },
    })
  })

  test('has a username where one is known, as for block producers', async () => {
    const [, heron] = chain.producers
    const named = async (publicKey: string) => one('username delegateUsername', publicKey)
    expect(await named(heron?.publicKey ?? '')).toEqual({
      data: { accounts: [{ username: 'Heron Staking', delegateUsername: 'Heron Staking' }] },
    })
    expect(await named(wallet('carol').publicKey)).toEqual({
      data: { accounts: [{ username: null, delegateUsername: 'Alice' }] },
    })
  })

  test('that does not exist is an empty list', async () => {
    const other = startSession({ seed: 'elsewhere', historyBlocks: 1 }).wallet('alice').publicKey
    expect(await one('nonce', other)).toEqual({ data: { accounts: [] } })
  })

  test('is refused for a malformed key', async () => {
    const bad = alice.slice(1)
    expect(await one('nonce', bad)).toMatchObject({ data: null, errors: [{ message: `Invalid public key: ${bad}` }] })
  })
})

describe('an indexer that is behind', () => {
  const grown = startSession({ historyBlocks: 1, slotsPerEpoch: 20 })
  const ledgers = [grown.chain.ledger()]
  for (let made = 0; made < 60; made++) {
    grown.advance(10_000)
    if (made % 20 === 7) grown.delegate({ from: 'carol', to: 'judy', nonce: Math.floor(made / 20) })
    grown.chain.produceBlock()
    ledgers.push(grown.chain.ledger())
  }

  test.each([1, 10, 35, 60])('by %i blocks has the ledger of that time', async (behind) => {
    const query = '{ accounts { publicKey balance nonce delegate receiptChainHash block_height } }'
    const rows = await askOnce(grown.chain, query, { behind })
    const expected = [...(ledgers[60 - behind]?.values() ?? [])].map((account) => ({
      publicKey: account.publicKey,
      balance: account.balance > BigInt(Number.MAX_SAFE_INTEGER) ? account.balance : Number(account.balance),
      nonce: account.nonce,
      delegate: account.delegate,
      receiptChainHash: account.receiptChainHash,
      block_height: 61 - behind,
    }))
    expect(rows).toEqual({ data: { accounts: expect.arrayContaining(expected) } })
    expect(rows).toMatchObject({ data: { accounts: { length: expected.length } } })
  })
})
