import { describe, expect, test } from '@jest/globals'
import type { CommandPayload } from '../../../../local/chain/command.ts'
import { createCommand, neverExpires } from '../../../../local/chain/command.ts'
import type { Account, Timing } from '../../../../local/chain/ledger/ledger.ts'
import {
  applyCommand,
  hashLedger,
  liquidBalance,
  minimumBalance,
  newAccount,
  totalCurrency,
} from '../../../../local/chain/ledger/ledger.ts'
import { createSigner } from '../../../../local/chain/signer.ts'

const signer = createSigner('testnet')
const [alice = '', bob = '', newcomer = ''] = ['alice', 'bob', 'newcomer'].map(
  (name) => signer.keyPair('t', name).publicKey,
)
const timing: Timing = {
  initialMinimumBalance: 1_000n,
  cliffTime: 10,
  cliffAmount: 300n,
  vestingPeriod: 4,
  vestingIncrement: 100n,
}

describe('the locked part of a balance', () => {
  test('is the whole amount until the cliff, then falls by the cliff amount and by an increment per period', () => {
    const account: Account = { ...newAccount(alice, 5_000n), timing }
    const at = [0, 9, 10, 13, 14, 17, 18, 37, 38, 1_000].map((slot) => minimumBalance(account, slot))
    expect(at).toEqual([1_000n, 1_000n, 700n, 700n, 600n, 600n, 500n, 100n, 0n, 0n])
  })

  test('is 0 after the cliff without a vesting period', () => {
    const account: Account = { ...newAccount(alice, 5_000n), timing: { ...timing, vestingPeriod: 0 } }
    expect([9, 10].map((slot) => minimumBalance(account, slot))).toEqual([1_000n, 0n])
  })

  test('may exceed the balance, and then the liquid balance is 0', () => {
    const account: Account = { ...newAccount(alice, 400n), timing }
    expect([minimumBalance(account, 0), liquidBalance(account, 0)]).toEqual([1_000n, 0n])
  })

  test('is 0 without a time lock', () => {
    expect(minimumBalance(newAccount(alice, 5n), 0)).toBe(0n)
  })
})

describe('a command in a block', () => {
  const mina = 1_000_000_000n
  const apply = (change: Partial<CommandPayload>, sender: Account = newAccount(alice, 10n * mina)) => {
    const payload = { kind: 'PAYMENT' as const, from: alice, to: bob, amount: mina, fee: 5n, nonce: 0, memo: '' }
    const command = createCommand({ ...payload, validUntil: neverExpires, ...change }, () => ({
      field: '1',
      scalar: '1',
    }))
    const ledger = new Map([sender, newAccount(bob, 3n)].map((account) => [account.publicKey, account]))
    const failure = applyCommand(ledger, command, 0)
    const balances = [alice, bob, newcomer].map((key) => ledger.get(key)?.balance)
    return { failure, balances, nonce: ledger.get(alice)?.nonce, delegate: ledger.get(alice)?.delegate, ledger }
  }

  test('moves the amount, charges the fee and raises the nonce', () => {
    const { failure, balances, nonce, delegate } = apply({})
    expect({ failure, balances, nonce, delegate }).toEqual({
      failure: null,
      balances: [9n * mina - 5n, mina + 3n, undefined],
      nonce: 1,
      delegate: alice,
    })
  })

  test('creates an account and deducts the creation fee', () => {
    expect(apply({ to: newcomer, amount: mina }).balances).toEqual([9n * mina - 5n, 3n, 0n])
  })

  test.each([
    ['Amount_insufficient_to_create_account', { to: newcomer, amount: mina - 1n }],
    ['Source_insufficient_balance', { amount: 10n * mina }],
    ['Receiver_not_present', { kind: 'STAKE_DELEGATION' as const, to: newcomer, amount: 0n }],
  ])('that fails with %s still pays its fee and uses its nonce', (reason, change) => {
    const { failure, balances, nonce, delegate } = apply(change)
    expect({ failure, balances, nonce, delegate }).toEqual({
      failure: reason,
      balances: [10n * mina - 5n, 3n, undefined],
      nonce: 1,
      delegate: alice,
    })
  })

  test('that would spend locked money fails', () => {
    const locked: Account = { ...newAccount(alice, 2_000n), timing }
    expect(apply({ amount: 996n }, locked).failure).toBe('Source_minimum_balance_violation')
    expect(apply({ amount: 995n }, locked).failure).toBeNull()
  })

  test('that delegates changes the delegate and moves nothing but the fee', () => {
    const { failure, balances, delegate } = apply({ kind: 'STAKE_DELEGATION', amount: 0n })
    expect({ failure, balances, delegate }).toEqual({
      failure: null,
      balances: [10n * mina - 5n, 3n, undefined],
      delegate: bob,
    })
  })

  test.each([{ nonce: 1 }, { fee: 10n * mina + 1n }])('with %o is not included and changes nothing', (change) => {
    const { failure, balances, nonce } = apply(change)
    expect({ failure, balances, nonce }).toEqual({
      failure: undefined,
      balances: [10n * mina, 3n, undefined],
      nonce: 0,
    })
  })

  test('to oneself costs the fee only', () => {
    expect(apply({ to: alice }).balances).toEqual([10n * mina - 5n, 3n, undefined])
  })

  test('changes the receipt chain', () => {
    expect(apply({}).ledger.get(alice)?.receiptChainHash).not.toBe(newAccount(alice, 0n).receiptChainHash)
  })
})

test('a ledger hash depends on the accounts, not on their order', () => {
  const one = newAccount(alice, 1n)
  const other = newAccount(bob, 2n)
  const hash = (...accounts: Account[]) => hashLedger(new Map(accounts.map((account) => [account.publicKey, account])))
  expect(hash(one, other)).toBe(hash(other, one))
  expect(hash(one, other)).not.toBe(hash(one, { ...other, balance: 3n }))
})

test('total currency is the sum of the balances, exact above 2^53', () => {
  const accounts = [newAccount(alice, 2n ** 60n), newAccount(bob, 1n)]
  expect(totalCurrency(new Map(accounts.map((account) => [account.publicKey, account])))).toBe(2n ** 60n + 1n)
})
