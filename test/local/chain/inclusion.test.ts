import { describe, expect, test } from '@jest/globals'
import { startSession } from './session.ts'

const mina = 1_000_000_000n

describe('a queued command', () => {
  test('is in the next block, moves the amount, costs the fee and leaves the pool', () => {
    const { pay, chain, account } = startSession()
    const before = { alice: account('alice'), bob: account('bob') }
    pay({ from: 'alice', to: 'bob', amount: 3n * mina, fee: mina / 10n })
    const [queued] = chain.pool()
    const block = chain.produceBlock()
    expect(block.userCommands).toContainEqual({ command: queued, failureReason: null })
    expect(account('alice')).toEqual({
      ...before.alice,
      balance: before.alice.balance - 3n * mina - mina / 10n,
      nonce: 1,
      receiptChainHash: expect.not.stringMatching(before.alice.receiptChainHash),
    })
    expect(account('bob')).toEqual({ ...before.bob, balance: before.bob.balance + 3n * mina })
    expect(chain.pool()).toEqual([])
  })

  test('that delegates changes the delegate', () => {
    const { delegate, chain, account, wallet } = startSession()
    delegate({ from: 'alice', to: 'bob' })
    const block = chain.produceBlock()
    expect(block.userCommands[0]).toMatchObject({
      command: { kind: 'STAKE_DELEGATION', amount: 0n },
      failureReason: null,
    })
    expect(account('alice').delegate).toBe(wallet('bob').publicKey)
  })

  test('takes its place by fee, but those of one account by nonce', () => {
    const { pay, chain, wallet } = startSession()
    pay({ from: 'alice', to: 'bob', nonce: 0, fee: 10_000_000n })
    pay({ from: 'alice', to: 'bob', nonce: 1, fee: 900_000_000n })
    pay({ from: 'bob', to: 'alice', nonce: 0, fee: 20_000_000n })
    const names = new Map(chain.wallets.map(({ publicKey, name }) => [publicKey, name]))
    const order = chain.produceBlock().userCommands.flatMap(({ command }) => {
      const name = names.get(command.from)
      return name === undefined ? [] : [`${name} ${command.nonce}`]
    })
    expect(order).toEqual(['bob 0', 'alice 0', 'alice 1'])
    expect(chain.account(wallet('alice').publicKey)?.nonce).toBe(2)
  })

  test('that has expired by the next block is dropped with those after it', () => {
    const { pay, chain, advance, account } = startSession()
    pay({ from: 'alice', to: 'bob', nonce: 0, validUntil: chain.currentSlot() })
    pay({ from: 'alice', to: 'bob', nonce: 1 })
    advance(10_000)
    chain.produceBlock()
    expect({ pool: chain.pool(), nonce: account('alice').nonce }).toEqual({ pool: [], nonce: 0 })
  })

  test('creates the account of a new receiver, less the creation fee', () => {
    const { pay, chain } = startSession()
    const { publicKey } = startSession({ seed: 'elsewhere' }).wallet('alice')
    pay({ from: 'alice', to: publicKey, amount: 2n * mina })
    chain.produceBlock()
    expect(chain.account(publicKey)).toMatchObject({ balance: mina, nonce: 0, delegate: publicKey })
  })
})
