// The latest blocks that a node is searched for a command.
import { expect, test } from '@jest/globals'
import { searchedChain } from '../../../shared/chain/actions/recent-commands.ts'
import { count, shape } from '../../../shared/upstream/wire.ts'

const height = shape({ protocolState: shape({ consensusState: shape({ blockHeight: count }) }) })
const block = (blockHeight: number) => ({ protocolState: { consensusState: { blockHeight: `${blockHeight}` } } })

const read = (heights: readonly number[]) => searchedChain(height).read(heights.map(block), 'bestChain')

test('a list of the latest blocks is refused if it skips, repeats or reverses heights, or is too long', () => {
  expect(read([7, 8, 9])).toHaveLength(3)
  for (const heights of [[9, 8, 7], [7, 9], [7, 7], Array.from({ length: 21 }, (_, index) => index)]) {
    expect(() => read(heights)).toThrow('bestChain')
  }
})
