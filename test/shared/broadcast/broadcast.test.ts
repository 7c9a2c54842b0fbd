import { describe, expect, test } from '@jest/globals'
import { broadcastDelegation } from '../../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { contextOf, failing, recordingQuestions, scripted } from '../endpoints/asking.ts'
import { alice, delegationWire } from '../mapping/node-wire.ts'
import {
  accepted,
  hash,
  held,
  inputOf,
  late,
  notSent,
  nowhere,
  pausingClock,
  payload,
  payment,
  run,
  sent,
  signature,
} from './broadcast-run.ts'

describe('a clean success', () => {
  test('is 201 with what the node holds, after exactly one call with every value as it came', async () => {
    const { context, asked } = recordingQuestions(contextOf(scripted({ sendPayment: [accepted] })))
    expect(await broadcastTransaction.run(payment, context)).toEqual(sent('accepted'))
    expect(asked).toEqual([
      {
        operation: 'sendPayment',
        variables: { ...payload, ...signature, amount: '10000000000000001', rawSignature: null },
      },
    ])
  })

  test('of a delegation is the same without an amount', async () => {
    const heldDelegation = { ...delegationWire, nonce: 7, memo: held.memo }
    const { context, asked } = recordingQuestions(
      contextOf(scripted({ sendDelegation: [{ data: { sendDelegation: { delegation: heldDelegation } } }] })),
    )
    const delegation = inputOf({ publicKey: alice, signature, payload }, broadcastDelegation)
    expect(await broadcastDelegation.run(delegation, context)).toEqual({
      status: 201,
      body: { message: 'Delegation broadcast sucessfully', result: { delegation: heldDelegation } },
      headers: { 'x-broadcast-outcome': 'accepted', 'x-transaction-hash': hash },
    })
    expect(asked).toEqual([
      { operation: 'sendDelegation', variables: { ...payload, ...signature, rawSignature: null } },
    ])
  })
})

describe('the deadline', () => {
  test('lets no call start that cannot finish', async () => {
    const { answer, asked } = await run({ sendPayment: [late], timeLeftMs: () => 900 })
    expect(answer).toEqual(notSent('unknown', 'timeout', true))
    expect(asked).toEqual(['sendPayment'])
  })

  test('leaves out calls for which time is too short', async () => {
    let leftMs = 5000
    const { clock } = pausingClock(() => -leftMs)
    const node = scripted({ sendPayment: [late], findCommand: [nowhere] })
    const query: QueryUpstream = async (...question) => {
      const reply = await node(...question)
      leftMs = 900
      return reply
    }
    const { context, asked } = recordingQuestions(contextOf(query, { clock, leftMs }))
    await broadcastTransaction.run(payment, context)
    expect(asked.map(({ operation }) => operation)).toEqual(['sendPayment', 'findCommand'])
  })
})

test('a bug of ours is not hidden', async () => {
  await expect(broadcastTransaction.run(payment, failing(new TypeError('bug')))).rejects.toThrow(TypeError)
})
