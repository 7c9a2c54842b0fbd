// An indexer lists a command with the text of its memo and without its last slot: what that proves about the terms.
import { expect, test } from '@jest/globals'
import { encodeBase58Check } from '../../../shared/mapping/base58check.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import type { IndexedCommand } from '../../../shared/mapping/indexer-command.ts'
import { matchOfIndexed, type Terms } from '../../../shared/transactions/terms.ts'

const content = { to: 'bob', fee: 2n, memo: memoFromText('rent'), amount: 5n }
const terms: Terms = { from: 'alice', nonce: 7, validUntil: 100, content }

const payment = {
  amount: 5n,
  fee: 2n,
  kind: 'PAYMENT',
  memo: 'rent',
  receiver_account: { publicKey: 'bob' },
  to: 'bob',
}
const listed = (changes: object = {}) => ({ command: { ...payment, ...changes } }) as IndexedCommand

test.each([
  ['same', 'all that it tells is equal', {}],
  ['same', 'its receiver stands in one of its two places', { receiver_account: null }],
  ['another', 'its receiver is another', { receiver_account: { publicKey: 'carol' }, to: 'carol' }],
  ['another', 'its fee is another', { fee: 3n }],
  ['another', 'its amount is another', { amount: 6n }],
  ['another', 'its kind is another', { kind: 'STAKE_DELEGATION' }],
  ['another', 'its amount and its kind are others', { kind: 'STAKE_DELEGATION', amount: 0n }],
  ['unproven', 'its memo alone is another text', { memo: 'ren' }],
  ['another', 'its memo and its fee are others', { memo: 'ren', fee: 3n }],
  ['unproven', 'it names no receiver', { receiver_account: null, to: null }],
  ['unproven', 'its memo lost bytes that are not text', { memo: 'ren\uFFFD' }],
  ['unproven', 'its memo holds a control character', { memo: 'rent\u0000' }],
  ['unproven', 'its memo may have lost a blank at its end', { memo: 'rent ' }],
  ['unproven', 'its memo is longer than a memo can be', { memo: 'x'.repeat(33) }],
])('a listed command is %s where %s', (match, _where, changes) => {
  expect(matchOfIndexed(terms, listed(changes))).toBe(match)
})

test.each([
  ['same', 'a delegation that is equal', { kind: 'STAKE_DELEGATION', amount: 0n }],
  ['unproven', 'a payment that is equal but for its amount', {}],
  ['unproven', 'a payment whose memo differs too', { memo: 'ren' }],
  ['another', 'a payment to another receiver', { receiver_account: null, to: 'carol' }],
])('by terms without an amount it is %s: %s', (match, _what, changes) => {
  const asked = { ...terms, content: { ...content, amount: undefined } }
  expect(matchOfIndexed(asked, listed(changes))).toBe(match)
})

const memoOf = (tag: number, bytes: readonly number[]) =>
  encodeBase58Check(Uint8Array.from([0x14, tag, bytes.length, ...bytes, ...Array(32 - bytes.length).fill(0)]))

test.each([
  ['is a digest', memoOf(0, Array(32).fill(7)), '\u0007'.repeat(32)],
  ['has bytes that are not text', memoOf(1, [0xff, 0xfe]), '\uFFFD\uFFFD'],
  ['ends with a zero', memoOf(1, [0x72, 0]), 'r'],
])('a memo that %s is not compared with a text', (_what, memo, text) => {
  const asked = { ...terms, content: { ...content, memo } }
  expect(['', text, 'rent'].map((shown) => matchOfIndexed(asked, listed({ memo: shown })))).toEqual(
    Array(3).fill('unproven'),
  )
})

test('a zkApp command is another one, and without further terms nothing is proven', () => {
  const { content: _, ...bare } = terms
  expect([
    matchOfIndexed(terms, { command: { kind: 'ZKAPP' } } as IndexedCommand),
    matchOfIndexed(bare, listed()),
    matchOfIndexed(bare, { command: { kind: 'ZKAPP' } } as IndexedCommand),
  ]).toEqual(['another', 'unproven', 'unproven'])
})

test('a memo that the indexer shows in base58check is compared with the memo itself', () => {
  const memo = memoOf(0, Array(32).fill(7))
  const asked = { ...terms, content: { ...content, memo } }
  expect([memo, memoOf(1, [0x72])].map((shown) => matchOfIndexed(asked, listed({ memo: shown })))).toEqual([
    'same',
    'unproven',
  ])
})
