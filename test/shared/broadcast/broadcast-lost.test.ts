import { describe, expect, test } from '@jest/globals'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import { misshaped } from '../endpoints/asking.ts'
import {
  accepted,
  cut,
  found,
  held,
  late,
  notSent,
  nowhere,
  poolError,
  refusedBy,
  run,
  sent,
  unknownSentence,
  usedNonceSentence,
} from './broadcast-run.ts'

const firstRound = ['sendPayment', ...Array(3).fill('findCommand')]
const secondRound = ['sendPayment', ...Array(4).fill('findCommand')]
const giving = (changes: object) => ({ data: { sendPayment: { payment: { ...held, ...changes } } } })
/** All others are in test/shared/mapping/command.test.ts and test/shared/upstream/wire.test.ts. */
const contradictions: readonly (readonly [what: string, changes: object])[] = [
  ['the other kind', { isDelegation: true }],
  ['another source', { source: held.receiver }],
  ['an id of 100 KB', { id: 'A'.repeat(100_000) }],
]

test('an address that redirects is sent the command once, and the outcome is unknown', async () => {
  const redirected = new WireError('unreadable', 'HTTP 308', { status: 308 })
  const { answer, asked } = await run({ sendPayment: [redirected] })
  expect([answer.headers?.['x-broadcast-outcome'], asked]).toEqual(['unknown', ['sendPayment']])
})

test.each([
  ['as text', {}],
  ['as a GraphQL error', { data: null, errors: ['Rate limit exceeded'] }],
])('a gateway that refuses load with 503 %s may have passed the command on', async (_form, body) => {
  const { answer, asked } = await run({ sendPayment: [{ status: 503, ...body }], findCommand: [nowhere] })
  expect(answer).toMatchObject({
    status: 400,
    headers: { 'x-broadcast-outcome': 'unknown', 'x-broadcast-code': 'node-unreachable' },
  })
  expect(asked).toEqual(['sendPayment', 'findCommand', ...secondRound])
})

describe('a lost answer', () => {
  const losses: readonly (readonly [string, Partial<Reply> | Error])[] = [
    ['a time-out', late],
    ['a reset', cut],
    ['HTML', { status: 200 }],
    ['a 502', { status: 502 }],
    ['a 304, which leads nowhere', new WireError('unreadable', 'HTTP 304', { status: 304 })],
    ['data: null', { data: null }],
    ['a command without its hash', giving({ hash: null })],
    ['a command of the wrong type', { data: { sendPayment: { payment: 'ok' } } }],
    ['words nobody foresaw', { data: null, errors: ['Raised at file src/lib, at 10.0.0.1'] }],
    ['another command', giving({ amount: '1' })],
    ['a command with a hash of 100 KB', giving({ hash: 'J'.repeat(100_000) })],
    ['a command whose hash no header can carry', giving({ hash: 'a\r\nset-cookie: b' })],
    ['another command beside errors', { ...giving({ amount: '1' }), errors: ['odd'] }],
    ...contradictions.map(([what, changes]) => [`a command with ${what}`, giving(changes)] as const),
  ]

  test.each(losses)('(%s) is 201 when the command is in the pool', async (_what, loss) => {
    const { answer, asked } = await run({ sendPayment: [loss], findCommand: [found([held])] })
    expect(answer).toEqual(sent('already-known'))
    expect(asked).toEqual(['sendPayment', 'findCommand'])
  })

  test.each(losses)('(%s) sends the same command once more if no node shows it', async (_what, loss) => {
    const { answer, asked } = await run({ sendPayment: [loss, accepted], findCommand: [nowhere] })
    expect(answer).toEqual(sent('accepted'))
    expect(asked).toEqual(['sendPayment', 'findCommand', 'sendPayment'])
  })

  test.each(losses)('(%s) twice is unknown, and says that sending again is safe', async (_what, loss) => {
    const { answer, asked } = await run({ sendPayment: [loss], findCommand: [nowhere] })
    expect(answer).toMatchObject({
      status: 400,
      headers: { 'x-broadcast-outcome': 'unknown', 'x-broadcast-retriable': 'true' },
    })
    expect(answer.body).toMatchObject({ error: expect.stringContaining(unknownSentence) })
    expect(JSON.stringify(answer.body)).not.toContain('10.0.0.1')
    expect(asked).toEqual(['sendPayment', 'findCommand', ...secondRound])
  })

  test.each(contradictions)(
    'with %s, which every look repeats, is unknown: a 201 or a refusal may be wrong',
    async (_what, contradiction) => {
      const findCommand = [misshaped(found([{ ...held, ...contradiction }]))]
      const { answer, asked } = await run({ sendPayment: [giving(contradiction)], findCommand })
      expect(answer).toMatchObject({ status: 400, headers: { 'x-broadcast-outcome': 'unknown' } })
      expect(asked).toEqual([...firstRound, ...secondRound])
    },
  )

  test('costs two submissions and seven looks at most', async () => {
    const { asked, pauses } = await run({ sendPayment: [late], findCommand: [late] })
    expect(asked).toEqual([...firstRound, ...secondRound])
    expect(pauses).toEqual([1000, 1500, 2500])
  })

  test.each([
    ['is a success where the command stands beside errors', [{ ...accepted, errors: ['odd'] }], [], sent('accepted')],
    [
      'is known after the resend was refused as a duplicate',
      [late, poolError('Duplicate')],
      [nowhere, found([held])],
      sent('already-known'),
    ],
    [
      'is unknown when the resend is refused for a reason that can change',
      [late, poolError('Insufficient_funds')],
      [nowhere],
      notSent('unknown', 'insufficient-funds', true),
    ],
    [
      'is refused when the resend is refused for a reason that cannot',
      [late, refusedBy('Invalid `memo` provided.')],
      [nowhere],
      notSent('refused', 'memo-too-long', false),
    ],
    ['is sent again when nobody could look', [late, accepted], [late], sent('accepted')],
  ])('%s', async (_what, sendPayment, findCommand, expected) => {
    expect((await run({ sendPayment, findCommand })).answer).toEqual(expected)
  })

  test('of a command whose nonce is used by now is not sent again', async () => {
    const { answer, asked } = await run({ sendPayment: [late], findCommand: [found([], [], '8')] })
    expect(answer).toEqual(notSent('unknown', 'timeout', false))
    expect(answer.body).toMatchObject({ error: expect.stringContaining(usedNonceSentence) })
    expect(asked).toEqual(['sendPayment', 'findCommand'])
  })
})
