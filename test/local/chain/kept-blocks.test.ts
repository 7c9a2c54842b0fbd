// A chain that runs for long forgets old blocks; answers about its tip stay the same.
import { expect, test } from '@jest/globals'
import { startSession } from './session.ts'
import { askIndexer } from './upstream.ts'

const options = { slotsPerEpoch: 10, frontierBlocks: 8 }

function longSession(keptBlocks: number) {
  const session = startSession({ ...options, keptBlocks })
  for (let block = 0; block < 90; block++) {
    session.advance(10_000)
    session.chain.produceBlock()
    if (block % 30 === 0) session.chain.reorganise(2)
  }
  return session.chain
}

const whole = longSession(1000)
const short = longSession(30)

test('the best chain has its latest blocks, and the genesis block is still there', () => {
  expect(short.bestChain()).toEqual(whole.bestChain().slice(-30))
  expect(short.genesisBlock()).toEqual(whole.genesisBlock())
  const genesis = whole.genesisBlock()
  const kept = whole.allBlocks().filter(({ height }) => height > whole.tip().height - 30)
  expect(short.allBlocks()).toEqual([genesis, ...kept])
  expect([genesis, ...kept].map(({ stateHash }) => short.isCanonical(stateHash))).toEqual(
    [genesis, ...kept].map(({ stateHash }) => whole.isCanonical(stateHash)),
  )
})

test('a forgotten block is unknown to the indexer, and the oldest one kept is not', async () => {
  const heights = [whole.tip().height - 30, whole.tip().height - 29, 1]
  const found = await Promise.all(
    heights.map((height) => askIndexer(short, `{ blocks(query: {blockHeight: ${height}}) { blockHeight } }`)),
  )
  expect(found).toEqual([
    { data: { blocks: [] } },
    { data: { blocks: [{ blockHeight: heights[1] }] } },
    { data: { blocks: [{ blockHeight: 1 }] } },
  ])
})

test('accounts and staking ledgers are those of a chain that forgets nothing', async () => {
  const totals = 'pk_total_num_blocks pk_total_num_snarks pk_total_num_user_commands'
  const epochs = 'pk_epoch_num_blocks pk_epoch_num_snarks pk_epoch_num_user_commands'
  const query = `{
    accounts { publicKey balance nonce ${totals} ${epochs} }
    stakes(query: {ledgerHash: "${whole.tip().nextEpoch.ledgerHash}"}) { public_key balanceNanomina ${totals} }
  }`
  expect(await askIndexer(short, query)).toEqual(await askIndexer(whole, query))
  expect(await askIndexer(short, query, { behind: 3 })).toEqual(await askIndexer(whole, query, { behind: 3 }))
})
