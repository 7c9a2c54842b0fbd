import { describe, expect, test } from '@jest/globals'
import { memoFromText } from '../../../shared/mapping/memo.ts'
import { alice } from '../mapping/node-wire.ts'
import {
  accepted,
  badNonce,
  found,
  held,
  late,
  notSent,
  nowhere,
  poolError,
  refusedBy,
  run,
  sent,
  usedNonceSentence,
} from './broadcast-run.ts'

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
    ['Insufficient_replace_fee', 'replace-fee-too-low', false],
    ['Expired', 'expired', false],
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

  test.each([
    ['Overloaded', 'pool-overloaded'],
    ['Insufficient_funds', 'insufficient-funds'],
  ])('%s is told after another node had time to pass the command on', async (name, code) => {
    const { answer, pauses } = await run({ sendPayment: [poolError(name)], findCommand: [nowhere] })
    expect(answer).toEqual(notSent('refused', code, true))
    expect(pauses).toEqual([1000, 2000])
  })

  test('is unknown when a rival was seen, and a look before it went unanswered', async () => {
    const rival = found([{ ...held, amount: '1' }])
    const { answer } = await run({ sendPayment: [poolError('Overloaded')], findCommand: [nowhere, late, rival] })
    expect(answer).toEqual(notSent('unknown', 'pool-overloaded', true))
  })

  test('while another command with the nonce waits is told after the nodes had time to agree', async () => {
    const other = { ...held, amount: '1' }
    const waiting = { sendPayment: [poolError('Insufficient_funds')], findCommand: [found([other])] }
    expect(await run(waiting)).toEqual({
      answer: notSent('refused', 'insufficient-funds', true),
      asked: ['sendPayment', 'findCommand', 'findCommand', 'findCommand'],
      pauses: [1000, 2000],
    })
    const settled = await run({ ...waiting, findCommand: [found([other]), found([held])] })
    expect(settled.answer).toEqual(sent('already-known'))
  })

  test('that nobody could check at first is checked again', async () => {
    const { answer } = await run({ sendPayment: [poolError('Insufficient_funds')], findCommand: [late, nowhere] })
    expect(answer).toEqual(notSent('refused', 'insufficient-funds', true))
  })

  test('of an unknown sender whom the ledger knows was no answer: the node had no ledger', async () => {
    const unknownSender = refusedBy(
      "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a transaction in transaction pool.",
    )
    const known = await run({ sendPayment: [unknownSender, accepted], findCommand: [nowhere] })
    expect(known.answer).toEqual(sent('accepted'))
    const noAccount = { data: { ...nowhere.data, account: null } }
    const absent = await run({ sendPayment: [unknownSender], findCommand: [noAccount] })
    expect(absent.answer).toEqual(notSent('refused', 'sender-unknown', true))
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
