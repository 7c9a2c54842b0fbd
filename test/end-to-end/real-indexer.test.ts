// The service in front of an indexer that behaves as mina-indexer 0.2.0 does, faults included.
import type { ServerResponse } from 'node:http'
import { text as bodyOf } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readSettings } from '../../functions/runtime/settings/settings.ts'
import type { IndexerState } from '../../local/chain/indexer/ingested.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import type { Account } from '../../local/chain/ledger/ledger.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { gateway } from '../../local/gateway/gateway.ts'
import { listen } from '../../local/start/listen.ts'
import { serviceRoutes } from '../../local/start/routes.ts'
import { memberOf, parseExactJson } from '../../shared/mapping/json.ts'
import { minaDecimal } from '../../shared/mapping/units.ts'
import { startSession } from '../local/chain/session.ts'
import { patience } from './running-service.ts'

/** Five epochs, of which the node holds the last blocks. From the fourth on judy delegates to alice. */
function newSession() {
  const session = startSession({ historyBlocks: 12, slotsPerEpoch: 10, frontierBlocks: 12 })
  session.delegate({ from: 'judy', to: 'alice' })
  while (session.chain.tip().epoch < 4) {
    session.advance(10_000)
    session.chain.produceBlock()
  }
  return session
}

const operationIn = (sent: string) => /query (\w+)/.exec(sent)?.[1] ?? ''
const isWalk = (sent: string) => ['stakeOfKey', 'delegatorsOfKey'].includes(operationIn(sent))

let session: ReturnType<typeof newSession>
let indexer: IndexerState
/** Answers in the indexer's place where it returns true. */
let interfere: (sent: string, response: ServerResponse) => boolean | Promise<boolean>
let asked: string[]
let maxWalksAtOnce: number
let url: string
let closing: (() => Promise<void>)[]

beforeEach(async () => {
  session = newSession()
  indexer = {}
  interfere = () => false
  asked = []
  maxWalksAtOnce = 0
  let walks = 0
  const node = await listen(nodeServer(session.chain), 0, '127.0.0.1')
  const behind = await listen(indexerServer(session.chain, indexer), 0, '127.0.0.1')
  const watched = await listen(
    async (request, response) => {
      const sent = await bodyOf(request)
      asked.push(operationIn(sent))
      if (isWalk(sent)) maxWalksAtOnce = Math.max(maxWalksAtOnce, ++walks)
      try {
        if (await interfere(sent, response)) return
        const answer = await fetch(`http://127.0.0.1:${behind.port}/graphql`, { method: 'POST', body: sent })
        response.writeHead(answer.status).end(await answer.text())
      } catch {
        request.socket.destroy()
      } finally {
        if (isWalk(sent)) walks--
      }
    },
    0,
    '127.0.0.1',
  )
  const settings = readSettings({
    ...patience,
    NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql`,
    INDEXER_GRAPHQL_URL: `http://127.0.0.1:${watched.port}/graphql`,
  })
  const front = await listen(gateway(await serviceRoutes(settings, () => undefined)), 0, '127.0.0.1')
  url = `http://127.0.0.1:${front.port}`
  closing = [front.close, node.close, watched.close, behind.close]
})
afterEach(() => Promise.all(closing.map((close) => close())))

async function get(path: string) {
  const response = await fetch(url + path)
  const missing = response.headers.get('x-missing-fields')?.split(',') ?? []
  return { status: response.status, headers: response.headers, missing, body: parseExactJson(await response.text()) }
}

const ledgers = () => {
  const { stakingEpoch, nextEpoch } = session.chain.tip()
  return [
    { hash: stakingEpoch.ledgerHash, names: ['epochStakingAccount', 'epochDelegators', 'epochTotalStakingBalance'] },
    {
      hash: nextEpoch.ledgerHash,
      names: ['nextEpochStakingAccount', 'nextEpochDelegators', 'nextEpochTotalStakingBalance'],
    },
  ] as const
}

const allStakingNames = () => ledgers().flatMap(({ names }) => names)

const accountsIn = (ledgerHash: string): readonly Account[] => [
  ...(session.chain.stakingLedgerByHash(ledgerHash) ?? new Map()).values(),
]

/** Whose balances the three fields of a ledger have to show, and the total. */
function truth(ledgerHash: string, publicKey: string) {
  const accounts = accountsIn(ledgerHash)
  const delegators = accounts.filter(({ delegate }) => delegate === publicKey)
  const shown = (account: Account) => `${account.publicKey} ${minaDecimal(account.balance)}`
  return [
    accounts.filter((account) => account.publicKey === publicKey).map(shown),
    delegators.map(shown).toSorted(),
    minaDecimal(delegators.reduce((sum, { balance }) => sum + balance, 0n)),
  ]
}

const shownRows = (rows: unknown): readonly string[] =>
  (rows as readonly unknown[]).map((row) => `${memberOf(row, 'pk')} ${memberOf(row, 'balance')}`).toSorted()

/** The staking fields of a key that differ from the ledger, and those that are absent and not named. */
async function wrongFieldsOf(publicKey: string) {
  const { body, missing } = await get(`/accounts/${publicKey}`)
  const account = memberOf(body, 'account')
  const wrong = ledgers().flatMap(({ hash, names: [own, delegators, total] }) => {
    const right = truth(hash, publicKey)
    const shown = [own, delegators, total].map((name, index) => {
      const value = memberOf(account, name)
      if (value === undefined) return missing.includes(name) ? right[index] : 'absent and not named'
      return index < 2 ? shownRows(value) : value
    })
    return [own, delegators, total].filter(
      (_name, index) => JSON.stringify(shown[index]) !== JSON.stringify(right[index]),
    )
  })
  return { publicKey, wrong, missing }
}

/** Block producers, test wallets, and who delegates to whom. */
const someKeys = () => [...session.chain.wallets, ...session.chain.producers].map(({ publicKey }) => publicKey)

const noneWrong = () => someKeys().map((publicKey) => ({ publicKey, wrong: [], missing: [] }))

const answersForAll = async () => {
  const answers = []
  for (const publicKey of someKeys()) answers.push(await wrongFieldsOf(publicKey))
  return answers
}

const oldBlock = () => {
  const block = session.chain.bestChain().find(({ height }) => height === 5)
  if (block === undefined) throw new Error('the chain is too short')
  return block
}

describe('The staking fields', () => {
  test('equal the ledgers, of an indexer that has both', async () => {
    expect(await answersForAll()).toEqual(noneWrong())
  })

  test('are missing for a ledger that the indexer does not have, and there once it has it', async () => {
    const [current, next] = ledgers()
    indexer.ledger = (hash) => (hash === next.hash ? undefined : {})
    const lacking = someKeys().map((publicKey) => ({ publicKey, wrong: [], missing: [...next.names] }))
    expect(await answersForAll()).toEqual(lacking)
    indexer.ledger = (hash) => (hash === current.hash ? undefined : {})
    expect(await answersForAll()).toEqual(noneWrong())
  })

  test('are missing where the indexer is on another chain, whose ledgers it gives under any hash', async () => {
    indexer.genesisStateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
    const missing = ['totalTx', 'totalBlocks', 'totalSnarks', 'username', ...allStakingNames()]
    expect(await answersForAll()).toEqual(someKeys().map((publicKey) => ({ publicKey, wrong: [], missing })))
    expect(asked).not.toContain('stakeOfKey')
  })

  test('are missing where the indexer has the ledger under another chain, and shows no row of it', async () => {
    indexer.ledger = () => ({ genesisStateHash: '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ' })
    const missing = allStakingNames()
    expect(await answersForAll()).toEqual(someKeys().map((publicKey) => ({ publicKey, wrong: [], missing })))
  })

  test('are right or missing while the indexer writes a ledger, but for an own row that is not written yet', async () => {
    const rowCount = accountsIn(ledgers()[0].hash).length
    for (const rows of [1, 3, 5, 8, rowCount - 1]) {
      indexer.ledger = () => ({ rows })
      const wrong = (await answersForAll()).flatMap((answer) => answer.wrong)
      expect(wrong.filter((name) => !name.endsWith('StakingAccount'))).toEqual([])
    }
    indexer.ledger = () => ({})
    expect(await answersForAll()).toEqual(noneWrong())
  })

  test('take one walk at a time, and none for delegators where the own row counts none', async () => {
    await Promise.all(someKeys().map((key) => wrongFieldsOf(key)))
    expect(maxWalksAtOnce).toBe(1)
    const hasDelegators = (key: string, hash: string) => accountsIn(hash).some(({ delegate }) => delegate === key)
    const delegatedTo = ledgers().flatMap(({ hash }) => someKeys().filter((key) => hasDelegators(key, hash)))
    const walks = Object.fromEntries(
      ['stakeOfKey', 'delegatorsOfKey'].map((name) => [name, asked.filter((one) => one === name).length]),
    )
    expect(walks).toEqual({ stakeOfKey: 2 * someKeys().length, delegatorsOfKey: delegatedTo.length })
  })

  test('do not keep the counters from being asked again after an HTTP 408', async () => {
    let turnedAway = 0
    interfere = (sent, response) => {
      if (operationIn(sent) !== 'indexedAccount' || turnedAway++ > 0) return false
      response.writeHead(408, { connection: 'close', 'content-length': 0 }).end()
      return true
    }
    expect((await get(`/accounts/${session.wallet('alice').publicKey}`)).missing).toEqual([])
    expect(turnedAway).toBe(2)
  })
})

describe('A block that only the indexer has', () => {
  /** A block as a node that holds it gives it, with its canonical as of now. */
  const fromNode = async (stateHash: string) => memberOf((await get(`/blocks/${stateHash}`)).body, 'block')

  test('may be the genesis block, whose VRF output has another form', async () => {
    const { stateHash, vrfOutput } = session.chain.genesisBlock()
    expect(await get(`/blocks/${stateHash}`)).toMatchObject({
      status: 200,
      body: { block: { stateHash, protocolState: { consensusState: { lastVrfOutput: vrfOutput } } } },
    })
  })

  test('has the length of its staking epoch as the node had it, and leaves out the snarked ledger', async () => {
    const { chain } = session
    const held = await Promise.all(chain.frontier().map(({ stateHash }) => fromNode(stateHash)))
    for (let block = 0; block < 12; block++) {
      session.advance(10_000)
      chain.produceBlock()
    }
    const lengths = (block: unknown) =>
      memberOf(
        memberOf(memberOf(memberOf(block, 'protocolState'), 'consensusState'), 'stakingEpochData'),
        'epochLength',
      )
    const later = await Promise.all(held.map((block) => get(`/blocks/${memberOf(block, 'stateHash')}`)))
    expect(later.map(({ body }) => lengths(memberOf(body, 'block')))).toEqual(held.map(lengths))
    expect(new Set(held.map(lengths)).size).toBeGreaterThan(1)
    const [, old] = later
    expect(old?.missing).toEqual(['protocolState.blockchainState.snarkedLedgerHash'])
    expect(old?.headers.get('cache-control')).not.toContain('max-age=1,')
    const state = memberOf(memberOf(memberOf(old?.body, 'block'), 'protocolState'), 'blockchainState')
    expect(Object.keys(Object(state))).toEqual(['date', 'stagedLedgerHash', 'utcDate'])
  })

  test('is undecided, not a fork, while it lies above the indexer’s own tip', async () => {
    const { chain } = session
    indexer.dangling = chain.tip().height - oldBlock().height + 1
    const { status, headers } = await get(`/blocks/${oldBlock().stateHash}`)
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    indexer.dangling = 0
    expect(await get(`/blocks/${oldBlock().stateHash}`)).toMatchObject({
      status: 200,
      body: { block: { canonical: true } },
    })
  })

  test('is undecided while the indexer is far behind, or has no block at all', async () => {
    const { chain } = session
    indexer.behind = chain.tip().height - oldBlock().height + 1
    expect((await get(`/blocks/${oldBlock().stateHash}`)).status).toBe(503)
    indexer.behind = chain.tip().height
    expect((await get(`/blocks/${oldBlock().stateHash}`)).status).toBe(503)
  })
})

test('The latest blocks have their received times where the indexer prefers a sibling of the tip', async () => {
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

test('An indexer without a block costs what it alone knows, though it cuts each connection', async () => {
  indexer.behind = session.chain.tip().height
  const { publicKey } = session.wallet('alice')
  const account = await get(`/accounts/${publicKey}`)
  expect(account.missing).toEqual(['totalTx', 'totalBlocks', 'totalSnarks', 'username', ...allStakingNames()])
  expect(account).toMatchObject({ status: 200, body: { account: { publicKey, username: 'Unknown' } } })
  expect(await get('/blocks')).toMatchObject({ status: 200, missing: ['receivedTime'] })
})
