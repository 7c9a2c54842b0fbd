import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { GraphQLOutputType } from 'graphql'
import { buildSchema, getNamedType, isAbstractType, isObjectType } from 'graphql'
import { nodeSchemaText } from '../../../../local/chain/node/schema.ts'
import { nodeServer } from '../../../../local/chain/node/server.ts'
import { startSession } from '../session.ts'
import type { NodeClient } from './client.ts'
import { startNode } from './client.ts'

const { chain, wallet, pay } = startSession({ historyBlocks: 40 })
const alice = wallet('alice').publicKey
const schema = buildSchema(nodeSchemaText)
let node: NodeClient

beforeAll(async () => {
  node = await startNode(chain)
})
afterAll(() => node.close())

/** Selects all fields without arguments, into accounts of accounts to a depth of 2. */
function selectAll(type: GraphQLOutputType, accountsLeft = 2): string {
  const named = getNamedType(type)
  if (isAbstractType(named)) {
    const fragments = schema.getPossibleTypes(named).map((one) => `...on ${one.name}${selectAll(one, accountsLeft)}`)
    return `{__typename ${fragments.join(' ')}}`
  }
  if (!isObjectType(named)) return ''
  const left = named.name === 'Account' ? accountsLeft - 1 : accountsLeft
  const fields = Object.values(named.getFields()).flatMap((field) =>
    getNamedType(field.type).name === 'Account' && left < 1 ? [] : [field.name + selectAll(field.type, left)],
  )
  return `{${fields.join(' ')}}`
}

describe('the schema', () => {
  test('answers every field of every query', async () => {
    pay({ from: 'alice', to: 'bob' })
    const given: Record<string, string> = {
      account: `(publicKey: "${alice}")`,
      accounts: `(publicKey: "${alice}")`,
      block: `(stateHash: "${chain.tip().stateHash}")`,
    }
    const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).map(
      ({ name, type }) => `${name}${given[name] ?? ''}${selectAll(type)}`,
    )
    const { status, body } = await node.ask(`{${fields.join(' ')}}`)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('errors')
    expect(body).toMatchObject({ data: { bestChain: { length: 30 }, pooledUserCommands: { length: 1 } } })
  })
})

describe('the dialect', () => {
  test.each([
    ['an unknown field', '{ syncStatus nonsense }', "Field 'nonsense' is not defined on type 'query'"],
    [
      'a malformed key in the document',
      '{\n  account(publicKey: "abc") { nonce }\n}',
      'Argument `publicKey` of type `PublicKey!` expected on field `account`, found "abc".',
    ],
    [
      'a variable that is not sent, even a nullable one',
      'query ($h: String) { block(stateHash: $h) { stateHash } }',
      'Missing variable `h`',
    ],
  ])('has the daemon’s message for %s', async (_, query, message) => {
    expect(await node.ask(query)).toEqual({
      status: 200,
      contentType: null,
      body: { errors: [{ message }], data: null },
    })
  })

  test('answers a syntax error with a bare JSON string', async () => {
    const { status, body } = await node.ask('{ syncStatus')
    expect({ status, type: typeof body }).toEqual({ status: 200, type: 'string' })
  })

  test.each([
    ['a content type with a suffix', JSON.stringify({ query: '{ syncStatus }' }), 'application/json; charset=utf-8'],
    ['no JSON', 'query { syncStatus }', 'application/json'],
    ['no query', '{}', 'application/json'],
  ])('answers %s with 400 in plain text', async (_, body, contentType) => {
    expect(await node.send('/graphql', body, contentType)).toEqual({ status: 400, text: 'Must provide query string' })
  })

  test('serves no other path', async () => {
    expect(await node.send('/', '{}', 'application/json')).toEqual({ status: 404, text: '' })
  })
})

test('a client that hangs up in the middle of its request does not stop the node', async () => {
  const serve = nodeServer(chain)
  const served = new Promise((resolve) => {
    const server = createServer((request, response) => {
      serve(request, response)
        .then(() => resolve('unharmed'), resolve)
        .finally(() => server.close())
      request.once('data', () => request.socket.destroy())
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      const client = connect(port, '127.0.0.1')
      client.on('error', () => client.destroy())
      client.write('POST /graphql HTTP/1.1\r\nHost: node\r\nContent-Length: 100\r\n\r\n{"query"')
    })
  })
  expect(await served).toBe('unharmed')
})
