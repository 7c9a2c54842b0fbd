import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { read } from './read-settings.ts'

const table = 'slot,locked\n0,214997828.206981533\n691201,0\n'
const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-settings-'))
const tablePath = join(folder, 'locked-supply.csv')
writeFileSync(tablePath, table)
afterAll(() => rmSync(folder, { recursive: true }))

const indexerGraphqlUrl = 'https://indexer.example/graphql'
const nodeGraphqlUrl = 'https://node.example/graphql'

/** What a node URL alone gives. */
const defaults = {
  stage: 'dev',
  nodeGraphqlUrl,
  upstreamTimeoutMs: 8000,
  upstreamHeaders: {},
  indexerGraphqlUrl: null,
  indexerHeaders: {},
  indexerTimeoutMs: 1500,
  indexerStakesTimeoutMs: 8000,
  lockedSupplyTable: '',
}

describe('accepted settings', () => {
  test('a node URL alone is enough', () => {
    expect(read({ nodeGraphqlUrl })).toEqual(defaults)
  })

  test('every setting comes from the context', () => {
    expect(
      read({
        stage: 'prod',
        nodeGraphqlUrl: 'http://10.0.0.7:3085/graphql',
        upstreamTimeoutMs: '12000',
        upstreamHeaders: '{"X-Api-Key":"s3cret"}',
        indexerGraphqlUrl: 'http://10.0.0.8:8080/graphql',
        indexerHeaders: '{"Authorization":"Bearer s3cret"}',
        indexerTimeoutMs: '900',
        indexerStakesTimeoutMs: '20000',
        lockedSupplyTable: tablePath,
      }),
    ).toEqual({
      stage: 'prod',
      nodeGraphqlUrl: 'http://10.0.0.7:3085/graphql',
      upstreamTimeoutMs: 12_000,
      upstreamHeaders: { 'x-api-key': 's3cret' },
      indexerGraphqlUrl: 'http://10.0.0.8:8080/graphql',
      indexerHeaders: { authorization: 'Bearer s3cret' },
      indexerTimeoutMs: 900,
      indexerStakesTimeoutMs: 20_000,
      lockedSupplyTable: table,
    })
  })

  test('every setting comes from the environment', () => {
    expect(
      read(
        {},
        {
          EXPLORER_STAGE: 'devnet-2',
          EXPLORER_NODE_GRAPHQL_URL: nodeGraphqlUrl,
          EXPLORER_UPSTREAM_TIMEOUT_MS: '1',
          EXPLORER_UPSTREAM_HEADERS: '{"x-api-key":"s3cret"}',
          EXPLORER_INDEXER_GRAPHQL_URL: indexerGraphqlUrl,
          EXPLORER_INDEXER_HEADERS: '{"x-api-key":"s3cret too"}',
          EXPLORER_INDEXER_TIMEOUT_MS: '2',
          EXPLORER_INDEXER_STAKES_TIMEOUT_MS: '3',
          EXPLORER_LOCKED_SUPPLY_TABLE: tablePath,
        },
      ),
    ).toEqual({
      stage: 'devnet-2',
      nodeGraphqlUrl,
      upstreamTimeoutMs: 1,
      upstreamHeaders: { 'x-api-key': 's3cret' },
      indexerGraphqlUrl,
      indexerHeaders: { 'x-api-key': 's3cret too' },
      indexerTimeoutMs: 2,
      indexerStakesTimeoutMs: 3,
      lockedSupplyTable: table,
    })
  })

  test('numbers and objects of cdk.json are taken as they are', () => {
    expect(read({ nodeGraphqlUrl, upstreamTimeoutMs: 20_000, upstreamHeaders: { 'x-api-key': 's3cret' } })).toEqual({
      ...defaults,
      upstreamTimeoutMs: 20_000,
      upstreamHeaders: { 'x-api-key': 's3cret' },
    })
  })

  test('the context goes before the environment, and empty text counts as nothing', () => {
    const env = { EXPLORER_STAGE: 'other', EXPLORER_NODE_GRAPHQL_URL: nodeGraphqlUrl, EXPLORER_UPSTREAM_TIMEOUT_MS: '' }
    expect(read({ stage: 'mine', nodeGraphqlUrl: '' }, env)).toEqual({ ...defaults, stage: 'mine' })
  })
})
