// The HTTP and the GraphQL dialects of the embedded node and indexer.
import { connect } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { GraphQLOutputType } from 'graphql'
import { buildSchema, getNamedType, isAbstractType, isObjectType } from 'graphql'
import { indexerSchemaText } from '../../packages/testnet/indexer/schema.ts'
import { indexerServer } from '../../packages/testnet/indexer/server.ts'
import { nodeSchemaText } from '../../packages/testnet/node/schema.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { zkappView } from '../../packages/testnet/node/views.ts'
import { createZkappCommand } from '../../packages/testnet/zkapp-command.ts'
import { serve } from '../serving.ts'
import { startSession } from './session.ts'
import { askIndexer, clientOf, indexerOf, nodeOf } from './upstream.ts'

const { chain, wallet, pay } = startSession({ historyBlocks: 40 })
pay({ from: 'alice', to: 'bob' })
const node = nodeOf(chain)
const indexer = indexerOf(chain)

/** Every field of every query of a schema, into accounts of accounts to a depth of 2. */
function everything(schemaText: string, given: Readonly<Record<string, string>> = {}): string {
  const schema = buildSchema(schemaText)
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
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {})
  return `{${queries.map(({ name, type }) => name + (given[name] ?? '') + selectAll(type)).join(' ')}}`
}

test.each([
  ['node', nodeServer, { syncStatus: 'SYNCED' }],
  ['indexer', indexerServer, { block: { blockHeight: 40 } }],
])('the %s survives a client that hangs up in the middle of its request', async (_, serverOf, data) => {
  const served = await serve(serverOf(chain))
  await new Promise((resolve) => {
    const client = connect(served.port, '127.0.0.1', () => {
      client.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"query"', () => client.destroy())
    }).on('close', resolve)
  })
  const query = serverOf === nodeServer ? '{ syncStatus }' : '{ block { blockHeight } }'
  expect(await clientOf(served).ask(query)).toEqual({ data })
})

test('both execute the operation that is named', async () => {
  const body = JSON.stringify({ query: 'query A { __typename } query B { version }', operationName: 'B' })
  const answers = await Promise.all([node, indexer].map((upstream) => upstream.send(body)))
  const version = expect.any(String)
  expect(answers.map(({ text }) => JSON.parse(text))).toEqual(Array(2).fill({ data: { version } }))
})

test('the indexer allows a cache to keep an answer, and none with an error', async () => {
  const answers = ['{block{stateHash}}', '{block{stateHash} accounts(query: {publicKey: "x"}) {nonce}}'].map((query) =>
    indexer.send(JSON.stringify({ query })),
  )
  const allowed = (await Promise.all(answers)).map(({ headers }) => headers.get('cache-control'))
  expect(allowed).toEqual(['max-age=3600', null])
})

test('a document that nests too deep to be parsed is answered with an error by both', async () => {
  const query = '{a'.repeat(100_000)
  const message = expect.stringContaining('Maximum call stack size exceeded')
  expect(await node.ask(query)).toEqual(message)
  expect(await indexer.ask(query)).toEqual({ data: null, errors: [{ message }] })
})

describe('the node', () => {
  test('answers every field of every query', async () => {
    const key = `(publicKey: "${wallet('alice').publicKey}")`
    const given = { account: key, accounts: key, block: `(stateHash: "${chain.tip().stateHash}")` }
    const answer = await node.ask(everything(nodeSchemaText, given))
    expect(answer).not.toHaveProperty('errors')
    expect(answer).toMatchObject({ data: { bestChain: { length: 30 }, pooledUserCommands: { length: 1 } } })
  })

  test('says what o1js needs of an account', async () => {
    const asked = '{ permissions { send editState access setVerificationKey { auth txnVersion } } actionState }'
    const of = (name: string) => `${name}: account(publicKey: "${wallet(name).publicKey}") ${asked}`
    const permissions = { access: 'None', setVerificationKey: { auth: 'Signature', txnVersion: '3' } }
    const noActions = '25079927036070901246064867767436987657692091363973573142121686150614948079097'
    expect(await node.ask(`{ ${of('alice')} ${of('judy')} }`)).toEqual({
      data: {
        alice: { permissions: { ...permissions, send: 'Signature', editState: 'Signature' }, actionState: null },
        judy: {
          permissions: { ...permissions, send: 'Proof', editState: 'Proof' },
          actionState: Array.from({ length: 5 }, () => noActions),
        },
      },
    })
  })

  test('says what became of a zkApp command by its id', async () => {
    const { chain: own, wallet: of } = startSession()
    const other = nodeOf(own)
    const payer = { from: of('bob').publicKey, fee: 10_000_000n, nonce: 0 }
    const [queued, unknown] = [payer, { ...payer, nonce: 7 }].map((each) => createZkappCommand(each))
    if (!queued || !unknown) throw new Error('two commands were wanted')
    own.queueZkapp(queued)
    const statuses = () =>
      other.ask(
        `{ ${[queued, unknown].map((each, index) => `s${index}: transactionStatus(zkappTransaction: "${zkappView(each).id()}")`)} }`,
      )
    expect(await statuses()).toEqual({ data: { s0: 'PENDING', s1: 'UNKNOWN' } })
    own.produceBlock()
    expect(await statuses()).toEqual({ data: { s0: 'INCLUDED', s1: 'UNKNOWN' } })
  })

  const malformedKey = 'Argument `publicKey` of type `PublicKey!` expected on field `account`, found "abc".'
  test.each([
    ['an unknown field', '{ syncStatus nonsense }', "Field 'nonsense' is not defined on type 'query'"],
    ['a malformed key in the document', '{\n  account(publicKey: "abc") { nonce }\n}', malformedKey],
    [
      'a variable that is not sent',
      'query ($h: String) { block(stateHash: $h) { stateHash } }',
      'Missing variable `h`',
    ],
  ])('has the daemon’s message for %s, with status 200 and without a content type', async (_, query, message) => {
    const { status, headers, text } = await node.send(JSON.stringify({ query, variables: {} }))
    expect([status, headers.get('content-type'), JSON.parse(text)]).toEqual([
      ...[200, null, { errors: [{ message }], data: null }],
    ])
  })

  test('answers a syntax error with a bare JSON string', async () => {
    expect(await node.ask('{ syncStatus')).toMatch(/^Syntax Error/)
  })

  const refusal = 'Must provide query string'
  test.each([
    ['a content type with a suffix', '{"query":"{ syncStatus }"}', { contentType: 'application/json; charset=utf-8' }],
    ['a body that is not JSON', 'query { syncStatus }', {}],
    ['a body without a query', '{}', {}],
  ])('answers %s with 400 in plain text, and another path with 404', async (_, body, request) => {
    expect(await node.send(body, request)).toMatchObject({ status: 400, text: refusal })
    expect(await node.send(body, { ...request, path: '/' })).toMatchObject({ status: 404, text: '' })
  })
})

describe('the indexer', () => {
  const light = '{"query":"{block{blockHeight}}"}'

  test('answers every field of every query', async () => {
    const body = await indexer.ask(everything(indexerSchemaText))
    expect(body).not.toHaveProperty('errors')
    const [accounts, stakes] = [chain.ledger(), chain.stakingLedger(1)?.accounts].map((all) => ({ length: all?.size }))
    expect(body).toMatchObject({
      data: { block: { stateHash: chain.tip().stateHash }, blocks: { length: 40 }, accounts, stakes },
    })
  })

  test.each([
    ['of one field', '{ block { blockHeight }\n  blocks(query: {stateHash: "3Nx"}) { blockHeight } }', 2, ['blocks']],
    ['for an unknown field', '{ block { workIds } }', 1, undefined],
    ['for a syntax error', '{ block {', 1, undefined],
  ])('nulls all data after an error %s, with status 200 and without extensions', async (_, query, line, path) => {
    const { status, text } = await indexer.send(JSON.stringify({ query }))
    const locations = [{ line, column: expect.any(Number) }]
    const error = { message: expect.any(String), locations, ...(path && { path }) }
    expect([status, JSON.parse(text)]).toEqual([200, { data: null, errors: [error] }])
  })

  test.each([
    ['POST', '/graphql', '{"query', 400],
    ['POST', '/graphql', '[]', 400],
    ['POST', '/graphql', '{"query":1}', 400],
    ['POST', '/graphql', '{"query":"{version}","variables":[]}', 400],
    ['POST', '/', light, 404],
    ['POST', '/graphql/', light, 404],
    ['POST', '/else/graphql', light, 404],
    ['GET', '/graphql?query={block{blockHeight}}', light, 404],
  ])('answers %s %s with the body %s by %i', async (method, path, body, status) => {
    expect(await indexer.send(body, { path, method })).toMatchObject({ status })
  })

  const empty = { behind: chain.tip().height }
  const { ledgerHash } = chain.tip().stakingEpoch
  test.each([
    ...['block { stateHash }', 'blocks(limit: 1) { stateHash }', 'stakes(limit: 1) { epoch }'],
    `stakes(limit: 1, query: {ledgerHash: "${ledgerHash}"}) { epoch }`,
    ...['transactions(limit: 1) { nonce }', 'accounts { nonce } block { stateHash }'],
  ])('without a block cuts the connection on %s', async (query) => {
    await expect(askIndexer(chain, `{ ${query} }`, empty)).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } })
  })

  test('without a block answers where it needs none', async () => {
    const ledger = `stakes(limit: 0, query: {ledgerHash: "${ledgerHash}"}) { epoch }`
    expect(await askIndexer(chain, `{ accounts { nonce } version ${ledger} }`, empty)).toEqual({
      data: { accounts: [], version: expect.any(String), stakes: [] },
    })
  })
})
