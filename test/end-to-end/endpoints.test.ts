// Every endpoint over HTTP, through gateway and embedded chain, each body against its schema.
import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { namedIn } from '../../packages/testnet/named.ts'
import { annotationFormats, annotationKeywords } from '../../shared/contract/annotations.ts'
import { blockResponse } from '../../shared/contract/block.ts'
import { delegationResponse, transactionResponse } from '../../shared/contract/broadcast.ts'
import { broadcastError } from '../../shared/contract/error.ts'
import { filledPath, heldValues, missingValues, queryText } from '../../shared/contract/parameters.ts'
import { contracts, endpoints } from '../../shared/endpoints/all.ts'
import { chainClock, get, post, runService, signDelegation, signPayment, wallet } from './running-service.ts'

const ajv = new Ajv2020({ allErrors: true, formats: annotationFormats }).addVocabulary([...annotationKeywords])

function expectShape(schema: object, body: unknown): void {
  const validate = ajv.compile(schema)
  validate(body)
  expect(validate.errors ?? []).toEqual([])
}

/** Each GET with each status that a request decides. */
const samples = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ name, path }) =>
    Object.entries(contracts[name].samples).map(([status, sample]) => ({
      sample,
      name,
      path,
      status: Number(status),
    })),
  )

const networks = {
  testnet: await runService('testnet', undefined, chainClock),
  mainnet: await runService('mainnet', undefined, chainClock),
}

describe.each([
  ['testnet', 'mainnet'],
  ['mainnet', 'testnet'],
] as const)('on %s', (network, other) => {
  const { chain, url } = networks[network]

  test.each(samples)(
    '$name answers $status to its sample, as its contract says',
    async ({ name, path, status, sample }) => {
      const values = status === 404 ? missingValues(sample) : heldValues(namedIn(chain))
      const answer = await get(url + filledPath(path, values) + queryText(sample.query))
      expect(answer.status).toBe(status)
      const { schema = {}, example = answer.body } = contracts[name].responses[status] ?? {}
      expectShape(schema, answer.body)
      expect(answer.body).toEqual(example)
    },
  )

  test('signed commands go from wallet to pool to block', async () => {
    const [alice, carol, dave] = [wallet(chain, 'alice'), wallet(chain, 'carol'), wallet(chain, 'dave')]
    const paid = await post(`${url}/broadcast/transaction`, signPayment(chain, alice, dave))
    expectShape(transactionResponse, paid.body)
    const delegated = await post(`${url}/broadcast/delegation`, signDelegation(chain, carol, dave))
    expectShape(delegationResponse, delegated.body)
    expect([paid, delegated]).toMatchObject([
      {
        status: 201,
        body: {
          message: 'Transaction broadcast sucessfully',
          result: { payment: { from: alice.publicKey, amount: '1500000000', nonce: 0, isDelegation: false } },
        },
      },
      {
        status: 201,
        body: {
          message: 'Delegation broadcast sucessfully',
          result: { delegation: { to: dave.publicKey, amount: '0', kind: 'STAKE_DELEGATION', isDelegation: true } },
        },
      },
    ])
    expect((await get(`${url}/accounts/${alice.publicKey}`)).body).toMatchObject({
      account: {
        ...{ nonce: 0, countPendingTransactions: 1, nextNonce: 1 },
        firstPendingTransaction: [{ amount: 1500000000, nonce: 0 }],
      },
    })

    const block = chain.produceBlock()
    const included = await get(`${url}/blocks/${block.stateHash}`)
    expectShape(blockResponse, included.body)
    expect(included.text).toContain(alice.publicKey)
    expect((await get(`${url}/accounts/${alice.publicKey}`)).body).toMatchObject({
      account: { nonce: 1, countPendingTransactions: 0, balance: { total: '4998.490000000' } },
    })
    expect((await get(`${url}/accounts/${carol.publicKey}`)).body).toMatchObject({
      account: { nonce: 1, delegate: dave.publicKey },
    })
  })

  test('a command signed for the other network is refused in the words of the node', async () => {
    const judy = wallet(chain, 'judy')
    const body = signPayment({ ...chain, network: other }, judy, judy)
    const answer = await post(`${url}/broadcast/transaction`, body)
    expectShape(broadcastError, answer.body)
    expect(answer).toEqual({
      status: 400,
      body: {
        message: 'Error in sending transaction',
        error: expect.stringMatching(
          /^Query failed to run by returning code of 200\. mutation sendPayment\(.*Invalid_signature/,
        ),
      },
    })
    expect(chain.pool(judy.publicKey)).toEqual([])
  })
})
