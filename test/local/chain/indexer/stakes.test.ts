import { describe, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import { askIndexer, indexerOf, integer } from '../upstream.ts'
import { stakingSession, sum } from './staking-session.ts'

const { chain, wallet, accountsOf, delegatedTo } = stakingSession()
const { publicKey: alice } = wallet('alice')
const indexer = indexerOf(chain)

const ask = (given: string, fields: string) => indexer.ask(`{ stakes(${given}) { ${fields} } }`)
const found = (...stakes: readonly object[]) => ({ data: { stakes } })

describe('a staking ledger of the indexer', () => {
  test.each([1, 2, 3, 4, 5])('has each account of epoch %i and the stake delegated to it', async (epoch) => {
    const { ledgerHash, totalCurrency = 0n } = chain.stakingLedger(epoch) ?? {}
    const rows = accountsOf(epoch).map(({ publicKey, balance, delegate, nonce, receiptChainHash, votingFor }) => ({
      ...{ epoch, ledgerHash, genesisStateHash: chain.genesisBlock().stateHash, public_key: publicKey, pk: publicKey },
      ...{ delegate, balanceNanomina: integer(balance), nonce, token: 1, receipt_chain_hash: receiptChainHash },
      ...{ voting_for: votingFor, epoch_num_accounts: accountsOf(epoch).length, epoch_total_currency: totalCurrency },
      delegationTotals: {
        totalDelegatedNanomina: integer(sum(delegatedTo(epoch, publicKey))),
        countDelegates: delegatedTo(epoch, publicKey).length,
      },
    }))
    const answer = await ask(
      `query: {ledgerHash: "${ledgerHash}"}`,
      `epoch ledgerHash genesisStateHash public_key pk delegate balanceNanomina nonce token receipt_chain_hash
      voting_for epoch_num_accounts epoch_total_currency delegationTotals { totalDelegatedNanomina countDelegates }`,
    )
    expect(answer).toEqual({ data: { stakes: expect.arrayContaining(rows) } })
    expect(answer).toMatchObject({ data: { stakes: { length: rows.length } } })
  })

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
