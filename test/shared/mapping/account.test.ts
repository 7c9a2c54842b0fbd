import { describe, expect, test } from '@jest/globals'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import { type NodeCommand, nodeCommand, pendingCommandFromNode } from '../../../shared/mapping/command.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { accountWire, alice, bob, delegationWire, paymentWire, timedAccountWire } from './node-wire.ts'

const shown = (wire: object, pooled: readonly NodeCommand[] = []) =>
  accountFromNode(nodeAccount.read(wire, 'account'), pooled, 300)
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
    })
  })

  test.each([
    ['0', '0.000000000'],
    ['4999999999', '4.999999999'],
  ])('with a vesting schedule shows its locked balance: %s nanomina is %s MINA', (locked, lockedBalance) => {
    expect(shown(timedAccountWire(locked))).toEqual({
      ...whole,
      balance: { ...whole.balance, lockedBalance },
    })
  })

  test('with a vesting schedule and no locked balance is unreadable', () => {
    expect(() => shown(timedAccountWire(null))).toThrow(WireError)
  })

  test('without a delegate delegates to itself; other fields that are null are absent', () => {
    const wire = { ...accountWire, delegate: null, receiptChainHash: null, votingFor: null }
    const { receiptChainHash: _, votingFor: __, ...rest } = whole
    expect(shown(wire)).toEqual({ ...rest, delegate: alice })
  })
})
