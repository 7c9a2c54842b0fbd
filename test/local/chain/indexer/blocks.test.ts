import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../../../local/chain/block.ts'
import type { IndexerState } from '../../../../local/chain/indexer/ingested.ts'
import { startSession } from '../session.ts'
import type { IndexerClient } from './client.ts'
import { askOnce, startIndexer } from './client.ts'

const { chain, advance } = startSession({ historyBlocks: 40 })
advance(10_000)
chain.produceBlock()
chain.reorganise(3)
const state: IndexerState = {}
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain, state)
})
afterAll(() => indexer.close())

const hashesOf = (blocks: readonly ChainBlock[]) => ({
  data: { blocks: blocks.map(({ stateHash }) => ({ stateHash })) },
})
const list = (given: string) => indexer.ask(`{ blocks(${given}) { stateHash } }`)

/** Key and balance of each account, in order of the keys. */
const balancesIn = (answer: unknown) =>
  (answer as { data: { accounts: { publicKey: string; balance: bigint | number }[] } }).data.accounts
    .map(({ publicKey, balance }) => `${publicKey} ${balance}`)
    .toSorted()

describe('the list', () => {
  const newestFirst = chain.bestChain().toReversed()
  const abandoned = chain.allBlocks().filter(({ stateHash }) => newestFirst.every((one) => one.stateHash !== stateHash))

  test('marks the canonical blocks among those of forks, newest first', async () => {
    expect(abandoned.map(({ height }) => height)).toEqual([39, 40, 41])
    expect(await list('query: {canonical: true}, limit: 10')).toEqual(hashesOf(newestFirst.slice(0, 10)))
    expect(await list('query: {canonical: false}')).toEqual(hashesOf(abandoned.toReversed()))
  })

  test.each([39, 40, 41])('of height %i holds the abandoned block behind the canonical one', async (height) => {
    const atHeight = [...newestFirst, ...abandoned].filter((block) => block.height === height)
    expect(atHeight).toHaveLength(2)
    expect(await list(`query: {blockHeight: ${height}}`)).toEqual(hashesOf(atHeight))
  })

  test('between two heights holds every block there, abandoned ones too', async () => {
    const between = [...newestFirst, ...abandoned].filter(({ height }) => height >= 39 && height <= 40)
    const listed = await list('query: {blockHeight_gte: 39, blockHeight_lte: 40}, limit: 10')
    const hashes = (answer: ReturnType<typeof hashesOf>) =>
      answer.data.blocks.map(({ stateHash }) => stateHash).toSorted()
    expect(hashes(listed as ReturnType<typeof hashesOf>)).toEqual(hashes(hashesOf(between)))
  })

  test('holds 100 blocks without a limit, and may be reversed', async () => {
    const long = startSession({ historyBlocks: 101 }).chain
    const heights = (given: string) => askOnce(long, `{ blocks${given} { blockHeight } }`)
    const counted = (first: number, length: number, step: number) => ({
      data: { blocks: Array.from({ length }, (_, index) => ({ blockHeight: first + index * step })) },
    })
    expect(await heights('')).toEqual(counted(101, 100, -1))
    expect(await heights('(sortBy: BLOCKHEIGHT_ASC, limit: 3)')).toEqual(counted(1, 3, 1))
    expect(await heights('(sortBy: GLOBALSLOT_ASC, limit: 2)')).toEqual(counted(1, 2, 1))
  })
})

describe('an indexer', () => {
  afterEach(() => {
    for (const name of ['tip', 'behind', 'dangling', 'genesisStateHash'] as const) delete state[name]
  })

  test('that is behind does not have the newer blocks until it has caught up', async () => {
    const best = chain.bestChain()
    const tip = best.at(-1)?.stateHash
    const query = `{ block { stateHash } newer: block(query: {stateHash: "${tip}"}) { stateHash } }`
    state.behind = 5
    expect(await indexer.ask(query)).toEqual({ data: { block: { stateHash: best.at(-6)?.stateHash }, newer: null } })
    state.behind = 0
    expect(await indexer.ask(query)).toEqual({ data: { block: { stateHash: tip }, newer: { stateHash: tip } } })
  })

  test('that has not connected its newest blocks holds them as not canonical', async () => {
    const best = chain.bestChain()
    const [tip, newest] = [best.at(-6), best.at(-1)]
    const query = `{ block { stateHash } accounts(limit: 1) { block_height }
      highest: block(query: {}) { stateHash canonical }
      canonical: blocks(query: {canonical: true}, limit: 1) { stateHash } }`
    state.dangling = 5
    expect(await indexer.ask(query)).toEqual({
      data: {
        block: { stateHash: tip?.stateHash },
        accounts: [{ block_height: tip?.height }],
        highest: { stateHash: newest?.stateHash, canonical: false },
        canonical: [{ stateHash: tip?.stateHash }],
      },
    })
    state.dangling = 1000
    expect(
      await indexer.ask('{ block { blockHeight } canonical: blocks(query: {canonical: true}) { blockHeight } }'),
    ).toEqual({ data: { block: { blockHeight: 1 }, canonical: [{ blockHeight: 1 }] } })
  })

  test('may prefer a rival of the node’s tip, which it then holds as not canonical', async () => {
    const forked = startSession({ historyBlocks: 40 })
    const rival = forked.chain.tip()
    const balances = [...forked.chain.ledger().values()].map(({ publicKey, balance }) => `${publicKey} ${balance}`)
    forked.chain.reorganise(1, 0)
    const tip = forked.chain.tip()
    const query = `{ block { stateHash } atHeight: blocks(query: {blockHeight: 40}) { stateHash canonical }
      latest: blocks(query: {canonical: true}, limit: 2) { stateHash } }`
    expect(await askOnce(forked.chain, query, { tip: rival.stateHash })).toEqual({
      data: {
        block: { stateHash: rival.stateHash },
        atHeight: [
          { stateHash: rival.stateHash, canonical: true },
          { stateHash: tip.stateHash, canonical: false },
        ],
        latest: [{ stateHash: rival.stateHash }, { stateHash: tip.previousStateHash }],
      },
    })
    const accounts = await askOnce(forked.chain, '{ accounts { publicKey balance } }', { tip: rival.stateHash })
    expect(balancesIn(accounts)).toEqual(balances.toSorted())
  })

  test('of another chain reports that chain’s genesis block and finds no block of ours under it', async () => {
    const ours = chain.genesisBlock().stateHash
    state.genesisStateHash = startSession({ seed: 'elsewhere', historyBlocks: 1 }).chain.tip().stateHash
    const query = `{ block { genesisStateHash } blocks(query: {genesisStateHash: "${ours}"}) { stateHash } }`
    expect(await indexer.ask(query)).toEqual({
      data: { block: { genesisStateHash: state.genesisStateHash }, blocks: [] },
    })
  })
})
