// Which blocks of an indexer's old chain a hard fork kept.
import { describe, expect, test } from '@jest/globals'
import { type ForkParent, keptBranch, keptBranchIn } from '../../../shared/indexer/before-fork.ts'
import { keptChain } from '../../../shared/indexer/judge.ts'
import { replying } from '../endpoints/asking.ts'

const parent: ForkParent = { stateHash: 'kept 100', height: 100, genesisStateHash: 'new' }

/** Blocks of a branch, each on the one below; `forkHeight` is the last that it has in common with the kept one. */
function blocksOf(name: string, from: number, to: number, forkHeight = 0) {
  const nameAt = (height: number) => `${height <= forkHeight ? 'kept' : name} ${height}`
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const blockHeight = from + index
    const protocolState = { previousStateHash: nameAt(blockHeight - 1) }
    return { blockHeight, protocolState, stateHash: nameAt(blockHeight) }
  })
}

const tipAt = (blockHeight: number, genesisStateHash = 'old') => ({ blockHeight, genesisStateHash })
const branch = keptBranchIn(parent, {
  blocks: [...blocksOf('kept', 70, 100), ...blocksOf('sibling', 91, 100, 90)],
  tip: tipAt(120),
})

/** The kept ones of these blocks, `name height`, with a `!` where the indexer calls them canonical; or the fault. */
function keptOf(tip: ReturnType<typeof tipAt> | null, lowest: string | undefined, ...blocks: readonly string[]) {
  const proof = lowest === undefined ? [] : [{ blockHeight: 70, canonical: true, stateHash: lowest }]
  const chain = keptChain(branch, { proof, tip })
  const isKept = (block: string) => {
    const stateHash = block.replace('!', '')
    return chain.isKept({ stateHash, blockHeight: Number(stateHash.split(' ')[1]), canonical: block.endsWith('!') })
  }
  try {
    return blocks.filter(isKept)
  } catch (error) {
    return error
  }
}

const busy = expect.objectContaining({ fault: 'busy' })

describe('what a hard fork kept', () => {
  test('is what the parent descends from, and below that what an indexer of the kept chain calls canonical', () => {
    const blocks = ['kept 50!', 'sibling 50', 'kept 70', 'sibling 91!', 'kept 99', 'kept 100', 'discarded 101!']
    const expected = ['kept 50!', 'kept 70', 'kept 99', 'kept 100']
    expect(keptOf(tipAt(100), 'kept 70', ...blocks)).toEqual(expected)
    expect(keptOf(tipAt(101, 'new'), 'kept 70', ...blocks)).toEqual(expected)
  })

  test.each<[string, Parameters<typeof tipAt> | undefined, string | undefined]>([
    ['has no block', undefined, undefined],
    ['has not reached the parent', [99], 'kept 70'],
    ['follows another chain', [120], 'other 70'],
    ['began with the new chain', [120, 'new'], undefined],
  ])('is told by its hash alone in the document of an indexer that %s', (_what, tip, lowest) => {
    const shown = tip === undefined ? null : tipAt(...tip)
    expect(keptOf(shown, lowest, 'kept 70', 'kept 100')).toEqual(['kept 70', 'kept 100'])
    for (const block of ['kept 69!', 'other 69', 'sibling 91', 'discarded 101']) {
      expect([block, keptOf(shown, lowest, block)]).toEqual([block, busy])
    }
  })
})

test.each<[string, Parameters<typeof keptBranchIn>[1]]>([
  ['has no block', { blocks: [], tip: null }],
  ['has not reached the parent', { blocks: blocksOf('kept', 70, 99), tip: tipAt(99) }],
  ['holds another block at its height', { blocks: blocksOf('other', 70, 100), tip: tipAt(120) }],
  [
    'lacks one of the blocks below it',
    { blocks: [...blocksOf('kept', 70, 89), ...blocksOf('kept', 91, 100)], tip: tipAt(120) },
  ],
  ['began with the new chain', { blocks: [], tip: tipAt(120, 'new') }],
])('an indexer that %s shows nothing of what a hard fork kept', (_what, answer) => {
  expect(() => keptBranchIn(parent, answer)).toThrow(busy)
})

test('an indexer that began shortly before the fork shows what was kept from its first block on, and is not remembered', async () => {
  const late = { blocks: blocksOf('kept', 98, 100), tip: tipAt(120, 'new') }
  const chain = replying({})
  const { branches } = chain.kept
  const over = (data: object) => ({ chain, indexer: { ask: async () => ({ data: data as never }) } })
  const ofLate = await keptBranch(over(late), parent)
  expect([ofLate.lowest, [...ofLate.stateHashes.values()]]).toEqual([98, ['kept 100', 'kept 99', 'kept 98']])
  expect(branches.size).toBe(0)
  const whole = { blocks: blocksOf('kept', 70, 100), tip: tipAt(120) }
  expect((await keptBranch(over(whole), parent)).lowest).toBe(70)
  expect((await keptBranch(over(late), parent)).lowest).toBe(70)
})
