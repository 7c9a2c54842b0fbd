import { describe, expect, test } from '@jest/globals'
import { readSettings } from '../../../functions/runtime/settings.ts'
import type { StageSettings } from '../../../infra/settings/schema.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { functionsByRoute } from '../route-functions.ts'
import { templateOf } from '../stack-template.ts'

describe('the indexer', () => {
  const indexer = {
    indexerGraphqlUrl: 'https://indexer.example.org/graphql',
    indexerTimeoutMs: 900,
    indexerStakesTimeoutMs: 7000,
    indexerHeaders: { authorization: 'Bearer "s3cret"' },
  }
  const node = {
    NODE_GRAPHQL_URL: 'https://node.example.org/graphql',
    NODE_OPTIONS: '--enable-source-maps',
    UPSTREAM_TIMEOUT_MS: '9000',
  }
  const nodeAndIndexer = {
    ...node,
    INDEXER_GRAPHQL_URL: 'https://indexer.example.org/graphql',
    INDEXER_TIMEOUT_MS: '900',
    INDEXER_STAKES_TIMEOUT_MS: '7000',
  }

  /** The environment behind each route, without what all of them have. */
  const environments = (changed: Partial<StageSettings>): Record<string, Record<string, string>> => {
    const byRoute = Object.entries(functionsByRoute(templateOf(changed)))
    return Object.fromEntries(
      byRoute.map(([route, { properties }]) => {
        const { ORIGIN_SECRETS: _secret, SERVICE_NAME: _name, ...variables } = properties.Environment.Variables
        return [route, variables]
      }),
    )
  }

  test('is known to the functions that ask it, and to no other', () => {
    expect(environments({ ...indexer, indexerHeaders: {} })).toEqual({
      'GET /accounts/{public_key}': nodeAndIndexer,
      'GET /blocks': nodeAndIndexer,
      'GET /blocks/{state_hash}': nodeAndIndexer,
      'GET /summary': node,
      'POST /broadcast/delegation': node,
      'POST /broadcast/transaction': node,
    })
  })

  test('is sent its headers where there are some, and the functions read what the stack gives them', () => {
    const { 'GET /blocks': blocks, 'GET /summary': summary } = environments(indexer)
    expect(blocks).toEqual({ ...nodeAndIndexer, INDEXER_HEADERS: '{"authorization":"Bearer \\"s3cret\\""}' })
    const nodeSettings = { url: 'https://node.example.org/graphql', headers: {}, timeoutMs: 9000 }
    expect(readSettings(blocks)).toEqual({
      node: nodeSettings,
      indexer: {
        url: 'https://indexer.example.org/graphql',
        headers: indexer.indexerHeaders,
        timeoutMs: 900,
        slowTimeoutMs: 7000,
      },
    })
    expect(readSettings(summary)).toEqual({ node: nodeSettings })
  })

  test('is absent without an address, whatever else is set', () => {
    const byRoute = environments({ ...indexer, indexerGraphqlUrl: null })
    expect(byRoute).toEqual(Object.fromEntries(endpoints.map(({ method, path }) => [`${method} ${path}`, node])))
  })
})
