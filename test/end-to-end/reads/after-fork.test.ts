// Reads after a hard fork, beside indexers of which some stayed on the old chain and some are on the node's.
import { describe, expect, test } from '@jest/globals'
import type { RequestLine } from '../../../functions/runtime/log.ts'
import { blockDifferencesOf, walkBlocks } from '../../../packages/proofs/account-history/blocks.ts'
import { truthOf } from '../../../packages/proofs/account-history/chain-truth.ts'
import { differencesOf, noDifferences, walk } from '../../../packages/proofs/account-history/walk.ts'
import { type Chain, createChain } from '../../../packages/testnet/chain.ts'
import { createForkDay } from '../../../packages/testnet/fork-day.ts'
import type { IndexerState } from '../../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createRandom, pick } from '../../../packages/testnet/random.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { serve, unservedUrl, untilFileEnds } from '../../serving.ts'
import { startSession } from '../../testnet/session.ts'
import { get, now, serviceOver } from '../running-service.ts'

type Block = ReturnType<Chain['tip']>

const stranger = createChain({ seed: 'a stranger', now: () => now, historyBlocks: 24, signsOwnCommands: false })

/** An indexer on the chain before the fork or after it. */
const kinds: Readonly<Record<string, (old: Chain, forked: Chain) => readonly [Chain, IndexerState?]>> = {
  old: (old) => [old],
  crossing: (_old, forked) => [forked],
  'begun at the fork': (_old, forked) => [forked, { isWithoutOldChain: true }],
  'begun there as well': (_old, forked) => [forked, { isWithoutOldChain: true }],
  'of another chain': () => [stranger],
}

/** Alice's payment is in the parent, carol's in the first of three discarded blocks. */
async function forkedDay(newBlocks: number, historyBlocks: number) {
  const session = startSession({ historyBlocks, slotsPerEpoch: 20 })
  const { chain: old } = session
  const day = createForkDay(old)
  const nextSlot = () => {
    session.advance(10_000)
    day.produceIfDue()
  }
  session.pay({ from: 'alice', to: 'bob', amount: 7n })
  nextSlot()
  const parent = old.tip()
  session.pay({ from: 'carol', to: 'bob', amount: 9n })
  for (let made = 0; made < 3; made++) nextSlot()
  day.fork(3)
  for (let made = 1; made < newBlocks; made++) nextSlot()

  const history = truthOf(day.node)
  const paidIn = (blocks: readonly Block[], amount: bigint) =>
    blocks.flatMap(({ userCommands }) => userCommands).find(({ command }) => command.amount === amount)?.command.hash
  const [kept, discarded] = [old.bestChain().slice(0, -3), old.bestChain().slice(-3)]
  const addressOf = async (server: Parameters<typeof serve>[0]) => `${(await serve(server, untilFileEnds)).url}/graphql`
  const addresses = new Map<string, string>([['down', `${unservedUrl}/graphql`]])
  for (const [kind, chainsOf] of Object.entries(kinds)) {
    addresses.set(kind, await addressOf(indexerServer(...chainsOf(old, day.node))))
  }
  // Replicas of which one stayed on the old chain: each question goes to either.
  const replicas = [indexerServer(day.node), indexerServer(old)]
  const random = createRandom('replicas')
  addresses.set('either', await addressOf((...request) => pick(random, replicas)(...request)))
  // Replicas of the old chain, of which one has not reached the fork: a test says which of them answers.
  const replica = { isLate: false }
  const [whole, late] = [indexerServer(old), indexerServer(old, { behind: discarded.length + 3 })]
  addresses.set('whole or late', await addressOf((...request) => (replica.isLate ? late : whole)(...request)))
  const nodeUrl = await addressOf(nodeServer(day.node))
  return {
    ...{ old, parent, kept, discarded, replica, history, newChain: day.node.bestChain() },
    ...{ alice: session.wallet('alice').publicKey, carol: session.wallet('carol').publicKey },
    ...{ paid: paidIn(kept, 7n), lost: paidIn(discarded, 9n) },
    /** The accounts with commands, those with most first. */
    accounts: [...history].toSorted(([, left], [, right]) => right.size - left.size).map(([key]) => key),
    /** The service with these indexers, and what it logs. */
    async serviceWith(...listed: readonly string[]) {
      const log: RequestLine[] = []
      const indexers = listed.map((kind) => addresses.get(kind) ?? kind)
      const url = await serviceOver([nodeUrl], indexers, { log: (line) => log.push(line) })
      const ask = (path: string) => get(url + path)
      return { log, ask, pages: (key: string) => (query: string) => ask(`/accounts/${key}/transactions${query}`) }
    },
  }
}

/** As long as a node shows the whole new chain, and so long that only an indexer has its first blocks. */
const days = new Map<string, ReturnType<typeof forkedDay>>()
const dayOf = async (newBlocks: number, historyBlocks = 12) => {
  const key = `${newBlocks} after ${historyBlocks}`
  const day = days.get(key) ?? forkedDay(newBlocks, historyBlocks)
  days.set(key, day)
  return day
}
const long = 46

type Service = Awaited<ReturnType<Awaited<ReturnType<typeof forkedDay>>['serviceWith']>>

/** Of each path: the status, and of a found block its hash and whether it is canonical. */
const shown = ({ ask }: Service, paths: readonly string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const { status, body } = await ask(path)
      const { stateHash, canonical } = Object(body).block ?? {}
      return { status, stateHash, canonical }
    }),
  )
const byHash = (blocks: readonly Block[]) => blocks.map(({ stateHash }) => `/blocks/${stateHash}`)
const byHeight = (blocks: readonly Block[]) => blocks.map(({ height }) => `/blocks/height/${height}`)
const right = (blocks: readonly Block[], canonical: boolean) =>
  blocks.map(({ stateHash }) => ({ status: 200, stateHash, canonical }))

/** The ends of a chain, where its two sources or the fork are near, and one in eight between them. */
const sampleOf = (blocks: readonly Block[]) =>
  blocks.filter((_, index) => index < 2 || index >= blocks.length - 3 || index % 8 === 0)

const nobodys = `/blocks/${unheldValues.state_hash}`

describe.each<[number, readonly string[]]>([
  [1, ['old']],
  [1, ['crossing']],
  [15, ['crossing', 'old']],
  [long, ['begun at the fork', 'old']],
  [long, ['old', 'begun at the fork']],
])('with %d blocks of the new chain and indexers %j', (newBlocks, listed) => {
  const day = dayOf(newBlocks)
  const service = day.then(({ serviceWith }) => serviceWith(...listed))

  test('a kept block is canonical and a discarded one is not, and a height that exists twice is that of the new chain', async () => {
    const [{ discarded, ...all }, asked] = [await day, await service]
    const [kept, newChain] = [sampleOf(all.kept), sampleOf(all.newChain)]
    expect(await shown(asked, [...byHash(kept), ...byHeight(kept)])).toEqual([
      ...right(kept, true),
      ...right(kept, true),
    ])
    expect(await shown(asked, byHash(discarded))).toEqual(right(discarded, false))
    expect(await shown(asked, byHeight(newChain))).toEqual(right(newChain, true))
    expect((await asked.ask(nobodys)).status).toBe(404)
  })

  test('a command in a kept block is final, and the nonce of one in a discarded block is free again', async () => {
    const [{ parent, paid, lost, alice, carol }, { ask }] = [await day, await service]
    expect((await ask(`/transactions/${paid}`)).body).toMatchObject({
      transaction: { state: 'included', final: true, block: { stateHash: parent.stateHash } },
    })
    expect((await ask(`/transactions/${lost}`)).status).toBe(404)
    expect((await ask(`/transactions/${lost}?from=${carol}&nonce=0&valid_until=4294967295`)).body).toMatchObject({
      transaction: { state: 'absent', sending: 'possible', searched: { indexer: true } },
    })
    const accounts = await Promise.all([alice, carol].map((key) => ask(`/accounts/${key}`)))
    expect(accounts.map(({ body }) => Object(body).account.nextNonce)).toEqual([1, 0])
  })

  test('a page goes on below any kept block, however short the new chain is', async () => {
    const [{ kept: all, alice }, { pages }] = [await day, await service]
    const kept = sampleOf(all)
    const asked = kept.map(({ height, stateHash }) => pages(alice)(`?before=${height}-${stateHash}`))
    const shown = (await Promise.all(asked)).map(({ status, body }) => [status, Object(body).searched?.toHeight])
    expect(shown).toEqual(kept.map(({ height }) => [200, height - 1]))
  })

  test('a walk down the blocks shows each block of both chains once, and no discarded one', async () => {
    const [{ kept, newChain }, { ask }] = [await day, await service]
    const [tip] = newChain.slice(-1)
    for (const page of [newBlocks === long ? 3 : 10, 'headers'] as const) {
      const walk = await walkBlocks(
        (rest) => ask(`/blocks/before/${rest}`),
        () => tip as Block,
        page,
      )
      expect(walk.given.map(({ stateHash }) => stateHash).toReversed()).toEqual(
        [...kept, ...newChain.slice(0, -1)].map(({ stateHash }) => stateHash),
      )
      expect([walk.isWhole, blockDifferencesOf(walk, [...kept, ...newChain], 1)]).toEqual([
        true,
        { lost: 0, doubled: 0, gaps: 0 },
      ])
    }
  })

  test('a walk through a history finds each command of both chains once, and no discarded one', async () => {
    const [{ history, accounts, alice, carol }, { pages }] = [await day, await service]
    const [busiest = ''] = accounts
    const walks = [...[alice, carol, ...accounts.slice(-2)].map((key) => [key, 2] as const), [busiest, 25] as const]
    for (const [key, limit] of walks) {
      const differences = differencesOf(await walk(pages(key), limit), history.get(key) ?? new Map())
      expect({ key, limit, differences }).toEqual({ key, limit, differences: noDifferences })
    }
  })
})

describe('with an indexer on the node’s network behind one that stayed', () => {
  test('accounts and new blocks lack nothing', async () => {
    const { alice, serviceWith } = await dayOf(15)
    const [{ ask }, alone] = [await serviceWith('old', 'crossing'), await serviceWith('crossing')]
    const answers = await Promise.all([`/accounts/${alice}`, '/blocks?limit=5'].map((path) => ask(path)))
    expect(answers.map(({ status, headers }) => [status, headers.get('x-missing-fields')])).toEqual([
      [200, null],
      [200, null],
    ])
    expect(answers[0]?.body).toEqual((await alone.ask(`/accounts/${alice}`)).body)
  })

  test('a page that ends with the new chain’s first block leads on to the old one, which is final', async () => {
    const { accounts, history, newChain, old, serviceWith } = await dayOf(long)
    const { pages } = await serviceWith('begun at the fork', 'old')
    const [busiest = ''] = accounts
    const [{ stateHash, height } = old.tip()] = newChain
    const { status, body } = await pages(busiest)(`?limit=1&before=${height}-${stateHash}`)
    const heights = [...(history.get(busiest)?.values() ?? [])].map((one) => one.height)
    expect([status, Object(body).transactions]).toMatchObject([
      200,
      [
        {
          block: { blockHeight: Math.max(...heights.filter((one) => one < height)) },
          final: true,
          confirmations: old.frontierBlocks - 1,
        },
      ],
    ])
    expect((await pages(busiest)(`?before=${old.tip().height}-${old.tip().stateHash}`)).status).toBe(409)
  })
})

describe('with a single indexer', () => {
  test('that began at the fork, heights below are undecided, and an unknown hash but the parent’s is not found', async () => {
    const { kept, parent, newChain, serviceWith } = await dayOf(long)
    const service = await serviceWith('begun at the fork')
    const below = [...byHeight(sampleOf(kept)), ...byHash([parent])]
    expect(await shown(service, below)).toEqual(below.map(() => ({ status: 503 })))
    const unknown = [...byHash(sampleOf(kept.slice(0, -1))), nobodys]
    expect(await shown(service, unknown)).toEqual(unknown.map(() => ({ status: 404 })))
    expect(await shown(service, byHeight(sampleOf(newChain)))).toEqual(right(sampleOf(newChain), true))
  })

  test('whose replicas are on both sides of the fork, no canonical block is said not to be, nor to be unknown', async () => {
    const { kept, newChain, serviceWith } = await dayOf(long)
    const service = await serviceWith('either')
    const all = [...sampleOf(kept), ...sampleOf(newChain)]
    for (const pathsOf of [byHash, byHeight]) {
      const answers = await shown(service, pathsOf(all))
      const isWrong = (_block: Block, index: number) => {
        const { status, canonical, stateHash } = answers[index] ?? {}
        return status !== 503 && !(status === 200 && canonical === true && stateHash === all[index]?.stateHash)
      }
      expect(all.filter(isWrong).map(({ height }) => height)).toEqual([])
      expect(answers.some(({ status }) => status === 200)).toBe(true)
    }
  })
})

describe('with replicas of the old chain behind one address, of which one ends three blocks below the fork’s parent', () => {
  test('the late one shows what the fork is known to have kept, and decides nothing else', async () => {
    const { accounts, discarded, kept, lost, paid, parent, replica, serviceWith } = await dayOf(15, 44)
    const service = await serviceWith('whole or late')
    const [busiest = ''] = accounts
    const [older, branch, last] = [sampleOf(kept.slice(0, -31)), sampleOf(kept.slice(-31, -3)), kept.slice(-3)]
    const decided = [...byHash(branch), ...byHeight(branch)]
    const open = [
      ...[...older, ...last].flatMap((block) => [...byHash([block]), ...byHeight([block])]),
      ...[...byHash(discarded), nobodys, `/transactions/${paid}`, `/transactions/${lost}`],
      `/accounts/${busiest}/transactions?before=${parent.height}-${parent.stateHash}`,
    ]
    const [, above = parent] = branch.toReversed()
    const page = `/blocks/before/${above.height}-${above.stateHash}?limit=5`
    const hashesOfPage = async () =>
      Object((await service.ask(page)).body).blocks?.map((block: Block) => block.stateHash)
    const pageOfWhole = await hashesOfPage()

    replica.isLate = true
    expect(await shown(service, decided)).toEqual([...right(branch, true), ...right(branch, true)])
    expect(await hashesOfPage()).toEqual(pageOfWhole)
    expect(await shown(service, open)).toEqual(open.map(() => ({ status: 503 })))

    replica.isLate = false
    expect((await shown(service, open)).map(({ status }) => status)).toEqual(
      open.map((path) => (path === nobodys || path.endsWith(String(lost)) ? 404 : 200)),
    )
  })
})

describe('where an indexer is down or lacks the chain before the fork', () => {
  test.each<[string, string, oldBlock: number, pages: readonly number[]]>([
    ['down', 'old', 200, [503, 503, 200]],
    ['crossing', 'down', 200, [200, 200, 200]],
    ['begun at the fork', 'down', 503, [200, 200, 503]],
    ['down', 'begun at the fork', 503, [200, 200, 503]],
    ['begun at the fork', 'begun there as well', 503, [200, 200, 503]],
    ['begun at the fork', 'of another chain', 503, [200, 200, 503]],
  ])(
    '(%s, %s) an old block is a %d, pages above, across and below the fork are %j, and no absence counts',
    async (first, second, oldBlock, statuses) => {
      const { accounts, history, lost, newChain, parent, serviceWith } = await dayOf(long)
      const service = await serviceWith(first, second)
      const [busiest = ''] = accounts
      const page = async ({ height, stateHash }: Block, limit = 100) => {
        const { status, body } = await service.pages(busiest)(`?limit=${limit}&before=${height}-${stateHash}`)
        return [status, Object(body).transactions?.[0]?.block.blockHeight]
      }
      const newestBelow = ({ height }: Block) =>
        Math.max(...[...(history.get(busiest)?.values() ?? [])].map((one) => one.height).filter((one) => one < height))
      const { stateHash } = parent
      expect(await shown(service, [...byHash([parent]), nobodys, `/transactions/${lost}`])).toEqual([
        { status: oldBlock, ...(oldBlock === 200 && { stateHash, canonical: true }) },
        ...Array(2).fill({ status: 503 }),
      ])
      const [, above = parent] = newChain
      const deep = newChain[30] ?? parent
      const expected = [deep, above, parent].map((block, place) => [
        statuses[place],
        // A page that ends above the gap has no command of the old chain.
        statuses[place] === 200 && (place === 0 || oldBlock === 200) ? newestBelow(block) : undefined,
      ])
      expect([await page(deep, 1), await page(above), await page(parent)]).toEqual(expected)
    },
  )

  test.each([
    ['begun at the fork', 'down'],
    ['down', 'begun at the fork'],
    ['begun at the fork', 'of another chain'],
  ])('(%s, %s) a page of blocks across the fork ends above the gap, and the next one is a 503', async (...listed) => {
    const { newChain, serviceWith } = await dayOf(long)
    const { ask } = await serviceWith(...listed)
    const [genesis, first, cursor] = newChain.map(({ height, stateHash }) => `${height}-${stateHash}`)
    const { status, body } = await ask(`/blocks/before/${cursor}?limit=3`)
    const { blocks, ...rest } = Object(body)
    const given = blocks?.map((block: Block & { blockHeight: number }) => `${block.blockHeight}-${block.stateHash}`)
    expect({ status, given, ...rest }).toEqual({ status: 200, given: [first, genesis], next: genesis })
    expect((await ask(`/blocks/before/${genesis}?limit=3`)).status).toBe(503)
  })

  test('an account lacks what only the indexer of its network knows, whatever the other one says', async () => {
    const { alice, serviceWith } = await dayOf(15)
    const { status, headers } = await (await serviceWith('down', 'old')).ask(`/accounts/${alice}`)
    expect([status, headers.get('x-missing-fields')]).toEqual([200, expect.stringContaining('totalTx')])
  })

  test('a walk goes on over the other two, and the log says which it was', async () => {
    const { accounts, history, serviceWith } = await dayOf(long)
    const { ask, log, pages } = await serviceWith('down', 'begun at the fork', 'old')
    const [busiest = ''] = accounts
    expect(differencesOf(await walk(pages(busiest), 25), history.get(busiest) ?? new Map())).toEqual(noDifferences)
    log.length = 0
    await ask(nobodys)
    expect(log.flatMap(({ upstream }) => upstream).filter(({ outcome }) => outcome === 'unreachable')).toEqual([
      expect.objectContaining({ operation: 'receivedTimeOf', indexer: 1 }),
    ])
  })
})
