// Requests that have no meaning are answered without a question to the node.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { get, type RunningService, runService } from './running-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service.close())

test.each([
  ['/blocks?limit=0', 400],
  ['/blocks?limit=1&limit=2', 400],
  ['/blocks/%00', 404],
  ['/blocks/a%2Fb', 404],
  ['/%73ummary', 404],
  ['/summary%3Fx=1', 404],
  ['/blocks/"}){block{stateHash}}', 404],
  [`/accounts/${'B'.repeat(10_000)}`, 404],
  ['/accounts/B62qre3erTHfzQckNuibViWQGyyKwZseztqrjPZBv6SQF384Rg6ESAz', 404],
  ['/nowhere', 404],
  ['/blocks/a/b', 404],
])('GET %s gets %d without asking the node', async (path, status) => {
  const answer = await get(service.url + path)
  expect([answer.status, answer.body]).toEqual([status, { message: expect.any(String) }])
  expect(service.received).toEqual([])
})
