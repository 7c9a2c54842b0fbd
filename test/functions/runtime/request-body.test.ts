import { describe, expect, test } from '@jest/globals'
import { readingBody } from '../../../functions/runtime/request-body.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import type { ChainPort } from '../../../shared/chain/port.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { chainOf, recording, replying } from '../../shared/endpoints/asking.ts'
import { lambdaContext } from '../event.ts'
import { held, post, signed } from './signed-payment.ts'

const transaction = (context: ChainPort) =>
  serve(broadcastTransaction, validateTransaction, {
    chain: chainOf(context),
    log: () => undefined,
    readBody: readingBody(),
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
      'may carry unknown keys',
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
