import { connect } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { GraphQLOutputType } from 'graphql'
import { buildSchema, getNamedType, isObjectType } from 'graphql'
import { indexerSchemaText } from '../../../../local/chain/indexer/schema.ts'
import { indexerServer } from '../../../../local/chain/indexer/server.ts'
import { serve } from '../../../serving.ts'
import { startSession } from '../session.ts'
import { askIndexer, clientOf, indexerOf } from '../upstream.ts'

const { chain } = startSession({ historyBlocks: 40 })
const schema = buildSchema(indexerSchemaText)
const indexer = indexerOf(chain)
const query = (text: string) => indexer.send(JSON.stringify({ query: text }))

function selectAll(type: GraphQLOutputType): string {
  const named = getNamedType(type)
  if (!isObjectType(named)) return ''
  return `{${Object.values(named.getFields())
    .map((field) => field.name + selectAll(field.type))
    .join(' ')}}`
}

describe('the indexer', () => {
  test('answers every field of every query', async () => {
    const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).map(
      ({ name, type }) => name + selectAll(type),
    )
    const body = await indexer.ask(`{${fields.join(' ')}}`)
    expect(body).not.toHaveProperty('errors')
    expect(body).toMatchObject({
      data: {
        block: { stateHash: chain.tip().stateHash },
        blocks: { length: 40 },
        accounts: { length: chain.ledger().size },
        stakes: { length: chain.stakingLedger(1)?.accounts.size },
      },
    })
  })

  test.each(['/graphql', '/indexer/graphql', '/graphql?a=b'])('answers at %s, as application/json', async (path) => {
    const { status, text, headers } = await indexer.send('{"query":"{block{blockHeight}}"}', { path })
    expect({ status, text, type: headers.get('content-type') }).toEqual({
      status: 200,
      text: '{"data":{"block":{"blockHeight":40}}}',
      type: 'application/json',
    })
  })

  test.each([
    ['{block{blockHeight}}', 'max-age=3600'],
    ['{stakes{pk}}', 'max-age=86400'],
    ['{stakes{pk} accounts{publicKey}}', 'max-age=3600'],
    ['{stakes{pk} block(query: {stateHash: "x"}){blockHeight}}', null],
  ])('answers %s with the cache-control %s', async (text, cacheControl) => {
    expect((await query(text)).headers.get('cache-control')).toBe(cacheControl)
  })

  test.each([
    ['of one field', '{ block { blockHeight }\n  blocks(query: {stateHash: "3Nx"}) { blockHeight } }', 2, ['blocks']],
    ['for an unknown field', '{ block { workIds } }', 1, undefined],
    ['for a syntax error', '{ block {', 1, undefined],
  ])('nulls all data after an error %s, with status 200 and without extensions', async (_, text, line, path) => {
    const { status, text: body } = await query(text)
    const error = {
      message: expect.any(String),
      locations: [{ line, column: expect.any(Number) }],
      ...(path && { path }),
    }
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 200, body: { data: null, errors: [error] } })
  })

  test('answers 400 to a body that is not JSON', async () => {
    expect(await indexer.send('{"query')).toMatchObject({ status: 400 })
  })

  test.each([
    ['POST', '/'],
    ['POST', '/graphql/'],
    ['POST', '/else/graphql'],
    ['GET', '/graphql?query={block{blockHeight}}'],
  ])('answers 404 to %s %s', async (method, path) => {
    const answer = await indexer.send('{"query":"{block{blockHeight}}"}', { path, method })
    expect(answer).toMatchObject({ status: 404, text: '' })
  })

  test('survives a client that hangs up in the middle of its request', async () => {
    const served = await serve(indexerServer(chain))
    await new Promise((resolve) => {
      const client = connect(served.port, '127.0.0.1', () => {
        client.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"query"', () => client.destroy())
      }).on('close', resolve)
    })
    expect(await clientOf(served).ask('{block{blockHeight}}')).toEqual({ data: { block: { blockHeight: 40 } } })
  })
})

describe('an indexer without a block', () => {
  const empty = { behind: chain.tip().height }
  const { ledgerHash } = chain.tip().stakingEpoch

  test.each([
    '{ block { stateHash } }',
    '{ blocks(limit: 1) { stateHash } }',
    '{ stakes(limit: 1) { epoch } }',
    `{ stakes(limit: 1, query: {ledgerHash: "${ledgerHash}"}) { epoch } }`,
    '{ transactions(limit: 1) { nonce } }',
    '{ accounts { nonce } block { stateHash } }',
  ])('cuts the connection on %s', async (text) => {
    await expect(askIndexer(chain, text, empty)).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } })
  })

  test('answers where it needs none', async () => {
    const ledger = `stakes(limit: 0, query: {ledgerHash: "${ledgerHash}"}) { epoch }`
    expect(await askIndexer(chain, `{ accounts { nonce } version ${ledger} }`, empty)).toEqual({
      data: { accounts: [], version: expect.any(String), stakes: [] },
    })
  })
})
