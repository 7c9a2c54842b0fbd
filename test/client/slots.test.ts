// When those who wait ask again: in slots that may have a block, by the tip that answers name, on a machine whose clock is wrong.
import { describe, expect, test } from '@jest/globals'
import { type Client, createClient, type Fetch } from '../../packages/client/src/client.ts'
import { createRandom } from '../../packages/testnet/random.ts'
import { storeOf } from './queued.ts'
import { network, noon, pausedClock } from './scripted-service.ts'
import { payload, payment } from './signed.ts'

const slotMs = 90_000
const hourMs = 3_600_000
const clockErrorMs = hourMs + 37_000

interface Service {
  /** Milliseconds since noon at which each slot of a block began, and at which the block comes. */
  readonly blocks: readonly (readonly [slotAtMs: number, comesAtMs: number])[]
  /** Age of each answer in a cache. */
  readonly cachedMs?: number
  readonly durationMs?: number | undefined
  readonly isLabelled?: boolean
  readonly networkAt?: (atMs: number) => string
  /** What the service says of the command, by the height of the tip and the time since noon. */
  readonly fate?: (height: number, atMs: number) => object
  /** The height at which the nonce of the payment is used. */
  readonly usedAt?: number
}

const pending = () => ({ state: 'pending' })

const blockAt = (height: number, tip: number) => {
  const protocolState = { previousStateHash: `3N${height - 1}` }
  const transactions = { userCommands: [], zkappCommands: [] }
  const block = { stateHash: `3N${height}`, blockHeight: height, canonical: true, protocolState, transactions }
  return height <= tip ? { block } : undefined
}

/** A client that is asked for a while, and the seconds since noon at which it put each question but those for the network. */
function asking(service: Service, onPause: (atMs: number) => unknown = () => undefined) {
  const {
    blocks,
    cachedMs = 0,
    isLabelled = true,
    fate = pending,
    networkAt = () => network,
    usedAt = Infinity,
  } = service
  const durationMs = 'durationMs' in service ? service.durationMs : slotMs
  const clock = pausedClock(() => onPause(clock.now() - noon))
  const asked: string[] = []
  const fetching: Fetch = async (url, { method }) => {
    const atMs = clock.now() - noon
    const [, kind, ...places] = new URL(url).pathname.split('/')
    asked.push(`${method} ${kind} ${atMs / 1000}`)
    const shown = blocks.filter(([, comesAtMs]) => comesAtMs <= atMs - cachedMs)
    const height = 1000 + shown.length
    const headers = {
      ...{ 'x-chain-height': `${height}`, 'x-chain-state-hash': `3N${height}` },
      'x-chain-time': new Date(noon + (shown.at(-1)?.[0] ?? 0)).toISOString(),
      date: new Date(noon + atMs - cachedMs).toUTCString(),
      age: `${cachedMs / 1000}`,
    }
    const searched = { pool: true, fromHeight: 990, toHeight: height, nodes: 1, indexer: false }
    const bodies: Record<string, object> = {
      network: { networkName: networkAt(atMs), slotDurationMs: durationMs },
      transactions: { transaction: { hash: '5J', searched, ...fate(height, atMs) } },
      accounts: {
        account: { publicKey: payload.from, nonce: height < usedAt ? 7 : 8, nextNonce: 8, balance: { total: '1' } },
      },
      broadcast: { error: 'No.' },
      summary: { blockchainLength: height, stateHash: `3N${height}` },
    }
    const body = kind === 'blocks' ? blockAt(Number(places.at(-1)), height) : bodies[kind ?? '']
    return Response.json(body ?? { message: 'None.' }, {
      status: body ? 200 : 404,
      headers: isLabelled ? headers : {},
    })
  }
  const wrongClock = { ...clock, now: () => clock.now() + clockErrorMs }
  const client = createClient({ baseUrl: 'https://service.example', network, fetch: fetching, clock: wrongClock })
  const of = (kind: string) =>
    asked.filter((each) => each.includes(` ${kind} `)).map((each) => Number(each.split(' ')[2]))
  return { client, of, asked, now: () => clock.now() - noon }
}

/** The seconds at which a wait for a payment asks. */
async function waited(service: Service, options: object = {}) {
  const { client, of } = asking(service)
  const { state } = await client.waitForTransaction('5J', { patienceMs: 300_000, ...options })
  return { asked: of('transactions'), compared: of('network').length, state }
}

const included = (height: number) => {
  const block = { stateHash: '3N1001', blockHeight: 1001, dateTime: '2026' }
  return { state: 'included', status: 'applied', block, confirmations: height - 1001 }
}
const asToday = Array.from({ length: 31 }, (_, index) => 10 * index)

describe('a wait for a block', () => {
  test('asks after the beginning of each slot, ever more rarely, and no more once the block of the slot is there', async () => {
    const blocks = [
      [90_000, 131_000],
      [180_000, 189_000],
    ] as const
    // The tip's slot begins at noon: the next ones at 90, 180 and 270 seconds.
    expect(await waited({ blocks }, { patienceMs: 400_000 })).toMatchObject({
      asked: [0, 110, 120, 140, 200, 290, 300, 320, 340, 380, 390, 400],
    })
  })

  test('asks while the block of a slot usually comes, and not just after', async () => {
    // The slots begin at -1, 89 and 179 seconds.
    expect((await waited({ blocks: [[-1000, 0]] }, { patienceMs: 210_000 })).asked).toEqual([
      0, 110, 120, 140, 160, 200, 210,
    ])
  })

  test('places the slots by the age of the answer, which a cache has kept, not by its own clock', async () => {
    expect((await waited({ blocks: [], cachedMs: 4000 })).asked).toEqual((await waited({ blocks: [] })).asked)
  })

  test('asks once a slot on a chain that stands still, and compares the network no more', async () => {
    const start = 40 * slotMs
    const { asked, compared } = await waited({ blocks: [[-start, 0]] }, { patienceMs: 10 * slotMs })
    // A node that catches up would show another tip within a slot.
    expect(asked).toEqual([...asToday.slice(0, 10), ...Array.from({ length: 9 }, (_, index) => 110 + 90 * index), 900])
    expect(compared).toBe(2)
  })

  test('asks once a slot while more than one block is missing, and for the last one at every poll', async () => {
    const blocks = [0, 1, 2].map((slot) => [slot * slotMs, slot * slotMs + 41_000] as const)
    const { asked, state } = await waited({ blocks, fate: included }, { confirmations: 2 })
    expect({ asked, state }).toEqual({ asked: [0, 110, 200, 210, 220, 230], state: 'included' })
  })

  test('believes nothing under another tip before it has compared the network again', async () => {
    const networkAt = (atMs: number) => (atMs < 205_000 ? network : 'mainnet')
    const waiting = waited({ blocks: [[180_000, 221_000]], fate: included, networkAt }, { confirmations: 0 })
    await expect(waiting).rejects.toMatchObject({ name: 'NetworkMismatchError', actual: 'mainnet' })
  })

  test.each([
    ['names no tip', { isLabelled: false }],
    ['does not say how long its slots are', { durationMs: undefined }],
    ['has slots of two seconds, as a chain for tests', { durationMs: 2000 }],
  ])('asks at every poll where the service %s', async (_, lack) => {
    expect((await waited({ blocks: [], ...lack })).asked).toEqual(asToday)
  })

  test('sends a command that vanishes from the pool again within a slot', async () => {
    const fate = (_: number, atMs: number) => (atMs > 110_000 ? { state: 'absent', sending: 'possible' } : pending())
    const { client, of } = asking({ blocks: [[90_000, 99_000]], fate })
    await client.waitForInclusion(payment, '5J', { patienceMs: 400_000 })
    const [sentAt = Infinity] = of('broadcast')
    expect(sentAt).toBeLessThanOrEqual(110 + slotMs / 1000)
  })
})

test('a queue whose command a pool has asks for the account as a wait does, and takes up at once what comes', async () => {
  const controller = new AbortController()
  const { store, add } = storeOf([{ signed: payment, hash: '5J' }])
  const { client, of } = asking({ blocks: [[90_000, 99_000]] }, (atMs) => {
    if (atMs === 40_000) add({ hash: '5K', signed: { ...payment, payload: { ...payload, nonce: '8' } } })
    if (atMs >= 60_000) controller.abort()
  })
  await client.sendQueue(store, { signal: controller.signal })
  expect({ accounts: of('accounts')[1], sent: of('broadcast')[0] }).toEqual({ accounts: 40, sent: 40 })
})

test('a queue asks at every slot for the last block that a payment needs, and rests before', async () => {
  const blocks = Array.from({ length: 10 }, (_, slot) => [slot * slotMs, slot * slotMs + 41_000] as const)
  const { store, states } = storeOf([{ signed: payment, hash: '5J' }])
  const { client, of } = asking({ blocks, fate: included, usedAt: 1001 })
  await client.sendQueue(store, { confirmations: 2 })
  // The block of the slot that begins at 180 s comes at 221 s.
  expect({ ends: states(), asked: of('accounts') }).toEqual({
    ends: [['5J', 'included']],
    asked: [0, 105, 210, 220, 235],
  })
})

test('a queue on a chain for tests, which has a block every two seconds, settles a payment at the next poll', async () => {
  const blocks = Array.from({ length: 40 }, (_, slot) => [slot * 2000, slot * 2000 + 100] as const)
  const { store } = storeOf([{ signed: payment, hash: '5J' }])
  const { client, now } = asking({ blocks, fate: included, usedAt: 1001, durationMs: 2000 })
  let settledAtMs: number | undefined
  const settle: typeof store.settle = async (...end) => {
    settledAtMs = now()
    await store.settle(...end)
  }
  await client.sendQueue({ ...store, settle }, { confirmations: 13 })
  // The thirteenth on top comes after 26.1 seconds.
  expect(settledAtMs).toBe(30_000)
})

const dayMs = 24 * hourMs

/** A day of slots: each has a block by this chance, which comes 5 to 75 seconds after its beginning. */
function dayOf(density: number) {
  const random = createRandom(`a day of ${density}`)
  return Array.from({ length: dayMs / slotMs }, (_, slot) => slot * slotMs).flatMap((slotAtMs) =>
    random() < density ? [[slotAtMs, slotAtMs + 5000 + Math.floor(random() * 70_000)] as const] : [],
  )
}

type Waiter = (client: Client, signal: AbortSignal, told: (height: number) => void) => Promise<unknown>

/** With the most of a day's polls of ten seconds that each may ask: while 44 % of the slots have a block, and while none has. */
test.each<[string, Waiter, mostOfLiving: number, mostOfStill: number]>([
  [
    'a wait for what a pool holds',
    (client, signal) => client.waitForInclusion(payment, '5J', { patienceMs: 2 * dayMs, signal }),
    0.47,
    0.16,
  ],
  [
    'a watch of the blocks',
    (client, signal, told) => client.watchBlocks(({ cursor }) => told(cursor.height), { signal }),
    0.49,
    0.13,
  ],
  [
    'a queue of one command',
    (client, signal) => client.sendQueue(storeOf([{ signed: payment, hash: '5J' }]).store, { signal }),
    0.88,
    0.18,
  ],
])('%s asks less in a day than polls of ten seconds would, and no block is told late', async (_, run, ...most) => {
  for (const [index, density] of [0.44, 0].entries()) {
    const blocks = dayOf(density)
    const day = new AbortController()
    const { client, asked, now } = asking({ blocks }, (atMs) => atMs >= dayMs && day.abort())
    const lateMs: number[] = []
    const told = (height: number) => lateMs.push(now() - (blocks[height - 1001]?.[1] ?? now()))
    await run(client, day.signal, told).catch((error) => expect(error).toBe(day.signal.reason))
    expect(asked.length / (dayMs / 10_000)).toBeLessThan(most[index] ?? 0)
    const [median = 0, latest = 0] = [0.5, 1].map((share) =>
      lateMs.toSorted((one, other) => one - other).at(Math.ceil(share * lateMs.length) - 1),
    )
    expect([median <= 10_000, latest <= 40_000]).toEqual([true, true])
  }
})
