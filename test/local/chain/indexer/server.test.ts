import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { GraphQLOutputType } from 'graphql'
import { buildSchema, getNamedType, isObjectType } from 'graphql'
import { indexerSchemaText } from '../../../../local/chain/indexer/schema.ts'
import { startSession } from '../session.ts'
import type { IndexerClient } from './client.ts'
import { startIndexer } from './client.ts'

const { chain } = startSession({ historyBlocks: 40 })
const schema = buildSchema(indexerSchemaText)
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain)
})
afterAll(() => indexer.close())

function selectAll(type: GraphQLOutputType): string {
  const named = getNamedType(type)
  if (!isObjectType(named)) return ''
  return `{${Object.values(named.getFields())
    .map((field) => field.name + selectAll(field.type))
    .join(' ')}}`
}

const query = (text: string) => indexer.send('/graphql', JSON.stringify({ query: text }))

test('every field of every query is answered', async () => {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).map(({ name, type }) => name + selectAll(type))
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

describe('an answer', () => {
  test.each(['/graphql', '/indexer/graphql', '/graphql?a=b'])('is served at %s', async (path) => {
    const { status, text } = await indexer.send(path, '{"query":"{block{blockHeight}}"}')
    expect({ status, text }).toEqual({ status: 200, text: '{"data":{"block":{"blockHeight":40}}}' })
  })

  test('has exactly the content type application/json', async () => {
    expect((await query('{block{blockHeight}}')).headers.get('content-type')).toBe('application/json')
  })

  test.each([
    ['{block{blockHeight}}', 'max-age=3600'],
    ['{stakes{pk}}', 'max-age=86400'],
    ['{stakes{pk} accounts{publicKey}}', 'max-age=3600'],
    ['{stakes{pk} block(query: {stateHash: "x"}){blockHeight}}', null],
  ])('to %s may be cached: %s', async (text, cacheControl) => {
    expect((await query(text)).headers.get('cache-control')).toBe(cacheControl)
  })
})

describe('an error', () => {
  test('of one field has status 200, nulls all data and gives the path', async () => {
    const { status, text } = await query(
      '{ block { blockHeight }\n  blocks(query: {stateHash: "3Nx"}) { blockHeight } }',
    )
    const error = { message: 'Invalid state hash: 3Nx', locations: [{ line: 2, column: 3 }], path: ['blocks'] }
    expect({ status, body: JSON.parse(text) }).toEqual({ status: 200, body: { data: null, errors: [error] } })
  })

  test.each([
    ['an unknown field', '{ block { workIds } }'],
    ['a syntax error', '{ block {'],
  ])('for %s nulls the data and has no extensions', async (_, text) => {
    const { status, text: body } = await query(text)
    const error = { message: expect.any(String), locations: [{ line: 1, column: expect.any(Number) }] }
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 200, body: { data: null, errors: [error] } })
  })

  test('is a 400 for a body that is not JSON', async () => {
    expect(await indexer.send('/graphql', '{"query')).toMatchObject({ status: 400 })
  })

  test.each([
    ['POST', '/'],
    ['POST', '/graphql/'],
    ['POST', '/else/graphql'],
    ['GET', '/graphql?query={block{blockHeight}}'],
  ])('is a 404 for %s %s', async (method, path) => {
    expect(await indexer.send(path, '{"query":"{block{blockHeight}}"}', method)).toMatchObject({
      status: 404,
      text: '',
    })
  })
})

test('a client that hangs up in the middle of its request does not stop the indexer', async () => {
  const left = new Promise((resolve) => {
    const client = connect(indexer.port, '127.0.0.1', () => {
      client.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"query"', () => client.destroy())
    }).on('close', resolve)
  })
  await left
  expect(await indexer.ask('{block{blockHeight}}')).toEqual({ data: { block: { blockHeight: 40 } } })
})
