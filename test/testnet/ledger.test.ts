import { describe, expect, test } from '@jest/globals'
import Client from 'mina-signer'
import {
  type CommandPayload,
  createCommand,
  encodeMemo,
  hashOfId,
  neverExpires,
} from '../../packages/testnet/command.ts'
import {
  type Account,
  applyCommand,
  hashLedger,
  liquidBalance,
  minimumBalance,
  newAccount,
  type Timing,
} from '../../packages/testnet/ledger/ledger.ts'
import { createSigner } from '../../packages/testnet/signer.ts'

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
  const locked = (change: Partial<Timing> = {}, balance = 5_000n): Account => ({
    ...newAccount(alice, balance),
    timing: { ...timing, ...change },
  })

  test('is the whole amount until the cliff, then falls by the cliff amount and by an increment per period', () => {
    const at = [0, 9, 10, 13, 14, 17, 18, 37, 38, 1_000].map((slot) => minimumBalance(locked(), slot))
    expect(at).toEqual([1_000n, 1_000n, 700n, 700n, 600n, 600n, 500n, 100n, 0n, 0n])
  })

  test('is 0 after the cliff without a vesting period, and always 0 without a time lock', () => {
    expect([9, 10].map((slot) => minimumBalance(locked({ vestingPeriod: 0 }), slot))).toEqual([1_000n, 0n])
    expect(minimumBalance(newAccount(alice, 5n), 0)).toBe(0n)
    // More may be locked than there is.
    expect(liquidBalance(locked({}, 400n), 0)).toBe(0n)
  })
})

describe('a command in a block', () => {
  const mina = 1_000_000_000n
  const apply = (change: Partial<CommandPayload>, sender: Account = newAccount(alice, 10n * mina)) => {
    const payload = { kind: 'PAYMENT' as const, from: alice, to: bob, amount: mina, fee: 5n, nonce: 0, memo: '' }
    const signature = { field: '1', scalar: '1' }
    const command = createCommand({ ...payload, validUntil: neverExpires, ...change }, () => signature)
    const ledger = new Map([sender, newAccount(bob, 3n)].map((account) => [account.publicKey, account]))
    const before = ledger.get(alice)
    const failure = applyCommand(ledger, command, 0)
    const after = ledger.get(alice)
    return {
      failure,
      balances: [alice, bob, newcomer].map((key) => ledger.get(key)?.balance),
      nonce: after?.nonce,
      delegate: after?.delegate,
      changesReceiptChain: after?.receiptChainHash !== before?.receiptChainHash,
    }
  }
  const included = { failure: null, nonce: 1, delegate: alice, changesReceiptChain: true }
  const feeOnly = [10n * mina - 5n, 3n, undefined]
  const delegation = { kind: 'STAKE_DELEGATION' as const, amount: 0n }

  // replay.test.ts has amounts, new accounts, and amounts too small for one.
  test.each<[string, Partial<CommandPayload>, object]>([
    ['to oneself costs the fee only', { to: alice }, { balances: feeOnly }],
    ['that delegates changes the delegate and costs the fee', delegation, { balances: feeOnly, delegate: bob }],
    [
      'above the balance costs the fee',
      { amount: 10n * mina },
      { failure: 'Source_insufficient_balance', balances: feeOnly },
    ],
    [
      'that delegates to a key without account costs the fee',
      { ...delegation, to: newcomer },
      { failure: 'Receiver_not_present', balances: feeOnly },
    ],
  ])('%s', (_, change, expected) => {
    expect(apply(change)).toEqual({ ...included, ...expected })
  })

  test('that would spend locked money fails', () => {
    const locked: Account = { ...newAccount(alice, 2_000n), timing }
    expect(apply({ amount: 996n }, locked).failure).toBe('Source_minimum_balance_violation')
    expect(apply({ amount: 995n }, locked).failure).toBeNull()
  })

  test.each([{ nonce: 1 }, { fee: 10n * mina + 1n }])('with %o is not included and changes nothing', (change) => {
    const balances = [10n * mina, 3n, undefined]
    expect(apply(change)).toEqual({
      failure: undefined,
      balances,
      nonce: 0,
      delegate: alice,
      changesReceiptChain: false,
    })
  })
})

test('a ledger hash depends on the accounts, not on their order', () => {
  const [one, other] = [newAccount(alice, 1n), newAccount(bob, 2n)]
  const hash = (...accounts: Account[]) => hashLedger(new Map(accounts.map((account) => [account.publicKey, account])))
  expect(hash(one, other)).toBe(hash(other, one))
  expect(hash(one, other)).not.toBe(hash(one, { ...other, balance: 3n }))
})

const { publicKey: from, privateKey } = signer.keyPair('test', 'sender')
const { publicKey: to } = signer.keyPair('test', 'receiver')
const client = new Client({ network: 'testnet' })
const dummy = { field: '1', scalar: '1' }
const limits = { fee: 1_000_000n, validUntil: neverExpires }
const payment: CommandPayload = { kind: 'PAYMENT', from, to, amount: 1n, nonce: 0, memo: '', ...limits }

describe('the hash of a command', () => {
  // Each value is at a boundary of the variable-length integers of the serialised form.
  test.each([
    {},
    { amount: 127n, fee: 128n, nonce: 127 },
    { amount: 32_767n, fee: 32_768n, nonce: 128 },
    { amount: 2n ** 31n - 1n, fee: 2n ** 31n, nonce: 32_768, validUntil: 100_000 },
    { amount: 2n ** 63n - 1n, fee: 2n ** 63n, nonce: 2 ** 31, validUntil: 0 },
    { amount: 2n ** 64n - 1n, fee: 2n ** 64n - 1n, nonce: 2 ** 32 - 1, memo: 'ein Gruß an alle' },
  ])('equals that of mina-signer for a payment with %o', (change) => {
    const payload = { ...payment, ...change }
    const data = { ...payload, amount: String(payload.amount), fee: String(payload.fee) }
    const expected = client.hashPayment({ data, publicKey: from, signature: dummy }, { berkeley: true })
    expect(createCommand(payload, () => dummy).hash).toBe(expected)
  })

  test('can be computed from the id, which also holds the signature', () => {
    const command = createCommand(payment, () => signer.sign(payment, privateKey))
    const other = createCommand(payment, () => ({ field: '5', scalar: '6' }))
    expect([hashOfId(command.id), other.hash]).toEqual([command.hash, command.hash])
    expect(other.id).not.toBe(command.id)
  })
})

test('a memo is printed as a node prints it, up to 32 bytes, not 32 characters', () => {
  expect([encodeMemo(''), encodeMemo('Payment Transfer')]).toEqual([
    'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
    'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL',
  ])
  expect(encodeMemo('ü'.repeat(16))).toHaveLength(53)
  expect(() => encodeMemo('ü'.repeat(17))).toThrow(RangeError)
})
