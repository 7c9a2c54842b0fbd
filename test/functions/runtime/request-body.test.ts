import { expect, test } from '@jest/globals'
import { readingBody } from '../../../functions/runtime/request-body.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { chainOf, recording } from '../../shared/endpoints/asking.ts'
import { lambdaContext } from '../event.ts'
import { held, post, signed } from './signed-payment.ts'

test('a broadcast body may come in base64, as the gateway sends bodies without a content type', async () => {
  const { context, asked } = recording({ data: { sendPayment: { payment: held } } })
  const ports = { chain: chainOf(context), log: () => undefined, readBody: readingBody(), schema: validateTransaction }
  const body = Buffer.from(JSON.stringify(signed)).toString('base64')
  const answer = await serve(broadcastTransaction, ports)(post(body, { isBase64Encoded: true }), lambdaContext())
  expect(answer.statusCode).toBe(201)
  expect(asked).toEqual([
    { operation: 'sendPayment', variables: { ...signed.payload, ...signed.signature, rawSignature: null } },
  ])
})
