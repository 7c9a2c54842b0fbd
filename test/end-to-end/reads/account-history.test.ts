// The history of accounts over the embedded chain with 300 blocks: the node holds the latest, the indexer the others.
import type { RequestListener } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { type Truth, truthOf } from '../../../packages/proofs/account-history/chain-truth.ts'
import { differencesOf, noDifferences, type Page, walk } from '../../../packages/proofs/account-history/walk.ts'
import { changedOnTheWay } from '../../../packages/proofs/changed-answers.ts'
import { type Chain, createChain } from '../../../packages/testnet/chain.ts'
import type { IndexerState } from '../../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createRandom, integerBetween } from '../../../packages/testnet/random.ts'
import { createZkappCommand, minaUpdate } from '../../../packages/testnet/zkapp-command.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { serve, unservedUrl, untilFileEnds, untilTestEnds } from '../../serving.ts'
import { get, now, post, serviceOver, signPayment, wallet } from '../running-service.ts'

const chainOf = (seed: string, historyBlocks = 300) =>
  createChain({ seed, now: () => now, slotsPerEpoch: 12, historyBlocks, signsOwnCommands: false })

interface Setting {
  readonly state?: IndexerState
  /** False for a service without an indexer. */
  readonly isIndexed?: boolean
  readonly indexerUrl?: string
  readonly change?: (answer: string) => string
}

/** Questions to both upstreams, by the name of the operation. */
async function servingHistories(
  chain: Chain,
  { isIndexed = true, state = {}, indexerUrl, change }: Setting = {},
  until = untilTestEnds,
) {
  const asked: string[] = []
  const recorded =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      request.on('data', (part: Buffer) => asked.push(/"query":"\w+ (\w+)/.exec(`${part}`)?.[1] ?? ''))
      listener(request, response)
    }
  const own = recorded(indexerServer(chain, state))
  const indexer = change ? changedOnTheWay(`${(await serve(own, until)).url}/graphql`, change) : own
  const url = await serviceOver([recorded(nodeServer(chain))], isIndexed ? [indexerUrl ?? indexer] : [], { until })
  const ask = (publicKey: string, query = '') => get(`${url}/accounts/${publicKey}/transactions${query}`)
  const asking = (publicKey: string) => (query: string) => ask(publicKey, query)
  return { url, ask, asking, asked }
}

type Service = Awaited<ReturnType<typeof servingHistories>>

const chain = chainOf('histories')
const service = await servingHistories(chain, {}, untilFileEnds)
const truth = truthOf(chain)

/** The accounts with these many commands, most first. */
const accountsOf = (known: Truth) =>
  [...known].toSorted(([, left], [, right]) => right.size - left.size).map(([key]) => key)
const [busiest = '', ...others] = accountsOf(truth)

async function differences({ asking }: Service, known: Truth, keys: readonly string[], limit: number) {
  const found = new Map<string, object>()
  for (const key of keys) found.set(key, differencesOf(await walk(asking(key), limit), known.get(key) ?? new Map()))
  return found
}

const same = (keys: readonly string[]) => new Map(keys.map((key) => [key, noDifferences]))

/** The cursor of the block so many blocks below the tip. */
const cursorAt = (depth: number) => {
  const { height, stateHash } = chain.bestChain().at(-1 - depth) ?? chain.tip()
  return `${height}-${stateHash}`
}

/** Makes the indexer count so many commands of the key that it is read by heights. */
const readByHeights = (answer: string) =>
  answer.replace(/"pk_total_num_user_commands":\d+/, '"pk_total_num_user_commands":32800')

describe('a walk through the history of accounts, across the seam between node and indexer', () => {
  test.each([
    [1, others.slice(-3)],
    [3, others.slice(-5)],
    [25, [busiest, ...others]],
  ])('finds each command once, newest first, in pages of %d', async (limit, keys) => {
    expect(await differences(service, truth, keys, limit)).toEqual(same(keys))
    expect(truth.size).toBe(others.length + 1)
  })

  test.each([
    ['an indexer that lags by 8 blocks', { behind: 8 }],
    ['one that lags by 15, for which the node is asked for more blocks', { behind: 15 }],
    ['one that has not connected its latest blocks', { dangling: 7 }],
  ])('finds them over %s', async (_what, state) => {
    expect(await differences(await servingHistories(chain, { state }), truth, [busiest], 50)).toEqual(same([busiest]))
  })

  test('finds them over an indexer on a sibling of the latest blocks', async () => {
    const forked = chainOf('siblings', 60)
    const tip = forked.tip().stateHash
    forked.reorganise(6)
    const known = truthOf(forked)
    const [key = ''] = accountsOf(known)
    const over = await servingHistories(forked, { state: { tip } })
    expect(await differences(over, known, [key], 10)).toEqual(same([key]))
  })

  test('reads a key of very many commands by heights, so that no question passes over its rows', async () => {
    const over = await servingHistories(chain, { change: readByHeights })
    expect(await differences(over, truth, [busiest, others.at(-1) ?? ''], 25)).toEqual(
      same([busiest, others.at(-1) ?? '']),
    )
    expect(new Set(over.asked)).toEqual(
      new Set(['latestHistory', 'nodeTip', 'blockAtHeight', 'nodeNetwork', 'countedCommands', 'commandsOfHeights']),
    )
  })

  test('begins again after a reorganisation of the cursor’s block, and loses and doubles nothing', async () => {
    const random = createRandom('reorganisations')
    const living = chainOf('living', 60)
    const maxDepth = living.frontierBlocks - 2
    const over = await servingHistories(living)
    const tallies: object[] = []
    let beginnings = 0
    for (let walks = 0; walks < 6; walks++) {
      let reorganisations = 0
      const before = truthOf(living)
      const [key = ''] = accountsOf(before)
      const walked = await walk(over.asking(key), 3, (below) => {
        // About as often with the cursor's block as without it.
        const depth = living.tip().height - below + integerBetween(random, -1, 2)
        if (depth < 1 || depth > maxDepth || reorganisations === 2) return
        reorganisations += 1
        living.reorganise(depth)
        for (let made = 0; made < 4; made++) living.produceBlock()
      })
      const after = truthOf(living).get(key) ?? new Map()
      beginnings += walked.beginnings
      // A command of both ends of the walk was there all the time; a new block's may have come above it.
      const lasting = [...(before.get(key)?.keys() ?? [])].filter((hash) => after.has(hash))
      tallies.push({
        lost: lasting.filter((hash) => !walked.merged.has(hash)),
        doubled: differencesOf(walked, after).doubled,
      })
    }
    expect(tallies).toEqual(tallies.map(() => ({ lost: [], doubled: 0 })))
    expect(beginnings).toBeGreaterThan(9)
  })
})

describe('a page', () => {
  test('shows what waits and what the account has to do with each command, alike from node and indexer', async () => {
    const own = chainOf('a page', 40)
    const over = await servingHistories(own)
    const [{ publicKey: alice }, { publicKey: bob }] = [wallet(own, 'alice'), wallet(own, 'bob')]
    const sent = signPayment(own, wallet(own, 'alice'), wallet(own, 'alice'))
    await post(`${over.url}/broadcast/transaction`, sent)
    const waiting = own.pool(alice).map(({ hash }) => hash)
    const updates = [
      minaUpdate(bob, -7n),
      minaUpdate(alice, 9_007_199_254_740n),
      minaUpdate(alice, -5n),
      minaUpdate(bob, -9_007_199_254_728n),
    ]
    const page = async () => Object((await over.ask(alice)).body) as Page & { pending: { command: { hash: string } }[] }
    expect((await page()).pending.map(({ command }) => command.hash)).toEqual(waiting)
    own.queueZkapp(createZkappCommand({ from: bob, fee: 1n, nonce: own.account(bob)?.nonce ?? 0 }, { updates }))
    own.produceBlock()
    const { transactions, pending, searched } = await page()
    expect([pending, searched]).toEqual([
      [],
      { pool: true, fromHeight: 1, toHeight: own.tip().height, nodes: 1, indexer: true },
    ])
    const { stateHash, height, date } = own.tip()
    const block = { stateHash, blockHeight: height, dateTime: new Date(date).toISOString() }
    const [{ transactions: listed }] = Object((await get(`${over.url}/blocks`)).body).blocks
    const byHash = (hash: string | undefined) =>
      [...listed.userCommands, ...listed.zkappCommands].find((one: { hash: string }) => one.hash === hash)
    expect(transactions).toEqual([
      {
        ...{ command: byHash(own.tip().zkappCommands[0]?.hash), role: 'updated', amount: 9_007_199_254_735 },
        ...{ change: 9_007_199_254_735, hash: own.tip().zkappCommands[0]?.hash, block, confirmations: 0 },
      },
      {
        ...{ command: byHash(waiting[0]), direction: 'self', change: -10_000_000, hash: waiting[0] },
        ...{ block, confirmations: 0 },
      },
    ])
    for (let made = 0; made < 12; made++) own.produceBlock()
    const { stateHash: above, height: aboveHeight } =
      own.bestChain().find((one) => one.height === height + 1) ?? own.tip()
    const older = await over.ask(alice, `?before=${aboveHeight}-${above}`)
    expect(Object(older.body).transactions).toEqual(
      transactions.map(({ command, ...item }) => {
        const { id: _, ...withoutId } = command as { id?: string; hash: string }
        return { ...item, command: withoutId, confirmations: 12 }
      }),
    )
    expect(older.headers.get('x-missing-fields')).toBe('transactions.command.balanceChanges.implicitAccountCreationFee')
  })

  test('shows 100 of the commands that wait, the highest nonces first and by hash, and counts them where there are more', async () => {
    const own = chainOf('much that waits', 3)
    const over = await servingHistories(own)
    const { publicKey } = wallet(own, 'alice')
    const queue = (nonce: number) => {
      const command = createZkappCommand({ from: publicKey, fee: 1n, nonce })
      own.queueZkapp(command)
      return command.hash
    }
    const first = Object((await over.ask(publicKey)).body)
    const hashes = Array.from({ length: 100 }, (_, nonce) => queue(nonce)).toReversed()
    const shown = async () => {
      const { pending, pendingCount } = Object((await over.ask(publicKey)).body)
      return [pending.map(({ command }: { command: { hash: string } }) => command.hash), pendingCount]
    }
    expect([first.pending, first.pendingCount]).toEqual([[], undefined])
    expect(await shown()).toEqual([hashes, undefined])
    const higher = queue(100)
    expect(await shown()).toEqual([[higher, ...hashes.slice(0, 99)], 101])
  })

  test('is kept for 5 seconds, and for a day below a final block, with confirmations of exactly k', async () => {
    const k = chain.frontierBlocks - 1
    const pages = await Promise.all(
      ['', `?before=${cursorAt(3)}`, `?before=${cursorAt(k - 1)}`, `?before=${cursorAt(k)}`].map(async (query) => {
        const { body, headers } = await service.ask(busiest, query)
        const [first] = Object(body).transactions
        return [headers.get('cache-control'), first.confirmations <= k, first.final, first.confirmations === k]
      }),
    )
    const [brief, day] = [5, 86_400].map((seconds) => `public, max-age=${seconds}, stale-if-error=0`)
    expect(pages).toEqual([
      [brief, true, undefined, false],
      [brief, true, undefined, false],
      [brief, true, true, true],
      [day, true, true, true],
    ])
  })

  test('never asks for the hard fork when the blocks of node and indexer overlap', async () => {
    const over = await servingHistories(chain)
    const queries = ['', `?before=${cursorAt(3)}`, `?before=${cursorAt(12)}`, `?before=${cursorAt(100)}`]
    const pages = await Promise.all(queries.map((query) => over.ask(busiest, query)))
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(over.asked).not.toContain('forkParent')
  })

  test('of an account without commands is empty, and says what was searched', async () => {
    const { height } = chain.tip()
    const { status, body } = await service.ask(unheldValues.public_key)
    const searched = { pool: true, fromHeight: 1, toHeight: height, nodes: 1, indexer: true }
    expect([status, body]).toEqual([200, { transactions: [], pending: [], searched }])
  })

  test('over an indexer that began late has the older blocks that the node still holds, and says that it knows no more', async () => {
    const tip = chain.tip().height
    const over = await servingHistories(chain, { state: { firstHeight: tip - 15 } })
    const { body, headers } = await over.ask(busiest, `?limit=100&before=${cursorAt(12)}`)
    const { transactions, searched, next, endOfKnown } = Object(body)
    const root = tip - chain.frontierBlocks + 1
    const held = [...(truth.get(busiest)?.values() ?? [])].filter(({ height }) => height >= root && height < tip - 12)
    expect([transactions.length, searched, next, endOfKnown]).toEqual([
      held.length,
      { pool: false, fromHeight: root, toHeight: tip - 13, nodes: 1, indexer: true },
      undefined,
      true,
    ])
    expect(headers.get('cache-control')).toContain('max-age=5,')
  })

  test('without an indexer covers the latest 20 blocks, says that it knows no more, and its cursors lead no further', async () => {
    const over = await servingHistories(chain, { isIndexed: false })
    const latest = chain.bestChain().slice(-20)
    const all = [...(truth.get(busiest)?.values() ?? [])].filter(({ height }) => height >= (latest[0]?.height ?? 0))
    const whole = Object((await over.ask(busiest, '?limit=100')).body)
    const searched = {
      pool: true,
      fromHeight: latest[0]?.height,
      toHeight: chain.tip().height,
      nodes: 1,
      indexer: false,
    }
    expect([whole.searched, whole.next, whole.endOfKnown]).toEqual([searched, undefined, true])
    expect(whole.transactions).toHaveLength(all.length)
    const walked = await walk(over.asking(busiest), 1)
    expect(walked.given.map(({ hash }) => hash).sort()).toEqual(all.map(({ hash }) => hash).sort())
    expect((await over.ask(busiest, `?before=${cursorAt(25)}`)).status).toBe(503)
  })
})

type Row = { readonly hash: string; readonly blockHeight: number; readonly block: object }

/** Lists beside each row one with another hash, changed as named; undefined for none. */
const withTwins =
  (twinOf: (row: Row, below: Row) => object | undefined) =>
  (answer: string): string => {
    const { data } = JSON.parse(answer)
    const twinned = (rows: readonly Row[] = []) =>
      rows.flatMap((row, index) => {
        const twin = twinOf(row, rows[index + 1] ?? row)
        return twin === undefined ? [row] : [row, { ...row, hash: unheldValues.hash, ...twin }]
      })
    for (const name of ['sent', 'received', 'rows']) if (data[name]) data[name] = twinned(data[name])
    return JSON.stringify({ data })
  }

describe('an indexer that has commands under two hashes', () => {
  const [key = ''] = [...truth].find(([, commands]) => commands.size > 4 && commands.size < 20) ?? []

  test('shows each of them once where both rows are of one block, read by the key or by heights', async () => {
    const twins = withTwins(() => ({}))
    for (const change of [twins, (answer: string) => twins(readByHeights(answer))])
      expect(await differences(await servingHistories(chain, { change }), truth, [key], 100)).toEqual(same([key]))
  })

  test.each<[string, Parameters<typeof withTwins>[0]]>([
    [
      'are of two blocks',
      (row, { block, blockHeight }) => (blockHeight < row.blockHeight ? { block, blockHeight } : undefined),
    ],
    ['differ in a term', () => ({ fee: 1 })],
    [
      'are of two canonical blocks of one height',
      ({ block }) => ({ block: { ...block, stateHash: unheldValues.state_hash }, nonce: 99 }),
    ],
  ])('is a 503 where the rows %s', async (_how, twinOf) => {
    const over = await servingHistories(chain, { change: withTwins(twinOf) })
    expect((await over.ask(key, '?limit=100')).status).toBe(503)
  })

  test('is a 503 where an older block of its holds the nonce of a command in a block of the node', async () => {
    const sent: { command: { hash: string; nonce: number } }[] = Object(
      (await service.ask(busiest, '?limit=100')).body,
    ).transactions.filter(({ direction }: { direction?: string }) => direction === 'sent')
    const [newest, older] = [sent.at(0)?.command, sent.at(-1)?.command]
    const change = withTwins(({ hash }) => (hash === older?.hash ? { nonce: newest?.nonce } : undefined))
    expect((await (await servingHistories(chain, { change })).ask(busiest, '?limit=100')).status).toBe(503)
  })
})

describe('a page that cannot be without a gap', () => {
  const unavailable = { status: 503, body: { message: 'Upstream unavailable.' } }

  test.each([
    ['an indexer that lags by 290 blocks', async () => ({ state: { behind: 290 } })],
    ['an indexer of another chain', async () => ({ state: { genesisStateHash: unheldValues.state_hash } })],
    ['an indexer that is down', async () => ({ indexerUrl: unservedUrl })],
    ['an indexer without a block', async () => ({ state: { behind: 300 } })],
    [
      'rows of another account',
      async () => ({ change: (answer: string) => answer.replaceAll(busiest, others[0] ?? '') }),
    ],
    [
      'another block below the node’s oldest one',
      async () => ({
        change: (answer: string) =>
          answer.replace(/("anchor":\[\{.*?"stateHash":")\w+/, `$1${unheldValues.state_hash}`),
      }),
    ],
  ])('is a 503 over %s, unless the node fills it', async (_what, setting) => {
    const over = await servingHistories(chain, await setting())
    expect(await over.ask(busiest, '?limit=100')).toMatchObject(unavailable)
    expect(await over.ask(busiest, '?limit=1')).toMatchObject({ status: 200, body: { next: expect.anything() } })
  })
})

describe('a bad question', () => {
  const cursor = 'before must be the next of an earlier answer, HEIGHT-STATEHASH, given once'
  const hash = chain.tip().stateHash
  const cut = hash.slice(0, -1)
  test.each([
    ...['', '7', hash, `-${hash}`, `07-${hash}`, `1e1-${hash}`, `2147483648-${hash}`, `7-${cut}`, `7-${busiest}`],
    ...[`7-${cut}${hash.endsWith('x') ? 'y' : 'x'}`, `7-${hash}&before=7-${hash}`],
  ])('before=%s is a 400 without a call', async (before) => {
    service.asked.length = 0
    expect(await service.ask(busiest, `?before=${before}`)).toMatchObject({ status: 400, body: { message: cursor } })
    expect(service.asked).toEqual([])
  })

  test('about a key with a wrong checksum is a 404 without a call', async () => {
    service.asked.length = 0
    expect((await service.ask(`${busiest.slice(0, -1)}${busiest.endsWith('x') ? 'y' : 'x'}`)).status).toBe(404)
    expect(service.asked).toEqual([])
  })

  const other = unheldValues.state_hash
  const tip = chain.tip().height
  test.each([
    ['in the node’s blocks', `${tip - 4}-${other}`, 409],
    ['in the indexer’s', `${tip - 40}-${other}`, 409],
    ['above the tip', `${tip + 1}-${other}`, 503],
  ])('below a block that is not canonical, %s, at %s, is a %s', async (_where, before, status) => {
    const message = status === 409 ? 'The block of this cursor is not canonical any more.' : 'Upstream unavailable.'
    expect(await service.ask(busiest, `?before=${before}`)).toMatchObject({ status, body: { message } })
  })
})
