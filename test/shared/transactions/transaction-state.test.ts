// The state of a command by what nodes show of it.
import { describe, expect, test } from '@jest/globals'
import type { Recent, RecentBlock, Shown } from '../../../shared/chain/actions/recent-commands.ts'
import { type Evidence, type Terms, transactionState } from '../../../shared/transactions/transaction-state.ts'

const [alice, asked, other] = ['alice', 'asked', 'other']
const terms: Terms = { from: alice, nonce: 7, validUntil: 100 }

const command = (hash: string, nonce: number, from = alice): Shown => ({
  hash,
  from,
  nonce,
  failureReason: null,
  command: undefined,
})

const block = (height: number, commands: readonly Shown[] = [], slot = height): RecentBlock => ({
  stateHash: `block ${height}`,
  height,
  slot,
  atMs: height,
  commands,
})

const quiet: Recent['blocks'] = [block(48), block(49), block(50)]

/** A node at the greatest height whose ledger has used the nonces below 7. */
const node = (changes: Partial<Recent> & Partial<Evidence> = {}): Evidence => {
  const { blocks = quiet, pooled = [], ...evidence } = changes
  return { recent: { blocks, pooled }, nonce: 7, isAtTip: true, ...evidence }
}

const behind = (changes: Parameters<typeof node>[0] = {}) => node({ ...changes, isAtTip: false })
const including = (shown: Shown): Recent['blocks'] => [block(48), block(49, [shown]), block(50)]
const inBlock49 = (shown: Shown) => ({ block: block(49, [shown]), shown, depth: 1 })

const [mine, rival] = [command(asked, 7), command(other, 7)]

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
    ['pending where any pool holds it', [node(), behind({ pooled: [mine] })], { state: 'pending', shown: mine }],
    ['absent and possible where nothing stands in its way', [node()], { state: 'absent', sending: 'possible' }],
    [
      'absent behind a rival in a pool',
      [node(), node({ pooled: [rival] })],
      { state: 'absent', sending: 'rival-pending', by: other },
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
  ])('is %s', (_state, evidence, expected) => {
    expect(transactionState(asked, terms, evidence)).toEqual(expected)
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
