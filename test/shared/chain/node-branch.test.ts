// How far two nodes of one network are apart, by the ends of their best chains.
import { describe, expect, test } from '@jest/globals'
import { type Branch, compareBranches } from '../../../shared/chain/actions/node-branch.ts'

/** The blocks of these heights, of another branch from one of them on. */
const branch = (from: number, to: number, apartFrom = Infinity): Branch =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const height = from + index
    return { height, stateHash: `${height >= apartFrom ? 'other' : ''}${height}` }
  })
const rivals = (height: number) => [
  { height, stateHash: `${height}` },
  { height, stateHash: `other${height}` },
]

describe('a node beside the best one, which shows blocks 81 to 100,', () => {
  test.each([
    ['at the same block lacks nothing', branch(81, 100), { lacks: 0 }],
    ['with its tip alone, as after a start, lacks what is above it', branch(98, 98), { lacks: 2 }],
    ['so far behind that no block can be compared is only behind', branch(41, 60), { lacks: 40 }],
    ['at the block below all that are compared is only behind', branch(61, 80), { lacks: 20 }],
    ['a block ahead of it, read later, lacks nothing', branch(82, 101), { lacks: 0 }],
    ['on a short fork lacks the blocks since then', branch(81, 99, 99), { lacks: 2, rivals: rivals(99) }],
    [
      'at its height on another branch lacks those since both parted',
      branch(81, 100, 96),
      { lacks: 5, rivals: rivals(100) },
    ],
    ['that parted before lacks all that are compared', branch(81, 100, 50), { lacks: 20, rivals: rivals(100) }],
    ['that parted before and is behind, too', branch(66, 85, 50), { lacks: 20, rivals: rivals(85) }],
    ['that is ahead on another branch, too', branch(84, 103, 50), { lacks: 17, rivals: rivals(100) }],
  ])('%s', (_, other, distance) => {
    expect(compareBranches(branch(81, 100), other)).toEqual(distance)
  })
})
