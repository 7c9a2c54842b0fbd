import { describe, expect, test } from '@jest/globals'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { stakesInLedger, stakingView } from '../../../shared/indexer/staking.ts'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import { berkeleyGenesis, indexedAccountWire, mainnetGenesis, stakesWire } from '../indexer/indexer-wire.ts'
import { accountWire, alice, nodeTipWire, tipReplyAt } from '../mapping/node-wire.ts'
import { answering, recordingQuestions } from './asking.ts'
import { down, late, troubles } from './indexer-troubles.ts'

describe('GET /accounts/{public_key} with an indexer', () => {
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
  const nodeChainId = { data: { ...tipReplyAt(300).data, daemonStatus: { chainId: 'chain' } } }
  const nodeFields = accountFromNode(nodeAccount.read(accountWire, 'account'), [])
  const view = (hash: string) => {
    const read = stakesInLedger.data.read(stakesWire(hash), 'stakes', { ledgerHash: hash, publicKey: alice })
    return stakingView(read, hash, 'chain')
  }
  const counters = { totalTx: 7, totalBlocks: 5, totalSnarks: 6, username: 'Alice' }
  const staking = {
    epochStakingAccount: view('jx-staking').account,
    epochDelegators: view('jx-staking').delegators,
    epochTotalStakingBalance: '83482371.134848365',
  }
  const nextStaking = {
    nextEpochStakingAccount: view('jx-next').account,
    nextEpochDelegators: view('jx-next').delegators,
    nextEpochTotalStakingBalance: '83482371.134848365',
  }

  /** An indexer that knows the ledgers given; it is asked by their hashes. */
  const withLedgers = (
    replies: Parameters<typeof answering>[0],
    ledgers: Readonly<Record<string, Partial<Reply> | Error>>,
  ) => {
    const others = answering({ accountByPublicKey, indexedAccount, nodeChainId, ...replies })
    const query: QueryUpstream = (operation, variables) => {
      if (operation.name !== 'stakesInLedger') return others.query(operation, variables)
      const stakesInLedger = ledgers[String(variables.ledgerHash)] ?? new Error('an unknown ledger')
      return answering({ stakesInLedger }).query(operation, variables)
    }
    return { ...others, query }
  }
  const both = { 'jx-staking': { data: stakesWire('jx-staking') }, 'jx-next': { data: stakesWire('jx-next') } }

  test('has every field of the contract', async () => {
    expect(await getAccount.run({ publicKey: alice }, withLedgers({}, both))).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...counters, ...staking, ...nextStaking } },
      caching: getAccount.caching[200]?.complete,
    })
  })

  test('without a known username keeps the word for that, and lacks nothing', async () => {
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

  test.each(troubles)('is the node’s word alone when the indexer %s', async (_does, reply) => {
    const context = withLedgers({ indexedAccount: reply }, { 'jx-staking': reply, 'jx-next': reply })
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual({
      status: 200,
      body: { account: nodeFields },
      caching: getAccount.caching[200]?.incomplete,
      headers: { 'x-missing-fields': all },
      note: expect.any(String),
    })
  })

  test.each(troubles)('keeps what came when one ledger %s', async (_does, reply) => {
    const context = withLedgers({}, { ...both, 'jx-next': reply })
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...counters, ...staking } },
      caching: getAccount.caching[200]?.incomplete,
      headers: { 'x-missing-fields': 'nextEpochStakingAccount,nextEpochDelegators,nextEpochTotalStakingBalance' },
      note: expect.any(String),
    })
  })

  test('does not say [] for a ledger that is not ingested', async () => {
    const context = withLedgers({}, { ...both, 'jx-next': { data: { any: [], own: [], delegators: [] } } })
    const answer = await getAccount.run({ publicKey: alice }, context)
    expect(answer.body).toEqual({ account: { ...nodeFields, ...counters, ...staking } })
  })

  test.each([
    ['10 blocks behind', 290, berkeleyGenesis, {}],
    ['50 blocks behind', 250, berkeleyGenesis, { note: 'the indexer is at block 250, the node at 300' }],
    [
      'on another chain',
      299,
      mainnetGenesis,
      { note: `the indexer is on another chain, of genesis ${mainnetGenesis}` },
    ],
  ] as const)(
    'of an indexer %s has its counters only if they are of now',
    async (_where, blockHeight, genesisStateHash, noted) => {
      const stale = { data: { accounts: [indexedAccountWire], tip: { blockHeight, genesisStateHash } } }
      const answer = await getAccount.run({ publicKey: alice }, withLedgers({ indexedAccount: stale }, both))
      const isLacking = 'note' in noted
      expect(answer).toEqual({
        status: 200,
        body: { account: { ...nodeFields, ...(isLacking ? {} : counters), ...staking, ...nextStaking } },
        caching: getAccount.caching[200]?.[isLacking ? 'incomplete' : 'complete'],
        ...(isLacking && { headers: { 'x-missing-fields': 'totalTx,totalBlocks,totalSnarks,username' } }),
        ...noted,
      })
    },
  )

  test('does not wait for ledgers once the indexer is silent', async () => {
    const never = new Promise<Error>(() => undefined)
    const context = answering({ accountByPublicKey, nodeChainId, indexedAccount: late, stakesInLedger: never })
    expect(await getAccount.run({ publicKey: alice }, context)).toMatchObject({
      status: 200,
      headers: { 'x-missing-fields': all },
    })
  })

  test('asks for the ledgers before the indexer has given the counters', async () => {
    let answerCounters: (reply: Partial<Reply>) => void = () => undefined
    const counted = new Promise<Partial<Reply>>((resolve) => {
      answerCounters = resolve
    })
    const context = withLedgers({ indexedAccount: counted }, both)
    const query: QueryUpstream = (operation, variables) => {
      if (operation.name === 'stakesInLedger') answerCounters(indexedAccount)
      return context.query(operation, variables)
    }
    expect(await getAccount.run({ publicKey: alice }, { ...context, query })).toMatchObject({
      caching: getAccount.caching[200]?.complete,
    })
  })

  test('that the node does not know is not found, and no ledger is asked for', async () => {
    const none = { data: { ...accountByPublicKey.data, account: null } }
    const { context, asked } = recordingQuestions(answering({ accountByPublicKey: none, indexedAccount, nodeChainId }))
    expect(await getAccount.run({ publicKey: alice }, context)).toMatchObject({ status: 404 })
    expect(asked.map(({ operation }) => operation).toSorted()).toEqual([
      'accountByPublicKey',
      'indexedAccount',
      'nodeChainId',
    ])
  })

  test('lacks the staking fields when the node cannot name its chain', async () => {
    const context = withLedgers({ nodeChainId: down }, both)
    expect(await getAccount.run({ publicKey: alice }, context)).toMatchObject({
      body: { account: counters },
      headers: { 'x-missing-fields': all.slice(all.indexOf('epochStaking')) },
    })
  })
})
