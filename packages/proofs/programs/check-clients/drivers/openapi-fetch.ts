// Drives openapi-fetch with the types of openapi-typescript.
import createClient from 'openapi-fetch'
import { ask, success } from './asking.ts'
import type { components, paths } from './client/schema.ts'

type Bodies = components['schemas']

await ask((baseUrl) => {
  const service = createClient<paths>({ baseUrl })
  const transaction = (hash: string) => service.GET('/transactions/{hash}', { params: { path: { hash } } })
  return {
    newest: async () => {
      const { data, error } = await service.GET('/blocks', { params: { query: { limit: 1 } } })
      return success(success(data, error).blocks[0], 'no block')
    },
    block: async (state_hash) => {
      const { data, error } = await service.GET('/blocks/{state_hash}', { params: { path: { state_hash } } })
      return success(data, error).block
    },
    blockAt: async (height) => {
      const { data, error } = await service.GET('/blocks/height/{height}', { params: { path: { height } } })
      return success(data, error).block
    },
    account: async (public_key) => {
      const { data, error } = await service.GET('/accounts/{public_key}', { params: { path: { public_key } } })
      return success(data, error).account
    },
    height: async () => {
      const { data, error } = await service.GET('/summary')
      return success(data, error).blockchainLength
    },
    transaction: async (hash) => {
      const { data, error } = await transaction(hash)
      return success(data, error).transaction
    },
    statusOf: async (hash) => (await transaction(hash)).response.status,
    pay: async (body: Bodies['TransactionBody']) => {
      const { data, error } = await service.POST('/broadcast/transaction', { body })
      return success(data, error).message
    },
    delegate: async (body: Bodies['DelegationBody']) => {
      const { data, error } = await service.POST('/broadcast/delegation', { body })
      return success(data, error).message
    },
  }
})
