import { expect, test } from '@jest/globals'
import {
  broadcastResultFromNode,
  includedCommand,
  listedCommand,
  nodeCommand,
  pendingCommandFromNode,
  queuedCommand,
  shownCommand,
  shownInPool,
  userCommandFromNode,
} from '../../../shared/mapping/command.ts'
import { alice, bob, delegationWire, paymentWire, token } from './node-wire.ts'

const payment = nodeCommand.read(paymentWire, 'payment')
const delegation = nodeCommand.read(delegationWire, 'delegation')

/** The payment as it stands in a block, less the fields of its block. */
const pending = {
  amount: 10000000000000001n,
  fee: 1000000,
  feePayer: { publicKey: alice, token: 1 },
  feeToken: 1,
  from: alice,
  fromAccount: { publicKey: alice, token: 1 },
  hash: '5JuV1y4fvY9RUnhDgfhFKDLzFzSD2ZEZYzCvoY7D3Vp2SWkBqBWz',
  id: 'Av1AQg8AzTU6Z2mG',
  isDelegation: false,
  kind: 'PAYMENT',
  memo: paymentWire.memo,
  nonce: 7,
  receiver: { publicKey: bob },
  source: { publicKey: alice },
  to: bob,
  toAccount: { publicKey: bob, token: 1 },
  token: 1,
}

test('a broadcast result has the node’s values: amounts as text, token ids, a number only for the nonce', () => {
  expect(broadcastResultFromNode(payment)).toEqual(paymentWire)
  expect(broadcastResultFromNode(delegation)).toEqual(delegationWire)
})

test('a command in a block has exact numbers, also above 2^53, and 1 for the MINA token', () => {
  const block = { blockHeight: 2, blockStateHash: '3N', dateTime: '2021-03-17T00:03:00.000Z' }
  const included = (wire: object) => userCommandFromNode(includedCommand.read(wire, 'command'), block)
  expect(included({ ...paymentWire, failureReason: null })).toEqual({ ...block, ...pending, status: 'applied' })
  expect(included({ ...delegationWire, failureReason: null })).toEqual({
    ...block,
    ...pending,
    amount: 0,
    isDelegation: true,
    kind: 'STAKE_DELEGATION',
    nonce: 8,
    status: 'applied',
  })
})

test('a failed command says so, and why; the reason is asked of commands in a block only', () => {
  const block = { blockHeight: 2, blockStateHash: '3N', dateTime: '2021-03-17T00:03:00.000Z' }
  const failed = includedCommand.read({ ...paymentWire, failureReason: 'Receiver_not_present' }, 'command')
  expect(userCommandFromNode(failed, block)).toEqual({
    ...block,
    ...pending,
    status: 'failed',
    failureReason: 'Receiver_not_present',
  })
  expect(nodeCommand.selection).not.toContain('failureReason')
})

test('a pending command has the fields of an included one less those of its block, also with the token id of before Berkeley', () => {
  const old = JSON.parse(JSON.stringify(paymentWire).replaceAll(token, '1'))
  expect(pendingCommandFromNode(nodeCommand.read(old, 'payment'))).toEqual(pending)
})

test('two accounts of a command are asked for in a block and a pool, and all five of a broadcast', () => {
  const asked = (selection: string) => selection.match(/\w+\{[^}]*\}/g)
  const all = ['feePayer', 'fromAccount', 'receiver', 'source', 'toAccount']
  expect(asked(nodeCommand.selection)).toEqual(all.map((account) => `${account}{publicKey token}`))
  for (const listed of [listedCommand, includedCommand, shownCommand]) {
    expect(asked(listed.selection)).toEqual(['receiver{publicKey}', 'source{publicKey}'])
  }
  for (const listed of [queuedCommand, shownInPool]) {
    expect(asked(listed.selection)).toEqual(['receiver{publicKey}', 'source{nonce publicKey}'])
  }
})

const other = { publicKey: 'B62other', token }
const mismatch = expect.objectContaining({ name: 'WireError', fault: 'mismatched' })

test.each([
  { isDelegation: true },
  { kind: 'STAKE_DELEGATION' },
  { from: 'B62other' },
  { to: 'B62other' },
  { from: bob, to: alice },
  { source: other },
  { receiver: other },
  { feeToken: 'wXqQBn' },
  { token: 'wXqQBn' },
])('a command of a block or a pool that contradicts itself by %j is a mismatch', (contradiction) => {
  const wire = { ...paymentWire, failureReason: null, validUntil: '7', ...contradiction }
  for (const type of [listedCommand, includedCommand, shownCommand]) {
    expect(() => type.read(wire, 'command')).toThrow(mismatch)
  }
})

test.each([
  { isDelegation: true },
  { kind: 'STAKE_DELEGATION' },
  { source: other },
  { feePayer: other },
  { fromAccount: other },
  { receiver: other },
  { toAccount: other },
  { feeToken: 'wXqQBn' },
  { token: 'wXqQBn' },
  { source: { publicKey: paymentWire.from, token: 'wXqQBn' } },
])('a broadcast command that contradicts itself by %j is a mismatch', (contradiction) => {
  expect(() => nodeCommand.read({ ...paymentWire, ...contradiction }, 'payment')).toThrow(mismatch)
})
