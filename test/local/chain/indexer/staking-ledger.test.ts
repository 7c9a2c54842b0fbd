import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import type { IndexerClient } from './client.ts'
import { askOnce, startIndexer } from './client.ts'
import { integer, stakingSession, sum } from './staking-session.ts'

const { chain, wallet, accountsOf, delegatedTo } = stakingSession()
const { publicKey: alice } = wallet('alice')
const { publicKey: judy } = wallet('judy')
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain)
})
afterAll(() => indexer.close())

const ask = (given: string, fields: string) => indexer.ask(`{ stakes(${given}) { ${fields} } }`)

describe('a staking ledger', () => {
  test.each([0, 1, 2, 3, 4, 5])('of epoch %i is found by its number', async (epoch) => {
    const expected = accountsOf(epoch).map(({ publicKey, balance, delegate }) => ({
      ...{ epoch, pk: publicKey, balanceNanomina: integer(balance), delegate },
      ledgerHash: chain.stakingLedger(epoch)?.ledgerHash,
      delegationTotals: { totalDelegatedNanomina: integer(sum(delegatedTo(epoch, publicKey))) },
    }))
    const body = await ask(
      `query: {epoch: ${epoch}}`,
      'epoch pk balanceNanomina delegate ledgerHash delegationTotals { totalDelegatedNanomina }',
    )
    expect(body).toEqual({ data: { stakes: expect.arrayContaining(expected) } })
    expect(body).toMatchObject({ data: { stakes: { length: expected.length } } })
  })

  test.each([2, 3, 4, 5])('of epoch %i is found by its hash', async (epoch) => {
    expect(
      await ask(
        `query: {ledgerHash: "${chain.stakingLedger(epoch)?.ledgerHash}", public_key: "${judy}"}`,
        'epoch delegate',
      ),
    ).toEqual({ data: { stakes: [{ epoch, delegate: epoch < 3 ? judy : alice }] } })
  })

  test('is the current one by default', async () => {
    expect(await ask('limit: 1', 'epoch ledgerHash')).toEqual({
      data: { stakes: [{ epoch: 4, ledgerHash: chain.tip().stakingEpoch.ledgerHash }] },
    })
  })

  test('of two epochs is reported for the later one, unless the question names the epoch', async () => {
    const young = startSession({ historyBlocks: 1 }).chain
    const hash = young.tip().nextEpoch.ledgerHash
    const epochs = (given: string, limit = 1) =>
      askOnce(young, `{ stakes(query: {ledgerHash: "${hash}"${given}}, limit: ${limit}) { epoch } }`)
    expect(await epochs('', 0)).toEqual({ data: { stakes: [{ epoch: 1 }] } })
    expect(await epochs('')).toEqual({ data: { stakes: [{ epoch: 1 }] } })
    expect(await epochs(', epoch: 0')).toEqual({ data: { stakes: [{ epoch: 0 }] } })
    expect(await epochs(', epoch: 2')).toEqual({ data: { stakes: [] } })
  })

  test.each([
    ['an epoch to come', 'epoch: 6'],
    ['another chain', `genesisStateHash: "${chain.tip().stateHash}"`],
    ['a key without account', 'public_key: "B62qkeykeykey"'],
  ])('of %s is an empty list', async (_, given) => {
    expect(await ask(`query: {${given}}`, 'pk')).toEqual({ data: { stakes: [] } })
  })

  test.each([
    ['ledgerHash', 'ledger hash'],
    ['genesisStateHash', 'genesis state hash'],
  ])('is refused for a malformed %s', async (filter, words) => {
    const bad = chain.tip().stagedLedgerHash.slice(1)
    expect(await ask(`query: {${filter}: "${bad}"}`, 'pk')).toMatchObject({
      data: null,
      errors: [{ message: `Invalid ${words}: ${bad}`, path: ['stakes'] }],
    })
  })

  test('of an epoch in which only abandoned blocks were made is not found by its number', async () => {
    const forked = startSession({ historyBlocks: 1, slotsPerEpoch: 5 })
    for (const slots of [5, 5, 12]) {
      forked.advance(slots * 10_000)
      forked.chain.produceBlock()
    }
    forked.chain.reorganise(2)
    expect(forked.chain.bestChain().map(({ epoch }) => epoch)).toEqual([0, 1, 4, 4, 4])
    expect(await askOnce(forked.chain, '{ stakes(query: {epoch: 3}, limit: 1) { epoch } }')).toEqual({
      data: { stakes: [] },
    })
  })
})
