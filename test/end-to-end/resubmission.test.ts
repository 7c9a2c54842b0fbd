// A signed command that is sent again, by its client or by the service.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { post, type RunningService, runService, signPayment, wallet } from './running-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service.close())

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
