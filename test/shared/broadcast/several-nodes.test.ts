import { describe, expect, test } from '@jest/globals'
import { networkCheck } from '../../../shared/upstream/node-query.ts'
import type { NodePort } from '../../../shared/upstream/query.ts'
import { whole } from '../endpoints/asking.ts'
import {
  accepted,
  badNonce,
  cut,
  found,
  held,
  late,
  notSent,
  nowhere,
  poolError,
  refusedBy,
  sent,
  unsent,
} from './broadcast-run.ts'
import { at, portsOf, runAt, runAtNodes, type ScriptedNode, withNodes } from './several-nodes.ts'

const lowNonce = found([], [], '5')

describe('a clean success', () => {
  test('of all nodes costs one call each, without a pause', async () => {
    const node = { sendPayment: [accepted] }
    const { answer, asked, pauses } = await runAtNodes(node, node, node)
    expect(answer).toEqual(withNodes(sent('accepted'), '3/3'))
    expect(asked).toEqual({ A: ['sendPayment'], B: ['sendPayment'], C: ['sendPayment'] })
    expect(pauses.filter((milliseconds) => milliseconds !== 300)).toEqual([])
  })

  test('waits 300 ms for a silent node, then ends its call', async () => {
    const { ports } = portsOf([{ sendPayment: [accepted] }])
    let signal: AbortSignal | undefined
    const silent: NodePort = {
      name: 'silent',
      sharedAddress: false,
      query: async (operation, _variables, limits) => {
        if (operation === networkCheck) return whole({ data: {} })
        signal = limits?.signal
        return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(late)))
      },
    }
    const { answer, pauses } = await runAt([silent, ...ports])
    expect(answer).toEqual(withNodes(sent('accepted'), '1/2'))
    expect(pauses).toEqual([300])
    expect(signal?.aborted).toBe(true)
  })

  test('lets a node whose part has ended send nothing more', async () => {
    const { ports, asked } = portsOf([
      { sendPayment: [accepted] },
      { sendPayment: [late], findCommand: [late], sharedAddress: true },
    ])
    const { answer } = await runAt(ports)
    const before = asked.B?.length
    await new Promise((done) => setImmediate(done))
    expect(answer).toEqual(withNodes(sent('accepted'), '1/2'))
    expect(asked.B).toHaveLength(before ?? 0)
  })
})

describe('a refusal that follows from the ledger', () => {
  const refusing = { sendPayment: [badNonce(5, 5)], findCommand: [at(99, lowNonce)] }

  test('counts only from a node that no other one is ahead of', async () => {
    const silent = { sendPayment: [cut], findCommand: [at(100, nowhere)] }
    const behind = await runAtNodes(refusing, silent)
    expect(behind.answer).toEqual(withNodes(notSent('unknown', 'bad-nonce', true, { 'x-expected-nonce': '5' }), '0/2'))
    const level = await runAtNodes(refusing, { ...silent, findCommand: [at(99, nowhere)] })
    expect(level.answer).toEqual(withNodes(notSent('refused', 'bad-nonce', true, { 'x-expected-nonce': '5' }), '0/2'))
  })

  test('gives way to the reason of the freshest node', async () => {
    const fresh = { sendPayment: [poolError('Insufficient_funds')], findCommand: [at(100, nowhere)] }
    for (const nodes of [[refusing, fresh] as const, [fresh, refusing] as const]) {
      const { answer } = await runAtNodes(...nodes)
      expect(answer).toEqual(withNodes(notSent('refused', 'insufficient-funds', true), '0/2'))
    }
  })

  test('says more than the load of a fresher node', async () => {
    const loaded = { sendPayment: [poolError('Overloaded')], findCommand: [at(99, lowNonce)] }
    for (const nodes of [[refusing, loaded] as const, [loaded, refusing] as const]) {
      const { answer } = await runAtNodes(...nodes)
      expect(answer).toEqual(withNodes(notSent('refused', 'bad-nonce', true, { 'x-expected-nonce': '5' }), '0/2'))
    }
  })
})

describe('a reason that no node ever gives up', () => {
  test('is enough where the others do not hold the command, and no proof where one may', async () => {
    const expired = { sendPayment: [poolError('Expired')], findCommand: [nowhere] }
    const empty = await runAtNodes(expired, { sendPayment: [late], findCommand: [nowhere] })
    expect(empty.answer).toEqual(withNodes(notSent('refused', 'expired', false), '0/2'))
    const hidden = await runAtNodes(expired, { sendPayment: [late], findCommand: [late] })
    expect(hidden.answer).toEqual(withNodes(notSent('unknown', 'expired', true), '0/2'))
  })

  test('keeps a command from being sent again', async () => {
    const permanent = { sendPayment: [refusedBy('Invalid `memo` provided.')] }
    const { answer, asked } = await runAtNodes({ sendPayment: [late], findCommand: [nowhere] }, permanent)
    expect(answer).toEqual(withNodes(notSent('refused', 'memo-too-long', false), '0/2'))
    expect(asked).toEqual({ A: ['sendPayment', 'findCommand'], B: ['sendPayment'] })
  })
})

test('a command that was taken, its answer lost, and sent again, is never refused for its nonce', async () => {
  const script = { sendPayment: [late, badNonce(8, 8)] }
  const included = { ...script, findCommand: [late, late, late, found([], [held], '8')] }
  expect((await runAtNodes(included)).answer).toEqual(withNodes(sent('already-known'), '1/1'))
  const older = { ...script, findCommand: [late, late, late, found([], [], '8')] }
  expect((await runAtNodes(older)).answer).toEqual(
    withNodes(notSent('unknown', 'bad-nonce', false, { 'x-expected-nonce': '8' }), '0/1'),
  )
})

describe('a fourth and a fifth node', () => {
  const refusing = { sendPayment: [badNonce(5, 5)], findCommand: [at(99, lowNonce)] }
  const three = [refusing, refusing, refusing]
  const refusal = (outcome: 'refused' | 'unknown') => notSent(outcome, 'bad-nonce', true, { 'x-expected-nonce': '5' })
  const witness = (...findCommand: ScriptedNode['findCommand'] & object) => ({ sendPayment: [], findCommand })

  test('are not asked where one of three holds the command, or a refusal is permanent', async () => {
    const taken = await runAtNodes({ sendPayment: [accepted] }, refusing, refusing, witness(), witness())
    expect(taken.answer).toEqual(withNodes(sent('accepted'), '1/3'))
    expect(taken.asked).toMatchObject({ D: [], E: [] })
    const permanent = { sendPayment: [refusedBy('Invalid `memo` provided.')] }
    const refused = await runAtNodes(permanent, permanent, permanent, witness(), witness())
    expect(refused.answer).toEqual(withNodes(notSent('refused', 'memo-too-long', false), '0/3'))
    expect(refused.asked).toMatchObject({ D: [], E: [] })
  })

  test('are looked at before a refusal, since an earlier request may have sent the command to them', async () => {
    const found4 = await runAtNodes(...three, witness(found([held])), witness(nowhere))
    expect(found4.answer).toEqual(withNodes(sent('already-known'), '1/5'))
    expect(found4.asked).toMatchObject({ D: ['findCommand'], E: ['findCommand'] })
    const nowhereElse = await runAtNodes(...three, witness(at(99, nowhere)), witness(at(99, nowhere)))
    expect(nowhereElse.answer).toEqual(withNodes(refusal('refused'), '0/5'))
  })

  test('leave the outcome unknown where they do not answer, or may have included the command', async () => {
    for (const open of [witness(cut, cut), witness(found([], [], '9'))]) {
      const { answer } = await runAtNodes(...three, open)
      expect(answer).toEqual(withNodes(refusal('unknown'), '0/4'))
    }
  })

  test('are ignored where they cannot be connected to', async () => {
    const { answer } = await runAtNodes(...three, witness(unsent))
    expect(answer).toEqual(withNodes(refusal('refused'), '0/4'))
  })
})

test('neither the first nor the last error wins over a better one', async () => {
  const silent = { sendPayment: [late], findCommand: [late] }
  const telling = { sendPayment: [badNonce(8, 8)], findCommand: [found([], [], '8')] }
  const expected = withNodes(notSent('unknown', 'bad-nonce', false, { 'x-expected-nonce': '8' }), '0/3')
  const orders: readonly (readonly ScriptedNode[])[] = [
    [telling, silent, silent],
    [silent, telling, silent],
    [silent, silent, telling],
  ]
  for (const nodes of orders) {
    expect((await runAtNodes(...nodes)).answer).toEqual(expected)
  }
})

test('a bug of ours at one node is not hidden by the others', async () => {
  const broken: NodePort = { name: 'X', sharedAddress: false, query: () => Promise.reject(new TypeError('bug')) }
  const { ports } = portsOf([{ sendPayment: [late], findCommand: [late] }])
  await expect(runAt([broken, ...ports])).rejects.toThrow(TypeError)
})
