// Drives openapi-fetch with the types of openapi-typescript.
import createClient from 'openapi-fetch'
import { ask, given, success } from './asking.ts'
import type { components, paths } from './client/schema.ts'

type Bodies = components['schemas']

await ask((baseUrl) => {
  const service = createClient<paths>({ baseUrl })
  const transaction = (hash: string) => service.GET('/transactions/{hash}', { params: { path: { hash } } })
  return {
    newest: async () => {
      const { blocks } = await given(service.GET('/blocks', { params: { query: { limit: 1 } } }))
      return success(blocks[0], 'no block')
    },
    block: async (state_hash) =>
      (await given(service.GET('/blocks/{state_hash}', { params: { path: { state_hash } } }))).block,
    blockAt: async (height) =>
      (await given(service.GET('/blocks/height/{height}', { params: { path: { height } } }))).block,
    account: async (public_key) =>
      (await given(service.GET('/accounts/{public_key}', { params: { path: { public_key } } }))).account,
    height: async () => (await given(service.GET('/summary'))).blockchainLength,
    transaction: async (hash) => (await given(transaction(hash))).transaction,
    statusOf: async (hash) => (await transaction(hash)).response.status,
    pay: async (body: Bodies['TransactionBody']) =>
      (await given(service.POST('/broadcast/transaction', { body }))).message,
    delegate: async (body: Bodies['DelegationBody']) =>
      (await given(service.POST('/broadcast/delegation', { body }))).message,
  }
})
