// A node with its own address is asked directly and answers for itself, alone or among several.
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

  test('sends nothing more to a node whose part is over', async () => {
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
  test('is enough if the others do not hold the command, and proves nothing if one may', async () => {
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

test('a command is not refused if a node’s answer was lost and a rival has since replaced it there', async () => {
  const rival = found([{ ...held, fee: '2000000' }])
  const gap = node(badNonce(6, 6), nowhere, nowhere)
  const displaced = { sendPayment: [cut, cut], findCommand: [nowhere, rival] }
  const { answer } = await runAtNodes(displaced, gap)
  expect(answer.headers?.['x-broadcast-outcome']).toBe('unknown')
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
    ['are looked at once more where an answer is lost', witness(cut, at(99, nowhere)), 'refused'],
    ['leave the outcome unknown where they may have included the command', witness(found([], [], '9')), 'unknown'],
    ['are ignored where they cannot be connected to', witness(unsent), 'refused'],
  ] as const)('%s', async (_what, fourth, outcome) => {
    expect(await answerOf(...three, fourth)).toEqual(withNodes(nonceTaken(outcome), '0/4'))
  })
})

test('a node that takes nothing leaves its place to a fourth one', async () => {
  const down = { sendPayment: [unsent, unsent] }
  const { answer, asked } = await runAtNodes(down, refusing, refusing, node(accepted))
  expect([answer, asked.D]).toEqual([withNodes(sent('accepted'), '1/4'), ['sendPayment']])
})

test('a node that cannot be connected to leaves its place before it is tried again', async () => {
  const { ports, asked } = portsOf([{ sendPayment: [unsent] }, refusing, refusing, node(accepted)])
  const silentLater = ports.map((port, index): NodePort => {
    const query: NodePort['query'] = async (operation, variables, limits) => {
      const isLater = index === 0 && asked.A?.includes(operation.name)
      if (!isLater) return port.query(operation, variables, limits)
      return new Promise((_, reject) => limits?.signal?.addEventListener('abort', () => reject(late)))
    }
    return { ...port, query }
  })
  const { answer } = await runAt(silentLater)
  expect([answer, asked.D]).toEqual([withNodes(sent('accepted'), '1/3'), ['sendPayment']])
})

test('a bug of ours at one node is not hidden by the others', async () => {
  const broken: NodePort = { name: 'X', sharedAddress: false, query: () => Promise.reject(new TypeError('bug')) }
  const { ports } = portsOf([{ sendPayment: [late], findCommand: [late] }])
  await expect(runAt([broken, ...ports])).rejects.toThrow(TypeError)
})

describe('a node with its own address', () => {
  const lagging = node(badNonce(5, 5), lowNonce)

  test('is looked at once after a refusal, without a pause', async () => {
    expect(await runAtNodes(lagging)).toEqual({
      answer: withNodes(nonceTaken('refused'), '0/1'),
      asked: { A: ['sendPayment', 'findCommand'] },
      pauses: [],
    })
  })

  test('is believed at once beside an address that several nodes share, which waits for gossip', async () => {
    const { asked, pauses } = await runAtNodes(lagging, { ...lagging, sharedAddress: true })
    expect(asked).toEqual({
      A: ['sendPayment', 'findCommand'],
      B: ['sendPayment', ...Array(4).fill('findCommand')],
    })
    expect(pauses).toEqual([2500])
  })

  test('gets two submissions and six looks at most, of which two may be repeated', async () => {
    const looks: object[] = []
    const { ports, asked } = portsOf([{ sendPayment: [late], findCommand: [late] }])
    const noting = ports.map(
      (port): NodePort => ({
        ...port,
        query(operation, variables, limits) {
          if (operation.name === 'findCommand') looks.push({ ...limits, signal: undefined })
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
    const limitMs = 60_000
    const round = [{ limitMs: 2000 }, { limitMs: 2000, isRepeat: true }, { limitMs, isRepeat: true }]
    expect(looks).toEqual([...round, ...round])
  })

  test('that shows another command with the nonce in a block proves that this one is not in an older block', async () => {
    const rival = { ...held, amount: '1', hash: '5JtQGMS3VEGERsUHvz5JUqVM5eWMGPQtr7qSsdqA2xQ9L5vGdBTX' }
    const look = found([], [rival], '9')
    const [empty, full] = look.data.bestChain
    const buriedUnder = (blocks: number) =>
      at(300, { data: { ...look.data, bestChain: [full, ...Array(blocks).fill(empty)] } })
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

test('an unknown outcome has the code of a node that answered, or else of one that may have taken the command', async () => {
  const [answering, silent, dead] = [node(poolError('Duplicate'), nowhere), node(late, late), node(unsent)]
  const codeOf = async (...nodes: readonly ScriptedNode[]) => (await answerOf(...nodes)).headers?.['x-broadcast-code']
  expect([await codeOf(silent, answering), await codeOf(answering, silent)]).toEqual(['duplicate', 'duplicate'])
  expect([await codeOf(dead, silent), await codeOf(silent, dead)]).toEqual(['timeout', 'timeout'])
})
