// The three GETs that an indexer enriches: what it adds, and that its trouble costs only what it alone knows.
import { describe, expect, test } from '@jest/globals'
import type { Reply } from '../../../shared/endpoint.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { WireError } from '../../../shared/errors.ts'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { blockFromIndexer, indexerBlock } from '../../../shared/mapping/indexer-block.ts'
import { stakesInLedger, stakingView } from '../../../shared/mapping/staking.ts'
import {
  berkeleyGenesis,
  indexedAccountWire,
  indexerBlockWire,
  mainnetGenesis,
  stakesWire,
} from '../mapping/indexer-wire.ts'
import { accountWire, alice, blockWire, nodeTipWire, stateHash } from '../mapping/node-wire.ts'
import { answering, listening } from './asking.ts'

const receivedTime = '2021-03-17T00:03:40.591Z'
const receivedAt = Date.parse(receivedTime)
const mapped = (received?: number) => blockFromNode(nodeBlock.read(blockWire, 'block'), true, received)
const down = new WireError('unreachable', 'refused')
const late = new WireError('timeout', 'too late')

/** Every way in which an indexer gives nothing that can be used. */
const troubles: readonly [string, Partial<Reply> | Error][] = [
  ['is down', down],
  ['is too slow', late],
  ['answers HTML', { status: 200 }],
  ['answers errors', { data: null, errors: ['database is locked'] }],
  ['answers data: null', { data: null }],
  ['answers nonsense', { data: { blocks: 5, block: 'x', accounts: {}, tip: 7, any: null, own: 1, delegators: 'y' } }],
]

describe('GET /blocks', () => {
  const bestChain = [blockWire, { ...blockWire, stateHash: 'tip' }]
  const run = (latestReceivedTimes: Partial<Reply> | Error) =>
    getBlocks.run({ limit: 2 }, answering({ latestBlocks: { data: { bestChain } }, latestReceivedTimes }))

  test('takes the received times by state hash, in whatever order and however many come', async () => {
    const blocks = [
      { stateHash, receivedTime },
      { stateHash: 'another', receivedTime: '2020-01-01T00:00:00Z' },
      { stateHash: 'tip', receivedTime: '2021-03-17T00:06:00Z' },
    ]
    const answer = await run({ data: { blocks } })
    expect(answer).toEqual({
      status: 200,
      body: {
        blocks: [{ ...mapped(Date.UTC(2021, 2, 17, 0, 6)), stateHash: 'tip', ...inside('tip') }, mapped(receivedAt)],
      },
      maxAgeSeconds: 5,
    })
  })

  /** What carries the state hash inside a block. */
  function inside(hash: string) {
    const { snarkJobs = [], transactions } = mapped()
    return {
      snarkJobs: snarkJobs.map((job) => ({ ...job, blockStateHash: hash })),
      transactions: {
        ...transactions,
        userCommands: (transactions?.userCommands ?? []).map((command) => ({ ...command, blockStateHash: hash })),
      },
    }
  }

  test('names the field when the indexer lacks a block', async () => {
    const answer = await run({ data: { blocks: [{ stateHash, receivedTime }] } })
    expect(answer).toMatchObject({
      body: { blocks: [{ stateHash: 'tip' }, { stateHash, receivedTime }] },
      maxAgeSeconds: 1,
      headers: { 'x-missing-fields': 'receivedTime' },
      note: 'the indexer does not have every block',
    })
  })

  test.each(troubles)('goes out without received times when the indexer %s', async (_does, reply) => {
    const answer = await run(reply)
    expect(answer).toMatchObject({ status: 200, maxAgeSeconds: 1, headers: { 'x-missing-fields': 'receivedTime' } })
    expect(answer.body).toEqual({ blocks: [{ ...mapped(), stateHash: 'tip', ...inside('tip') }, mapped()] })
    expect(answer.note).toEqual(expect.any(String))
  })

  test('fails when the node fails, whatever the indexer knows', async () => {
    const ask = answering({ latestBlocks: down, latestReceivedTimes: { data: { blocks: [] } } })
    await expect(getBlocks.run({ limit: 2 }, ask)).rejects.toBe(down)
  })
})

describe('GET /blocks/{state_hash}', () => {
  const held = {
    data: {
      block: blockWire,
      bestChain: [{ stateHash }],
      tip: [{ protocolState: { consensusState: { blockHeight: '2' } } }],
    },
  }
  const notHeld = { data: null, errors: [`Block with state hash ${stateHash} not found in transition frontier`] }
  const nodeGenesis = { data: { genesisBlock: { stateHash: berkeleyGenesis } } }
  const receivedTimeOf = { data: { block: { receivedTime } } }
  const tip = { blockHeight: 300, genesisStateHash: berkeleyGenesis }
  const notFound = { status: 404, body: { message: 'No blocks found for that state hash.' }, maxAgeSeconds: 5 }

  test('has its received time', async () => {
    const answer = await getBlock.run({ stateHash }, answering({ blockByStateHash: held, receivedTimeOf }))
    expect(answer).toEqual({ status: 200, body: { block: mapped(receivedAt) }, maxAgeSeconds: 15 })
  })

  test.each([...troubles, ['does not have the block', { data: { block: null } }] as const])(
    'goes out without received time when the indexer %s',
    async (_does, reply) => {
      const answer = await getBlock.run({ stateHash }, answering({ blockByStateHash: held, receivedTimeOf: reply }))
      expect(answer).toMatchObject({ status: 200, maxAgeSeconds: 1, headers: { 'x-missing-fields': 'receivedTime' } })
      expect(answer.body).toEqual({ block: mapped() })
    },
  )

  test('below the frontier comes from the indexer, with its own canonical', async () => {
    const wire = { ...indexerBlockWire, canonical: false }
    const ask = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis,
      indexedBlock: { data: { block: wire, tip } },
    })
    expect(await getBlock.run({ stateHash }, ask)).toEqual({
      status: 200,
      body: { block: blockFromIndexer(indexerBlock.read(wire, 'block')) },
      maxAgeSeconds: 60,
    })
  })

  test('that neither has is not found, after one question to each', async () => {
    const { ask, asked } = listening(
      answering({ blockByStateHash: notHeld, receivedTimeOf: { data: { block: null } } }),
    )
    expect(await getBlock.run({ stateHash }, ask)).toEqual(notFound)
    expect(asked.map(({ operation }) => operation)).toEqual(['blockByStateHash', 'receivedTimeOf'])
  })

  test.each(troubles)(
    'that the node does not hold is nobody knows, not found never, when the indexer %s',
    async (_does, reply) => {
      const first = answering({ blockByStateHash: notHeld, receivedTimeOf: reply })
      await expect(getBlock.run({ stateHash }, first)).rejects.toMatchObject({ fault: 'busy' })
      const second = answering({ blockByStateHash: notHeld, receivedTimeOf, nodeGenesis, indexedBlock: reply })
      await expect(getBlock.run({ stateHash }, second)).rejects.toMatchObject({ fault: 'busy' })
    },
  )

  test('from an indexer on another chain is not found', async () => {
    const elsewhere = { ...tip, genesisStateHash: mainnetGenesis }
    const ask = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis,
      indexedBlock: { data: { block: indexerBlockWire, tip: elsewhere } },
    })
    const answer = await getBlock.run({ stateHash }, ask)
    expect(answer).toEqual({ ...notFound, note: `the indexer is on another chain, of genesis ${mainnetGenesis}` })
  })

  test('that is another than the asked-for one is not given', async () => {
    const other = { ...indexerBlockWire, stateHash: mainnetGenesis.replace('3', '3') }
    const asked = '3NKfgwKwq3qWFFMNcr6BcAzv1BkZip3m6ADtr9htfjD6WftD3TrS'
    const ask = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis,
      indexedBlock: { data: { block: other, tip } },
    })
    await expect(getBlock.run({ stateHash: asked }, ask)).rejects.toMatchObject({ fault: 'busy' })
  })
})

describe('GET /accounts/{public_key}', () => {
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
    const read = stakesInLedger.data.read(stakesWire(hash), 'stakes')
    return stakingView(read, hash, alice, 'chain')
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
