// Which blocks of an indexer's old chain a hard fork kept.
import { describe, expect, test } from '@jest/globals'
import { type EndOfOldChain, type ForkParent, keptChain } from '../../../shared/indexer/before-fork.ts'

const parentHeight = 100
const parent: ForkParent = { stateHash: 'kept 100', height: parentHeight, genesisStateHash: 'new', k: 290 }

/** Blocks of a branch, each on the one below; `forkHeight` is the last that it has in common with the kept one. */
function branchOf(name: string, from: number, to: number, canonical: (height: number) => boolean, forkHeight = 0) {
  const nameAt = (height: number) => `${height <= forkHeight ? 'kept' : name} ${height}`
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const blockHeight = from + index
    const protocolState = { previousStateHash: nameAt(blockHeight - 1) }
    return { blockHeight, canonical: canonical(blockHeight), protocolState, stateHash: nameAt(blockHeight) }
  })
}

const tipAt = (blockHeight: number, genesisStateHash = 'old') => ({ blockHeight, genesisStateHash })
const always = () => true
const never = () => false

/** The kept ones of these blocks: `name height`, with a `!` where the indexer calls them canonical. */
const keptOf = (end: EndOfOldChain, ...blocks: readonly string[]) => {
  const chain = keptChain(parent, end)
  return blocks.filter((block) => {
    const stateHash = block.replace('!', '')
    return chain.isKept({ stateHash, height: Number(stateHash.split(' ')[1]), canonical: block.endsWith('!') })
  })
}

describe('what a hard fork kept', () => {
  test('is canonical to the indexer up to the parent, where the parent lies ten below its tip', () => {
    const end = { branch: branchOf('kept', 70, 100, always), tip: tipAt(110) }
    const blocks = ['kept 50!', 'sibling 50', 'kept 99!', 'kept 100!', 'discarded 101!', 'discarded 110!']
    expect(keptOf(end, ...blocks)).toEqual(['kept 50!', 'kept 99!', 'kept 100!'])
  })

  test('is what the parent descends from, where the indexer has just reached the parent and prefers its siblings', () => {
    const isSettled = (height: number) => height <= 90
    const branch = [...branchOf('kept', 70, 100, isSettled), ...branchOf('sibling', 91, 100, always, 90)]
    const end = { branch, tip: tipAt(100) }
    const blocks = ['kept 90!', 'kept 91', 'sibling 91!', 'kept 100', 'sibling 100!', 'sibling 80']
    expect(keptOf(end, ...blocks)).toEqual(['kept 90!', 'kept 91', 'kept 100'])
  })

  test('is what the parent descends from, where the indexer followed another branch from deep below', () => {
    const isCommon = (height: number) => height <= 85
    const end = { branch: branchOf('kept', 70, 100, isCommon), tip: tipAt(120) }
    expect(keptOf(end, 'kept 86', 'other 86!', 'kept 84!', 'other 84')).toEqual(['kept 86', 'kept 84!'])
  })

  test('is what the parent descends from, where the indexer has just followed to the new chain', () => {
    const branch = [...branchOf('kept', 70, 100, always), ...branchOf('sibling', 96, 100, never, 95)]
    const blocks = ['kept 50!', 'sibling 96', 'kept 96!', 'kept 100!', 'sibling 100', 'discarded 101']
    expect(keptOf({ branch, tip: tipAt(101, 'new') }, ...blocks)).toEqual(['kept 50!', 'kept 96!', 'kept 100!'])
  })

  test('is not known below the blocks that were read, where no canonical one is among them', () => {
    const end = { branch: branchOf('kept', 70, 100, never), tip: tipAt(120) }
    expect(keptOf(end, 'kept 70', 'other 70!')).toEqual(['kept 70'])
    expect(() => keptOf(end, 'kept 69!')).toThrow(expect.objectContaining({ fault: 'busy' }))
  })
})

test.each<[string, EndOfOldChain]>([
  ['has no block', { branch: [], tip: null }],
  ['has not reached the parent', { branch: branchOf('kept', 70, 100, always), tip: tipAt(99) }],
  ['holds another block at its height', { branch: branchOf('other', 70, 100, always), tip: tipAt(120) }],
  ['began with the new chain', { branch: [], tip: tipAt(120, 'new') }],
])('an indexer that %s shows nothing of what a hard fork kept', (_what, end) => {
  expect(() => keptChain(parent, end)).toThrow(expect.objectContaining({ fault: 'busy' }))
})
