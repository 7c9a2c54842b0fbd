// A node with its own address is asked directly and answers for itself.
import { describe, expect, test } from '@jest/globals'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { CallLimits, NodePort } from '../../../shared/upstream/query.ts'
import { accepted, badNonce, cut, found, held, late, notSent, nowhere, poolError, sent } from './broadcast-run.ts'
import { portsOf, runAt, runAtNodes, withNodes } from './several-nodes.ts'

const noConnection = new WireError('unreachable', 'connect ECONNREFUSED', { isUnsent: true })
const rival = { ...held, amount: '1', hash: '5JtQGMS3VEGERsUHvz5JUqVM5eWMGPQtr7qSsdqA2xQ9L5vGdBTX' }
const lowNonce = found([], [], '5')

const withoutSignal = ({ signal: _signal, ...limits }: CallLimits = {}): CallLimits => limits

describe('a node with its own address', () => {
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
    const looks: CallLimits[] = []
    const { ports, asked } = portsOf([{ sendPayment: [late], findCommand: [late] }])
    const noting = ports.map(
      (port): NodePort => ({
        ...port,
        query(operation, variables, limits) {
          if (operation.name === 'findCommand') looks.push(withoutSignal(limits))
          return port.query(operation, variables, limits)
        },
      }),
    )
    const { answer } = await runAt(noting)
    expect(answer).toEqual(withNodes(notSent('unknown', 'timeout', true), '0/1'))
    const oneRound = ['sendPayment', 'findCommand', 'findCommand', 'findCommand']
    expect(asked).toEqual({ A: [...oneRound, ...oneRound] })
    // A first look is repeated by the port when its connection breaks: ten requests in all.
    // The last look of a round may take its time.
    const limitMs = Number.POSITIVE_INFINITY
    const round = [{ limitMs: 2000 }, { limitMs: 2000, isRepeat: true }, { limitMs, isRepeat: true }]
    expect(looks).toEqual([...round, ...round])
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
    const look = found([], [rival], '9')
    const [empty, full] = look.data.bestChain
    const buriedUnder = (blocks: number) => ({
      data: { ...look.data, bestChain: [full, ...Array.from({ length: blocks }, () => empty)] },
    })
    const outcomeUnder = async (blocks: number) => {
      const silent = { sendPayment: [late], findCommand: [buriedUnder(blocks)] }
      return (await runAtNodes(node, silent)).answer.headers?.['x-broadcast-outcome']
    }
    expect([await outcomeUnder(9), await outcomeUnder(10)]).toEqual(['unknown', 'refused'])
    const older = await runAtNodes({ sendPayment: [badNonce(9, 9)], findCommand: [found([], [], '9')] })
    expect(older.answer).toEqual(withNodes(notSent('unknown', 'bad-nonce', false, { 'x-expected-nonce': '9' }), '0/1'))
  })

  test('is looked at again when it calls the command a duplicate and does not show it', async () => {
    const node = { sendPayment: [poolError('Duplicate')], findCommand: [nowhere, found([held])] }
    const { answer, asked, pauses } = await runAtNodes(node)
    expect(answer).toEqual(withNodes(sent('already-known'), '1/1'))
    expect(asked).toEqual({ A: ['sendPayment', 'findCommand', 'findCommand'] })
    expect(pauses).toEqual([1000])
    const never = await runAtNodes({ ...node, findCommand: [nowhere] })
    expect(never.answer).toEqual(withNodes(notSent('unknown', 'duplicate', true), '0/1'))
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
