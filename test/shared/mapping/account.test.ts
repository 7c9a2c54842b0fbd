import { describe, expect, test } from '@jest/globals'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import { type NodeCommand, nodeCommand, pendingCommandFromNode } from '../../../shared/mapping/command.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import {
  accountWire,
  alice,
  bob,
  delegationWire,
  paymentWire,
  timedAccountWire,
  zkappAccountWire,
} from './node-wire.ts'

const shown = (wire: object, pooled: readonly NodeCommand[] = [], zkappNonces: readonly number[] = []) =>
  accountFromNode(nodeAccount.read(wire, 'account'), pooled, zkappNonces, 300)
const payment = nodeCommand.read(paymentWire, 'payment')
const delegation = nodeCommand.read(delegationWire, 'delegation')

const whole = {
  publicKey: alice,
  balance: { total: '10000000.000000001', unknown: '10000000.000000002', lockedBalance: null, blockHeight: 300 },
  nonce: 7,
  receiptChainHash: accountWire.receiptChainHash,
  delegate: bob,
  votingFor: accountWire.votingFor,
  countPendingTransactions: 0,
  firstPendingTransaction: [],
  username: 'Unknown',
  nextNonce: 7,
}

describe('an account from the node', () => {
  test('has every field that a node knows, and no other', () => {
    expect(shown(accountWire)).toEqual(whole)
  })

  test('counts its pooled commands and shows the one with the lowest nonce, whatever their order', () => {
    expect(shown(accountWire, [delegation, payment])).toEqual({
      ...whole,
      countPendingTransactions: 2,
      firstPendingTransaction: [pendingCommandFromNode(payment)],
      nextNonce: 9,
    })
  })

  test.each<[string, number[], number[], object]>([
    ['after the queued commands of both kinds', [7, 9], [8], { nextNonce: 10 }],
    ['in the lowest gap below them', [8, 11], [12], { nextNonce: 7, missingNonces: [7, 9, 10] }],
    ['beside commands whose nonces are used', [5], [6], { nextNonce: 7 }],
    [
      'far below one that a node made up',
      [2 ** 53 - 1],
      [],
      { nextNonce: 7, missingNonces: Array.from({ length: 20 }, (_, index) => index + 7) },
    ],
  ])('has its next nonce %s', (_, nonces, zkappNonces, next) => {
    const pooled = nonces.map((nonce) => ({ ...payment, nonce }))
    const { nextNonce, missingNonces } = shown(accountWire, pooled, zkappNonces)
    expect({ nextNonce, ...(missingNonces && { missingNonces }) }).toEqual(next)
  })

  test.each([
    ['0', '0.000000000'],
    ['4999999999', '4.999999999'],
  ])('with a vesting schedule shows its locked balance: %s nanomina is %s MINA', (locked, lockedBalance) => {
    expect(shown(timedAccountWire(locked))).toEqual({
      ...whole,
      balance: { ...whole.balance, lockedBalance },
      timing: {
        initialMinimumBalance: '5.000000000',
        cliffTime: 100,
        cliffAmount: '0.000000001',
        vestingPeriod: 1,
        vestingIncrement: '0.000000001',
      },
    })
  })

  test('with a vesting schedule of which something is missing is unreadable', () => {
    const { timing, ...timed } = timedAccountWire('1')
    const parts = Object.keys(timing)
    const without = parts.map((part) => ({ ...timed, timing: { ...timing, [part]: null } }))
    for (const wire of [timedAccountWire(null), ...without]) expect(() => shown(wire)).toThrow(WireError)
  })

  test('of a zkApp shows what the zkApp keeps there, without what the node does not know', () => {
    const { zkappState: state, zkappUri: uri, verificationKey, provedState } = zkappAccountWire
    expect(shown(zkappAccountWire)).toEqual({
      ...whole,
      zkapp: { state, uri, provedState, verificationKeyHash: verificationKey.hash },
    })
    const bare = { ...zkappAccountWire, zkappUri: null, provedState: null, verificationKey: null }
    expect(shown(bare)).toEqual({ ...whole, zkapp: { state } })
    expect(() => shown({ ...zkappAccountWire, zkappState: [] })).toThrow('zkappState: no elements')
    expect(() => shown({ ...zkappAccountWire, zkappState: ['0x1'] })).toThrow('zkappState[0]: wanted the digits')
  })

  test('whose node gives null for a field lacks that field: no delegate is not the account itself', () => {
    const wire = { ...accountWire, delegate: null, receiptChainHash: null, votingFor: null }
    const { delegate: _, receiptChainHash: __, votingFor: ___, ...rest } = whole
    expect(shown(wire)).toEqual(rest)
  })
})
