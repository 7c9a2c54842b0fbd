// One broadcast: its outcome is a value, whatever happens.
import { describe, expect, test } from '@jest/globals'
import { noon, type Scripted, scriptedClient } from './scripted-service.ts'
import { accepted, delegation, payment, shownPayment } from './signed.ts'

const outcomeOf = (answer: Scripted) => scriptedClient([answer]).client.broadcastPayment(payment)

const refusal = (headers: Record<string, string>): Scripted => ({
  status: 400,
  headers,
  body: { message: 'Error in sending transaction', error: 'Query failed to run by returning code of 200.' },
})

const unreadable = (body: unknown): [string, Scripted, object] => [
  `201 with the body ${JSON.stringify(body)}`,
  { status: 201, body },
  { status: 201, retriable: true },
]

describe('a broadcast', () => {
  test('sends the signed command once, to the path of its kind', async () => {
    const { client, asked } = scriptedClient([{ status: 503 }])
    await client.broadcastPayment(payment)
    await client.broadcastDelegation(delegation)
    // As mina-signer declares numbers.
    await client.broadcastDelegation({ signature: 'ab', data: { to: 'B62', from: 'B62', fee: 10n ** 7n, nonce: 3 } })
    const post = (kind: string, body: string) => {
      const headers = { 'content-type': 'application/json' }
      return { url: `https://service.example/broadcast/${kind}`, method: 'POST', headers, body }
    }
    expect(asked).toEqual([
      post('transaction', JSON.stringify(payment)),
      post('delegation', JSON.stringify(delegation)),
      post('delegation', '{"signature":"ab","data":{"to":"B62","from":"B62","fee":"10000000","nonce":3}}'),
    ])
  })

  test.each([
    ['accepted', { 'x-broadcast-outcome': 'accepted' }],
    ['already-known', { 'x-broadcast-outcome': 'already-known' }],
    // A page of another site may not read the headers.
    ['accepted', {}],
  ])('that is %s has its hash and its command, amounts as bigint', async (outcome, headers) => {
    expect(await outcomeOf({ status: 201, headers, body: accepted() })).toEqual({
      outcome,
      hash: '5Ju',
      command: { ...shownPayment, amount: 1_500_000_000n, fee: 10_000_000n },
      sentAtMs: noon,
    })
  })

  test('of a delegation has the command under its key', async () => {
    const body = { result: { delegation: accepted({ amount: '0', isDelegation: true }).result.payment } }
    const outcome = await scriptedClient([{ status: 201, body }]).client.broadcastDelegation(delegation)
    expect(outcome).toMatchObject({ outcome: 'accepted', command: { amount: 0n } })
  })

  test('that is refused has its code, the next nonce, and whether it can succeed later', async () => {
    const headers = {
      'x-broadcast-outcome': 'refused',
      'x-broadcast-code': 'bad-nonce',
      'x-broadcast-retriable': 'true',
      'x-expected-nonce': '0',
      'apigw-requestid': 'r1',
    }
    expect(await outcomeOf(refusal(headers))).toEqual({
      outcome: 'refused',
      code: 'bad-nonce',
      retriable: true,
      expectedNonce: 0,
      message: 'Query failed to run by returning code of 200.',
      status: 400,
      retryAfterSeconds: undefined,
      requestId: 'r1',
      sentAtMs: noon,
    })
  })

  test('that is unknown to the service is unknown, with its code', async () => {
    const headers = {
      'x-broadcast-outcome': 'unknown',
      'x-broadcast-code': 'bad-nonce',
      'x-broadcast-retriable': 'false',
    }
    expect(await outcomeOf(refusal(headers))).toMatchObject({ outcome: 'unknown', code: 'bad-nonce', retriable: false })
  })

  test.each<[string, Scripted, object]>([
    ['a broken connection', new TypeError('fetch failed'), { status: 0, retriable: true, message: 'fetch failed' }],
    [
      '429, which has reached no node',
      { status: 429, headers: { 'retry-after': '2' } },
      { status: 429, retriable: true, retryAfterSeconds: 2, neverLeft: true },
    ],
    ['503', { status: 503, body: '{"message":"Service Unavailable"}' }, { status: 503, retriable: true }],
    ['403 of a firewall', { status: 403, body: '<html>' }, { status: 403, retriable: true }],
    ['200', { status: 200, body: accepted() }, { status: 200, retriable: true }],
    ['404 of the service', { status: 404, body: { message: 'No such path.' } }, { status: 404, retriable: false }],
    ['400 without an outcome', refusal({}), { status: 400, retriable: true }],
    ['400 of another version', refusal({ 'x-broadcast-outcome': 'queued' }), { status: 400, retriable: true }],
    ...[undefined, '{"result":{', '<html>'].map(unreadable),
    ...[{ from: 'B62other' }, { to: 'B62other' }, { nonce: 8 }, { amount: '1e9' }].map(accepted).map(unreadable),
    ...[{ amount: '1' }, { fee: '1' }, { memo: 'E4' }, { isDelegation: true }].map(accepted).map(unreadable),
  ])('answered by %s is unknown', async (_, answer, expected) => {
    const unknown = { outcome: 'unknown', code: 'no-answer', sentAtMs: noon }
    const neverLeft = undefined
    expect({ neverLeft, ...(await outcomeOf(answer)) }).toMatchObject({ neverLeft, ...unknown, ...expected })
  })

  test('that is aborted before it is sent is not sent, and rejects with the reason', async () => {
    const { client, asked } = scriptedClient([{ status: 201, body: accepted() }])
    const signal = AbortSignal.abort('enough')
    await expect(client.broadcastPayment(payment, { signal })).rejects.toBe('enough')
    await expect(client.sendUntilKnown(payment, { signal })).rejects.toBe('enough')
    expect(asked).toEqual([])
  })
})
