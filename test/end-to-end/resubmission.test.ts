// A signed command that is sent again, by its client or by the service.
import { expect, test } from '@jest/globals'
import { rawSignatureOf } from '../../local/examples/signed-forms.ts'
import { post, runService, signPayment, wallet } from './running-service.ts'

const service = await runService()

test('the same signed command sent again, queued or included, is 201 with the same body', async () => {
  const { chain, url } = service
  const [erin, bob] = [wallet(chain, 'erin'), wallet(chain, 'bob')]
  const signed = signPayment(chain, erin, bob)
  const first = await post(`${url}/broadcast/transaction`, signed)
  const queued = await post(`${url}/broadcast/transaction`, signed)
  chain.produceBlock()
  const included = await post(`${url}/broadcast/transaction`, signed)
  expect(first.status).toBe(201)
  expect([queued, included]).toEqual([first, first])
  expect(chain.pool(erin.publicKey)).toEqual([])
})

test('the same command in another form, with its signature raw in either byte order, is 201 with the same body', async () => {
  const { chain, url } = service
  const grace = wallet(chain, 'grace')
  const { publicKey, signature, payload } = signPayment(chain, grace, wallet(chain, 'bob'))
  const raw = rawSignatureOf(signature)
  const halves = [raw.slice(0, 64), raw.slice(64)]
  const rawOfDevice = halves.map((half) => half.match(/../g)?.reverse().join('')).join('')
  const { validUntil, ...terms } = payload
  const answers = [
    await post(`${url}/broadcast/transaction`, { signature, data: payload }),
    await post(`${url}/broadcast/transaction`, { publicKey, signature: { rawSignature: raw }, payload }),
    await post(`${url}/broadcast/transaction`, { signature: rawOfDevice, data: payload }),
    await post(`${url}/broadcast/transaction`, { signature: raw, payment: { ...terms, valid_until: validUntil } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(chain.pool(publicKey)).toHaveLength(1)
})

test('a node that cuts every connection gets two submissions and six look-ups, 10 requests with the repeats', async () => {
  const { chain, url } = service
  const before = service.received.length
  service.fault = (request) => void request.socket.destroy()
  const answer = await post(
    `${url}/broadcast/transaction`,
    signPayment(chain, wallet(chain, 'frank'), wallet(chain, 'bob')),
  )
  service.fault = undefined
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('The outcome is unknown') } })
  expect(service.received.length - before).toBe(10)
})
