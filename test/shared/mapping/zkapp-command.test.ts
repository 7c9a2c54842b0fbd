// A zkApp command as nodes and indexers send it, and as the contract shows it.
import { describe, expect, test } from '@jest/globals'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { printExactJson } from '../../../shared/mapping/exact-json.ts'
import { bareZkappFromIndexer, indexerZkapp } from '../../../shared/mapping/indexer-zkapp.ts'
import { bareZkappFromNode, nodeZkappCommand, zkappCommandFromNode } from '../../../shared/mapping/zkapp-command.ts'
import { alice, bob, stateHash, token, zkappUpdate, zkappWire } from './node-wire.ts'

const otherToken = 'xBxjFpJkbWpbGua7Lf36S1NLhffFoEChyP3pz6SYKnx7dFCTwg'
const enclosing = { blockHeight: 2, blockStateHash: stateHash, dateTime: '2021-03-17T00:03:00.000Z' }

const withUpdates = (...accountUpdates: readonly object[]) => ({
  ...zkappWire,
  zkappCommand: { ...zkappWire.zkappCommand, accountUpdates },
})

const shown = (wire: object) => zkappCommandFromNode(nodeZkappCommand.read(wire, 'zkapp'), enclosing).command
const listed = (...updates: readonly object[]) => {
  const { balanceChanges, tokenChanges } = shown(withUpdates(...updates))
  return { balanceChanges, tokenChanges }
}
const changes = (...updates: readonly object[]) => listed(...updates).balanceChanges
const cutIn = (...updates: readonly object[]) =>
  bareZkappFromNode(nodeZkappCommand.read(withUpdates(...updates), 'zkapp')).cutFields

const mina = (publicKey: string, amount: number | bigint) => ({ publicKey, tokenId: token, amount })
const other = (publicKey: string, amount: string) => ({ publicKey, tokenId: otherToken, amount })

describe('a zkApp command from a node', () => {
  test('has its payer, its fee beside what it moves, and what each account gains or loses', () => {
    expect(shown(zkappWire)).toEqual({
      ...enclosing,
      balanceChanges: [mina(alice, -2_000_000_000), mina(bob, 2_000_000_000)],
      fee: 100_000_000,
      feePayer: { publicKey: alice },
      hash: '5JumadnVhmf7w7h8Jy3bQ2yLkv4eYDAMCwq1eWpjj5d4hAssv88g',
      kind: 'ZKAPP',
      memo: 'E4Z6SU8DEmNRnD5vn9WFTVx8fjUtQAKxX8XFZaDg9prFcG8FZs1EG',
      nonce: 77,
      status: 'applied',
      tokenChanges: [],
    })
  })

  test.each<[string, object]>([
    ['tells why', { status: 'failed', failureReason: 'Update_not_permitted_balance, Cancelled' }],
    ['changes no balance', { balanceChanges: [], tokenChanges: [] }],
  ])('that failed %s', (_name, expected) => {
    const failureReason = [
      { failures: ['Update_not_permitted_balance'] },
      { failures: ['Cancelled', 'Update_not_permitted_balance'] },
      null,
    ]
    expect(shown({ ...zkappWire, failureReason })).toMatchObject(expected)
  })

  test('that was applied has no reason of failure', () => {
    expect(shown({ ...zkappWire, failureReason: null })).not.toHaveProperty('failureReason')
    expect(shown({ ...zkappWire, failureReason: [null, { failures: [] }] })).not.toHaveProperty('failureReason')
  })

  test('without an update changes no balance', () => {
    expect(changes()).toEqual([])
  })

  test('that names a key three times shows one sum, at the place of the first', () => {
    const named = [zkappUpdate(bob, '5'), zkappUpdate(alice, '-1'), zkappUpdate(bob, '-7'), zkappUpdate(bob, '12')]
    expect(changes(...named)).toEqual([mina(bob, 10), mina(alice, -1)])
  })

  test('lists another token apart from MINA, with all digits and the sign of the largest sums as text', () => {
    const largest = '18446744073709551615'
    const ofToken = (publicKey: string, amount: string) => zkappUpdate(publicKey, amount, { tokenId: otherToken })
    const named = [ofToken(bob, largest), zkappUpdate(bob, '5'), ofToken(alice, `-${largest}`), zkappUpdate(bob, '-1')]
    expect(listed(...named, ofToken(bob, '1'), ofToken(stateHash, '3'), ofToken(stateHash, '-3'))).toEqual({
      balanceChanges: [mina(bob, 4)],
      tokenChanges: [other(bob, '18446744073709551616'), other(alice, `-${largest}`)],
    })
    expect(cutIn(...named)).toEqual([])
  })

  test('leaves out a sum of MINA that its numbers cannot hold, and names the list', () => {
    const [most, least] = [2n ** 63n - 1n, -(2n ** 63n)]
    const within = [zkappUpdate(alice, String(least)), zkappUpdate(bob, String(most))]
    expect([changes(...within), cutIn(...within)]).toEqual([[mina(alice, least), mina(bob, most)], []])
    for (const beyond of [
      [zkappUpdate(alice, String(least)), zkappUpdate(alice, '-1')],
      [zkappUpdate(alice, String(most)), zkappUpdate(alice, '1')],
    ]) {
      expect([changes(...beyond, zkappUpdate(bob, '7')), cutIn(...beyond)]).toEqual([
        [mina(bob, 7)],
        ['balanceChanges'],
      ])
    }
  })

  test('shows an account whose changes cancel out only if the fee for it may come off them', () => {
    const fee = { implicitAccountCreationFee: true }
    const cancelled = [zkappUpdate(alice, '-4'), zkappUpdate(alice, '4'), zkappUpdate(bob, '0', fee)]
    expect(changes(...cancelled)).toEqual([{ ...mina(bob, 0), ...fee }])
    expect(changes(zkappUpdate(bob, '5', fee), zkappUpdate(bob, '-5'))).toEqual([{ ...mina(bob, 0), ...fee }])
  })

  test('shows every digit of a sum beyond 2^53, in both directions', () => {
    const most = '9007199254740991'
    const sums = [
      zkappUpdate(alice, `-${most}`),
      zkappUpdate(alice, '-2'),
      zkappUpdate(bob, most),
      zkappUpdate(bob, '2'),
    ]
    expect(printExactJson(changes(...sums).map(({ amount }) => amount))).toBe('[-9007199254740993,9007199254740993]')
  })

  test.each(['', 'positive', 'Zero', '+', null, -1, true])('with the sign %j is refused', (sgn) => {
    const odd = zkappUpdate(bob, '5')
    const wire = { body: { ...odd.body, balanceChange: { magnitude: '5', sgn } } }
    expect(() => changes(wire)).toThrow('zkapp.zkappCommand.accountUpdates[0].body.balanceChange.sgn: wanted')
  })

  test.each(['-5', '5.0', '', 'x', null, 0.5])('with the magnitude %j is refused', (magnitude) => {
    const odd = zkappUpdate(bob, '5')
    const wire = { body: { ...odd.body, balanceChange: { magnitude, sgn: 'Positive' } } }
    expect(() => changes(wire)).toThrow('balanceChange.magnitude: wanted')
  })

  test('is asked for without its proofs', () => {
    expect(nodeZkappCommand.selection).toBe(
      '{failureReason{failures} hash zkappCommand{accountUpdates{body{balanceChange{magnitude sgn} implicitAccountCreationFee publicKey tokenId}} feePayer{body{fee nonce publicKey}} memo}}',
    )
  })
})

describe('a zkApp command from an indexer', () => {
  const update = (public_key: string, balance_change: unknown, tokenId = token) => ({
    balance_change,
    public_key,
    token: tokenId,
  })
  const wire = {
    failureReason: null,
    fee: 100_000_000,
    hash: zkappWire.hash,
    isApplied: true,
    kind: 'ZKAPP',
    memo: 'Test ZKApp to Receiver',
    nonce: 77,
    sender: alice,
    zkapp: { accounts_updated: [update(alice, -2_000_000_000), update(bob, 2_000_000_000)] },
  }
  const { blockHeight: _, blockStateHash: __, dateTime: ___, status: ____, ...fromNode } = shown(zkappWire)
  const read = (sent: object) => bareZkappFromIndexer(indexerZkapp.read({ ...wire, ...sent }, 'zkapp')).command

  test('is the one that a node has', () => {
    expect(read({})).toEqual(fromNode)
  })

  test('is the same from the dialect with memos in base58check and amounts as text', () => {
    expect(read({ memo: memoFromText(wire.memo), fee: '100000000' })).toEqual(fromNode)
  })

  test('that failed changes no balance, though the indexer lists what it declared', () => {
    const failed = { isApplied: false, failureReason: 'Cancelled' }
    expect(read(failed)).toEqual({ ...fromNode, balanceChanges: [], tokenChanges: [] })
  })

  test('shows every digit of a sum beyond 2^53, in both directions', () => {
    const accounts_updated = [
      update(alice, -9007199254740993n),
      update(bob, '9007199254740993'),
      update(bob, -1),
      update(bob, '-18446744073709551615', otherToken),
    ]
    expect(read({ zkapp: { accounts_updated } })).toMatchObject({
      balanceChanges: [mina(alice, -9007199254740993n), mina(bob, 9007199254740992n)],
      tokenChanges: [other(bob, '-18446744073709551615')],
    })
  })

  test.each([[[-1]], 0.5, Number.NaN, '--1', '-', '', '1e3', null, 2 ** 53, -(2 ** 53)])(
    'with a change of %p is refused',
    (change) => {
      expect(() => read({ zkapp: { accounts_updated: [update(bob, change)] } })).toThrow('wanted an integer')
    },
  )

  test.each<[string, object, string]>([
    ['a failure without a reason', { isApplied: false }, 'does not fit the question, or itself'],
    ['a reason without a failure', { failureReason: 'Cancelled' }, 'does not fit the question, or itself'],
    ['no list of updates', { zkapp: null }, 'wanted an object'],
  ])('with %s is refused', (_name, sent, why) => {
    expect(() => read(sent)).toThrow(why)
  })
})
