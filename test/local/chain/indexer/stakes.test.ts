import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Account } from '../../../../local/chain/ledger/ledger.ts'
import type { IndexerClient } from './client.ts'
import { startIndexer } from './client.ts'
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

describe('a row', () => {
  test('has the key’s account in that ledger and the stake delegated to it', async () => {
    const epoch = 4
    const ledger = chain.stakingLedger(epoch)
    const account = ledger?.accounts.get(alice)
    const delegates = delegatedTo(epoch, alice).map(({ publicKey }) => publicKey)
    const body = await ask(
      `query: {epoch: ${epoch}, public_key: "${alice}"}, limit: 1`,
      `epoch ledgerHash genesisStateHash public_key pk username delegate delegateUsername balance balanceNanomina nonce
      token tokenAddress receipt_chain_hash voting_for timing { cliff_time } epoch_num_accounts epoch_total_currency
      delegationTotals { totalCurrency totalDelegated totalDelegatedNanomina countDelegates delegates
        delegate_pks { publicKey username } }`,
    )
    expect(delegates).toHaveLength(4)
    expect(body).toEqual({
      data: {
        stakes: [
          {
            epoch,
            ledgerHash: ledger?.ledgerHash,
            genesisStateHash: chain.genesisBlock().stateHash,
            public_key: alice,
            pk: alice,
            username: 'Alice',
            delegate: alice,
            delegateUsername: 'Alice',
            balance: 5000,
            balanceNanomina: 5_000_000_000_000,
            nonce: 0,
            token: 1,
            tokenAddress: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
            receipt_chain_hash: account?.receiptChainHash,
            voting_for: account?.votingFor,
            timing: null,
            epoch_num_accounts: ledger?.accounts.size,
            epoch_total_currency: ledger?.totalCurrency,
            delegationTotals: {
              totalCurrency: ledger?.totalCurrency,
              totalDelegated: 87_600.113456789,
              totalDelegatedNanomina: 87_600_113_456_789,
              countDelegates: 4,
              delegates,
              delegate_pks: delegates.map((publicKey) => ({
                publicKey,
                username: { [alice]: 'Alice', [wallet('bob').publicKey]: 'Bob' }[publicKey] ?? null,
              })),
            },
          },
        ],
      },
    })
  })

  test('above 2^53 nanomina keeps every digit', async () => {
    const query = `{stakes(query: {public_key: "${wallet('oscar').publicKey}"}) {balanceNanomina delegationTotals {totalDelegatedNanomina}}}`
    const { text } = await indexer.send('/graphql', JSON.stringify({ query }))
    const digits = '"balanceNanomina":9007199254740993,"delegationTotals":{"totalDelegatedNanomina":9007199254740993}'
    expect(text).toBe(`{"data":{"stakes":[{${digits}}]}}`)
  })

  test('of a key without delegators has a total of 0', async () => {
    expect(
      await ask(
        `query: {epoch: 4, public_key: "${judy}"}`,
        'delegate delegationTotals { totalDelegatedNanomina countDelegates totalStakePercentage }',
      ),
    ).toEqual({
      data: {
        stakes: [
          {
            delegate: alice,
            delegationTotals: { totalDelegatedNanomina: 0, countDelegates: 0, totalStakePercentage: '0' },
          },
        ],
      },
    })
  })

  test('has the share of the whole stake in per cent', async () => {
    const [, heron] = chain.producers
    const share = (Number(sum(delegatedTo(4, heron?.publicKey ?? ''))) / Number(sum(accountsOf(4)))) * 100
    expect(
      await ask(`query: {public_key: "${heron?.publicKey}"}`, 'delegationTotals { totalStakePercentage }'),
    ).toEqual({ data: { stakes: [{ delegationTotals: { totalStakePercentage: share.toFixed(2) } }] } })
  })
})

describe('the rows', () => {
  const orders = {
    BALANCE: ({ balance }: Account) => balance,
    STAKE: ({ publicKey }: Account) => sum(delegatedTo(4, publicKey)),
  }

  test.each(['BALANCE', 'STAKE'] as const)('may be ordered by %s', async (order) => {
    const ranks = accountsOf(4)
      .map(orders[order])
      .toSorted((left, right) => (left < right ? -1 : 1))
      .map(integer)
    const fields = 'balanceNanomina delegationTotals { totalDelegatedNanomina }'
    const ask = (direction: string) =>
      indexer.send('/graphql', JSON.stringify({ query: `{ stakes(sortBy: ${order}_${direction}) { ${fields} } }` }))
    const key = order === 'BALANCE' ? 'balanceNanomina' : 'totalDelegatedNanomina'
    const listed = async (direction: string) =>
      [...(await ask(direction)).text.matchAll(new RegExp(`"${key}":(\\d+)`, 'g'))].map(([, digits = '']) =>
        integer(BigInt(digits)),
      )
    expect(await listed('ASC')).toEqual(ranks)
    expect(await listed('DESC')).toEqual(ranks.toReversed())
  })

  test('are ordered by delegated stake, largest first, by default', async () => {
    expect(await ask('limit: 100', 'pk')).toEqual(await ask('sortBy: STAKE_DESC', 'pk'))
  })

  test('of a delegate are its delegators, up to the limit', async () => {
    const delegators = delegatedTo(4, alice).map(({ publicKey }) => publicKey)
    const byBalance = delegatedTo(4, alice).toSorted((left, right) => (left.balance > right.balance ? -1 : 1))
    expect(delegators).toEqual(expect.arrayContaining([alice, judy]))
    expect(await ask(`query: {delegate: "${alice}"}, sortBy: BALANCE_DESC, limit: 3`, 'pk')).toEqual({
      data: { stakes: byBalance.slice(0, 3).map(({ publicKey }) => ({ pk: publicKey })) },
    })
  })
})
