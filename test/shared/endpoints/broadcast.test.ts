import { describe, expect, test } from '@jest/globals'
import { broadcastDelegation } from '../../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { WireError } from '../../../shared/errors.ts'
import { alice, bob, delegationWire, paymentWire } from '../mapping/node-wire.ts'
import { failing, recording, replying } from './asking.ts'

const payload = { to: bob, from: alice, fee: '1000000', nonce: '7', memo: ' ä', validUntil: '4294967295' }
const signature = { field: '11', scalar: '22' }
const payment = { publicKey: alice, signature, payload: { ...payload, amount: '10000000000000001' } }
const delegation = { publicKey: alice, signature, payload }

const selection =
  'amount fee feePayer{publicKey token} feeToken from fromAccount{publicKey token} hash id isDelegation kind memo nonce ' +
  'receiver{publicKey token} source{publicKey token} to token toAccount{publicKey token}'
const paymentMutation =
  'mutation sendPayment($from: PublicKey!, $to: PublicKey!, $fee: UInt64!, $memo: String, $nonce: UInt32, ' +
  '$validUntil: UInt32, $field: String, $scalar: String, $amount: UInt64!) {sendPayment(input: {from: $from, to: $to, ' +
  'fee: $fee, memo: $memo, nonce: $nonce, validUntil: $validUntil, amount: $amount}, signature: {field: $field, ' +
  `scalar: $scalar}){payment{${selection}}}}`

const failed = (error: string, note: string) => ({
  status: 400,
  body: { message: 'Error in sending transaction', error },
  maxAgeSeconds: 0,
  note,
})
const unknown =
  'The outcome is unknown: the command may have been accepted. Sending the same signed command again is safe.'

describe('a broadcast', () => {
  test('of a payment forwards every value as it came and answers 201 with what the node holds', async () => {
    const { ask, asked } = recording({ data: { sendPayment: { payment: paymentWire } } })
    expect(await broadcastTransaction.run(payment, ask)).toEqual({
      status: 201,
      body: { message: 'Transaction broadcast sucessfully', result: { payment: paymentWire } },
      maxAgeSeconds: 0,
    })
    expect(asked).toEqual([
      { operation: 'sendPayment', variables: { ...payload, ...signature, amount: '10000000000000001' } },
    ])
  })

  test('of a delegation does the same without an amount', async () => {
    const { ask, asked } = recording({ data: { sendDelegation: { delegation: delegationWire } } })
    expect(await broadcastDelegation.run(delegation, ask)).toEqual({
      status: 201,
      body: { message: 'Delegation broadcast sucessfully', result: { delegation: delegationWire } },
      maxAgeSeconds: 0,
    })
    expect(asked).toEqual([{ operation: 'sendDelegation', variables: { ...payload, ...signature } }])
  })

  test('that the node refuses answers 400 with the mutation and the words of the node', async () => {
    const words = 'Couldn\'t send user command: ["Insufficient_funds"]'
    const answer = await broadcastTransaction.run(payment, replying({ data: null, errors: [words] }))
    expect(answer).toEqual(
      failed(
        `Query failed to run by returning code of 200. ${paymentMutation} | ${JSON.stringify([{ message: words }])}`,
        'refused',
      ),
    )
  })

  test('of a refused delegation has the text of delegations', async () => {
    const answer = await broadcastDelegation.run(delegation, replying({ errors: ['Invalid `memo` provided.'] }))
    expect(answer.body).toMatchObject({ message: 'Error in sending delegation' })
  })

  test('answered in words nobody foresaw is of unknown outcome; the words go to the log only', async () => {
    const answer = await broadcastTransaction.run(payment, replying({ data: null, errors: ['Raised at 10.0.0.1'] }))
    expect(answer).toEqual(
      failed(
        `Query failed to run by returning code of 200. ${paymentMutation} | ` +
          `[{"message":"the node reported an internal error"}] ${unknown}`,
        'Raised at 10.0.0.1',
      ),
    )
  })

  test('answered by a command that lacks a field is of unknown outcome', async () => {
    const reply = { data: { sendPayment: { payment: { ...paymentWire, hash: null } } } }
    expect(await broadcastTransaction.run(payment, replying(reply))).toEqual(
      failed(
        `Query failed to run by returning code of 502. ${paymentMutation} | ` +
          `[{"message":"the node gave no readable answer"}] ${unknown}`,
        'sendPayment.sendPayment.payment.hash: wanted text, got null',
      ),
    )
  })

  test.each([
    ['timeout', 504, 'the node did not answer in time'],
    ['unreachable', 502, 'the connection to the node failed'],
  ] as const)('whose answer was lost (%s) is of unknown outcome', async (fault, status, message) => {
    const answer = await broadcastTransaction.run(payment, failing(new WireError(fault, 'detail')))
    expect(answer).toEqual(
      failed(
        `Query failed to run by returning code of ${status}. ${paymentMutation} | ${JSON.stringify([{ message }])} ${unknown}`,
        'detail',
      ),
    )
  })

  test.each([
    [{ status: 502 }, 502],
    [{ status: 200, data: null }, 200],
  ])('answered without data, %j, is of unknown outcome', async (reply, status) => {
    expect(await broadcastTransaction.run(payment, replying(reply))).toEqual(
      failed(
        `Query failed to run by returning code of ${status}. ${paymentMutation} | ` +
          `[{"message":"the node gave no readable answer"}] ${unknown}`,
        `no data, HTTP ${status}`,
      ),
    )
  })

  test('never hides a fault of our own', async () => {
    await expect(broadcastTransaction.run(payment, failing(new TypeError('bug')))).rejects.toThrow(TypeError)
  })
})
