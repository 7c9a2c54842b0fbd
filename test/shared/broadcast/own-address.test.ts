// A node with its own address is asked directly and answers for itself.
import { describe, expect, test } from '@jest/globals'
import type { CallLimits, NodePort } from '../../../shared/upstream/query.ts'
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
  sent,
  unsent,
} from './broadcast-run.ts'
import { answerOf, lowNonce, node, nonceTaken, portsOf, runAt, runAtNodes, withNodes } from './several-nodes.ts'

const rival = { ...held, amount: '1', hash: '5JtQGMS3VEGERsUHvz5JUqVM5eWMGPQtr7qSsdqA2xQ9L5vGdBTX' }

const withoutSignal = ({ signal: _signal, ...limits }: CallLimits = {}): CallLimits => limits

describe('a node with its own address', () => {
  const refusing = node(badNonce(5, 5), lowNonce)

  test('is looked at once after a refusal, without a pause', async () => {
    expect(await runAtNodes(refusing)).toEqual({
      answer: withNodes(nonceTaken('refused'), '0/1'),
      asked: { A: ['sendPayment', 'findCommand'] },
      pauses: [],
    })
  })

  test('is believed at once beside an address that several nodes share, where the pauses stay', async () => {
    const { asked, pauses } = await runAtNodes(refusing, { ...refusing, sharedAddress: true })
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
    const look = found([], [rival], '9')
    const [empty, full] = look.data.bestChain
    const buriedUnder = (blocks: number) => ({
      data: { ...look.data, bestChain: [full, ...Array(blocks).fill(empty)] },
    })
    const showing = node(badNonce(9, 9), look)
    const answers = await Promise.all([
      answerOf(showing, node(cut, look)),
      // After a reorganisation that frees the nonce, a node could take what it received too late.
      answerOf(showing, node(late, look)),
      answerOf(showing, node(late, buriedUnder(9))),
      answerOf(showing, node(late, buriedUnder(10))),
      answerOf(node(badNonce(9, 9), found([], [], '9')), node(cut, nowhere)),
    ])
    expect(answers).toEqual(
      (['refused', 'unknown', 'unknown', 'refused', 'unknown'] as const).map((outcome) =>
        withNodes(nonceTaken(outcome, '9', false), '0/2'),
      ),
    )
  })

  test('is looked at again when it calls the command a duplicate and does not show it', async () => {
    expect(await runAtNodes(node(poolError('Duplicate'), nowhere, found([held])))).toEqual({
      answer: withNodes(sent('already-known'), '1/1'),
      asked: { A: ['sendPayment', 'findCommand', 'findCommand'] },
      pauses: [1000],
    })
    const never = await answerOf(node(poolError('Duplicate'), nowhere))
    expect(never).toEqual(withNodes(notSent('unknown', 'duplicate', true), '0/1'))
  })

  test('that cannot be connected to, twice, took nothing and decides nothing', async () => {
    const dead = node(unsent)
    expect(await runAtNodes(dead, node(poolError('Insufficient_funds'), nowhere))).toEqual({
      answer: withNodes(notSent('refused', 'insufficient-funds', true), '0/2'),
      asked: { A: ['sendPayment', 'sendPayment'], B: ['sendPayment', 'findCommand'] },
      pauses: [],
    })
    expect(await answerOf(dead)).toEqual(withNodes(notSent('unknown', 'node-unreachable', true), '0/1'))
    expect(await answerOf({ sendPayment: [unsent, accepted] })).toEqual(withNodes(sent('accepted'), '1/1'))
  })
})
