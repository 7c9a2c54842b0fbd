// The service in front of an indexer that behaves as mina-indexer 0.2.0 does, faults included.
import { text as bodyOf } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { systemClock } from '../../functions/runtime/system-clock.ts'
import type { IndexerState } from '../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../packages/testnet/indexer/server.ts'
import type { Account } from '../../packages/testnet/ledger/ledger.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import type { Clock } from '../../shared/chain/port.ts'
import { minaDecimal } from '../../shared/mapping/amounts.ts'
import { memberOf, parseExactJson } from '../../shared/mapping/exact-json.ts'
import { serve } from '../serving.ts'
import { stakingSession } from '../testnet/indexer/staking-session.ts'
import { gatewayOver, now } from './running-service.ts'

const isWalk = (operation: string) => ['stakeOfKey', 'delegatorsOfKey'].includes(operation)

/** No time passes but where the service waits, so that a busy machine does not make a light question look like a long one. */
const clock: Clock = { ...systemClock, now: () => now, elapsed: () => 0 }

/** Five epochs, of which the node holds the last blocks. */
let session: ReturnType<typeof stakingSession>
let indexer: IndexerState
/** The operations that the indexer was asked. */
let asked: string[]
/** Operations that it turns away once with an HTTP 408. */
let turnedAway: string[]
let maxWalksAtOnce: number
let url: string

beforeEach(async () => {
  session = stakingSession({ frontierBlocks: 12 })
  indexer = {}
  asked = []
  turnedAway = []
  maxWalksAtOnce = 0
  let walks = 0
  const node = await serve(nodeServer(session.chain))
  const behind = await serve(indexerServer(session.chain, indexer))
  const watched = await serve(async (request, response) => {
    const body = await bodyOf(request)
    const operation = /query (\w+)/.exec(body)?.[1] ?? ''
    const walked = isWalk(operation) ? 1 : 0
    asked.push(operation)
    if (turnedAway.includes(operation)) {
      turnedAway = []
      return response.writeHead(408, { connection: 'close', 'content-length': 0 }).end()
    }
    walks += walked
    maxWalksAtOnce = Math.max(maxWalksAtOnce, walks)
    const answer = await fetch(`${behind.url}/graphql`, { method: 'POST', body }).catch(() => undefined)
    walks -= walked
    if (answer === undefined) return request.socket.destroy()
    return response.writeHead(answer.status).end(await answer.text())
  })
  const upstreams = { NODE_GRAPHQL_URL: `${node.url}/graphql`, INDEXER_GRAPHQL_URL: `${watched.url}/graphql` }
  url = (await serve(await gatewayOver(upstreams, undefined, clock))).url
})

async function get(path: string) {
  const response = await fetch(url + path)
  const missing = response.headers.get('x-missing-fields')?.split(',') ?? []
  return { status: response.status, headers: response.headers, missing, body: parseExactJson(await response.text()) }
}

const ledgers = () => {
  const { stakingEpoch, nextEpoch } = session.chain.tip()
  return [
    {
      hash: stakingEpoch.ledgerHash,
      names: ['epochStakingAccount', 'epochDelegators', 'epochDelegatorCount', 'epochTotalStakingBalance'],
    },
    {
      hash: nextEpoch.ledgerHash,
      names: [
        'nextEpochStakingAccount',
        'nextEpochDelegators',
        'nextEpochDelegatorCount',
        'nextEpochTotalStakingBalance',
      ],
    },
  ] as const
}

const allStakingNames = () => ledgers().flatMap(({ names }) => names)

const accountsIn = (ledgerHash: string): readonly Account[] => [
  ...(session.chain.stakingLedgerByHash(ledgerHash) ?? new Map()).values(),
]

const shownRow = (row: unknown) => `${memberOf(row, 'pk')} ${memberOf(row, 'balance')}`

/** The four fields as the ledger has them: the own row, those of the delegators, their total and number. */
function truth(ledgerHash: string, publicKey: string) {
  const accounts = accountsIn(ledgerHash)
  const delegators = accounts.filter(({ delegate }) => delegate === publicKey)
  const rows = (some: readonly Account[]) =>
    some.map((one) => `${one.publicKey} ${minaDecimal(one.balance)}`).toSorted()
  return [
    rows(accounts.filter((account) => account.publicKey === publicKey)),
    rows(delegators),
    delegators.length,
    minaDecimal(delegators.reduce((sum, { balance }) => sum + balance, 0n)),
  ]
}

/** The staking fields of a key that differ from the ledger, and those that are absent and not named. */
async function wrongFieldsOf(publicKey: string) {
  const { body, missing } = await get(`/accounts/${publicKey}`)
  const wrong = ledgers().flatMap(({ hash, names }) => {
    const right = truth(hash, publicKey)
    return names.filter((name, index) => {
      const value = memberOf(memberOf(body, 'account'), name)
      if (value === undefined) return !missing.includes(name)
      const shown = Array.isArray(value) ? value.map(shownRow).toSorted() : value
      return JSON.stringify(shown) !== JSON.stringify(right[index])
    })
  })
  return { publicKey, wrong, missing }
}

/** Block producers, test wallets, and who delegates to whom. */
const someKeys = () => [...session.chain.wallets, ...session.chain.producers].map(({ publicKey }) => publicKey)

/** True answers for all keys, of which these fields are missing. */
const rightFor = (missing: readonly string[] = []) => someKeys().map((publicKey) => ({ publicKey, wrong: [], missing }))

const answersForAll = () => Promise.all(someKeys().map(wrongFieldsOf))

describe('the staking fields', () => {
  test('are missing for a ledger that the indexer does not have, and equal both ledgers once it has it', async () => {
    const [current, next] = ledgers()
    indexer.ledger = (hash) => (hash === next.hash ? undefined : {})
    expect(await answersForAll()).toEqual(rightFor(next.names))
    indexer.ledger = (hash) => (hash === current.hash ? undefined : {})
    expect(await answersForAll()).toEqual(rightFor())
  })

  test('are right or missing while the indexer writes a ledger, but for an own row that is not written yet', async () => {
    const rowCount = accountsIn(ledgers()[0].hash).length
    for (const rows of [1, 5, rowCount - 1]) {
      indexer.ledger = () => ({ rows })
      const wrong = (await answersForAll()).flatMap((answer) => answer.wrong)
      expect(wrong.filter((name) => !name.endsWith('StakingAccount'))).toEqual([])
    }
    indexer.ledger = () => ({})
    expect(await answersForAll()).toEqual(rightFor())
  })

  test('take one walk at a time, without one for delegators where the own row counts 0', async () => {
    await answersForAll()
    expect(maxWalksAtOnce).toBe(1)
    const hasDelegators = (key: string, hash: string) => accountsIn(hash).some(({ delegate }) => delegate === key)
    const delegatedTo = ledgers().flatMap(({ hash }) => someKeys().filter((key) => hasDelegators(key, hash)))
    const walks = Object.fromEntries(
      ['stakeOfKey', 'delegatorsOfKey'].map((name) => [name, asked.filter((one) => one === name).length]),
    )
    expect(walks).toEqual({ stakeOfKey: 2 * someKeys().length, delegatorsOfKey: delegatedTo.length })
  })

  test('do not prevent a second question for the counters after an HTTP 408', async () => {
    turnedAway = ['indexedAccount']
    expect((await get(`/accounts/${session.wallet('alice').publicKey}`)).missing).toEqual([])
    expect(asked.filter((operation) => operation === 'indexedAccount')).toHaveLength(2)
  })
})

test('the genesis block, which only the indexer has, has its VRF output, though in another form', async () => {
  const { stateHash, vrfOutput } = session.chain.genesisBlock()
  expect(await get(`/blocks/${stateHash}`)).toMatchObject({
    status: 200,
    body: { block: { stateHash, protocolState: { consensusState: { lastVrfOutput: vrfOutput } } } },
  })
})

test('the latest blocks have their received times where the indexer prefers a sibling of the tip', async () => {
  const { chain } = session
  const rival = chain.tip().stateHash
  chain.reorganise(1, 0)
  indexer.tip = rival
  const { body, missing } = await get('/blocks?limit=3')
  const shown = (memberOf(body, 'blocks') as readonly unknown[]).map((block) => memberOf(block, 'receivedTime'))
  const latest = chain.bestChain().slice(-3).toReversed()
  expect(shown).toEqual(latest.map(({ receivedAt }) => new Date(receivedAt).toISOString()))
  expect(missing).toEqual([])
})

test('an indexer without a block costs what it alone knows, though it cuts each connection', async () => {
  indexer.behind = session.chain.tip().height
  const { publicKey } = session.wallet('alice')
  const account = await get(`/accounts/${publicKey}`)
  expect(account.missing).toEqual(['totalTx', 'totalBlocks', 'totalSnarks', 'username', ...allStakingNames()])
  expect(account).toMatchObject({ status: 200, body: { account: { publicKey, username: 'Unknown' } } })
  const blocks = await get('/blocks')
  expect([blocks.status, blocks.missing]).toEqual([200, ['receivedTime']])
})
