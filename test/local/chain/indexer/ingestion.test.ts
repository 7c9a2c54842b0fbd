// Answers of a mina-indexer about a staking ledger that was never added, that is being added, or of another chain.
import { afterEach, describe, expect, test } from '@jest/globals'
import type { IndexerState } from '../../../../local/chain/indexer/ingested.ts'
import { startSession } from '../session.ts'
import { indexerOf, integer } from '../upstream.ts'
import { stakingSession, sum } from './staking-session.ts'

const { chain, wallet, accountsOf, delegatedTo } = stakingSession()
const { publicKey: alice } = wallet('alice')
const ledgerHash = chain.tip().stakingEpoch.ledgerHash
const genesisStateHash = chain.genesisBlock().stateHash
const state: IndexerState = {}
const indexer = indexerOf(chain, state)
afterEach(() => {
  for (const name of ['ledger', 'genesisStateHash', 'behind'] as const) delete state[name]
})

const rows = (limit: number, fields: string, filter = '', hash = ledgerHash) =>
  indexer.ask(`{ stakes(query: {ledgerHash: "${hash}"${filter}}, limit: ${limit}) { ${fields} } }`)
const found = (...stakes: readonly object[]) => ({ data: { stakes } })
const labels = 'epoch ledgerHash genesisStateHash epoch_total_currency epoch_num_accounts'
const own = `, public_key: "${alice}"`
const totals = 'delegationTotals { totalDelegatedNanomina countDelegates }'
const totalsOf = (epoch: number) => ({
  totalDelegatedNanomina: integer(sum(delegatedTo(epoch, alice))),
  countDelegates: delegatedTo(epoch, alice).length,
})
const allButOurs = (hash: string) => (hash === ledgerHash ? undefined : {})

describe('a staking ledger that is not ingested', () => {
  test('is answered with the rows of epoch 0 under its hash', async () => {
    state.ledger = allButOurs
    const row = { epoch: 0, ledgerHash, genesisStateHash, epoch_total_currency: 0 }
    expect(totalsOf(0)).not.toEqual(totalsOf(4))
    expect(await rows(1, `${labels} ${totals}`, own)).toEqual(
      found({ ...row, epoch_num_accounts: accountsOf(0).length, delegationTotals: totalsOf(0) }),
    )
    expect(await rows(1000, 'pk')).toMatchObject({ data: { stakes: { length: accountsOf(0).length } } })
    // Of a ledger that no epoch uses, too.
    expect(await rows(1, 'epoch', '', chain.tip().stagedLedgerHash)).toEqual(found({ epoch: 0 }))
  })

  test('has no row for limit 0, and for no limit where the ledger of epoch 0 is missing too', async () => {
    state.ledger = () => undefined
    expect([await rows(0, labels), await rows(1000, labels)]).toEqual([found(), found()])
  })
})

describe('a staking ledger that is being ingested', () => {
  test('is known with its epoch before any row is written', async () => {
    state.ledger = () => ({ rows: 0 })
    const fields = `${labels} public_key pk delegate balanceNanomina nonce token receipt_chain_hash voting_for ${totals}`
    expect(await rows(0, fields)).toEqual(
      found({
        ...{ epoch: 4, ledgerHash, genesisStateHash: '', public_key: '', pk: '', delegate: '', balanceNanomina: 0 },
        ...{ nonce: 0, token: 0, receipt_chain_hash: '', voting_for: '', epoch_num_accounts: 0 },
        ...{ epoch_total_currency: 0, delegationTotals: { totalDelegatedNanomina: 0, countDelegates: 0 } },
      }),
    )
    expect(await rows(1000, 'pk')).toEqual(found())
  })

  test('gets its rows in no order, each with totals of the whole ledger', async () => {
    const all = accountsOf(4).map(({ publicKey }) => publicKey)
    const keys = async (written: number) => {
      state.ledger = () => ({ rows: written })
      const answer = (await rows(1000, 'pk')) as { data: { stakes: { pk: string }[] } }
      return answer.data.stakes.map(({ pk }) => pk)
    }
    const steps: (readonly string[])[] = []
    for (const count of all.keys()) steps.push(await keys(count + 1))
    const added = steps.map((step, index) => step.filter((key) => !steps[index - 1]?.includes(key)))
    expect(added.flat().toSorted()).toEqual(all.toSorted())
    expect(added.flat()).not.toEqual(steps.at(-1))

    const ownRow = () => rows(1, `epoch_total_currency epoch_num_accounts ${totals}`, own)
    state.ledger = () => ({ rows: added.flat().indexOf(alice) })
    expect(await ownRow()).toEqual(found())
    state.ledger = () => ({ rows: added.flat().indexOf(alice) + 1 })
    expect(await ownRow()).toEqual(
      found({
        epoch_total_currency: integer(chain.tip().stakingEpoch.totalCurrency),
        epoch_num_accounts: all.length,
        delegationTotals: totalsOf(4),
      }),
    )
  })
})

describe('an indexer of another chain', () => {
  const { chain: otherChain } = startSession({ seed: 'elsewhere', historyBlocks: 1 })
  const otherGenesis = otherChain.genesisBlock().stateHash

  test('files its ledgers under that chain, and an unknown one under the node’s, with the rows of its own epoch 0', async () => {
    state.genesisStateHash = otherGenesis
    expect(await rows(1, 'epoch genesisStateHash')).toEqual(found({ epoch: 4, genesisStateHash: otherGenesis }))
    state.ledger = allButOurs
    expect(await rows(1, labels)).toEqual(
      found({ epoch: 0, ledgerHash, genesisStateHash, epoch_total_currency: 0, epoch_num_accounts: 0 }),
    )
  })

  test('may know a ledger and have no row of it, because it is filed under the first chain', async () => {
    state.genesisStateHash = otherGenesis
    state.ledger = () => ({ genesisStateHash })
    expect([await rows(0, 'epoch'), await rows(1000, 'epoch')]).toEqual([found({ epoch: 4 }), found()])
  })

  test('may have its accounts under a hash of ours', async () => {
    const accounts = otherChain.ledger()
    state.ledger = () => ({ accounts })
    expect(await rows(1, 'epoch', own)).toEqual(found())
    expect(await rows(1000, 'pk')).toMatchObject({ data: { stakes: { length: accounts.size } } })
  })
})

test('an indexer that is behind has the newest ledger, because ledgers do not come from blocks', async () => {
  state.behind = 10
  expect(await rows(1, 'epoch', '', chain.tip().nextEpoch.ledgerHash)).toEqual(found({ epoch: 5 }))
  expect(await indexer.ask('{ stakes(limit: 1) { epoch } }')).toEqual(found({ epoch: 3 }))
})
