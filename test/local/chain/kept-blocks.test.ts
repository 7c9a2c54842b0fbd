// A chain that runs for long forgets old blocks; answers about its tip stay the same.
import { describe, expect, test } from '@jest/globals'
import { startSession } from './session.ts'
import { askIndexer } from './upstream.ts'

function longChain(keptBlocks: number) {
  const { chain, advance } = startSession({ slotsPerEpoch: 10, frontierBlocks: 8, keptBlocks })
  for (let block = 0; block < 90; block++) {
    advance(10_000)
    chain.produceBlock()
    if (block % 30 === 0) chain.reorganise(2)
  }
  return chain
}

describe('a chain that keeps 30 blocks', () => {
  const [whole, short] = [longChain(1000), longChain(30)]
  const { height, nextEpoch } = whole.tip()

  test('has its latest 30 blocks, their forks and the genesis block', () => {
    const kept = [whole.genesisBlock(), ...whole.allBlocks().filter((block) => block.height > height - 30)]
    expect(short.bestChain()).toEqual(whole.bestChain().slice(-30))
    expect(short.allBlocks()).toEqual(kept)
    const canonicalOn = ({ isCanonical }: typeof short) => kept.map(({ stateHash }) => isCanonical(stateHash))
    expect(canonicalOn(short)).toEqual(canonicalOn(whole))
  })

  test('has the accounts and staking ledgers of a chain that forgets nothing', async () => {
    const totals = 'pk_total_num_blocks pk_total_num_snarks pk_total_num_user_commands'
    const query = `{
      accounts { publicKey balance nonce ${totals} }
      stakes(query: {ledgerHash: "${nextEpoch.ledgerHash}"}) { public_key balanceNanomina }
    }`
    for (const behind of [0, 3]) {
      expect(await askIndexer(short, query, { behind })).toEqual(await askIndexer(whole, query, { behind }))
    }
  })
})
