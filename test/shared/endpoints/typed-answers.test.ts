// What must not compile: each expectation here is checked by `npm run types`, and fails there once it compiles.
import { expect, test } from '@jest/globals'
import type { RequestSchema } from '../../../shared/contract/requests.ts'
import type { EndpointName, SuccessBody } from '../../../shared/contract/responses.ts'
import type { Answer, Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'

type SummaryAnswer = Answer<SuccessBody<'getSummary'>>
type AccountAnswer = Answer<SuccessBody<'getAccount'>>

test('an answer with another body than the contract’s does not compile', () => {
  // @ts-expect-error no such key, and none of the required ones
  const misspelt: AccountAnswer = { status: 200, body: { acount: {}, nonsense: true } }
  // @ts-expect-error a field of another type
  const account: SuccessBody<'getAccount'>['account']['nonce'] = '7'
  // @ts-expect-error the summary has no wrapper key
  const wrapped: SummaryAnswer = { status: 200, body: { summary: {} } }
  // @ts-expect-error a failure has a message
  const silent: SummaryAnswer = { status: 404, body: {} }
  // @ts-expect-error no endpoint answers this status
  const teapot: SummaryAnswer = { status: 418, body: { message: 'no' } }
  expect([misspelt, account, wrapped, silent, teapot]).toHaveLength(5)
})

test('an endpoint under another’s name, or one that the contract does not have, does not compile', () => {
  // @ts-expect-error the summary's answer is no account
  const renamed: Endpoint<'getAccount', object> = getSummary
  // @ts-expect-error no such name
  const unknown: Endpoint<'getAcount', object> = getAccount
  expect([renamed, unknown]).toHaveLength(2)
})

test('schemas under a missing or an unknown name do not compile', () => {
  // @ts-expect-error five names are missing
  const incomplete: Readonly<Record<EndpointName, RequestSchema>> = { getBlocks: {} }
  // @ts-expect-error no such name
  const unknown: Partial<Readonly<Record<EndpointName, RequestSchema>>> = { getAcount: {} }
  expect([incomplete, unknown]).toHaveLength(2)
})
