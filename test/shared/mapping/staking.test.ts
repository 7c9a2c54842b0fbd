import { describe, expect, test } from '@jest/globals'
import { WireError } from '../../../shared/errors.ts'
import { stakesInLedger, stakingView } from '../../../shared/mapping/staking.ts'
import { stakesRow, stakesWire } from './indexer-wire.ts'
import { alice, bob } from './node-wire.ts'

const ledger = 'jx-staking'
const view = (wire: object) => stakingView(stakesInLedger.data.read(wire, 'stakes'), ledger, alice, 'chain')
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
    const delegators = Array.from({ length: 1000 }, (_, index) => stakesRow(`B62${index}`, index, alice, ledger))
    expect(view({ any, own, delegators }).totalBalance).toBe('83482371.134848365')
    expect(view({ any, own, delegators }).delegators).toHaveLength(1000)
  })

  test('a key that is not in the ledger has no record, and a total all the same', () => {
    expect(view({ ...stakesWire(ledger), own: [] })).toMatchObject({ account: [], totalBalance: '83482371.134848365' })
    expect(view({ any: [{ ledgerHash: ledger }], own: [], delegators: [] })).toEqual({
      account: [],
      delegators: [],
      totalBalance: '0.000000000',
    })
  })

  test.each([
    ['a ledger that is not ingested', { any: [], own: [], delegators: [] }],
    ['rows of another ledger', stakesWire('jx-other')],
    [
      'the record of another key',
      { ...stakesWire(ledger), own: stakesWire(ledger).own.map((row) => ({ ...row, public_key: bob })) },
    ],
    ['delegators of another key', { ...stakesWire(ledger), delegators: [stakesRow(bob, 1, bob, ledger)] }],
    [
      'a thousand delegators and no total',
      {
        ...stakesWire(ledger),
        own: [],
        delegators: Array.from({ length: 1000 }, () => stakesRow(bob, 1, alice, ledger)),
      },
    ],
  ])('%s says nothing', (_what, wire) => {
    expect(() => view(wire)).toThrow(WireError)
  })

  test('an answer is worth keeping by its rows, and not at all before the ledger is ingested, nor for another question', () => {
    const rows = (wire: object, ledgerHash = ledger, publicKey = alice) =>
      stakesInLedger.rowsToKeep?.(stakesInLedger.data.read(wire, 'stakes'), { ledgerHash, publicKey })
    expect(rows(stakesWire(ledger))).toBe(4)
    expect(rows({ any: [], own: [], delegators: [] })).toBe(0)
    expect([rows(stakesWire(ledger), 'another'), rows(stakesWire(ledger), ledger, bob)]).toEqual([0, 0])
  })
})
