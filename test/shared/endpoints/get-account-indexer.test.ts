import { describe, expect, test } from '@jest/globals'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import { createLedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import {
  berkeleyGenesis,
  indexedAccountWire,
  mainnetGenesis,
  stakesWire,
  stakingRecords,
  strangeStakesWire,
} from '../indexer/indexer-wire.ts'
import { accountWire, alice, nodeTipWire, tipReplyAt } from '../mapping/node-wire.ts'
import { answering, contextOf, queryOf, recordingQuestions, scripted } from './asking.ts'
import { down, troubles } from './indexer-troubles.ts'

describe('an account at GET /accounts/{public_key} with an indexer', () => {
  const accountByPublicKey = {
    data: {
      account: accountWire,
      pooledUserCommands: [],
      bestChain: [nodeTipWire],
      genesisBlock: { stateHash: berkeleyGenesis },
    },
  }
  const indexedAccount = {
    data: { accounts: [indexedAccountWire], tip: { blockHeight: 299, genesisStateHash: berkeleyGenesis } },
  }
  const nodeNetwork = {
    data: { ...tipReplyAt(300).data, daemonStatus: { chainId: 'chain', consensusConfiguration: null } },
  }
  const nodeFields = accountFromNode(nodeAccount.read(accountWire, 'account'), [])
  const { account, delegators, total } = stakingRecords('chain')
  const counters = { totalTx: 7, totalBlocks: 5, totalSnarks: 6, username: 'Alice' }
  const staking = { epochStakingAccount: account, epochDelegators: delegators, epochTotalStakingBalance: total }
  const nextStaking = {
    nextEpochStakingAccount: account,
    nextEpochDelegators: delegators,
    nextEpochTotalStakingBalance: total,
  }

  type Ledger = ReturnType<typeof stakesWire> | ReturnType<typeof strangeStakesWire>
  const isStakingQuestion = (name: string): name is keyof Ledger => Object.hasOwn(stakesWire(''), name)

  /** An indexer that knows the ledgers given, or answers every question about one alike; it is asked by their hashes. */
  const withLedgers = (
    replies: Parameters<typeof answering>[0],
    ledgers: Readonly<Record<string, Ledger | Partial<Reply> | Error>>,
  ) => {
    const others = answering({ accountByPublicKey, indexedAccount, nodeNetwork, ...replies })
    const query: QueryUpstream = (operation, variables) => {
      if (!isStakingQuestion(operation.name)) return queryOf(others)(operation, variables)
      const ledger = ledgers[String(variables.ledgerHash)] ?? new Error('an unknown ledger')
      const reply = 'stakeOfKey' in ledger ? { data: ledger[operation.name] } : ledger
      return queryOf(answering({ [operation.name]: reply }))(operation, variables)
    }
    return contextOf(query, { indexer: true, scans: createLedgerScans(Date.now, 1500) })
  }
  const both = { 'jx-staking': stakesWire('jx-staking'), 'jx-next': stakesWire('jx-next') }

  test('has every field of the contract', async () => {
    expect(await getAccount.run({ publicKey: alice }, withLedgers({}, both))).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...counters, ...staking, ...nextStaking } },
      caching: getAccount.caching[200]?.complete,
    })
  })

  test('without a known username says Unknown, and is complete', async () => {
    const nameless = { ...indexedAccountWire, username: null }
    const context = withLedgers({ indexedAccount: { data: { ...indexedAccount.data, accounts: [nameless] } } }, both)
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...counters, username: 'Unknown', ...staking, ...nextStaking } },
      caching: getAccount.caching[200]?.complete,
    })
  })

  const all =
    'totalTx,totalBlocks,totalSnarks,username,epochStakingAccount,epochDelegators,epochTotalStakingBalance,nextEpochStakingAccount,nextEpochDelegators,nextEpochTotalStakingBalance'

  test.each(troubles)('has only the node’s fields when the indexer %s', async (_does, reply) => {
    const context = withLedgers({ indexedAccount: reply }, { 'jx-staking': reply, 'jx-next': reply })
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual({
      status: 200,
      body: { account: nodeFields },
      caching: getAccount.caching[200]?.incomplete,
      headers: { 'x-missing-fields': all },
      note: expect.any(String),
    })
  })

  test.each(troubles)('keeps the other fields when one ledger %s', async (_does, reply) => {
    const context = withLedgers({}, { ...both, 'jx-next': reply })
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...counters, ...staking } },
      caching: getAccount.caching[200]?.incomplete,
      headers: { 'x-missing-fields': 'nextEpochStakingAccount,nextEpochDelegators,nextEpochTotalStakingBalance' },
      note: expect.any(String),
    })
  })

  test('does not take another ledger’s rows for a ledger that is not ingested', async () => {
    const context = withLedgers({}, { ...both, 'jx-next': strangeStakesWire('jx-next') })
    const answer = await getAccount.run({ publicKey: alice }, context)
    expect(answer.body).toEqual({ account: { ...nodeFields, ...counters, ...staking } })
  })

  test('has no staking fields, and names none, where the stage has switched them off', async () => {
    const { context: recorded, asked } = recordingQuestions(withLedgers({}, {}))
    const { scans, ...context } = recorded
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...counters } },
      caching: getAccount.caching[200]?.complete,
    })
    expect(asked.map(({ operation }) => operation).toSorted()).toEqual(['accountByPublicKey', 'indexedAccount'])
  })

  test('has its staking ledgers asked for one after the other, once the indexer is shown to be on the chain', async () => {
    const { context, asked } = recordingQuestions(withLedgers({}, both))
    await getAccount.run({ publicKey: alice }, context)
    const ofLedgers = asked
      .slice(3)
      .map(({ operation, variables }) => [operation, Reflect.get(variables, 'ledgerHash')])
    const questions = ['stakingLedger', 'stakeOfKey', 'stakingLedger', 'delegatorsOfKey']
    expect(ofLedgers).toEqual(['jx-staking', 'jx-next'].flatMap((hash) => questions.map((name) => [name, hash])))
  })

  test('keeps the staking fields that it has read when the indexer goes down', async () => {
    const context = withLedgers({}, both)
    await getAccount.run({ publicKey: alice }, context)
    const later = { ...withLedgers({ indexedAccount: down }, {}), scans: context.scans }
    expect((await getAccount.run({ publicKey: alice }, later)).body).toEqual({
      account: { ...nodeFields, ...staking, ...nextStaking },
    })
  })

  test('has its counters asked for once more where the indexer turned the question away', async () => {
    const turnedAway = { status: 408, data: undefined }
    const query = queryOf(withLedgers({}, both))
    const indexed = scripted({ indexedAccount: [turnedAway, indexedAccount] })
    const context = contextOf(
      (operation, variables) => (operation.name === 'indexedAccount' ? indexed : query)(operation, variables),
      { indexer: true, scans: createLedgerScans(Date.now, 1500) },
    )
    const answer = await getAccount.run({ publicKey: alice }, context)
    expect(answer.caching).toEqual(getAccount.caching[200]?.complete)
  })

  test.each([
    ['10 blocks behind', 290, {}],
    ['50 blocks behind', 250, { note: 'the indexer is at block 250, the node at 300' }],
  ] as const)('of an indexer %s has its counters only if they are of now', async (_where, blockHeight, noted) => {
    const tip = { blockHeight, genesisStateHash: berkeleyGenesis }
    const stale = { data: { accounts: [indexedAccountWire], tip } }
    const answer = await getAccount.run({ publicKey: alice }, withLedgers({ indexedAccount: stale }, both))
    const isLacking = 'note' in noted
    expect(answer).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...(isLacking ? {} : counters), ...staking, ...nextStaking } },
      caching: getAccount.caching[200]?.[isLacking ? 'incomplete' : 'complete'],
      ...(isLacking && { headers: { 'x-missing-fields': 'totalTx,totalBlocks,totalSnarks,username' } }),
      ...noted,
    })
  })

  test('has no field of an indexer on another chain, whatever its ledgers are called', async () => {
    const tip = { blockHeight: 299, genesisStateHash: mainnetGenesis }
    const elsewhere = { data: { accounts: [indexedAccountWire], tip } }
    const { context, asked } = recordingQuestions(withLedgers({ indexedAccount: elsewhere }, both))
    const reason = `the indexer is on another chain, of genesis ${mainnetGenesis}`
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual({
      status: 200,
      body: { account: nodeFields },
      caching: getAccount.caching[200]?.incomplete,
      headers: { 'x-missing-fields': all },
      note: [reason, reason, reason].join('; '),
    })
    expect(asked).toHaveLength(3)
  })

  test('that the node does not know is not found, and no ledger is asked for', async () => {
    const none = { data: { ...accountByPublicKey.data, account: null } }
    const { context, asked } = recordingQuestions(answering({ accountByPublicKey: none, indexedAccount, nodeNetwork }))
    const scans = createLedgerScans(Date.now, 1500)
    expect(await getAccount.run({ publicKey: alice }, { ...context, scans })).toMatchObject({ status: 404 })
    expect(asked.map(({ operation }) => operation).toSorted()).toEqual([
      'accountByPublicKey',
      'indexedAccount',
      'nodeNetwork',
    ])
  })

  test('lacks the staking fields when the node cannot name its chain', async () => {
    const context = withLedgers({ nodeNetwork: down }, both)
    expect(await getAccount.run({ publicKey: alice }, context)).toMatchObject({
      body: { account: counters },
      headers: { 'x-missing-fields': all.slice(all.indexOf('epochStaking')) },
    })
  })
})
