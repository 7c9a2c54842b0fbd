import { describe, expect, test } from '@jest/globals'
import { memoFromText } from '../../../shared/mapping/command.ts'
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
  ])('that cannot change (%s) is told at once', async (_what, words, code) => {
    const { answer, asked } = await run({ sendPayment: [refusedBy(words)] })
    expect(answer).toEqual(notSent('refused', code, false))
    expect(asked).toEqual(['sendPayment'])
  })

  test('of too low a fee, which is the same everywhere, is told once the command is seen nowhere', async () => {
    const tooLow = refusedBy('Invalid user command. Fee 0.0001 is less than the minimum fee, 0.001.')
    const { answer, asked } = await run({ sendPayment: [tooLow], findCommand: [nowhere] })
    expect(answer).toEqual(notSent('refused', 'fee-too-low', false))
    expect(asked).toEqual(['sendPayment', 'findCommand'])
    const { answer: known } = await run({ sendPayment: [tooLow], findCommand: [found([held])] })
    expect(known).toEqual(sent('already-known'))
  })

  test('whose words quote a huge input is told with their beginning', async () => {
    const words = `Argument \`input\` of type \`SendPaymentInput!\` expected on field \`sendPayment\`, found {${'x'.repeat(10_000)}}.`
    const { answer } = await run({ sendPayment: [refusedBy(words)] })
    const { error } = answer.body as { error: string }
    expect(error.length).toBeLessThan(5000)
    expect(error).toContain(words.slice(0, 4000))
  })

  test('in thousands of messages is told with the first ten', async () => {
    const { errors } = poolError('Expired')
    const many = { data: null, errors: Array.from({ length: 10_000 }, () => errors[0] ?? '') }
    const { answer } = await run({ sendPayment: [many], findCommand: [nowhere] })
    const { error } = answer.body as { error: string }
    expect(error.match(/Expired/g)).toHaveLength(10)
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

  test('of a command that waits in the pool is a 201: the node holds it', async () => {
    const { answer } = await run({ sendPayment: [poolError('Duplicate')], findCommand: [found([held])] })
    expect(answer).toEqual(sent('already-known'))
  })

  test('of a command that a recent block holds is a 201 too', async () => {
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
    ['Overloaded', 'pool-overloaded', true],
    ['Insufficient_funds', 'insufficient-funds', true],
    ['Insufficient_replace_fee', 'replace-fee-too-low', false],
    ['Expired', 'expired', false],
    ['After_slot_tx_end', 'other', false],
  ])('%s is told after another node had time to pass the command or its block on', async (name, code, retriable) => {
    const { answer, pauses } = await run({ sendPayment: [poolError(name)], findCommand: [nowhere] })
    expect(answer).toEqual(notSent('refused', code, retriable))
    expect(pauses).toEqual([1000, 2000])
    const patient = await run({ sendPayment: [poolError(name)], findCommand: [nowhere, found([], [held])] })
    expect(patient.answer).toEqual(sent('already-known'))
  })

  test('of a nonce by a Rust node, which says no more, is looked into as one too high', async () => {
    const words = refusedBy('Transaction rejected: InvalidNonce')
    const { answer, pauses } = await run({ sendPayment: [words], findCommand: [nowhere] })
    expect(answer).toEqual(notSent('refused', 'bad-nonce', true))
    expect(pauses).toEqual([1000, 2000])
    const patient = await run({ sendPayment: [words], findCommand: [nowhere, nowhere, found([held])] })
    expect(patient.answer).toEqual(sent('already-known'))
  })

  test('of a nonce that the refusing node is past is unknown, though the node that is asked lags behind', async () => {
    const { answer } = await run({ sendPayment: [badNonce(12, 9)], findCommand: [found([], [], '7')] })
    expect(answer).toEqual(notSent('unknown', 'bad-nonce', false, { 'x-expected-nonce': '12' }))
  })

  test('as known, of a command that no look shows, is unknown', async () => {
    const { answer } = await run({ sendPayment: [poolError('Duplicate')], findCommand: [nowhere] })
    expect(answer).toEqual(notSent('unknown', 'duplicate', true))
  })

  test('of a nonce whose rival comes up while it is looked for is unknown: other nodes may not know of the rival', async () => {
    const rival = found([{ ...held, fee: '2000000' }])
    const { answer } = await run({ sendPayment: [badNonce(5, 5)], findCommand: [nowhere, nowhere, rival] })
    expect(answer).toEqual(notSent('unknown', 'bad-nonce', true, { 'x-expected-nonce': '5' }))
    const told = await run({ sendPayment: [badNonce(5, 5)], findCommand: [rival] })
    expect(told.answer).toEqual(notSent('refused', 'bad-nonce', true, { 'x-expected-nonce': '5' }))
    const funds = await run({ sendPayment: [poolError('Insufficient_funds')], findCommand: [nowhere, rival] })
    expect(funds.answer).toEqual(notSent('refused', 'insufficient-funds', true))
  })

  test.each([
    ['an error beside it', { ...found([held]), errors: ['Could not obtain best chain from transition frontier'] }],
    ['no chain', { data: { ...found([held]).data, bestChain: null } }],
    ['an unreadable command of somebody else', found([{ ...held, id: '' }, held])],
  ])('of a command that a look shows with %s is a 201: the node holds it', async (_what, reply) => {
    const { answer } = await run({ sendPayment: [poolError('Insufficient_funds')], findCommand: [reply] })
    expect(answer).toEqual(sent('already-known'))
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

  test('that gossip between nodes explains is a 201', async () => {
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
      { ...held, to: alice, receiver: held.source, toAccount: held.source },
      { ...held, nonce: 8 },
      { ...held, memo: memoFromText('ä') },
      { ...held, kind: 'STAKE_DELEGATION', isDelegation: true },
      { ...held, validUntil: '999999' },
    ]
    const { answer } = await run({
      sendPayment: [poolError('Insufficient_replace_fee')],
      findCommand: [found(others, others)],
    })
    expect(answer).toEqual(notSent('refused', 'replace-fee-too-low', false))
  })
})
