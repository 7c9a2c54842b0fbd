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
import {
  answerOf,
  at,
  lowNonce,
  node,
  nonceTaken,
  portsOf,
  runAt,
  runAtNodes,
  type Script,
  type ScriptedNode,
  withNodes,
} from './several-nodes.ts'

describe('a clean success', () => {
  test('of all nodes costs one call each, without a pause', async () => {
    const accepting = { sendPayment: [accepted] }
    const { answer, asked, pauses } = await runAtNodes(accepting, accepting, accepting)
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

const refusing = node(badNonce(5, 5), at(99, lowNonce))
const permanent = node(refusedBy('Invalid `memo` provided.'))

describe('a refusal that follows from the ledger', () => {
  test('counts only from a node that no other one is ahead of', async () => {
    expect(await answerOf(refusing, node(cut, at(100, nowhere)))).toEqual(withNodes(nonceTaken('unknown'), '0/2'))
    expect(await answerOf(refusing, node(cut, at(99, nowhere)))).toEqual(withNodes(nonceTaken('refused'), '0/2'))
  })

  test.each([
    [
      'gives way to the reason of the freshest node',
      node(poolError('Insufficient_funds'), at(100, nowhere)),
      notSent('refused', 'insufficient-funds', true),
    ],
    [
      'says more than the load of a fresher node',
      node(poolError('Overloaded'), at(99, lowNonce)),
      nonceTaken('refused'),
    ],
  ])('%s', async (_what, other, expected) => {
    const answers = [await answerOf(refusing, other), await answerOf(other, refusing)]
    expect(answers).toEqual([withNodes(expected, '0/2'), withNodes(expected, '0/2')])
  })
})

describe('a reason that no node ever gives up', () => {
  test('is enough where the others do not hold the command, and proves nothing where one may', async () => {
    const expired = node(poolError('Expired'), nowhere)
    expect(await answerOf(expired, node(late, nowhere))).toEqual(withNodes(notSent('refused', 'expired', false), '0/2'))
    expect(await answerOf(expired, node(late, late))).toEqual(withNodes(notSent('unknown', 'expired', true), '0/2'))
  })

  test('keeps a command from being sent again', async () => {
    const { answer, asked } = await runAtNodes(node(late, nowhere), permanent)
    expect(answer).toEqual(withNodes(notSent('refused', 'memo-too-long', false), '0/2'))
    expect(asked).toEqual({ A: ['sendPayment', 'findCommand'], B: ['sendPayment'] })
  })
})

test('a command that was taken, its answer lost, and sent again, is never refused for its nonce', async () => {
  const resent = (look: Script[number]) => ({
    sendPayment: [late, badNonce(8, 8)],
    findCommand: [late, late, late, look],
  })
  expect(await answerOf(resent(found([], [held], '8')))).toEqual(withNodes(sent('already-known'), '1/1'))
  expect(await answerOf(resent(found([], [], '8')))).toEqual(withNodes(nonceTaken('unknown', '8', false), '0/1'))
})

describe('a fourth and a fifth node', () => {
  const three = [refusing, refusing, refusing]
  const witness = (...findCommand: Script): ScriptedNode => ({ sendPayment: [], findCommand })

  test.each([
    ['one of three holds the command', [node(accepted), refusing, refusing], withNodes(sent('accepted'), '1/3')],
    [
      'a refusal is permanent',
      [permanent, permanent, permanent],
      withNodes(notSent('refused', 'memo-too-long', false), '0/3'),
    ],
  ])('are not asked where %s', async (_where, nodes, expected) => {
    const { answer, asked } = await runAtNodes(...nodes, witness(), witness())
    expect([answer, asked.D, asked.E]).toEqual([expected, [], []])
  })

  test('are looked at before a refusal, since an earlier request may have sent the command to them', async () => {
    const { answer, asked } = await runAtNodes(...three, witness(found([held])), witness(nowhere))
    expect(answer).toEqual(withNodes(sent('already-known'), '1/5'))
    expect([asked.D, asked.E]).toEqual([['findCommand'], ['findCommand']])
    const witnesses = [witness(at(99, nowhere)), witness(at(99, nowhere))]
    expect(await answerOf(...three, ...witnesses)).toEqual(withNodes(nonceTaken('refused'), '0/5'))
  })

  test.each([
    ['leave the outcome unknown where they do not answer', witness(cut, cut), 'unknown'],
    ['leave the outcome unknown where they may have included the command', witness(found([], [], '9')), 'unknown'],
    ['are ignored where they cannot be connected to', witness(unsent), 'refused'],
  ] as const)('%s', async (_what, fourth, outcome) => {
    expect(await answerOf(...three, fourth)).toEqual(withNodes(nonceTaken(outcome), '0/4'))
  })
})

test('neither the first nor the last error wins over a better one', async () => {
  const silent = node(late, late)
  const telling = node(badNonce(8, 8), found([], [], '8'))
  const orders = [
    [telling, silent, silent],
    [silent, telling, silent],
    [silent, silent, telling],
  ]
  const answers = await Promise.all(orders.map((nodes) => answerOf(...nodes)))
  expect(answers).toEqual(orders.map(() => withNodes(nonceTaken('unknown', '8', false), '0/3')))
})

test('a bug of ours at one node is not hidden by the others', async () => {
  const broken: NodePort = { name: 'X', sharedAddress: false, query: () => Promise.reject(new TypeError('bug')) }
  const { ports } = portsOf([{ sendPayment: [late], findCommand: [late] }])
  await expect(runAt([broken, ...ports])).rejects.toThrow(TypeError)
})
