import { describe, expect, test } from '@jest/globals'
import { readingBody } from '../../../functions/runtime/request-body.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import type { ChainPort } from '../../../shared/chain/port.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { chainOf, recording, replying } from '../../shared/endpoints/asking.ts'
import { bob } from '../../shared/mapping/node-wire.ts'
import { lambdaContext } from '../event.ts'
import { held, post, signed } from './signed-payment.ts'

const transaction = (context: ChainPort) =>
  serve(broadcastTransaction, validateTransaction, {
    chain: chainOf(context),
    log: () => undefined,
    readBody: readingBody(),
  })
const bodyOf = (result: { body?: string | undefined }) => JSON.parse(result.body ?? '')

describe('a body that is at fault', () => {
  const notJson = 'body must be JSON, nested a few levels deep, without the key __proto__'
  const shape =
    'body must be {"publicKey":"B62…","signature":{"field":"…","scalar":"…"},"payload":{"to":"B62…","from":"B62…",' +
    '"fee":"…","amount":"…","nonce":"…","memo":"…","validUntil":"…"}}, or the {"signature":…,"publicKey":…,"data":…} ' +
    'that mina-signer gives'
  test.each([
    ['no body', undefined, notJson],
    ['broken JSON', '{"publicKey":', notJson],
    ['a body nested 8,000 deep', '['.repeat(8000) + ']'.repeat(8000), notJson],
    ['a __proto__ key', '{"payload":{"__proto__":{"fee":"1"}}}', notJson],
    ['17 KB', JSON.stringify({ padding: 'x'.repeat(17 * 1024) }), 'body must have at most 16384 bytes'],
    ['null', 'null', shape],
    ['a list', '[]', shape],
    ['an empty object', '{}', `/publicKey is missing; /signature is missing; /payload is missing; ${shape}`],
    [
      'both shapes at once',
      JSON.stringify({ ...signed, data: signed.payload }),
      '/data must not stand beside /payload',
    ],
    [
      'faults in the shape of mina-signer',
      JSON.stringify({
        publicKey: bob,
        signature: { scalar: '1'.repeat(15_000), signer: 5 },
        data: { ...signed.payload, fee: 2 ** 53, amount: -1, nonce: true, memo: 5, validUntil: 4294967296 },
      }),
      '/signature/field is missing; /signature/scalar must be decimal digits, at most 78; /data/fee must be at most ' +
        '9007199254740991; /data/amount must be a whole number from 0 to 18446744073709551615 without sign or leading ' +
        'zeros; /data/nonce must be a string or an integer; /data/memo must be a string; /data/validUntil must be a ' +
        'whole number from 0 to 4294967295 without sign or leading zeros; /publicKey must be the same as /data/from; ' +
        '/signature/signer must be the same as /data/from',
    ],
    [
      'faults at every depth',
      JSON.stringify({
        publicKey: bob,
        signature: { field: 5, extra: true },
        payload: { ...signed.payload, fee: '', amount: '-1', nonce: 7, memo: undefined },
      }),
      '/signature/scalar is missing; /signature/field must be a string; /payload/memo is missing; /payload/fee must not be empty; ' +
        '/payload/nonce must be a string; /payload/amount must be a whole number from 0 to 18446744073709551615 without ' +
        'sign or leading zeros; /publicKey must be the same as /payload/from',
    ],
  ])(
    '%s gets 400 in the shape of a broadcast with every fault named, and no node is asked',
    async (_what, body, error) => {
      const { context, asked } = recording({})
      const result = await transaction(context)(post(body), lambdaContext())
      expect({ ...result, body: undefined }).toEqual({
        statusCode: 400,
        headers: {
          'content-type': 'application/json',
          'cache-control': 'no-store',
          'x-broadcast-outcome': 'refused',
          'x-broadcast-code': 'invalid-request',
          'x-broadcast-retriable': 'false',
        },
        body: undefined,
      })
      expect({ ...bodyOf(result), error: bodyOf(result).error.split('; ').toSorted() }).toEqual({
        message: 'Error in sending transaction',
        error: error.split('; ').toSorted(),
      })
      expect(asked).toEqual([])
    },
  )
})

describe('a broadcast body', () => {
  const accepted = { data: { sendPayment: { payment: held } } }

  test.each([undefined, 'text/plain;charset=UTF-8', 'application/json'])(
    'is JSON whatever content type it comes with: %s',
    async (type) => {
      const event = post(JSON.stringify(signed), type === undefined ? {} : { headers: { 'content-type': type } })
      expect((await transaction(replying(accepted))(event, lambdaContext())).statusCode).toBe(201)
    },
  )

  test.each([
    [
      'may come in base64, as the gateway sends bodies without a content type',
      Buffer.from(JSON.stringify(signed)).toString('base64'),
      { isBase64Encoded: true },
    ],
    [
      'may carry keys that nobody knows',
      JSON.stringify({ ...signed, extra: 1, payload: { ...signed.payload, constructor: 'x', token: '1' } }),
      {},
    ],
  ])('%s', async (_may, body, encoding) => {
    const { context, asked } = recording(accepted)
    expect((await transaction(context)(post(body, encoding), lambdaContext())).statusCode).toBe(201)
    expect(asked).toEqual([
      { operation: 'sendPayment', variables: { ...signed.payload, ...signed.signature, rawSignature: null } },
    ])
  })
})
