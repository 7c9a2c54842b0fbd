// When those who wait ask again: in slots that may have a block, by the tip that answers name, on a machine whose clock is wrong.
import { describe, expect, test } from '@jest/globals'
import { createClient, type Fetch } from '../../client/src/client.ts'
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
    const kind = new URL(url).pathname.split('/')[1]
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
    }
    return Response.json(bodies[kind ?? ''], { headers: isLabelled ? headers : {} })
  }
  const wrongClock = { ...clock, now: () => clock.now() + clockErrorMs }
  const client = createClient({ baseUrl: 'https://service.example', network, fetch: fetching, clock: wrongClock })
  const of = (kind: string) =>
    asked.filter((each) => each.includes(` ${kind} `)).map((each) => Number(each.split(' ')[2]))
  return { client, of }
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
