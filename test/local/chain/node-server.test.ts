import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { GraphQLOutputType } from 'graphql'
import { buildSchema, getNamedType, isAbstractType, isObjectType } from 'graphql'
import { nodeSchemaText } from '../../../local/chain/node-schema.ts'
import type { NodeClient } from './node-client.ts'
import { startNode } from './node-client.ts'
import { startSession } from './session.ts'

const { chain, wallet, signPayment, complete, pay } = startSession({ historyBlocks: 40 })
const alice = wallet('alice').publicKey
const schema = buildSchema(nodeSchemaText)
let node: NodeClient

beforeAll(async () => {
  node = await startNode(chain)
})
afterAll(() => node.close())
beforeEach(() => {
  chain.bootstrapping = false
})

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

describe('a block', () => {
  test('has the chain in the daemon’s encodings: integers as text, but for the few that are numbers', async () => {
    const block = chain.bestChain()[34]
    const [first] = block?.userCommands ?? []
    const { body } = await node.ask(
      `query ($hash: String) { block(stateHash: $hash) { stateHash creatorAccount { publicKey }
        protocolState { blockchainState { date utcDate } consensusState { blockHeight totalCurrency slot slotSinceGenesis epoch } }
        transactions { coinbase userCommands { __typename hash nonce fee amount validUntil token failureReason } }
        snarkJobs { fee workIds } } }`,
      { hash: block?.stateHash },
    )
    expect(body).toMatchObject({
      data: {
        block: {
          stateHash: block?.stateHash,
          creatorAccount: { publicKey: block?.creator },
          protocolState: {
            blockchainState: { date: String(block?.date), utcDate: String(block?.date) },
            consensusState: {
              blockHeight: '35',
              totalCurrency: String(block?.totalCurrency),
              slot: String((block?.slot ?? 0) % 40),
              slotSinceGenesis: String(block?.slot),
              epoch: String(block?.epoch),
            },
          },
          transactions: {
            coinbase: '720000000000',
            userCommands: [
              {
                __typename: 'UserCommandPayment',
                hash: first?.command.hash,
                nonce: first?.command.nonce,
                fee: String(first?.command.fee),
                amount: String(first?.command.amount),
                validUntil: '4294967295',
                token: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
                failureReason: null,
              },
              { __typename: 'UserCommandDelegation' },
            ],
          },
          snarkJobs: block?.snarkJobs.map(({ fee, workIds }) => ({ fee: String(fee), workIds })),
        },
      },
    })
  })

  const byHash = 'query ($hash: String) { block(stateHash: $hash) { stateHash } }'
  const byHeight = 'query ($height: Int) { block(height: $height) { stateHash } }'

  test('is found by hash down to the root of the frontier, and not below', async () => {
    const root = chain.frontier()[0]?.stateHash ?? ''
    const older = chain.frontier()[0]?.previousStateHash ?? ''
    expect((await node.ask(byHash, { hash: root })).body).toEqual({ data: { block: { stateHash: root } } })
    expect(await node.ask(byHash, { hash: older })).toEqual({
      status: 200,
      contentType: null,
      body: {
        errors: [{ message: `Block with state hash ${older} not found in transition frontier`, path: ['block'] }],
        data: null,
      },
    })
  })

  test('is found by height above the root only', async () => {
    const [root, next] = chain.frontier()
    const found = await node.ask(byHeight, { height: next?.height })
    expect(found.body).toEqual({ data: { block: { stateHash: next?.stateHash } } })
    expect((await node.ask(byHeight, { height: root?.height })).body).toMatchObject({
      errors: [{ message: `Could not find block in transition frontier with height ${root?.height}` }],
      data: null,
    })
  })

  test.each(['block', 'block(stateHash: "x", height: 1)'])('needs one of hash and height: %s', async (field) => {
    expect((await node.ask(`{ ${field} { stateHash } }`)).body).toMatchObject({
      errors: [{ message: 'Must provide exactly one of state hash, height' }],
      data: null,
    })
  })

  test('is on the best chain oldest first, the tip last', async () => {
    const ask = async (length: number | null) =>
      (await node.ask('query ($n: Int) { bestChain(maxLength: $n) { stateHash } }', { n: length })).body
    const last = (count: number) =>
      chain
        .bestChain()
        .slice(-count)
        .map(({ stateHash }) => ({ stateHash }))
    expect(await ask(2)).toEqual({ data: { bestChain: last(2) } })
    expect([await ask(400), await ask(null)]).toEqual([
      { data: { bestChain: last(30) } },
      { data: { bestChain: last(30) } },
    ])
  })
})

describe('an account', () => {
  const query =
    'query ($key: PublicKey!) { account(publicKey: $key) { publicKey balance { total unknown liquid locked blockHeight stateHash } nonce timing { cliffTime } } }'

  test('with a time lock has its locked part and its timing', async () => {
    const { publicKey } = wallet('frank')
    const tip = chain.tip()
    expect((await node.ask(query, { key: publicKey })).body).toEqual({
      data: {
        account: {
          publicKey,
          balance: {
            total: '10050000000000',
            unknown: '10050000000000',
            liquid: '50000000000',
            locked: '10000000000000',
            blockHeight: String(tip.height),
            stateHash: tip.stateHash,
          },
          nonce: '0',
          timing: { cliffTime: '100000' },
        },
      },
    })
  })

  test('that does not exist is null without an error', async () => {
    const { publicKey } = startSession({ seed: 'elsewhere', historyBlocks: 1 }).wallet('alice')
    expect((await node.ask(query, { key: publicKey })).body).toEqual({ data: { account: null } })
  })
})

describe('a submission', () => {
  const mutation = `mutation ($input: SendPaymentInput!, $signature: SignatureInput) {
    sendPayment(input: $input, signature: $signature) {
      payment { hash id kind nonce amount fee memo isDelegation token feeToken from to receiver { publicKey token } }
    }
  }`
  const draft = { from: 'carol', to: 'bob', amount: 5n, memo: 'über' }
  const command = complete(draft)
  const input = {
    ...command,
    amount: String(command.amount),
    fee: String(command.fee),
    nonce: String(command.nonce),
    validUntil: String(command.validUntil),
  }

  test('that is accepted comes back as the node’s record and is pending, then included', async () => {
    const { body } = await node.ask(mutation, { input, signature: signPayment(draft).signature })
    const [queued] = chain.pool(command.from)
    expect(body).toEqual({
      data: {
        sendPayment: {
          payment: {
            hash: queued?.hash,
            id: queued?.id,
            kind: 'PAYMENT',
            nonce: 0,
            amount: '5',
            fee: '10000000',
            memo: expect.stringMatching(/^E4Y/),
            isDelegation: false,
            token: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
            feeToken: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
            from: command.from,
            to: command.to,
            receiver: { publicKey: command.to, token: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf' },
          },
        },
      },
    })
    const status = () => node.ask('query ($id: ID) { transactionStatus(payment: $id) }', { id: queued?.id })
    expect((await status()).body).toEqual({ data: { transactionStatus: 'PENDING' } })
    chain.produceBlock()
    expect((await status()).body).toEqual({ data: { transactionStatus: 'INCLUDED' } })
  })

  test('that is refused nulls the data and keeps the daemon’s words', async () => {
    const { status, body } = await node.ask(mutation, {
      input: { ...input, fee: '1' },
      signature: { field: '1', scalar: '1' },
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        errors: [
          {
            message: 'Invalid user command. Fee 0.000000001 is less than the minimum fee, 0.001.',
            path: ['sendPayment'],
          },
        ],
        data: null,
      },
    })
  })

  test.each([
    ['amount', '01'],
    ['fee', '18446744073709551616'],
    ['nonce', '-1'],
    ['to', 'B62qnot-a-key'],
  ])('with a malformed %s is an argument error that echoes the input', async (field, value) => {
    const { body } = await node.ask(mutation, { input: { ...input, [field]: value }, signature: null })
    expect(body).toEqual({
      errors: [
        {
          message: expect.stringMatching(
            /^Argument `input` of type `SendPaymentInput!` expected on field `sendPayment`, found \{.*\}\.$/,
          ),
        },
      ],
      data: null,
    })
    expect(JSON.stringify(body)).toContain(`${field}: \\"${value}\\"`)
  })
})

describe('while bootstrapping', () => {
  beforeEach(() => {
    chain.bootstrapping = true
  })

  test('the node has no chain, no accounts, no pool, but its chain id', async () => {
    const query = `{ syncStatus account(publicKey: "${alice}") { nonce } pooledUserCommands { hash }
      daemonStatus { chainId syncStatus blockchainLength stateHash } bestChain { stateHash } }`
    expect((await node.ask(query)).body).toEqual({
      errors: [{ message: 'Could not obtain best chain from transition frontier', path: ['bestChain'] }],
      data: {
        syncStatus: 'BOOTSTRAP',
        account: null,
        pooledUserCommands: [],
        daemonStatus: { chainId: chain.chainId, syncStatus: 'BOOTSTRAP', blockchainLength: null, stateHash: null },
        bestChain: null,
      },
    })
  })

  test('blocks cannot be looked up', async () => {
    expect((await node.ask(`{ block(stateHash: "${chain.tip().stateHash}") { stateHash } }`)).body).toMatchObject({
      errors: [{ message: 'Could not obtain transition frontier' }],
      data: null,
    })
  })

  test('nobody’s nonce can be inferred', async () => {
    const { from, to } = complete({ from: 'alice', to: 'bob' })
    const mutation = `mutation { sendPayment(input: {from: "${from}", to: "${to}", amount: "1", fee: "1000000"},
      signature: {field: "1", scalar: "1"}) { payment { hash } } }`
    expect((await node.ask(mutation)).body).toMatchObject({
      errors: [{ message: expect.stringMatching(/^Couldn't infer nonce for transaction from specified `sender`/) }],
      data: null,
    })
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
  ])('words %s as a daemon does', async (_, query, message) => {
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

  test('knows no other path', async () => {
    expect(await node.send('/', '{}', 'application/json')).toEqual({ status: 404, text: '' })
  })
})
