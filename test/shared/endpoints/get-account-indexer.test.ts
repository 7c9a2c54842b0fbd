import { describe, expect, test } from '@jest/globals'
import { withChanges } from '../../../packages/proofs/changed-view.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import { createLedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import { silentObserver } from '../chain/silent-observer.ts'
import {
  berkeleyGenesis,
  indexedAccountWire,
  mainnetGenesis,
  stakesWire,
  stakingRecords,
} from '../indexer/indexer-wire.ts'
import { accountWire, alice, networkReply, nodeTipWire, tipReplyAt } from '../mapping/node-wire.ts'
import { answering, chainOf, contextOf, queryOf, recordingQuestions } from './asking.ts'
import { down, troubles } from './indexer-troubles.ts'

const accountByPublicKey = {
  data: {
    account: accountWire,
    pooledUserCommands: [],
    pooledZkappCommands: [],
    bestChain: [nodeTipWire],
    genesisBlock: { stateHash: berkeleyGenesis },
  },
}
const indexedAt = (tip: object = {}, account: object = {}) => ({
  data: {
    accounts: [{ ...indexedAccountWire, ...account }],
    tip: { blockHeight: 299, genesisStateHash: berkeleyGenesis, ...tip },
  },
})
const { data: network } = networkReply()
const nodeNetwork = { data: { ...network, genesisBlock: { ...network.genesisBlock, stateHash: berkeleyGenesis } } }

const nodeFields = accountFromNode(nodeAccount.read(accountWire, 'account'), [], [], 300)
const { account, delegators, count, total } = stakingRecords('chain', 41)
const next = stakingRecords('chain', 42)
const counters = { totalTx: 7, totalBlocks: 5, totalSnarks: 6, username: 'Alice' }
const staking = {
  epochStakingAccount: account,
  epochDelegators: delegators,
  epochDelegatorCount: count,
  epochTotalStakingBalance: total,
}
const nextStaking = {
  nextEpochStakingAccount: next.account,
  nextEpochDelegators: next.delegators,
  nextEpochDelegatorCount: next.count,
  nextEpochTotalStakingBalance: next.total,
}

type Ledger = ReturnType<typeof stakesWire>
type Ledgers = Readonly<Record<string, Ledger | Partial<Reply> | Error>>
const isStakingQuestion = (name: string): name is keyof Ledger => Object.hasOwn(stakesWire(''), name)
const both = { 'jx-staking': stakesWire('jx-staking'), 'jx-next': stakesWire('jx-next') }

/** An indexer that knows the ledgers given, or answers every question about one alike; it is asked by their hashes. */
function asking(replies: Parameters<typeof answering>[0] = {}, ledgers: Ledgers = both) {
  const others = queryOf(answering({ accountByPublicKey, indexedAccount: indexedAt(), nodeNetwork, ...replies }))
  const query: QueryUpstream = (operation, variables) => {
    if (!isStakingQuestion(operation.name)) return others(operation, variables)
    const ledger = ledgers[String(variables.ledgerHash)] ?? new Error('an unknown ledger')
    const reply = 'stakeOfKey' in ledger ? { data: ledger[operation.name] } : ledger
    return queryOf(answering({ [operation.name]: reply }))(operation, variables)
  }
  return recordingQuestions(contextOf(query, { indexer: true, scans: createLedgerScans(Date.now, 1500) }))
}

const run = (...given: Parameters<typeof asking>) => getAccount.run({ publicKey: alice }, asking(...given).context)

const caching = getAccount.caching[200]
const complete = (...fields: readonly object[]) => ({
  status: 200,
  body: {
    account: Object.assign({}, nodeFields, ...fields),
    status: { syncStatus: 'SYNCED', blockchainLength: 300 },
  },
  caching: caching?.complete,
})
const lacking = (missing: string, ...fields: readonly object[]) => ({
  ...complete(...fields),
  caching: caching?.incomplete,
  headers: { 'x-missing-fields': missing },
  note: expect.any(String),
})
const missingCounters = Object.keys(counters).join()
const missingNext = Object.keys(nextStaking).join()
const missingStaking = [...Object.keys(staking), missingNext].join()
const missingAll = [missingCounters, missingStaking].join()

describe('an account at GET /accounts/{public_key} with an indexer', () => {
  test('has every field of the contract, with records of the epoch that was asked for and of the one after', async () => {
    expect(await run()).toEqual(complete(counters, staking, nextStaking))
  })

  test('without a known username has the name Unknown, and is complete', async () => {
    expect(await run({ indexedAccount: indexedAt({}, { username: null }) })).toEqual(
      complete(counters, staking, nextStaking, { username: 'Unknown' }),
    )
  })

  test.each(troubles)('has only the node’s fields when the indexer %s', async (_does, reply) => {
    const answer = await run({ indexedAccount: reply }, { 'jx-staking': reply, 'jx-next': reply })
    expect(answer).toEqual(lacking(missingAll))
  })

  test.each(troubles)('keeps the other fields when one ledger %s', async (_does, reply) => {
    expect(await run({}, { ...both, 'jx-next': reply })).toEqual(lacking(missingNext, counters, staking))
  })

  test('has no staking fields, and does not name them as missing, if the stage has switched them off', async () => {
    const { context: recorded, asked } = asking({}, {})
    const context = withChanges(recorded, { scans: undefined })
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual(complete(counters))
    expect(asked.map(({ operation }) => operation).toSorted()).toEqual(['accountByPublicKey', 'indexedAccount'])
  })

  test('rests on the tip that its balance was read at, though the chain id was read from an older one', async () => {
    const { context } = asking({ nodeNetwork: { data: { ...nodeNetwork.data, ...tipReplyAt(299).data } } })
    const heights: number[] = []
    const answeredAt = ({ height }: { readonly height: number }) => heights.push(height)
    const observer = { ...silentObserver, answeredAt }
    const port = chainOf(context).view({ withinMs: Number.POSITIVE_INFINITY, observer })
    expect(await getAccount.run({ publicKey: alice }, port)).toEqual(complete(counters, staking, nextStaking))
    expect(heights).toEqual([300])
  })

  test('asks for one staking ledger after the other, once the indexer has shown that it is on the chain', async () => {
    const { context, asked } = asking()
    await getAccount.run({ publicKey: alice }, context)
    const ofLedgers = asked
      .slice(3)
      .map(({ operation, variables }) => [operation, Reflect.get(variables, 'ledgerHash')])
    const questions = ['stakingLedger', 'stakeOfKey', 'stakingLedger', 'delegatorsOfKey']
    expect(ofLedgers).toEqual(['jx-staking', 'jx-next'].flatMap((hash) => questions.map((name) => [name, hash])))
  })

  test('keeps the staking fields that it has read when the indexer goes down', async () => {
    const { context } = asking()
    await getAccount.run({ publicKey: alice }, context)
    const later = withChanges(asking({ indexedAccount: down }, {}).context, { scans: context.scans })
    const { body } = await getAccount.run({ publicKey: alice }, later)
    expect(body).toEqual(complete(staking, nextStaking).body)
  })

  test('has the counters of an indexer 10 blocks behind, and lacks them 50 blocks behind', async () => {
    const behind = (blockHeight: number) => run({ indexedAccount: indexedAt({ blockHeight }) })
    expect(await behind(290)).toEqual(complete(counters, staking, nextStaking))
    expect(await behind(250)).toEqual({
      ...lacking(missingCounters, staking, nextStaking),
      note: 'the indexer is at block 250, the node at 300',
    })
  })

  test('has no field of an indexer on another chain, whatever its ledgers are called', async () => {
    const { context, asked } = asking({ indexedAccount: indexedAt({ genesisStateHash: mainnetGenesis }) })
    const reason = `the indexer is on another chain, of genesis ${mainnetGenesis}`
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual({
      ...lacking(missingAll),
      note: reason,
    })
    expect(asked).toHaveLength(3)
  })

  test('that the node does not know is not found, and no ledger is asked for', async () => {
    const unknown = { data: { ...accountByPublicKey.data, account: null } }
    const { context, asked } = asking({ accountByPublicKey: unknown })
    expect(await getAccount.run({ publicKey: alice }, context)).toMatchObject({ status: 404 })
    expect(asked.map(({ operation }) => operation).toSorted()).toEqual([
      ...['accountByPublicKey', 'accountByPublicKey', 'accountByPublicKey'],
      'indexedAccount',
      'nodeNetwork',
    ])
  })

  test('lacks the staking fields when the node cannot name its chain', async () => {
    expect(await run({ nodeNetwork: down })).toEqual(lacking(missingStaking, counters))
  })
})
