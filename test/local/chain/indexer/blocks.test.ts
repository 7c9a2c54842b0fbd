import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
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
  afterAll(() => {
    state.behind = 0
    delete state.genesisStateHash
  })

  test('that is behind does not have the newer blocks until it has caught up', async () => {
    const best = chain.bestChain()
    const tip = best.at(-1)?.stateHash
    const query = `{ block { stateHash } newer: block(query: {stateHash: "${tip}"}) { stateHash } }`
    state.behind = 5
    expect(await indexer.ask(query)).toEqual({ data: { block: { stateHash: best.at(-6)?.stateHash }, newer: null } })
    state.behind = 1000
    expect(await indexer.ask('{ block { stateHash } blocks { stateHash } stakes { pk } accounts { nonce } }')).toEqual({
      data: { block: null, blocks: [], stakes: [], accounts: [] },
    })
    state.behind = 0
    expect(await indexer.ask(query)).toEqual({ data: { block: { stateHash: tip }, newer: { stateHash: tip } } })
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
