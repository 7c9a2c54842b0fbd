import { describe, expect, test } from '@jest/globals'
import { readOriginLock, readSettings } from '../../../../functions/runtime/settings/settings.ts'

const url = 'https://node.example/graphql'

describe('settings', () => {
  test('need only the address of the node', () => {
    expect(readSettings({ NODE_GRAPHQL_URL: url })).toEqual({ node: { url, headers: {}, timeoutMs: 8000 } })
  })

  test('may name a time-out and headers for the upstream', () => {
    const env = { NODE_GRAPHQL_URL: url, UPSTREAM_TIMEOUT_MS: '1500', UPSTREAM_HEADERS: '{"X-Api-Key":"secret"}' }
    expect(readSettings(env)).toEqual({ node: { url, headers: { 'x-api-key': 'secret' }, timeoutMs: 1500 } })
  })

  test('may name an indexer, with its own headers and time-outs', () => {
    const env = {
      NODE_GRAPHQL_URL: url,
      INDEXER_GRAPHQL_URL: 'http://indexer.example/graphql',
      INDEXER_HEADERS: '{"x-key":"k"}',
      INDEXER_TIMEOUT_MS: '700',
    }
    expect(readSettings(env).indexer).toEqual({
      url: 'http://indexer.example/graphql',
      headers: { 'x-key': 'k' },
      timeoutMs: 700,
      slowTimeoutMs: 8000,
    })
    expect(readSettings({ NODE_GRAPHQL_URL: url, INDEXER_GRAPHQL_URL: '' }).indexer).toBeUndefined()
    expect(() => readSettings({ ...env, INDEXER_STAKES_TIMEOUT_MS: '0', INDEXER_GRAPHQL_URL: 'x' })).toThrow(
      /INDEXER_GRAPHQL_URL.*\nINDEXER_STAKES_TIMEOUT_MS/,
    )
  })

  test('may pin the network, only by the state hash of its genesis block', () => {
    const genesisStateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
    const env = { NODE_GRAPHQL_URL: url, GENESIS_STATE_HASH: genesisStateHash }
    expect(readSettings(env)).toMatchObject({ genesisStateHash })
    expect(() => readSettings({ ...env, GENESIS_STATE_HASH: `${genesisStateHash}a` })).toThrow(
      /^Settings are wrong\.\nGENESIS_STATE_HASH: wanted the state hash of a genesis block/,
    )
  })

  test('hold the secrets of the origin lock, which are required on Lambda', () => {
    const env = { NODE_GRAPHQL_URL: url, AWS_LAMBDA_FUNCTION_NAME: 'summary' }
    expect(readSettings({ ...env, ORIGIN_SECRETS: 'new,old' }).originSecrets).toEqual(['new', 'old'])
    for (const secrets of [{}, { ORIGIN_SECRETS: '' }, { ORIGIN_SECRETS: ',' }]) {
      expect(() => readSettings({ ...env, ...secrets })).toThrow(
        'Settings are wrong.\nORIGIN_SECRETS: wanted the texts that CloudFront sends, separated by commas, got nothing',
      )
      expect(readSettings({ NODE_GRAPHQL_URL: url, ...secrets })).not.toHaveProperty('originSecrets')
    }
  })

  test('of a function without upstreams are the secrets of the origin lock alone', () => {
    expect(readOriginLock({ ORIGIN_SECRETS: 'new,old' })).toEqual(['new', 'old'])
    expect(readOriginLock({})).toBeUndefined()
    expect(() => readOriginLock({ AWS_LAMBDA_FUNCTION_NAME: 'docs' })).toThrow(
      'ORIGIN_SECRETS: wanted the texts that CloudFront sends, separated by commas, got nothing',
    )
  })

  const address = 'an http or https address such as http://127.0.0.1:3085/graphql'
  const milliseconds = 'whole milliseconds from 1 to 20000'
  const headers = 'a JSON object of header names and texts such as {"x-api-key":"…"}'
  test.each([
    [{}, `NODE_GRAPHQL_URL: wanted ${address}, got nothing`],
    [{ NODE_GRAPHQL_URL: '' }, `NODE_GRAPHQL_URL: wanted ${address}, got nothing`],
    [{ NODE_GRAPHQL_URL: 'node:3085' }, `NODE_GRAPHQL_URL: wanted ${address}, got "node:3085"`],
    [{ NODE_GRAPHQL_URL: 'ftp://node/' }, `NODE_GRAPHQL_URL: wanted ${address}, got "ftp://node/"`],
    [
      { NODE_GRAPHQL_URL: 'https://me:secret@node/' },
      `NODE_GRAPHQL_URL: wanted ${address}; credentials belong in headers, got one with a user name or password in it`,
    ],
    [{ NODE_GRAPHQL_URL: url, UPSTREAM_TIMEOUT_MS: '0' }, `UPSTREAM_TIMEOUT_MS: wanted ${milliseconds}, got "0"`],
    [{ NODE_GRAPHQL_URL: url, UPSTREAM_TIMEOUT_MS: '8s' }, `UPSTREAM_TIMEOUT_MS: wanted ${milliseconds}, got "8s"`],
    [
      { NODE_GRAPHQL_URL: url, UPSTREAM_TIMEOUT_MS: '20001' },
      `UPSTREAM_TIMEOUT_MS: wanted ${milliseconds}, got "20001"`,
    ],
    [
      { NODE_GRAPHQL_URL: url, UPSTREAM_HEADERS: 'key=secret' },
      `UPSTREAM_HEADERS: wanted ${headers}, got something else`,
    ],
  ])('%j is refused, saying what is wrong and no secret', (env, line) => {
    expect(() => readSettings(env)).toThrow(new Error(`Settings are wrong.\n${line}`))
  })

  test('name every mistake at once', () => {
    expect(() => readSettings({ UPSTREAM_TIMEOUT_MS: 'x', UPSTREAM_HEADERS: 'x' })).toThrow(
      /NODE_GRAPHQL_URL.*\nUPSTREAM_HEADERS.*\nUPSTREAM_TIMEOUT_MS/,
    )
  })
})
