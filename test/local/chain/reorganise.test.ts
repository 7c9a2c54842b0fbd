import { describe, expect, test } from '@jest/globals'
import { totalCurrency } from '../../../local/chain/ledger/ledger.ts'
import { startSession } from './session.ts'

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
    expect(after.slice(1).map(({ previousStateHash }) => previousStateHash)).toEqual(
      after.slice(0, -1).map(({ stateHash }) => stateHash),
    )
    expect(abandoned.map(({ stateHash }) => chain.isCanonical(stateHash))).toEqual([false, false])
    expect(after.every(({ stateHash }) => chain.isCanonical(stateHash))).toBe(true)
    expect(abandoned.map(({ stateHash }) => chain.frontierBlock(stateHash))).toEqual(abandoned)
    expect(chain.allBlocks()).toEqual([...before, ...after.slice(-3)])
  })

  test('to a fork of equal length keeps the height', () => {
    const { chain, advance } = startSession()
    advance(10_000)
    const [, parent, rival] = chain.bestChain().slice(-3)
    chain.reorganise(1, 0)
    expect(chain.tip()).toMatchObject({ height: rival?.height, previousStateHash: parent?.stateHash })
    expect(chain.tip().stateHash).not.toBe(rival?.stateHash)
    expect(chain.allBlocks()).toContain(rival)
  })

  test('reverts the effects of the replaced blocks and queues their commands again', () => {
    const { chain, pay, account, wallet } = startSession()
    const { publicKey } = wallet('alice')
    const { balance } = account('alice')
    pay({ from: 'alice', to: 'bob', amount: 7n })
    const [queued] = chain.pool()
    chain.produceBlock()
    expect(chain.pool()).toEqual([])
    chain.reorganise(1)
    expect({ pool: chain.pool(publicKey), account: account('alice') }).toMatchObject({
      pool: [queued],
      account: { balance, nonce: 0 },
    })
    chain.produceBlock()
    expect(account('alice')).toMatchObject({ balance: balance - 7n - 10_000_000n, nonce: 1 })
  })

  test('gives each block a slot of its own, preserves the total of the balances, and can be repeated', () => {
    const { chain } = startSession({ historyBlocks: 40 })
    chain.reorganise(3)
    chain.reorganise(5)
    const slots = chain.bestChain().map(({ slot }) => slot)
    expect(slots).toEqual([...new Set(slots)].sort((one, other) => one - other))
    expect(chain.tip().totalCurrency).toBe(totalCurrency(chain.ledger()))
    expect(chain.bestChain()).toHaveLength(42)
  })

  test.each([0, 1.5, 30])('of depth %s is refused', (depth) => {
    const { chain } = startSession({ historyBlocks: 40 })
    const tip = chain.tip()
    expect(() => chain.reorganise(depth)).toThrow(RangeError)
    expect(chain.tip()).toEqual(tip)
  })

  test('may replace every block after the root of the frontier', () => {
    const { chain } = startSession({ historyBlocks: 40 })
    chain.reorganise(29)
    expect(chain.bestChain()).toHaveLength(41)
  })
})

describe('the frontier', () => {
  test('holds the last 30 blocks and drops older ones and their forks', () => {
    const { chain } = startSession({ historyBlocks: 30 })
    const fork = chain.tip()
    chain.reorganise(1)
    const held = () => chain.frontierBlock(fork.stateHash) !== undefined
    const stillHeld: boolean[] = []
    for (let made = 0; made < 29; made++) {
      stillHeld.push(held())
      chain.produceBlock()
    }
    expect(chain.frontier().map(({ height }) => height)).toEqual(Array.from({ length: 30 }, (_, index) => index + 31))
    expect({ first: stillHeld[0], last: held() }).toEqual({ first: true, last: false })
    expect(chain.allBlocks()).toContainEqual(fork)
  })
})
