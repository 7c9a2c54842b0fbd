// The latest blocks that a node is searched for a command.
import { expect, test } from '@jest/globals'
import { recentChain } from '../../../shared/chain/actions/recent-commands.ts'

const block = (height: number) => ({
  stateHash: `block${height}`,
  protocolState: {
    blockchainState: { date: `${height}` },
    consensusState: { blockHeight: `${height}`, slotSinceGenesis: `${height}` },
  },
  transactions: { userCommands: [], zkappCommands: [] },
})

const read = (heights: readonly number[]) => recentChain.bestChain.read(heights.map(block), 'bestChain')

test('a list of the latest blocks is refused where it skips, repeats or reverses heights, or is too long', () => {
  expect(read([7, 8, 9])).toHaveLength(3)
  for (const heights of [[9, 8, 7], [7, 9], [7, 7], Array.from({ length: 21 }, (_, index) => index)]) {
    expect(() => read(heights)).toThrow('bestChain')
  }
})
