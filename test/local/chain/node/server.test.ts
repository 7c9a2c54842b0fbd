import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { GraphQLOutputType } from 'graphql'
import { buildSchema, getNamedType, isAbstractType, isObjectType } from 'graphql'
import { nodeSchemaText } from '../../../../local/chain/node/schema.ts'
import { nodeServer } from '../../../../local/chain/node/server.ts'
import { startSession } from '../session.ts'
import { nodeOf } from '../upstream.ts'

const { chain, wallet, pay } = startSession({ historyBlocks: 40 })
const schema = buildSchema(nodeSchemaText)
const node = nodeOf(chain)

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

describe('the node', () => {
  test('answers every field of every query', async () => {
    pay({ from: 'alice', to: 'bob' })
    const { publicKey } = wallet('alice')
    const given: Record<string, string> = {
      account: `(publicKey: "${publicKey}")`,
      accounts: `(publicKey: "${publicKey}")`,
      block: `(stateHash: "${chain.tip().stateHash}")`,
    }
    const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).map(
      ({ name, type }) => `${name}${given[name] ?? ''}${selectAll(type)}`,
    )
    const answer = await node.ask(`{${fields.join(' ')}}`)
    expect(answer).not.toHaveProperty('errors')
    expect(answer).toMatchObject({ data: { bestChain: { length: 30 }, pooledUserCommands: { length: 1 } } })
  })

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
  ])('has the daemon’s message for %s, with status 200 and without a content type', async (_, query, message) => {
    const { status, headers, text } = await node.send(JSON.stringify({ query, variables: {} }))
    expect({ status, contentType: headers.get('content-type'), body: JSON.parse(text) }).toEqual({
      status: 200,
      contentType: null,
      body: { errors: [{ message }], data: null },
    })
  })

  test('answers a syntax error with a bare JSON string', async () => {
    expect(await node.ask('{ syncStatus')).toMatch(/^Syntax Error/)
  })

  test.each([
    ['a content type with a suffix', JSON.stringify({ query: '{ syncStatus }' }), 'application/json; charset=utf-8'],
    ['a body that is not JSON', 'query { syncStatus }', 'application/json'],
    ['a body without a query', '{}', 'application/json'],
  ])('answers %s with 400 in plain text', async (_, body, contentType) => {
    expect(await node.send(body, { contentType })).toMatchObject({ status: 400, text: 'Must provide query string' })
  })

  test('answers 404 at any other path', async () => {
    expect(await node.send('{}', { path: '/' })).toMatchObject({ status: 404, text: '' })
  })

  test('survives a client that hangs up in the middle of its request', async () => {
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
})
