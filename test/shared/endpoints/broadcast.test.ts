import { describe, expect, test } from '@jest/globals'
import type { Ask, Reply } from '../../../shared/endpoint.ts'
import { broadcastDelegation } from '../../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { WireError } from '../../../shared/errors.ts'
import { memoFromText } from '../../../shared/mapping/memo.ts'
import { alice, bob, delegationWire, paymentWire } from '../mapping/node-wire.ts'
import { failing, listening, scripted } from './asking.ts'

const memo = ' ä'
const payload = { to: bob, from: alice, fee: '1000000', nonce: '7', memo, validUntil: '4294967295' }
const signature = { field: '11', scalar: '22' }
const body = { publicKey: alice, signature, payload: { ...payload, amount: '10000000000000001' } }
const inputOf = (sent: unknown) => broadcastTransaction.input({ path: {}, query: {}, body: sent })
const payment = inputOf(body)
const held = { ...paymentWire, memo: memoFromText(memo) }
const hash = held.hash

const accepted = { data: { sendPayment: { payment: held } } }
const refusedBy = (words: string) => ({ data: null, errors: [words] })
const badNonce = (inferred: number, ledger: number) =>
  refusedBy(
    `Couldn't send user command: Error creating user command: {} Error: Input nonce 7 either different from inferred nonce ${inferred} or below minimum_nonce ${ledger}`,
  )
const poolError = (name: string) => refusedBy(`Couldn't send user command: ["${name}"]`)

const found = (pool: readonly object[], included: readonly object[] = [], nonce = '7') => ({
  data: {
    pooledUserCommands: pool,
    bestChain: [{ transactions: { userCommands: [] } }, { transactions: { userCommands: included } }],
    account: { nonce },
  },
})
const nowhere = found([])

const late = new WireError('timeout', 'too late')
const cut = new WireError('unreachable', 'reset')

interface Run {
  readonly sendPayment: readonly (Partial<Reply> | Error)[]
  readonly findCommand?: readonly (Partial<Reply> | Error)[]
  /** Milliseconds left at each look at the clock. */
  readonly timeLeftMs?: () => number
}

async function run({ sendPayment, findCommand = [], timeLeftMs }: Run) {
  const { ask, asked } = listening(scripted({ sendPayment, findCommand }))
  const pauses: number[] = []
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  const port: Ask = Object.assign(ask, { pause, ...(timeLeftMs && { timeLeftMs }) })
  const answer = await broadcastTransaction.run(payment, port)
  return { answer, asked: asked.map(({ operation }) => operation), pauses }
}

const sent = (outcome: 'accepted' | 'already-known') => ({
  status: 201,
  body: { message: 'Transaction broadcast sucessfully', result: { payment: held } },
  maxAgeSeconds: 0,
  headers: { 'x-broadcast-outcome': outcome, 'x-transaction-hash': hash },
})

const notSent = (outcome: 'refused' | 'unknown', code: string, retriable: boolean, more: object = {}) => ({
  status: 400,
  body: { message: 'Error in sending transaction', error: expect.any(String) },
  maxAgeSeconds: 0,
  headers: {
    'x-broadcast-outcome': outcome,
    'x-broadcast-code': code,
    'x-broadcast-retriable': String(retriable),
    ...more,
  },
  note: expect.any(String),
})

const unknownSentence =
  'The outcome is unknown: the command may have been accepted. Sending the same signed command again is safe.'
const usedNonceSentence =
  'The outcome is unknown: this nonce is used, by this command or by another. Look the command up before signing a new one.'

describe('a clean success', () => {
  test('is 201 with what the node holds, after exactly one call with every value as it came', async () => {
    const { ask, asked } = listening(scripted({ sendPayment: [accepted] }))
    expect(await broadcastTransaction.run(payment, ask)).toEqual(sent('accepted'))
    expect(asked).toEqual([
      {
        operation: 'sendPayment',
        variables: { ...payload, ...signature, amount: '10000000000000001', rawSignature: null },
      },
    ])
  })

  test('of a delegation is the same without an amount', async () => {
    const { ask, asked } = listening(
      scripted({ sendDelegation: [{ data: { sendDelegation: { delegation: delegationWire } } }] }),
    )
    const delegation = broadcastDelegation.input({
      path: {},
      query: {},
      body: { publicKey: alice, signature, payload },
    })
    expect(await broadcastDelegation.run(delegation, ask)).toEqual({
      status: 201,
      body: { message: 'Delegation broadcast sucessfully', result: { delegation: delegationWire } },
      maxAgeSeconds: 0,
      headers: { 'x-broadcast-outcome': 'accepted', 'x-transaction-hash': hash },
    })
    expect(asked).toEqual([
      { operation: 'sendDelegation', variables: { ...payload, ...signature, rawSignature: null } },
    ])
  })
})

describe('a refusal', () => {
  test.each([
    [
      'Invalid_signature',
      "Couldn't send user command: Error creating user command: {} Error: Invalid_signature",
      'invalid-signature',
    ],
    ['a memo too long', 'Invalid `memo` provided.', 'memo-too-long'],
    [
      'malformed',
      'Argument `input` of type `SendPaymentInput!` expected on field `sendPayment`, found {}.',
      'invalid-request',
    ],
  ])('that nothing can change (%s) is told at once', async (_what, words, code) => {
    const { answer, asked } = await run({ sendPayment: [refusedBy(words)] })
    expect(answer).toEqual(notSent('refused', code, false))
    expect(asked).toEqual(['sendPayment'])
  })

  test.each([
    ['Insufficient_funds', 'insufficient-funds', true],
    ['Insufficient_replace_fee', 'replace-fee-too-low', false],
    ['Expired', 'expired', false],
    ['Overloaded', 'pool-overloaded', true],
    ['After_slot_tx_end', 'other', false],
  ])('%s is told once the command is seen nowhere', async (name, code, retriable) => {
    const { answer, asked } = await run({ sendPayment: [poolError(name)], findCommand: [nowhere] })
    expect(answer).toEqual(notSent('refused', code, retriable))
    expect(asked).toEqual(['sendPayment', 'findCommand'])
  })

  test('has the contract’s text: code, mutation and the words of the node', async () => {
    const { answer } = await run({ sendPayment: [poolError('Insufficient_funds')], findCommand: [nowhere] })
    expect(answer.body).toEqual({
      message: 'Error in sending transaction',
      error:
        'Query failed to run by returning code of 200. mutation sendPayment($from: PublicKey!, $to: PublicKey!, ' +
        '$fee: UInt64!, $memo: String, $nonce: UInt32, $validUntil: UInt32, $field: String, $scalar: String, ' +
        '$rawSignature: String, $amount: UInt64!) {sendPayment(input: {from: $from, to: $to, fee: $fee, memo: $memo, ' +
        'nonce: $nonce, validUntil: $validUntil, amount: $amount}, signature: {field: $field, scalar: $scalar, ' +
        'rawSignature: $rawSignature}){payment{amount fee feePayer{publicKey token} feeToken from fromAccount{publicKey ' +
        'token} hash id isDelegation kind memo nonce receiver{publicKey token} source{publicKey token} to token ' +
        'toAccount{publicKey token}}}} | ' +
        JSON.stringify([{ message: 'Couldn\'t send user command: ["Insufficient_funds"]' }]),
    })
  })

  test('of a command that waits in the pool is no failure: it is there', async () => {
    const { answer } = await run({ sendPayment: [poolError('Duplicate')], findCommand: [found([held])] })
    expect(answer).toEqual(sent('already-known'))
  })

  test('of a command that a recent block holds is no failure either', async () => {
    const { answer } = await run({ sendPayment: [badNonce(8, 8)], findCommand: [found([], [held], '8')] })
    expect(answer).toEqual(sent('already-known'))
  })

  test('of a nonce that the ledger is past, the command being nowhere, is unknown: it may be in an older block', async () => {
    const { answer } = await run({ sendPayment: [badNonce(12, 9)], findCommand: [found([], [], '9')] })
    expect(answer).toEqual(notSent('unknown', 'bad-nonce', false, { 'x-expected-nonce': '12' }))
    expect(answer.body).toMatchObject({ error: expect.stringContaining(usedNonceSentence) })
  })

  test('of a nonce too high is told after another node had time to pass the command on', async () => {
    const { answer, asked, pauses } = await run({ sendPayment: [badNonce(5, 5)], findCommand: [found([], [], '5')] })
    expect(answer).toEqual(notSent('refused', 'bad-nonce', true, { 'x-expected-nonce': '5' }))
    expect(asked).toEqual(['sendPayment', 'findCommand', 'findCommand', 'findCommand'])
    expect(pauses).toEqual([1000, 2000])
  })

  test('that one node’s gossip explains is none', async () => {
    const { answer } = await run({ sendPayment: [badNonce(5, 5)], findCommand: [nowhere, nowhere, found([held])] })
    expect(answer).toEqual(sent('already-known'))
  })

  test('that cannot be checked is unknown', async () => {
    const { answer } = await run({ sendPayment: [poolError('Insufficient_funds')], findCommand: [late] })
    expect(answer).toEqual(notSent('unknown', 'insufficient-funds', true))
  })

  test('of something that is nearly the command counts: every signed field is compared', async () => {
    const others = [
      { ...held, amount: '1' },
      { ...held, fee: '1' },
      { ...held, to: alice },
      { ...held, nonce: 8 },
      { ...held, memo: memoFromText('ä') },
      { ...held, kind: 'STAKE_DELEGATION' },
    ]
    const { answer } = await run({
      sendPayment: [poolError('Insufficient_replace_fee')],
      findCommand: [found(others, others)],
    })
    expect(answer).toEqual(notSent('refused', 'replace-fee-too-low', false))
  })
})

describe('a lost answer', () => {
  const losses: readonly [string, Partial<Reply> | Error][] = [
    ['a time-out', late],
    ['a reset', cut],
    ['HTML', { status: 200 }],
    ['a 502', { status: 502 }],
    ['data: null', { data: null }],
    ['a command without its hash', { data: { sendPayment: { payment: { ...held, hash: null } } } }],
    ['a command of the wrong type', { data: { sendPayment: { payment: 'ok' } } }],
    ['words nobody foresaw', { data: null, errors: ['Raised at file src/lib, at 10.0.0.1'] }],
    [
      'another command beside errors',
      { data: { sendPayment: { payment: { ...held, amount: '1' } } }, errors: ['odd'] },
    ],
  ]

  test.each(losses)('(%s) is 201 when the command is in the pool', async (_what, loss) => {
    const { answer, asked } = await run({ sendPayment: [loss], findCommand: [found([held])] })
    expect(answer).toEqual(sent('already-known'))
    expect(asked).toEqual(['sendPayment', 'findCommand'])
  })

  test.each(losses)('(%s) sends the same command once more when it is nowhere', async (_what, loss) => {
    const { answer, asked } = await run({ sendPayment: [loss, accepted], findCommand: [nowhere] })
    expect(answer).toEqual(sent('accepted'))
    expect(asked).toEqual(['sendPayment', 'findCommand', 'sendPayment'])
  })

  test.each(losses)('(%s) twice is unknown, and says that sending again is safe', async (_what, loss) => {
    const { answer, asked } = await run({ sendPayment: [loss], findCommand: [nowhere] })
    expect(answer).toMatchObject({
      status: 400,
      headers: { 'x-broadcast-outcome': 'unknown', 'x-broadcast-retriable': 'true' },
    })
    expect(answer.body).toMatchObject({ error: expect.stringContaining(unknownSentence) })
    expect(JSON.stringify(answer.body)).not.toContain('10.0.0.1')
    expect(asked).toEqual(['sendPayment', 'findCommand', 'sendPayment', 'findCommand', 'findCommand', 'findCommand'])
  })

  test('with the very command beside errors is a success', async () => {
    const { answer } = await run({ sendPayment: [{ ...accepted, errors: ['something else went wrong'] }] })
    expect(answer).toEqual(sent('accepted'))
  })

  test('is found after the resend was refused as known', async () => {
    const { answer } = await run({ sendPayment: [late, poolError('Duplicate')], findCommand: [nowhere, found([held])] })
    expect(answer).toEqual(sent('already-known'))
  })

  test('is unknown when the resend is refused for a reason that can change', async () => {
    const { answer } = await run({ sendPayment: [late, poolError('Insufficient_funds')], findCommand: [nowhere] })
    expect(answer).toEqual(notSent('unknown', 'insufficient-funds', true))
  })

  test('is refused when the resend is refused for a reason that cannot', async () => {
    const { answer } = await run({ sendPayment: [late, refusedBy('Invalid `memo` provided.')], findCommand: [nowhere] })
    expect(answer).toEqual(notSent('refused', 'memo-too-long', false))
  })

  test('of a nonce that is used by now is not sent again', async () => {
    const { answer, asked } = await run({ sendPayment: [late], findCommand: [found([], [], '8')] })
    expect(answer).toEqual(notSent('unknown', 'timeout', false))
    expect(answer.body).toMatchObject({ error: expect.stringContaining(usedNonceSentence) })
    expect(asked).toEqual(['sendPayment', 'findCommand'])
  })

  test('is sent again when nobody could look', async () => {
    const { answer } = await run({ sendPayment: [late, accepted], findCommand: [late] })
    expect(answer).toEqual(sent('accepted'))
  })
})

describe('the deadline', () => {
  test('lets no call start that cannot finish', async () => {
    const { answer, asked } = await run({ sendPayment: [late], timeLeftMs: () => 900 })
    expect(answer).toEqual(notSent('unknown', 'timeout', true))
    expect(asked).toEqual(['sendPayment'])
  })

  test('leaves out what there is no time for', async () => {
    const left = [5000, 900]
    const { asked } = await run({ sendPayment: [late], findCommand: [nowhere], timeLeftMs: () => left.shift() ?? 900 })
    expect(asked).toEqual(['sendPayment', 'findCommand'])
  })
})

test('a fault of our own is not hidden', async () => {
  await expect(broadcastTransaction.run(payment, failing(new TypeError('bug')))).rejects.toThrow(TypeError)
})
