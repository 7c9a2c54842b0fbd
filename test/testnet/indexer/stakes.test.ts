// That the rows of a ledger are right is tested by the answers, in test/end-to-end/every-field.test.ts and real-indexer.test.ts.
import { describe, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import { askIndexer, indexerOf } from '../upstream.ts'
import { stakingSession } from './staking-session.ts'

const { chain, wallet, delegatedTo } = stakingSession()
const { publicKey: alice } = wallet('alice')
const indexer = indexerOf(chain)

const ask = (given: string, fields: string) => indexer.ask(`{ stakes(${given}) { ${fields} } }`)
const found = (...stakes: readonly object[]) => ({ data: { stakes } })

describe('a staking ledger of the indexer', () => {
  test('of two epochs is reported for the later one', async () => {
    const young = startSession({ historyBlocks: 1 }).chain
    const rows = (limit: number) =>
      `stakes(query: {ledgerHash: "${young.tip().nextEpoch.ledgerHash}"}, limit: ${limit}) { epoch }`
    expect(await askIndexer(young, `{ known: ${rows(0)} first: ${rows(1)} }`)).toEqual({
      data: { known: [{ epoch: 1 }], first: [{ epoch: 1 }] },
    })
  })

  test('has no row of a key without account, and is an error for a malformed hash', async () => {
    expect(await ask('query: {public_key: "B62qkeykeykey"}', 'pk')).toEqual(found())
    const error = { message: 'Invalid ledger hash: jx', path: ['stakes'] }
    expect(await ask('query: {ledgerHash: "jx"}', 'pk')).toMatchObject({ data: null, errors: [error] })
  })
})

describe('the rows of a staking ledger', () => {
  test('can be the delegators of a key, up to a limit', async () => {
    const largest = delegatedTo(4, alice).toSorted((left, right) => (left.balance > right.balance ? -1 : 1))
    expect(largest.length).toBeGreaterThan(3)
    expect(await ask(`query: {delegate: "${alice}"}, sortBy: BALANCE_DESC, limit: 3`, 'pk')).toEqual(
      found(...largest.slice(0, 3).map(({ publicKey }) => ({ pk: publicKey }))),
    )
  })
})
