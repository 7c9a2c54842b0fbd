import { afterEach, describe, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../../packages/testnet/block.ts'
import type { IndexerState } from '../../../packages/testnet/indexer/ingested.ts'
import { startSession } from '../session.ts'
import { askIndexer, indexerOf, integer } from '../upstream.ts'

const { chain, pay, wallet, advance } = startSession({ historyBlocks: 45, slotsPerEpoch: 20 })
pay({ from: 'alice', to: 'alice', amount: 5n })
pay({ from: 'alice', to: 'bob', amount: 7n, nonce: 1 })
advance(10_000)
chain.produceBlock()
chain.reorganise(2)
// The commands of the abandoned block are now in a second one, too.
chain.produceBlock()
const state: IndexerState = {}
const indexer = indexerOf(chain, state)
afterEach(() => {
  for (const name of ['tip', 'dangling'] as const) delete state[name]
})

const hashesOf = (blocks: readonly ChainBlock[]) => blocks.map(({ stateHash }) => ({ stateHash }))
const best = chain.bestChain()
const newestFirst = best.toReversed()
const abandoned = chain.allBlocks().filter(({ stateHash }) => newestFirst.every((one) => one.stateHash !== stateHash))

describe('the indexer’s list of blocks', () => {
  const list = async (given: string) =>
    ((await indexer.ask(`{ blocks(${given}) { stateHash } }`)) as { data: { blocks: unknown } }).data.blocks

  test('marks the canonical blocks among those of forks, newest first', async () => {
    expect(abandoned.map(({ height }) => height)).toEqual([45, 46])
    expect(await list('query: {canonical: true}, limit: 10')).toEqual(hashesOf(newestFirst.slice(0, 10)))
    expect(await list('query: {canonical: false}')).toEqual(hashesOf(abandoned.toReversed()))
  })

  test('has every block between two heights, and of one height the canonical block first', async () => {
    const at = (...heights: number[]) => [...newestFirst, ...abandoned].filter(({ height }) => heights.includes(height))
    expect(at(45)).toHaveLength(2)
    for (const height of [45, 46, 47])
      expect(await list(`query: {blockHeight: ${height}}`)).toEqual(hashesOf(at(height)))
    const between = await list('query: {blockHeight_gte: 45, blockHeight_lte: 46}, limit: 10')
    expect(between).toEqual(expect.arrayContaining(hashesOf(at(45, 46))))
    expect(between).toHaveLength(4)
  })
})

describe('an indexer', () => {
  test('that has not connected its newest blocks has them as not canonical', async () => {
    const [tip, newest] = [best.at(-6), best.at(-1)]
    const query = `{ block { stateHash } accounts(limit: 1) { block_height }
      highest: block(query: {}) { stateHash canonical }
      canonical: blocks(query: {canonical: true}, limit: 1) { stateHash blockHeight } }`
    state.dangling = 5
    expect(await indexer.ask(query)).toEqual({
      data: {
        block: { stateHash: tip?.stateHash },
        accounts: [{ block_height: tip?.height }],
        highest: { stateHash: newest?.stateHash, canonical: false },
        canonical: [{ stateHash: tip?.stateHash, blockHeight: tip?.height }],
      },
    })
    state.dangling = 1000
    expect(await indexer.ask(query)).toMatchObject({ data: { canonical: [{ blockHeight: 1 }] } })
  })

  test('that prefers a rival of the node’s tip has the ledger after the rival, and the tip as not canonical', async () => {
    const { chain: forked } = startSession({ historyBlocks: 40 })
    const [rival, ledger] = [forked.tip(), forked.ledger()]
    forked.reorganise(1, 0)
    const tip = forked.tip()
    const richest = [...ledger.values()].toSorted((left, right) => (left.balance > right.balance ? -1 : 1))
    const query = `{ block { stateHash } atHeight: blocks(query: {blockHeight: 40}) { stateHash canonical }
      latest: blocks(query: {canonical: true}, limit: 2) { stateHash } accounts { publicKey balance } }`
    expect(await askIndexer(forked, query, { tip: rival.stateHash })).toEqual({
      data: {
        block: { stateHash: rival.stateHash },
        atHeight: [
          { stateHash: rival.stateHash, canonical: true },
          { stateHash: tip.stateHash, canonical: false },
        ],
        latest: [{ stateHash: rival.stateHash }, { stateHash: tip.previousStateHash }],
        accounts: richest.map(({ publicKey, balance }) => ({ publicKey, balance: integer(balance) })),
      },
    })
  })
})

/** Blocks made, jobs proved, and commands sent or received, by key. */
function activityIn(blocks: readonly ChainBlock[]) {
  const counts = new Map<string, number>()
  const add = (what: string, key: string) => counts.set(`${what} ${key}`, (counts.get(`${what} ${key}`) ?? 0) + 1)
  for (const { creator, snarkJobs, userCommands, zkappCommands } of blocks) {
    add('blocks', creator)
    for (const { prover } of snarkJobs) add('snarks', prover)
    for (const { from, updates } of zkappCommands) {
      const updated = updates.map(({ publicKey }) => publicKey)
      for (const key of updated.includes(from) ? updated : [from, ...updated]) add('user_commands', key)
    }
    for (const { command } of userCommands)
      for (const key of new Set([command.from, command.to])) add('user_commands', key)
  }
  return (what: string, key: string) => counts.get(`${what} ${key}`) ?? 0
}

describe('the indexer’s accounts', () => {
  test('count the activity of their keys in all blocks, abandoned ones too', async () => {
    const blocks = chain.allBlocks()
    const total = activityIn(blocks)
    const kinds = ['blocks', 'snarks', 'user_commands']
    expect(blocks.length).toBeGreaterThan(chain.bestChain().length)
    expect(total('user_commands', wallet('alice').publicKey)).toBe(4)
    const accounts = [...chain.ledger().keys()].map((publicKey) => ({
      publicKey,
      ...Object.fromEntries(kinds.map((kind) => [`pk_total_num_${kind}`, total(kind, publicKey)])),
    }))
    expect(
      await indexer.ask(`{ accounts { publicKey ${kinds.map((kind) => `pk_total_num_${kind}`).join(' ')} } }`),
    ).toEqual({ data: { accounts: expect.arrayContaining(accounts) } })
  })

  test('are an empty list for an unknown key and an error for a malformed one', async () => {
    const one = (key: string) =>
      indexer.ask('query ($key: String) { accounts(query: {publicKey: $key}) { nonce } }', { key })
    const { publicKey } = startSession({ seed: 'elsewhere', historyBlocks: 1 }).wallet('alice')
    expect(await one(publicKey)).toEqual({ data: { accounts: [] } })
    expect(await one('B62x')).toMatchObject({ data: null, errors: [{ message: 'Invalid public key: B62x' }] })
  })
})
