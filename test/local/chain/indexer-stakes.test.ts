import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Account } from '../../../local/chain/ledger.ts'
import type { IndexerClient } from './indexer-client.ts'
import { startIndexer } from './indexer-client.ts'
import { startSession } from './session.ts'

const { chain, wallet, delegate, advance } = startSession({ historyBlocks: 12, slotsPerEpoch: 10 })
delegate({ from: 'judy', to: 'alice' })
while (chain.tip().epoch < 4) {
  advance(10_000)
  chain.produceBlock()
}
const { publicKey: alice } = wallet('alice')
const { publicKey: judy } = wallet('judy')
const state: { behind?: number; genesisStateHash?: string } = {}
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain, state)
})
afterAll(() => indexer.close())

const ask = (given: string, fields: string) => indexer.ask(`{ stakes(${given}) { ${fields} } }`)
const accountsOf = (epoch: number): Account[] => [...(chain.stakingLedger(epoch)?.accounts.values() ?? [])]
const integer = (value: bigint) => (value > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value))
const delegatedTo = (epoch: number, publicKey: string) => accountsOf(epoch).filter((one) => one.delegate === publicKey)
const sum = (accounts: readonly Account[]) => accounts.reduce((total, { balance }) => total + balance, 0n)

describe('a row', () => {
  test('is the key’s account in the ledger, with its totals', async () => {
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

  test('of a key to which nobody delegates has nothing delegated', async () => {
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
            delegationTotals: { totalDelegatedNanomina: 0, countDelegates: 0, totalStakePercentage: '0.00' },
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

describe('a staking ledger', () => {
  test.each([0, 1, 2, 3, 4, 5])('of epoch %i is known by its number', async (epoch) => {
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

  test.each([2, 3, 4, 5])('of epoch %i is known by its hash', async (epoch) => {
    expect(
      await ask(
        `query: {ledgerHash: "${chain.stakingLedger(epoch)?.ledgerHash}", public_key: "${judy}"}`,
        'epoch delegate',
      ),
    ).toEqual({ data: { stakes: [{ epoch, delegate: epoch < 3 ? judy : alice }] } })
  })

  test('is the current one where none is named', async () => {
    expect(await ask('limit: 1', 'epoch ledgerHash')).toEqual({
      data: { stakes: [{ epoch: 4, ledgerHash: chain.tip().stakingEpoch.ledgerHash }] },
    })
  })

  test('that serves two epochs is the current one’s, or that of the epoch asked for', async () => {
    const young = startSession({ historyBlocks: 1 }).chain
    const other = await startIndexer(young)
    const hash = young.tip().nextEpoch.ledgerHash
    const epochs = (given: string) =>
      other.ask(`{ stakes(query: {ledgerHash: "${hash}"${given}}, limit: 1) { epoch } }`)
    expect(await epochs('')).toEqual({ data: { stakes: [{ epoch: 0 }] } })
    expect(await epochs(', epoch: 1')).toEqual({ data: { stakes: [{ epoch: 1 }] } })
    expect(await epochs(', epoch: 2')).toEqual({ data: { stakes: [] } })
    await other.close()
  })

  test.each([
    ['an epoch to come', 'epoch: 6'],
    ['a hash that no epoch has used', `ledgerHash: "${chain.tip().stagedLedgerHash}"`],
    ['another chain', `genesisStateHash: "${chain.tip().stateHash}"`],
    ['a key without account', 'public_key: "B62qkeykeykey"'],
  ])('of %s is an empty list', async (_, given) => {
    expect(await ask(`query: {${given}}`, 'pk')).toEqual({ data: { stakes: [] } })
  })

  test.each([
    ['ledgerHash', 'ledger hash'],
    ['genesisStateHash', 'genesis state hash'],
  ])('is not looked for by a malformed %s', async (filter, words) => {
    const bad = chain.tip().stagedLedgerHash.replace(/.$/, '1')
    expect(await ask(`query: {${filter}: "${bad}"}`, 'pk')).toMatchObject({
      data: null,
      errors: [{ message: `Invalid ${words}: ${bad}`, path: ['stakes'] }],
    })
  })

  test('that an abandoned block alone has named stays known by its hash', async () => {
    const forked = startSession({ historyBlocks: 1, slotsPerEpoch: 5 })
    while (forked.chain.tip().epoch < 1) {
      forked.advance(10_000)
      forked.chain.produceBlock()
    }
    const { nextEpoch } = forked.chain.tip()
    forked.chain.reorganise(2)
    expect(forked.chain.stakingLedger(2)?.ledgerHash).not.toBe(nextEpoch.ledgerHash)
    const other = await startIndexer(forked.chain)
    const body = await other.ask(`{ stakes(query: {ledgerHash: "${nextEpoch.ledgerHash}"}, limit: 1) { epoch } }`)
    expect(body).toEqual({ data: { stakes: [{ epoch: 2 }] } })
    await other.close()
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

  test('of a delegate are those who delegate to it, up to the limit', async () => {
    const delegators = delegatedTo(4, alice).map(({ publicKey }) => publicKey)
    const byBalance = delegatedTo(4, alice).toSorted((left, right) => (left.balance > right.balance ? -1 : 1))
    expect(delegators).toEqual(expect.arrayContaining([alice, judy]))
    expect(await ask(`query: {delegate: "${alice}"}, sortBy: BALANCE_DESC, limit: 3`, 'pk')).toEqual({
      data: { stakes: byBalance.slice(0, 3).map(({ publicKey }) => ({ pk: publicKey })) },
    })
  })
})

describe('an indexer', () => {
  afterAll(() => {
    state.behind = 0
  })

  test('that is an epoch behind does not have the newest ledger', async () => {
    const next = `query: {ledgerHash: "${chain.tip().nextEpoch.ledgerHash}"}, limit: 1`
    expect(await ask(next, 'epoch')).toEqual({ data: { stakes: [{ epoch: 5 }] } })
    state.behind = 10
    expect(await ask(next, 'epoch')).toEqual({ data: { stakes: [] } })
    expect(await ask('limit: 1', 'epoch')).toEqual({ data: { stakes: [{ epoch: 3 }] } })
  })
})
