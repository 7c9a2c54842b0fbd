import { describe, expect, test } from '@jest/globals'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { NodePort } from '../../../shared/upstream/query.ts'
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
} from './broadcast-run.ts'
import { at, portsOf, runAt, runAtNodes, type ScriptedNode } from './several-nodes.ts'

const withNodes = <Answer extends { readonly headers: object }>(answer: Answer, took: string) => ({
  ...answer,
  headers: { ...answer.headers, 'x-broadcast-nodes': took },
})

const noConnection = new WireError('unreachable', 'connect ECONNREFUSED', { isUnsent: true })
const rival = { ...held, amount: '1', hash: '5JtQGMS3VEGERsUHvz5JUqVM5eWMGPQtr7qSsdqA2xQ9L5vGdBTX' }
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
      query: (_operation, _variables, limits) => {
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

describe('a node with an address of its own', () => {
  test('is looked at once after a refusal, without a pause', async () => {
    const { answer, asked, pauses } = await runAtNodes({ sendPayment: [badNonce(5, 5)], findCommand: [lowNonce] })
    expect(answer).toEqual(withNodes(notSent('refused', 'bad-nonce', true, { 'x-expected-nonce': '5' }), '0/1'))
    expect(asked).toEqual({ A: ['sendPayment', 'findCommand'] })
    expect(pauses).toEqual([])
  })

  test('keeps its word beside an address that several nodes share, where the pauses stay', async () => {
    const node = { sendPayment: [badNonce(5, 5)], findCommand: [lowNonce] }
    const { asked, pauses } = await runAtNodes(node, { ...node, sharedAddress: true })
    expect(asked).toEqual({
      A: ['sendPayment', 'findCommand'],
      B: ['sendPayment', 'findCommand', 'findCommand', 'findCommand'],
    })
    expect(pauses).toEqual([1000, 2000])
  })

  test('gets two submissions and six looks at most, of which two may be repeated', async () => {
    const repeats: (boolean | undefined)[] = []
    const { ports, asked } = portsOf([{ sendPayment: [late], findCommand: [late] }])
    const noting = ports.map(
      (port): NodePort => ({
        ...port,
        query(operation, variables, limits) {
          if (operation.name === 'findCommand') repeats.push(limits?.isRepeat)
          return port.query(operation, variables, limits)
        },
      }),
    )
    const { answer } = await runAt(noting)
    expect(answer).toEqual(withNodes(notSent('unknown', 'timeout', true), '0/1'))
    const oneRound = ['sendPayment', 'findCommand', 'findCommand', 'findCommand']
    expect(asked).toEqual({ A: [...oneRound, ...oneRound] })
    // A first look is repeated by the port when its connection breaks: ten requests in all.
    expect(repeats).toEqual([undefined, true, true, undefined, true, true])
  })

  test('that shows another command with the nonce in a block proves that this one is not in an older block', async () => {
    const node = { sendPayment: [badNonce(9, 9)], findCommand: [found([], [rival], '9')] }
    const { answer } = await runAtNodes(node, { ...node, sendPayment: [cut] })
    expect(answer).toEqual(withNodes(notSent('refused', 'bad-nonce', false, { 'x-expected-nonce': '9' }), '0/2'))
    // After a reorganisation that frees the nonce, a node could take what it received too late.
    const pending = await runAtNodes(node, { ...node, sendPayment: [late] })
    expect(pending.answer).toEqual(
      withNodes(notSent('unknown', 'bad-nonce', false, { 'x-expected-nonce': '9' }), '0/2'),
    )
    const older = await runAtNodes({ sendPayment: [badNonce(9, 9)], findCommand: [found([], [], '9')] })
    expect(older.answer).toEqual(withNodes(notSent('unknown', 'bad-nonce', false, { 'x-expected-nonce': '9' }), '0/1'))
  })

  test('that cannot be connected to, twice, took nothing and decides nothing', async () => {
    const dead = { sendPayment: [noConnection] }
    const refusing = { sendPayment: [poolError('Insufficient_funds')], findCommand: [nowhere] }
    const { answer, asked, pauses } = await runAtNodes(dead, refusing)
    expect(answer).toEqual(withNodes(notSent('refused', 'insufficient-funds', true), '0/2'))
    expect(asked).toEqual({ A: ['sendPayment', 'sendPayment'], B: ['sendPayment', 'findCommand'] })
    expect(pauses).toEqual([])
    const alone = await runAtNodes(dead)
    expect(alone.answer).toEqual(withNodes(notSent('unknown', 'node-unreachable', true), '0/1'))
    const back = await runAtNodes({ sendPayment: [noConnection, accepted] })
    expect(back.answer).toEqual(withNodes(sent('accepted'), '1/1'))
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

test('a fault of our own at one node is not hidden by the others', async () => {
  const broken: NodePort = { name: 'X', sharedAddress: false, query: () => Promise.reject(new TypeError('bug')) }
  const { ports } = portsOf([{ sendPayment: [late], findCommand: [late] }])
  await expect(runAt([broken, ...ports])).rejects.toThrow(TypeError)
})
