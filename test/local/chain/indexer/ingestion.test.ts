// Answers of a mina-indexer about a staking ledger that nobody has added, that is being added, or of another chain.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { IndexerState } from '../../../../local/chain/indexer/ingested.ts'
import { startSession } from '../session.ts'
import type { IndexerClient } from './client.ts'
import { startIndexer } from './client.ts'
import { integer, stakingSession, sum } from './staking-session.ts'

const { chain, wallet, accountsOf, delegatedTo } = stakingSession()
const { publicKey: alice } = wallet('alice')
const ledgerHash = chain.tip().stakingEpoch.ledgerHash
const genesisStateHash = chain.genesisBlock().stateHash
const otherChain = startSession({ seed: 'elsewhere', historyBlocks: 1 }).chain
const state: IndexerState = {}
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain, state)
})
afterEach(() => {
  delete state.ledger
  delete state.genesisStateHash
  delete state.behind
})
afterAll(() => indexer.close())

const rows = (limit: number, fields: string, filter = '') =>
  indexer.ask(`{ stakes(query: {ledgerHash: "${ledgerHash}"${filter}}, limit: ${limit}) { ${fields} } }`)
const labels = 'epoch ledgerHash genesisStateHash epoch_total_currency epoch_num_accounts'
const own = `, public_key: "${alice}"`
const totals = 'delegationTotals { totalDelegatedNanomina countDelegates }'
const totalsOf = (epoch: number) => ({
  totalDelegatedNanomina: integer(sum(delegatedTo(epoch, alice))),
  countDelegates: delegatedTo(epoch, alice).length,
})

describe('a staking ledger that is not ingested', () => {
  test('is answered with the rows of epoch 0 under its hash', async () => {
    state.ledger = (hash) => (hash === ledgerHash ? undefined : {})
    const row = { epoch: 0, ledgerHash, genesisStateHash, epoch_total_currency: 0 }
    expect(totalsOf(0)).not.toEqual(totalsOf(4))
    expect(await rows(1, `${labels} ${totals}`, own)).toEqual({
      data: { stakes: [{ ...row, epoch_num_accounts: accountsOf(0).length, delegationTotals: totalsOf(0) }] },
    })
    expect(await rows(1000, 'pk')).toMatchObject({ data: { stakes: { length: accountsOf(0).length } } })
  })

  test('has no row for limit 0, and none at all where the ledger of epoch 0 is missing too', async () => {
    state.ledger = () => undefined
    expect(await rows(0, labels)).toEqual({ data: { stakes: [] } })
    expect(await rows(1000, labels)).toEqual({ data: { stakes: [] } })
  })

  test('is like any unknown hash, a ledger of an abandoned block among them', async () => {
    const { stagedLedgerHash } = chain.tip()
    expect(await indexer.ask(`{ stakes(query: {ledgerHash: "${stagedLedgerHash}"}, limit: 1) { epoch } }`)).toEqual({
      data: { stakes: [{ epoch: 0 }] },
    })
  })
})

describe('a staking ledger that is being ingested', () => {
  test('is known at once, with its epoch, before any row is written', async () => {
    state.ledger = () => ({ rows: 0 })
    const everything = 'epoch ledgerHash genesisStateHash pk delegate balance balanceNanomina nonce token tokenAddress'
    expect(
      await rows(0, `${everything} timing { cliff_time } epoch_num_accounts epoch_total_currency ${totals}`),
    ).toEqual({
      data: {
        stakes: [
          {
            ...{ epoch: 4, ledgerHash, genesisStateHash: '', pk: '', delegate: '', balance: 0, balanceNanomina: 0 },
            ...{ nonce: 0, token: 0, tokenAddress: '', timing: null, epoch_num_accounts: 0, epoch_total_currency: 0 },
            delegationTotals: { totalDelegatedNanomina: 0, countDelegates: 0 },
          },
        ],
      },
    })
    expect(await rows(1000, 'pk')).toEqual({ data: { stakes: [] } })
  })

  test('gets its rows in no order, each with totals of the whole ledger', async () => {
    const keys = async (written: number) => {
      state.ledger = () => ({ rows: written })
      const answer = (await rows(1000, 'pk')) as { data: { stakes: { pk: string }[] } }
      return answer.data.stakes.map(({ pk }) => pk)
    }
    const all = accountsOf(4).map(({ publicKey }) => publicKey)
    const steps: string[][] = []
    for (const { length } of all.map((_, index) => all.slice(index))) steps.unshift(await keys(length))
    const order = steps.map((step, index) => step.find((key) => !(steps[index - 1] ?? []).includes(key)))
    expect(steps.map((step) => step.length)).toEqual(all.map((_, index) => index + 1))
    expect(order.toSorted()).toEqual(all.toSorted())
    expect(order).not.toEqual(await keys(all.length))

    const before = order.indexOf(alice)
    const row = {
      epoch_total_currency: integer(chain.tip().stakingEpoch.totalCurrency),
      epoch_num_accounts: all.length,
    }
    const ownRow = () => rows(1, `epoch_total_currency epoch_num_accounts ${totals}`, own)
    state.ledger = () => ({ rows: before })
    expect(await ownRow()).toEqual({ data: { stakes: [] } })
    state.ledger = () => ({ rows: before + 1 })
    expect(await ownRow()).toEqual({ data: { stakes: [{ ...row, delegationTotals: totalsOf(4) }] } })
  })
})

describe('an indexer of another chain', () => {
  const otherGenesis = otherChain.genesisBlock().stateHash

  test('files its ledgers under that chain', async () => {
    state.genesisStateHash = otherGenesis
    expect(await rows(1, 'epoch genesisStateHash')).toEqual({
      data: { stakes: [{ epoch: 4, genesisStateHash: otherGenesis }] },
    })
    expect(await rows(1, 'epoch', `, genesisStateHash: "${genesisStateHash}"`)).toEqual({ data: { stakes: [] } })
  })

  test('takes a ledger that it does not know for one of the node’s chain, with the rows of its own epoch 0', async () => {
    state.genesisStateHash = otherGenesis
    state.ledger = (hash) => (hash === ledgerHash ? undefined : {})
    expect(await rows(1, labels)).toEqual({
      data: { stakes: [{ epoch: 0, ledgerHash, genesisStateHash, epoch_total_currency: 0, epoch_num_accounts: 0 }] },
    })
  })

  test('may know a ledger and show no row of it, for it is filed under the first chain', async () => {
    state.genesisStateHash = otherGenesis
    state.ledger = () => ({ genesisStateHash })
    expect(await rows(0, 'epoch')).toEqual({ data: { stakes: [{ epoch: 4 }] } })
    expect(await rows(1000, 'epoch')).toEqual({ data: { stakes: [] } })
  })

  test('may hold its accounts under a hash of ours', async () => {
    const accounts = otherChain.ledger()
    state.ledger = (hash) => (hash === ledgerHash ? { accounts } : {})
    expect(await rows(1, 'epoch', own)).toEqual({ data: { stakes: [] } })
    expect(await rows(1000, 'pk')).toMatchObject({ data: { stakes: { length: accounts.size } } })
  })
})

test('an indexer that is behind has the newest ledger all the same, since ledgers do not come from blocks', async () => {
  const next = `query: {ledgerHash: "${chain.tip().nextEpoch.ledgerHash}"}, limit: 1`
  const ask = (given: string) => indexer.ask(`{ stakes(${given}) { epoch } }`)
  state.behind = 10
  expect(await ask(next)).toEqual({ data: { stakes: [{ epoch: 5 }] } })
  expect(await ask('limit: 1')).toEqual({ data: { stakes: [{ epoch: 3 }] } })
})
