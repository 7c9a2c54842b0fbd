// One broadcast: its outcome is a value, whatever happens.
import { describe, expect, test } from '@jest/globals'
import { factsOf } from '../../packages/client/src/signed-command.ts'
import { broadcastAdvice } from '../../shared/contract/broadcast-advice.ts'
import { broadcastCodes } from '../../shared/contract/broadcast-codes.ts'
import { noon, type Scripted, scriptedClient } from './scripted-service.ts'
import { accepted, delegation, payload, payment, shownPayment } from './signed.ts'

const outcomeOf = (answer: Scripted) => scriptedClient([answer]).client.broadcastPayment(payment)

const refusal = (headers: Record<string, string>): Scripted => ({
  status: 400,
  headers,
  body: { message: 'Error in sending transaction', error: 'Query failed to run by returning code of 200.' },
})

/** As nodes give them; the others are the service's own, or share a form with these. */
const refusalWords: Readonly<Record<string, string>> = {
  'bad-nonce':
    'Input nonce 4294967295 either different from inferred nonce 4294967290 or below minimum_nonce 4294967289',
  'insufficient-funds': '["Insufficient_funds"]',
  'invalid-signature': 'Invalid_signature',
  'replace-fee-too-low': '["Insufficient_replace_fee"]',
  expired: '["Expired"]',
  'network-paused': '["After_slot_tx_end"]',
  'fee-too-low': 'Invalid user command. Fee 0.0009 is less than the minimum fee, 0.001.',
  'sender-unknown':
    "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a transaction in transaction pool.",
}

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

  test('of Rosetta goes as it is to the path of its kind, and its terms are those of the same command', async () => {
    const { to, from, fee, amount, nonce } = payload
    const signature = '0'.repeat(128)
    const sent = { fee, nonce, memo: null, valid_until: null, token: '1' }
    const rosetta = { signature, payment: { to, from, amount, ...sent }, stake_delegation: null }
    const delegating = { signature, payment: null, stake_delegation: { delegator: from, new_delegate: to, ...sent } }
    const plain = { signature, data: { to, from, fee, nonce } }
    expect(factsOf(rosetta)).toEqual(factsOf({ ...plain, data: { ...plain.data, amount } }))
    expect(factsOf(delegating)).toEqual(factsOf(plain))
    expect(factsOf({ ...plain, data: { ...plain.data, memo: null, validUntil: null } })).toEqual(factsOf(plain))
    const { client, asked } = scriptedClient([{ status: 400, headers: { 'x-broadcast-outcome': 'refused' } }])
    for (const each of [rosetta, delegating]) await client.sendUntilKnown(each)
    expect(asked.map(({ url, body }) => [url, body])).toEqual([
      ['https://service.example/broadcast/transaction', JSON.stringify(rosetta)],
      ['https://service.example/broadcast/delegation', JSON.stringify(delegating)],
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
      reason: 'Query failed to run by returning code of 200.',
      message: 'Query failed to run by returning code of 200: send its predecessor, or if never sent sign with nonce 0',
      details: 'Query failed to run by returning code of 200.',
      status: 400,
      retryAfterSeconds: undefined,
      requestId: 'r1',
      sentAtMs: noon,
    })
  })

  test('whose nonce is used never says that another one may be signed', async () => {
    const headers = { 'x-broadcast-outcome': 'unknown', 'x-broadcast-code': 'bad-nonce', 'x-expected-nonce': '77' }
    expect(await outcomeOf(refusal(headers))).toMatchObject({
      outcome: 'unknown',
      message:
        'Query failed to run by returning code of 200: the nonce is used, perhaps by this command: ask for its state, and sign nothing',
    })
  })

  test.each(Object.keys(broadcastCodes))(
    'that is not sent for %s has the words of the node alone, and in one line under 240 characters what to do',
    async (code) => {
      const said = refusalWords[code] ?? 'the node did not answer in time'
      const echoed = `Couldn't send user command: Error creating user command: ${JSON.stringify({ payload })} Error: ${said}`
      const list = JSON.stringify([{ message: /^\[/.test(said) ? `Couldn't send user command: ${said}` : echoed }])
      const error = `Query failed to run by returning code of 200. mutation sendPayment($to: PublicKey!) {…} | ${list} The network of this node is mina:devnet.`
      const outcome = await outcomeOf({
        status: 400,
        headers: { 'x-broadcast-outcome': 'refused', 'x-broadcast-code': code },
        body: { message: 'Error in sending transaction', error },
      })
      if (outcome.outcome !== 'refused') throw new Error('it is not refused')
      const reason = said.replace(/^\["(.*)"\]$/, '$1')
      const { do: advice } = broadcastAdvice[code as keyof typeof broadcastAdvice]
      expect(outcome).toMatchObject({ reason, message: `${reason.replace(/\.$/, '')}: ${advice}`, details: error })
      expect(outcome.message.length).toBeLessThan(240)
    },
  )

  test('whose refusal quotes a whole request has a message of one line under 240 characters', async () => {
    const error = Array(30).fill('/payload/memo must\nnot be empty').join('; ')
    const headers = { 'x-broadcast-outcome': 'refused', 'x-broadcast-code': 'invalid-request' }
    const outcome = await outcomeOf({ status: 400, headers, body: { message: 'No.', error } })
    expect(outcome).toMatchObject({
      reason: expect.stringMatching(/^.{239}$/),
      message: expect.stringMatching(/^\/payload.*…: mend the request$/),
      details: error,
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
