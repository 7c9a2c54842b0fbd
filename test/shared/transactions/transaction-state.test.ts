// The state of a command by what nodes show of it.
import { describe, expect, test } from '@jest/globals'
import type { ShownCommand } from '../../../shared/mapping/command.ts'
import type { CommandInBlock, Recent, RecentBlock } from '../../../shared/transactions/shown-commands.ts'
import type { Terms } from '../../../shared/transactions/terms.ts'
import { type Evidence, transactionState } from '../../../shared/transactions/transaction-state.ts'

const [alice, asked, other] = ['alice', 'asked', 'other']
const memo = 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH'
const content = { to: 'bob', fee: 2n, memo, amount: 5n }
const terms: Terms = { from: alice, nonce: 7, validUntil: 100, content }
const bare: Terms = { from: alice, nonce: 7, validUntil: 100 }

const command = (hash: string, nonce: number, from = alice): CommandInBlock => ({
  hash,
  from,
  nonce,
  failureReason: null,
  command: undefined,
  zkapp: undefined,
})

/** As a node shows a payment: all that its signature covers, changed as named. */
const payment = (hash: string, changes: Partial<ShownCommand> = {}): CommandInBlock => {
  const { to, fee, amount } = content
  const shown = { from: alice, to, fee, amount, memo, nonce: 7, validUntil: 100, kind: 'PAYMENT', ...changes }
  return { ...command(hash, shown.nonce, shown.from), command: shown as ShownCommand }
}

const block = (height: number, commands: readonly CommandInBlock[] = [], slot = height): RecentBlock => ({
  stateHash: `block ${height}`,
  height,
  slot,
  atMs: height,
  commands,
})

const quiet: Recent['blocks'] = [block(48), block(49), block(50)]

/** A node at the greatest height whose ledger has used the nonces below 7. */
const node = (changes: Partial<Evidence> = {}): Evidence => {
  const { blocks = quiet } = changes
  const tip = { stateHash: blocks?.at(-1)?.stateHash ?? '' }
  return { pooled: [], nonce: 7, isAtTip: true, tip, ...changes, blocks: 'blocks' in changes ? changes.blocks : quiet }
}

/** An answer with pools and tip alone. */
const repeat = (stateHash: string, changes: Partial<Evidence> = {}) =>
  node({ blocks: undefined, tip: { stateHash }, ...changes })

const behind = (changes: Parameters<typeof node>[0] = {}) => node({ ...changes, isAtTip: false })
const including = (shown: CommandInBlock): Recent['blocks'] => [block(48), block(49, [shown]), block(50)]
const inBlock49 = (shown: CommandInBlock) => ({ block: block(49, [shown]), shown, depth: 1 })

const [mine, rival, itself] = [command(asked, 7), payment(other, { to: 'carol' }), payment(other)]

/** The states of a command while another one is in a block, and while it waits in a pool. */
const statesBeside = (shown: CommandInBlock, given: Terms) => [
  transactionState(asked, given, [node({ blocks: including(shown), nonce: 8 })]),
  transactionState(asked, given, [node({ pooled: [shown] })]),
]
const leftOpenBy = (shown: CommandInBlock) => [
  { state: 'absent', sending: 'nonce-used', by: shown },
  { state: 'absent', sending: 'unknown', by: shown },
]

describe('the state of a command', () => {
  test.each([
    [
      'included where a block of the best chain has it',
      [node({ blocks: including(mine), nonce: 8 })],
      { state: 'included', ...inBlock49(mine) },
    ],
    [
      'included whatever its terms say, since the hash names it',
      [node({ blocks: including(command(asked, 3, 'bob')) })],
      { state: 'included', ...inBlock49(command(asked, 3, 'bob')) },
    ],
    [
      'included though the pool of another node still holds it',
      [node({ pooled: [mine] }), node({ blocks: including(mine), nonce: 8 })],
      { state: 'included', ...inBlock49(mine) },
    ],
    [
      'replaced where another command with its nonce is in a block',
      [node({ blocks: including(rival), nonce: 8 })],
      { state: 'replaced', ...inBlock49(rival) },
    ],
    [
      'expired from the first block past its last slot on',
      [node({ blocks: [block(48, [], 100), block(49, [], 101), block(50, [], 103)] })],
      { state: 'expired', depth: 1 },
    ],
    [
      'expired where its sender never had an account',
      [node({ blocks: [block(50, [], 101)], nonce: null })],
      { state: 'expired', depth: 0 },
    ],
    [
      'not expired where the ledger is past its nonce, since it may be in an older block',
      [node({ blocks: [block(50, [], 101)], nonce: 8 })],
      { state: 'absent', sending: 'nonce-used' },
    ],
    [
      'not expired in its last slot',
      [node({ blocks: [block(50, [], 100)] })],
      { state: 'absent', sending: 'possible' },
    ],
    [
      'expired though the pool of a node that stands still holds it',
      [node({ blocks: [block(50, [], 101)] }), behind({ pooled: [payment(asked)] })],
      { state: 'expired', depth: 0 },
    ],
    [
      'pending in the pool of a node that lies behind, whatever last slot other terms name',
      [node({ blocks: [block(50, [], 101)] }), behind({ pooled: [payment(asked, { nonce: 8 })] })],
      { state: 'pending', shown: payment(asked, { nonce: 8 }) },
    ],
    [
      'pending at the tip of its last slot',
      [node({ blocks: [block(50, [], 100)] }), behind({ pooled: [payment(asked)] })],
      { state: 'pending', shown: payment(asked) },
    ],
    ['pending where any pool holds it', [node(), behind({ pooled: [mine] })], { state: 'pending', shown: mine }],
    ['absent and possible where nothing stands in its way', [node()], { state: 'absent', sending: 'possible' }],
    [
      'absent behind a rival in a pool',
      [node(), node({ pooled: [rival] })],
      { state: 'absent', sending: 'rival-pending', by: rival },
    ],
    [
      'absent behind nonces that no pool has',
      [node({ nonce: 4, pooled: [command('queued', 5), command('of another', 4, 'bob')] })],
      { state: 'absent', sending: 'waits-for-nonce', missingNonces: [4, 6] },
    ],
    [
      'absent and possible where the pools of several nodes close the gap together',
      [node({ nonce: 5, pooled: [command('first', 5)] }), node({ nonce: 5, pooled: [command('second', 6)] })],
      { state: 'absent', sending: 'possible' },
    ],
    ['absent without an account', [node({ nonce: null })], { state: 'absent', sending: 'no-account' }],
    [
      'absent with its nonce used by an unseen command',
      [node({ nonce: 9 })],
      { state: 'absent', sending: 'nonce-used' },
    ],
    [
      'unknown where only nodes behind a seen height answer, whatever their blocks show',
      [behind({ blocks: including(mine), nonce: 8 })],
      { state: 'absent', sending: 'unknown' },
    ],
    [
      'unknown where two tips of one height disagree',
      [node(), node({ nonce: 8 })],
      { state: 'absent', sending: 'unknown' },
    ],
    [
      'pending before any terms: the hash in sight counts, in the pool of any answer',
      [node({ blocks: including(rival), nonce: 8 }), behind({ pooled: [mine] })],
      { state: 'pending', shown: mine },
    ],
    [
      'included under another hash where all terms are equal',
      [node({ blocks: including(itself), nonce: 8 })],
      { state: 'included', ...inBlock49(itself) },
    ],
    [
      'pending under another hash where all terms are equal',
      [node({ pooled: [itself] })],
      { state: 'pending', shown: itself },
    ],
    [
      'pending under another hash rather than expired',
      [node({ blocks: [block(50, [], 101)], pooled: [itself] })],
      { state: 'pending', shown: itself },
    ],
    [
      'unknown where the same address shows another tip of that height, whose block was not read',
      [node(), repeat('block 50'), repeat('a sibling of block 50')],
      { state: 'absent', sending: 'unknown' },
    ],
    [
      'absent and possible where three answers of one address agree about the tip',
      [node(), repeat('block 50'), repeat('block 50')],
      { state: 'absent', sending: 'possible' },
    ],
    [
      'pending where only a repeated answer of one address shows it',
      [node(), repeat('block 50'), repeat('block 50', { pooled: [mine] })],
      { state: 'pending', shown: mine },
    ],
  ])('is %s', (_state, evidence, expected) => {
    expect(transactionState(asked, terms, evidence)).toEqual(expected)
  })

  const others: readonly [string, CommandInBlock][] = [
    ['another receiver', payment(other, { to: 'carol' })],
    ['another fee', payment(other, { fee: 3n })],
    ['another memo', payment(other, { memo: 'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL' })],
    ['another amount', payment(other, { amount: 6n })],
    ['another kind', payment(other, { kind: 'STAKE_DELEGATION', amount: 0n })],
    ['the fee payer of a zkApp command', command(other, 7)],
  ]
  test.each(others)('is replaced by a command of its nonce with %s, and has a rival in one that waits', (_, shown) => {
    expect(statesBeside(shown, terms)).toEqual([
      { state: 'replaced', ...inBlock49(shown) },
      { state: 'absent', sending: 'rival-pending', by: shown },
    ])
  })

  test.each([itself, rival, command(other, 7)])(
    'is never decided by a command of its nonce where its terms do not say what it does',
    (shown) => {
      expect(statesBeside(shown, bare)).toEqual(leftOpenBy(shown))
    },
  )

  test('is left open by a command that differs in its last slot alone, which does the same', () => {
    const shown = payment(other, { validUntil: 101 })
    expect(statesBeside(shown, terms)).toEqual(leftOpenBy(shown))
  })

  const withoutAmount: Terms = { ...bare, content: { ...content, amount: undefined } }

  test('is left open by a payment that differs in nothing but the amount that its terms do not give', () => {
    expect(statesBeside(itself, withoutAmount)).toEqual(leftOpenBy(itself))
  })

  test('is by terms without an amount a delegation that is equal, and replaced by a payment that differs otherwise', () => {
    const own = payment(other, { kind: 'STAKE_DELEGATION', amount: 0n })
    expect(statesBeside(own, withoutAmount)).toEqual([
      { state: 'included', ...inBlock49(own) },
      { state: 'pending', shown: own },
    ])
    expect(statesBeside(rival, withoutAmount)).toEqual([
      { state: 'replaced', ...inBlock49(rival) },
      { state: 'absent', sending: 'rival-pending', by: rival },
    ])
  })

  test.each([
    ['included', [node({ blocks: including(mine), nonce: undefined })], { state: 'included', ...inBlock49(mine) }],
    ['pending', [node({ pooled: [mine], nonce: undefined })], { state: 'pending', shown: mine }],
    [
      'not found, for want of a nonce to compare',
      [node({ blocks: including(rival), nonce: undefined })],
      { state: 'not-found' },
    ],
  ])('is, without terms, %s', (_state, evidence, expected) => {
    expect(transactionState(asked, undefined, evidence)).toEqual(expected)
  })

  test('names no more than twenty missing nonces of a gap of billions', () => {
    const far = { ...terms, nonce: 4_294_967_295 }
    const missingNonces = Array.from({ length: 20 }, (_, index) => 7 + index)
    expect(transactionState(asked, far, [node()])).toEqual({
      state: 'absent',
      sending: 'waits-for-nonce',
      missingNonces,
    })
  })
})
