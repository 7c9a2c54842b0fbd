import { describe, expect, test } from '@jest/globals'
import { stakesInLedger, stakingView } from '../../../shared/indexer/staking.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { alice, bob } from '../mapping/node-wire.ts'
import { stakesRow, stakesWire } from './indexer-wire.ts'

const ledger = 'jx-staking'
const read = (wire: object) => stakesInLedger.data.read(wire, 'stakes', { ledgerHash: ledger, publicKey: alice })
const view = (wire: object) => stakingView(read(wire), ledger, 'chain')
const rowsToKeep = (wire: object) => stakesInLedger.rowsToKeep?.(read(wire))
const thousandRows = Array.from({ length: 1000 }, (_, index) => stakesRow(`B62${index}`, index, alice, ledger))
const record = (publicKey: string, balance: string) => ({
  pk: publicKey,
  balance,
  delegate: alice,
  token: 1,
  receipt_chain_hash: '2n2K1aziimdYu5QCf8mU4gducZCB5u5s78sGnp56zT2tig4ugVHD',
  voting_for: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
  nonce: 3,
  epoch: 4,
  chainId: 'chain',
  public_key: publicKey,
})

const whole = stakesWire(ledger)
const halfIngested: readonly (readonly [string, object])[] = [
  ['one delegator without the own row', { ...whole, own: [], delegators: whole.delegators.slice(0, 1) }],
  [
    'an own row that delegates to itself and is not among the delegators',
    {
      ...whole,
      delegators: whole.delegators.filter(({ public_key }) => public_key !== alice),
    },
  ],
  ['a total beside no delegators', { ...whole, delegators: [] }],
  [
    'a total that is not the sum of its delegators',
    {
      ...whole,
      delegators: whole.delegators.map((row) => (row.public_key === bob ? { ...row, balanceNanomina: 1 } : row)),
    },
  ],
  [
    'a total below the sum of the thousand delegators listed',
    {
      ...whole,
      own: whole.own.map((row) => ({ ...row, delegationTotals: { totalDelegatedNanomina: 1 } })),
      delegators: thousandRows,
    },
  ],
  [
    'an own row that delegates elsewhere and is among the delegators',
    {
      ...whole,
      own: whole.own.map((row) => ({ ...row, delegate: bob })),
    },
  ],
]

describe('what a staking ledger says of a key', () => {
  test('own record, delegators from the largest balance down, itself included, and the total of all', () => {
    expect(view(stakesWire(ledger))).toEqual({
      account: [record(alice, '0.000000005')],
      delegators: [record(bob, '83482371.134848360'), record(alice, '0.000000005')],
      totalBalance: '83482371.134848365',
    })
  })

  test('the total counts delegators that the list leaves out', () => {
    const { any, own } = stakesWire(ledger)
    expect(view({ any, own, delegators: thousandRows }).totalBalance).toBe('83482371.134848365')
    expect(view({ any, own, delegators: thousandRows }).delegators).toHaveLength(1000)
  })

  test('a key that is not in the ledger has no record and no delegators', () => {
    expect(view({ any: [{ ledgerHash: ledger }], own: [], delegators: [] })).toEqual({
      account: [],
      delegators: [],
      totalBalance: '0.000000000',
    })
  })

  test.each([
    ['a ledger that is not ingested', { any: [], own: [], delegators: [] }],
    ['rows of another ledger', stakesWire('jx-other')],
    ['the record of another key', { ...whole, own: whole.own.map((row) => ({ ...row, public_key: bob })) }],
    ['delegators of another key', { ...whole, delegators: [stakesRow(bob, 1, bob, ledger)] }],
    ['a thousand delegators and no own row', { ...whole, own: [], delegators: thousandRows }],
  ])('%s is no answer', (_what, wire) => {
    expect(() => view(wire)).toThrow(WireError)
  })

  test.each(halfIngested)('%s is half a ledger: missing, and not kept', (_what, wire) => {
    expect(() => view(wire)).toThrow(
      new WireError('mismatched', 'ledger jx-staking: own row, delegators and total disagree'),
    )
    expect(rowsToKeep(wire)).toBe(0)
  })

  test('an answer is worth keeping by its rows, and not at all without the own row, which shows that the ledger is whole', () => {
    expect(rowsToKeep(whole)).toBe(4)
    expect(rowsToKeep({ any: [], own: [], delegators: [] })).toBe(0)
    expect(rowsToKeep({ ...whole, own: [], delegators: [] })).toBe(0)
  })
})
