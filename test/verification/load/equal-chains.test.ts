import { expect, test } from '@jest/globals'
import { equalChains } from '../../../verification/load/equal-chains.ts'

test('a chain that lags has fewer blocks, and the same ones once it has caught up', () => {
  const options = { seed: 'equal', blockSeconds: 2, slotsPerEpoch: 10 }
  const { recorded, chains, advance, lag } = equalChains(options, 2, Date.UTC(2026, 0, 1))
  const hashes = () => [recorded.chain, ...chains].map((chain) => chain.bestChain().map(({ stateHash }) => stateHash))
  lag(0, true)
  advance()
  advance()
  const [all = [], behind = [], level] = hashes()
  expect(level).toEqual(all)
  expect(behind).toEqual(all.slice(0, -2))
  lag(0, false)
  advance()
  const [whole, ...others] = hashes()
  expect(others).toEqual([whole, whole])
  expect(() => lag(2, true)).toThrow(RangeError)
})
