// Code that must not compile: each expectation here is checked by `npm run types`, and fails there once it compiles.
import { expect, test } from '@jest/globals'
import type { SamplesOf } from '../../../shared/contract/endpoint-contract.ts'
import type { getAccountContract } from '../../../shared/contract/endpoints/get-account.ts'
import { getBlockContract } from '../../../shared/contract/endpoints/get-block.ts'
import type { SuccessBody } from '../../../shared/endpoints/all.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import type { Answer } from '../../../shared/http/answer.ts'

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

test('an endpoint under another’s contract, or without its contract’s name, does not compile', () => {
  // @ts-expect-error the summary's answer is not an account
  const renamed: Endpoint<typeof getAccountContract, object> = getSummary
  // @ts-expect-error another name than the contract's
  const misnamed: typeof getSummary.name = 'getSumary'
  expect([renamed, misnamed]).toHaveLength(2)
})

test('a contract without a sample of each answer that a request decides does not compile', () => {
  const { responses } = getBlockContract
  // @ts-expect-error the sample of the 404 is missing
  const unsampled: SamplesOf<typeof responses> = { 200: { shows: 'block' } }
  expect(unsampled).toBeDefined()
})
