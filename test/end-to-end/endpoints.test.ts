// Every endpoint over HTTP, through gateway and embedded chain, each body against its schema.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { accountResponse } from '../../shared/contract/account.ts'
import { annotationFormats, annotationKeywords } from '../../shared/contract/annotations.ts'
import { type Block, blockResponse, blocksResponse } from '../../shared/contract/block.ts'
import { delegationResponse, transactionResponse } from '../../shared/contract/broadcast.ts'
import { broadcastError, message } from '../../shared/contract/error.ts'
import { filledPath, heldValues, queryText, unheldValues } from '../../shared/contract/parameters.ts'
import { summary } from '../../shared/contract/summary.ts'
import { contracts, endpoints } from '../../shared/endpoints/all.ts'
import { parseExactJson } from '../../shared/mapping/json.ts'
import { get, post, type RunningService, runService, signDelegation, signPayment, wallet } from './running-service.ts'

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
    Object.entries(contracts[name].samples).map(([status, { query }]) => ({
      name,
      path,
      status: Number(status),
      query,
    })),
  )

describe.each(['testnet', 'mainnet'] as const)('on %s', (network) => {
  let service: RunningService
  beforeAll(async () => {
    service = await runService(network)
  })
  afterAll(() => service.close())

  test.each(samples)(
    '$name answers $status to its sample, as its contract says',
    async ({ name, path, status, query }) => {
      const values = status === 404 ? unheldValues : heldValues(service.chain.tip())
      const answer = await get(service.url + filledPath(path, values) + queryText(query))
      expect(answer.status).toBe(status)
      const { schema = {}, example = answer.body } = contracts[name].responses[status] ?? {}
      expectShape(schema, answer.body)
      expect(answer.body).toEqual(example)
    },
  )

  test('GET /blocks lists the best chain from its tip down, all numbers exact', async () => {
    const { status, text, body } = await get(`${service.url}/blocks?limit=99`)
    expectShape(blocksResponse, body)
    expect(status).toBe(200)
    const { blocks } = parseExactJson(text) as { blocks: Block[] }
    const expected = service.chain.bestChain().slice(-10).reverse()
    expect(
      blocks.map(({ stateHash, blockHeight, canonical, protocolState }) => ({
        stateHash,
        blockHeight,
        canonical,
        totalCurrency: protocolState?.consensusState.totalCurrency,
      })),
    ).toEqual(
      expected.map(({ stateHash, height, totalCurrency }) => ({
        stateHash,
        blockHeight: height,
        canonical: true,
        totalCurrency,
      })),
    )
  })

  test('GET /blocks/{state_hash} finds every block of the frontier and none below', async () => {
    const all = service.chain.bestChain()
    const answers = await Promise.all(all.map(({ stateHash }) => get(`${service.url}/blocks/${stateHash}`)))
    const below = all.length - service.chain.frontier().length
    expect(below).toBeGreaterThan(0)
    expect(answers.map(({ status }) => status)).toEqual(all.map((_, index) => (index < below ? 404 : 200)))
    for (const { status, body } of answers) expectShape(status === 200 ? blockResponse : message, body)
    expect(answers[0]?.body).toEqual({ message: 'No blocks found for that state hash.' })
  })

  test('GET /accounts/{public_key} shows balance, lock and delegate of every wallet as the ledger has them', async () => {
    for (const { publicKey } of service.chain.wallets) {
      const { body } = await get(`${service.url}/accounts/${publicKey}`)
      expectShape(accountResponse, body)
      const account = service.chain.account(publicKey)
      const digits = String(account?.balance).padStart(10, '0')
      expect(body).toMatchObject({
        account: {
          publicKey,
          nonce: account?.nonce,
          delegate: account?.delegate,
          balance: { total: `${digits.slice(0, -9)}.${digits.slice(-9)}` },
        },
      })
    }
  })

  test('GET /summary tells the tip', async () => {
    const { status, body } = await get(`${service.url}/summary`)
    expectShape(summary, body)
    const { stateHash, height } = service.chain.tip()
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { stateHash, blockchainLength: height, chainId: service.chain.chainId },
    })
  })

  test('signed commands go from wallet to pool to block', async () => {
    const { chain, url } = service
    const [alice, bob, carol, dave] = ['alice', 'bob', 'carol', 'dave'].map((name) => wallet(chain, name))
    if (!alice || !bob || !carol || !dave) throw new Error('wallets are missing')
    const paid = await post(`${url}/broadcast/transaction`, signPayment(chain, alice, bob))
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
      account: { nonce: 0, countPendingTransactions: 1, firstPendingTransaction: [{ amount: 1500000000, nonce: 0 }] },
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
    const { chain, url } = service
    const other = network === 'mainnet' ? 'testnet' : 'mainnet'
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

  test('a wrong nonce is refused with the nonce that the node expects', async () => {
    const { chain, url } = service
    const judy = wallet(chain, 'judy')
    const answer = await post(`${url}/broadcast/transaction`, signPayment(chain, judy, judy, { nonce: '5' }))
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/inferred nonce (\d+)/) } })
  })
})

describe('forks', () => {
  test('are served with canonical false, and what was canonical can cease to be', async () => {
    const service = await runService()
    const before = service.chain.tip()
    service.chain.reorganise(2)
    const orphan = await get(`${service.url}/blocks/${before.stateHash}`)
    const tip = await get(`${service.url}/blocks/${service.chain.tip().stateHash}`)
    await service.close()
    expect([orphan.body, tip.body]).toMatchObject([{ block: { canonical: false } }, { block: { canonical: true } }])
  })
})
