import { describe, expect, test } from '@jest/globals'
import { startSession } from './session.ts'

const mina = 1_000_000_000n
const toBob = { from: 'alice', to: 'bob' }

describe('a block', () => {
  test('holds the queued command, moves its amount, charges its fee and takes it out of the pool', () => {
    const { pay, chain, account } = startSession()
    const before = { alice: account('alice'), bob: account('bob') }
    pay({ ...toBob, amount: 3n * mina, fee: mina / 10n })
    const [queued] = chain.pool()
    expect(chain.produceBlock().userCommands).toContainEqual({ command: queued, failureReason: null })
    expect(account('alice')).toEqual({
      ...before.alice,
      balance: before.alice.balance - 3n * mina - mina / 10n,
      nonce: 1,
      receiptChainHash: expect.not.stringMatching(before.alice.receiptChainHash),
    })
    expect(account('bob')).toEqual({ ...before.bob, balance: before.bob.balance + 3n * mina })
    expect(chain.pool()).toEqual([])
  })

  test('has the commands with the highest fees first, but those of one account by nonce', () => {
    const { pay, chain, wallet } = startSession()
    pay({ ...toBob, nonce: 0, fee: 10_000_000n })
    pay({ ...toBob, nonce: 1, fee: 900_000_000n })
    pay({ from: 'bob', to: 'alice', nonce: 0, fee: 20_000_000n })
    const [alice, bob] = [wallet('alice').publicKey, wallet('bob').publicKey]
    const order = chain.produceBlock().userCommands.map(({ command: { from, nonce } }) => [from, nonce])
    expect(order.slice(0, 3)).toEqual([
      [bob, 0],
      [alice, 0],
      [alice, 1],
    ])
  })

  test('drops a command that has expired, with those after it', () => {
    const { pay, chain, advance, account } = startSession()
    pay({ ...toBob, nonce: 0, validUntil: chain.currentSlot() })
    pay({ ...toBob, nonce: 1 })
    advance(10_000)
    chain.produceBlock()
    expect({ pool: chain.pool(), nonce: account('alice').nonce }).toEqual({ pool: [], nonce: 0 })
  })
})
