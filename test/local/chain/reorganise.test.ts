import { describe, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../../local/chain/block.ts'
import { totalCurrency } from '../../../local/chain/ledger/ledger.ts'
import { startSession } from './session.ts'

const hashesOf = (blocks: readonly ChainBlock[]) => blocks.map(({ stateHash }) => stateHash)

describe('a reorganisation', () => {
  test('replaces the last blocks by a fork that is one longer, and keeps them as not canonical', () => {
    const { chain, advance } = startSession()
    advance(10_000)
    const before = chain.bestChain()
    chain.reorganise(2)
    const after = chain.bestChain()
    const abandoned = before.slice(-2)
    expect(after.slice(0, -3)).toEqual(before.slice(0, -2))
    expect(after.map(({ height }) => height)).toEqual([1, 2, 3, 4, 5])
    expect(after.slice(1).map(({ previousStateHash }) => previousStateHash)).toEqual(hashesOf(after).slice(0, -1))
    expect(hashesOf(abandoned).map(chain.isCanonical)).toEqual([false, false])
    expect(hashesOf(after).every(chain.isCanonical)).toBe(true)
    expect(hashesOf(abandoned).map(chain.frontierBlock)).toEqual(abandoned)
    expect(chain.allBlocks()).toEqual([...before, ...after.slice(-3)])
  })

  test('reverts the effects of the replaced blocks and queues their commands again', () => {
    const { chain, pay, account, wallet } = startSession()
    const { balance } = account('alice')
    pay({ from: 'alice', to: 'bob', amount: 7n })
    const [queued] = chain.pool()
    chain.produceBlock()
    expect(chain.pool()).toEqual([])
    chain.reorganise(1)
    expect([chain.pool(wallet('alice').publicKey), account('alice')]).toMatchObject([[queued], { balance, nonce: 0 }])
    chain.produceBlock()
    expect(account('alice')).toMatchObject({ balance: balance - 7n - 10_000_000n, nonce: 1 })
  })

  test('of any depth gives each block a separate slot and preserves the total of the balances', () => {
    const { chain } = startSession({ historyBlocks: 40 })
    for (const depth of [3, 5, 29]) chain.reorganise(depth)
    const slots = chain.bestChain().map(({ slot }) => slot)
    expect(slots).toEqual([...new Set(slots)].sort((one, other) => one - other))
    expect(chain.tip().totalCurrency).toBe(totalCurrency(chain.ledger()))
    expect(chain.bestChain()).toHaveLength(43)
  })

  test('below the root of the frontier is refused', () => {
    const { chain } = startSession({ historyBlocks: 40 })
    const tip = chain.tip()
    for (const depth of [0, 1.5, 30]) expect(() => chain.reorganise(depth)).toThrow(RangeError)
    expect(chain.tip()).toEqual(tip)
  })
})

test('the frontier holds the last 30 blocks and drops older ones and their forks', () => {
  const { chain } = startSession({ historyBlocks: 30 })
  const fork = chain.tip()
  chain.reorganise(1)
  // The fork branches off at height 29, which is the root under a tip at height 58.
  while (chain.tip().height < 58) chain.produceBlock()
  expect(chain.frontierBlock(fork.stateHash)).toBe(fork)
  chain.produceBlock()
  expect(chain.frontierBlock(fork.stateHash)).toBeUndefined()
  expect(chain.frontier().map(({ height }) => height)).toEqual(Array.from({ length: 30 }, (_, index) => index + 30))
  expect(chain.allBlocks()).toContainEqual(fork)
})
