import { describe, expect, test } from '@jest/globals'
import type { Account } from '../../../../local/chain/ledger/ledger.ts'
import { startSession } from '../session.ts'
import { askIndexer, indexerOf, integer } from '../upstream.ts'
import { stakingSession, sum } from './staking-session.ts'

const { chain, wallet, accountsOf, delegatedTo } = stakingSession()
const [alice, judy] = ['alice', 'judy'].map((name) => wallet(name).publicKey)
const indexer = indexerOf(chain)

const ask = (given: string, fields: string) => indexer.ask(`{ stakes(${given}) { ${fields} } }`)

describe('a staking ledger of the indexer', () => {
  test.each([0, 1, 2, 3, 4, 5])(
    'of epoch %i has each account of that time and the stake delegated to it',
    async (epoch) => {
      const { ledgerHash, totalCurrency = 0n } = chain.stakingLedger(epoch) ?? {}
      const rows = accountsOf(epoch).map(
        ({ publicKey, balance, delegate, nonce, timing, receiptChainHash, votingFor }) => {
          const delegates = delegatedTo(epoch, publicKey)
          return {
            ...{
              epoch,
              ledgerHash,
              genesisStateHash: chain.genesisBlock().stateHash,
              public_key: publicKey,
              pk: publicKey,
            },
            ...{ delegate, balanceNanomina: integer(balance), nonce, token: 1, receipt_chain_hash: receiptChainHash },
            tokenAddress: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
            voting_for: votingFor,
            timing: timing && { cliff_time: timing.cliffTime },
            epoch_num_accounts: accountsOf(epoch).length,
            epoch_total_currency: totalCurrency,
            delegationTotals: {
              totalCurrency,
              totalDelegatedNanomina: integer(sum(delegates)),
              countDelegates: delegates.length,
              delegates: delegates.map((account) => account.publicKey),
              totalStakePercentage: expect.any(String),
            },
          }
        },
      )
      const answer = await ask(
        `query: {epoch: ${epoch}}`,
        `epoch ledgerHash genesisStateHash public_key pk delegate balanceNanomina nonce token tokenAddress
      receipt_chain_hash voting_for timing { cliff_time } epoch_num_accounts epoch_total_currency
      delegationTotals { totalCurrency totalDelegatedNanomina countDelegates delegates totalStakePercentage }`,
      )
      expect(answer).toEqual({ data: { stakes: expect.arrayContaining(rows) } })
      expect(answer).toMatchObject({ data: { stakes: { length: rows.length } } })
    },
  )

  test('has names, amounts in MINA, which lose digits, and shares in per cent', async () => {
    const heron = chain.producers[1]?.publicKey ?? ''
    const share = (Number(sum(delegatedTo(4, heron))) / Number(sum(accountsOf(4)))) * 100
    const fields = `username delegateUsername balance
      delegationTotals { totalDelegated totalStakePercentage delegate_pks { publicKey username } }`
    const names = new Map([
      [alice, 'Alice'],
      [wallet('bob').publicKey, 'Bob'],
    ])
    const delegates = delegatedTo(4, alice ?? '').map(({ publicKey }) => ({
      publicKey,
      username: names.get(publicKey) ?? null,
    }))
    const totals = { totalDelegated: 87_600.113456789, totalStakePercentage: '0.01', delegate_pks: delegates }
    const row = { username: 'Alice', delegateUsername: 'Alice', balance: 5000, delegationTotals: totals }
    expect(await ask(`query: {public_key: "${alice}"}`, fields)).toEqual({ data: { stakes: [row] } })
    const percentage = (key = '') => ask(`query: {public_key: "${key}"}`, 'delegationTotals { totalStakePercentage }')
    expect([await percentage(heron), await percentage(judy)]).toEqual(
      [share.toFixed(2), '0'].map((text) => ({
        data: { stakes: [{ delegationTotals: { totalStakePercentage: text } }] },
      })),
    )
  })

  test('is found by its hash, and is the current one by default', async () => {
    const found = await Promise.all(
      [2, 3, 4, 5].map((epoch) =>
        ask(
          `query: {ledgerHash: "${chain.stakingLedger(epoch)?.ledgerHash}", public_key: "${judy}"}`,
          'epoch delegate',
        ),
      ),
    )
    const delegates = [judy, alice, alice, alice]
    expect(found).toEqual(delegates.map((delegate, index) => ({ data: { stakes: [{ epoch: index + 2, delegate }] } })))
    expect(await ask('limit: 1', 'epoch ledgerHash')).toEqual({
      data: { stakes: [{ epoch: 4, ledgerHash: chain.tip().stakingEpoch.ledgerHash }] },
    })
  })

  test('of two epochs is reported for the later one, unless the question names the epoch', async () => {
    const young = startSession({ historyBlocks: 1 }).chain
    const hash = young.tip().nextEpoch.ledgerHash
    const epochs = (given: string, limit = 1) =>
      askIndexer(young, `{ stakes(query: {ledgerHash: "${hash}"${given}}, limit: ${limit}) { epoch } }`)
    expect([await epochs('', 0), await epochs(''), await epochs(', epoch: 0'), await epochs(', epoch: 2')]).toEqual(
      [[{ epoch: 1 }], [{ epoch: 1 }], [{ epoch: 0 }], []].map((stakes) => ({ data: { stakes } })),
    )
  })

  test.each([
    ['an epoch to come', 'epoch: 6'],
    ['another chain', `genesisStateHash: "${chain.tip().stateHash}"`],
    ['a key without account', 'public_key: "B62qkeykeykey"'],
  ])('of %s is an empty list', async (_, given) => {
    expect(await ask(`query: {${given}}`, 'pk')).toEqual({ data: { stakes: [] } })
  })

  test('of an epoch in which only abandoned blocks were made is not found by its number', async () => {
    const forked = startSession({ historyBlocks: 1, slotsPerEpoch: 5 })
    for (const slots of [5, 5, 12]) {
      forked.advance(slots * 10_000)
      forked.chain.produceBlock()
    }
    forked.chain.reorganise(2)
    expect(forked.chain.bestChain().map(({ epoch }) => epoch)).toEqual([0, 1, 4, 4, 4])
    expect(await askIndexer(forked.chain, '{ stakes(query: {epoch: 3}, limit: 1) { epoch } }')).toEqual({
      data: { stakes: [] },
    })
  })

  test.each([
    ['ledgerHash', 'ledger hash'],
    ['genesisStateHash', 'genesis state hash'],
  ])('is an error for a malformed %s', async (filter, words) => {
    const error = { message: `Invalid ${words}: jx`, path: ['stakes'] }
    expect(await ask(`query: {${filter}: "jx"}`, 'pk')).toMatchObject({ data: null, errors: [error] })
  })
})

describe('the rows of a staking ledger', () => {
  const byBalance = ({ balance }: Account) => balance
  const byStake = ({ publicKey }: Account) => sum(delegatedTo(4, publicKey))
  const fields = 'balanceNanomina delegationTotals { totalDelegatedNanomina }'

  test.each([
    ['BALANCE', byBalance],
    ['STAKE', byStake],
  ] as const)('can be ordered by %s', async (order, rank) => {
    const ranks = accountsOf(4)
      .map(rank)
      .toSorted((left, right) => (left < right ? -1 : 1))
    const key = order === 'BALANCE' ? 'balanceNanomina' : 'totalDelegatedNanomina'
    const listed = async (direction: string) => {
      const query = `{ stakes(sortBy: ${order}_${direction}) { ${fields} } }`
      const { text } = await indexer.send(JSON.stringify({ query }))
      return Array.from(text.matchAll(new RegExp(`"${key}":(\\d+)`, 'g')), ([, digits = '']) => BigInt(digits))
    }
    expect(await listed('ASC')).toEqual(ranks)
    expect(await listed('DESC')).toEqual(ranks.toReversed())
  })

  test('are ordered by delegated stake, largest first, by default', async () => {
    expect(await ask('limit: 100', 'pk')).toEqual(await ask('sortBy: STAKE_DESC', 'pk'))
  })

  test('can be the delegators of a key, up to a limit', async () => {
    const largest = delegatedTo(4, alice ?? '').toSorted((left, right) => (left.balance > right.balance ? -1 : 1))
    expect(largest.length).toBeGreaterThan(3)
    expect(await ask(`query: {delegate: "${alice}"}, sortBy: BALANCE_DESC, limit: 3`, 'pk')).toEqual({
      data: { stakes: largest.slice(0, 3).map(({ publicKey }) => ({ pk: publicKey })) },
    })
  })
})
