import { describe, expect, test } from '@jest/globals'
import type { Reply } from '../../../shared/endpoint.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import { stakesInLedger, stakingView } from '../../../shared/mapping/staking.ts'
import { berkeleyGenesis, indexedAccountWire, mainnetGenesis, stakesWire } from '../mapping/indexer-wire.ts'
import { accountWire, alice, nodeTipWire } from '../mapping/node-wire.ts'
import { answering, listening } from './asking.ts'
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
  const nodeChainId = { data: { daemonStatus: { chainId: 'chain' } } }
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
    return Object.assign<typeof others, object>(
      (operation, variables) =>
        operation.name === 'stakesInLedger'
          ? answering({ stakesInLedger: ledgers[String(variables.ledgerHash)] ?? new Error('an unknown ledger') })(
              operation,
              variables,
            )
          : others(operation, variables),
      { hasIndexer: true },
    )
  }
  const both = { 'jx-staking': { data: stakesWire('jx-staking') }, 'jx-next': { data: stakesWire('jx-next') } }

  test('has every field of the contract', async () => {
    expect(await getAccount.run({ publicKey: alice }, withLedgers({}, both))).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...counters, ...staking, ...nextStaking } },
      maxAgeSeconds: 3,
    })
  })

  test('without a known username keeps the word for that, and lacks nothing', async () => {
    const nameless = { ...indexedAccountWire, username: null }
    const ask = withLedgers({ indexedAccount: { data: { ...indexedAccount.data, accounts: [nameless] } } }, both)
    expect(await getAccount.run({ publicKey: alice }, ask)).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...counters, username: 'Unknown', ...staking, ...nextStaking } },
      maxAgeSeconds: 3,
    })
  })

  const all =
    'totalTx,totalBlocks,totalSnarks,username,epochStakingAccount,epochDelegators,epochTotalStakingBalance,nextEpochStakingAccount,nextEpochDelegators,nextEpochTotalStakingBalance'

  test.each(troubles)('is the node’s word alone when the indexer %s', async (_does, reply) => {
    const ask = withLedgers({ indexedAccount: reply }, { 'jx-staking': reply, 'jx-next': reply })
    expect(await getAccount.run({ publicKey: alice }, ask)).toEqual({
      status: 200,
      body: { account: nodeFields },
      maxAgeSeconds: 1,
      headers: { 'x-missing-fields': all },
      note: expect.any(String),
    })
  })

  test.each(troubles)('keeps what came when one ledger %s', async (_does, reply) => {
    const ask = withLedgers({}, { ...both, 'jx-next': reply })
    expect(await getAccount.run({ publicKey: alice }, ask)).toEqual({
      status: 200,
      body: { account: { ...nodeFields, ...counters, ...staking } },
      maxAgeSeconds: 1,
      headers: { 'x-missing-fields': 'nextEpochStakingAccount,nextEpochDelegators,nextEpochTotalStakingBalance' },
      note: expect.any(String),
    })
  })

  test('does not say [] for a ledger that is not ingested', async () => {
    const ask = withLedgers({}, { ...both, 'jx-next': { data: { any: [], own: [], delegators: [] } } })
    const answer = await getAccount.run({ publicKey: alice }, ask)
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
        maxAgeSeconds: isLacking ? 1 : 3,
        ...(isLacking && { headers: { 'x-missing-fields': 'totalTx,totalBlocks,totalSnarks,username' } }),
        ...noted,
      })
    },
  )

  test('does not wait for ledgers once the indexer is silent', async () => {
    const never = new Promise<Error>(() => undefined)
    const ask = answering({ accountByPublicKey, nodeChainId, indexedAccount: late, stakesInLedger: never })
    expect(await getAccount.run({ publicKey: alice }, ask)).toMatchObject({
      status: 200,
      headers: { 'x-missing-fields': all },
    })
  })

  test('asks for the ledgers before the indexer has given the counters', async () => {
    let answerCounters: (reply: Partial<Reply>) => void = () => undefined
    const counted = new Promise<Partial<Reply>>((resolve) => {
      answerCounters = resolve
    })
    const ask = withLedgers({ indexedAccount: counted }, both)
    const watching: typeof ask = Object.assign<typeof ask, object>(
      (operation, variables) => {
        if (operation.name === 'stakesInLedger') answerCounters(indexedAccount)
        return ask(operation, variables)
      },
      { hasIndexer: true },
    )
    expect(await getAccount.run({ publicKey: alice }, watching)).toMatchObject({ maxAgeSeconds: 3 })
  })

  test('that the node does not know is not found, and no ledger is asked for', async () => {
    const none = { data: { ...accountByPublicKey.data, account: null } }
    const { ask, asked } = listening(answering({ accountByPublicKey: none, indexedAccount, nodeChainId }))
    expect(await getAccount.run({ publicKey: alice }, ask)).toMatchObject({ status: 404 })
    expect(asked.map(({ operation }) => operation).toSorted()).toEqual([
      'accountByPublicKey',
      'indexedAccount',
      'nodeChainId',
    ])
  })

  test('lacks the staking fields when the node cannot name its chain', async () => {
    const ask = withLedgers({ nodeChainId: down }, both)
    expect(await getAccount.run({ publicKey: alice }, ask)).toMatchObject({
      body: { account: counters },
      headers: { 'x-missing-fields': all.slice(all.indexOf('epochStaking')) },
    })
  })
})
