// A nonce that was used in blocks older than those in which the service looks, over a chain that a test has written.
import { describe, expect, test } from '@jest/globals'
import { createClient, type Fetch, type InclusionOptions, type Update } from '../../packages/client/src/client.ts'
import { network, noon, pausedClock } from './scripted-service.ts'
import { payload, payment, shownPayment } from './signed.ts'

const tipHeight = 1000
const own = { ...shownPayment, amount: 1_500_000_000, fee: 10_000_000 }
const searched = { pool: true, fromHeight: tipHeight - 19, toHeight: tipHeight, nodes: 1, indexer: false }
const terms = { from: payload.from, nonce: 7, validUntil: 4_294_967_295, memo: own.memo }
const usedBy = { hash: own.hash, state: 'absent', sending: 'nonce-used', terms, searched }

interface Written extends InclusionOptions {
  /** The sender's commands, by the height of their block. */
  readonly commands?: Readonly<Record<number, object>>
  /** The lowest block that the service has. */
  readonly lowest?: number
  /** Time on the way, and how much of it the machine's clock has missed. */
  readonly hours?: number
  readonly hoursMissed?: number
  /** Below this height, answers come from another branch, whose upstream calls its own blocks canonical. */
  readonly forkedBelow?: number
  /** The service does not answer for the block of this height. */
  readonly failing?: number | ((height: number) => boolean)
  readonly isIndexed?: boolean
  /** Behind the same address a daemon stands still at this height, and answers these requests for blocks, counted from 0. */
  readonly standing?: { readonly at: number; answers(request: number): boolean }
  readonly onPause?: () => unknown
  /** Its owner waits so often, one time after the other. */
  readonly waits?: number
}

/** The result of a wait, the heights that were read, and what the caller was told. */
async function waited(written: Written = {}) {
  const {
    commands = {},
    lowest = 1,
    hours = 0,
    hoursMissed = 0,
    forkedBelow = 0,
    failing,
    isIndexed,
    standing,
    onPause,
    waits = 1,
    ...options
  } = written
  const heights: number[] = []
  const blockAt = (blockHeight: number) => {
    const branch = (height: number) => (height < forkedBelow ? 'forked' : '3N')
    return {
      ...{ stateHash: `${branch(blockHeight)}${blockHeight}`, blockHeight, canonical: true },
      dateTime: new Date(noon - (tipHeight - blockHeight) * 180_000).toISOString(),
      protocolState: { previousStateHash: `3N${blockHeight - 1}` },
      transactions: { userCommands: commands[blockHeight] ? [commands[blockHeight]] : [] },
    }
  }
  const labelled = (height: number) => ({
    headers: { 'x-chain-height': `${height}`, 'x-chain-state-hash': `3N${height}`, 'x-chain-time': '2026' },
  })
  let requests = 0
  const fetching: Fetch = async (url) => {
    const { pathname } = new URL(url)
    const [place = ''] = pathname.split('/').slice(-1)
    if (pathname === '/network') return Response.json({ networkName: network })
    if (pathname.startsWith('/transactions/')) {
      const transaction = { ...usedBy, searched: { ...searched, indexer: isIndexed === true } }
      return Response.json({ transaction }, labelled(tipHeight))
    }
    const height = Number(/\d+$/.exec(place))
    const isAtHeight = pathname.startsWith('/blocks/height/')
    if (isAtHeight) heights.push(height)
    if (typeof failing === 'function' ? failing(height) : height === failing)
      return Response.json({ message: 'Upstream unavailable.' }, { status: 503 })
    const tip = standing?.answers(requests++) ? standing.at : tipHeight
    const isMissing = height < lowest || height > tip || place.startsWith('gone')
    if (isMissing) return Response.json({ message: 'No.' }, { status: 404, ...labelled(tip) })
    return Response.json({ block: blockAt(height) }, labelled(tip))
  }
  const clock = pausedClock(onPause)
  const updates: Update[] = []
  const nowMs = () => clock.now() + (hours - hoursMissed) * 3_600_000
  const client = createClient({
    baseUrl: 'https://service.example',
    network,
    fetch: fetching,
    clock: { ...clock, now: nowMs },
  })
  const onUpdate = (update: Update) => updates.push(update)
  const wait = () => client.waitForInclusion(payment, own.hash, { patienceMs: 0, onUpdate, ...options })
  for (let before = 1; before < waits; before++) await wait()
  const inclusion = await wait()
  return { inclusion, heights, updates }
}

const earlier = { ...own, nonce: 6, hash: '5Jearlier' }
const replaced = { state: 'unconfirmed', sofar: { state: 'replaced', confirmations: 0 } }
const undecided = { state: 'undecided', because: 'nonce-used' }

test('a payment on the chain is found, however long ago it was sent and whatever the clock of the machine has missed', async () => {
  const allHours = Array.from({ length: 13 }, (_, hour) => hour)
  const states: string[] = []
  for (const hours of allHours) {
    for (const hoursMissed of allHours) {
      // Twenty blocks an hour; the service has searched the first ones itself.
      const height = Math.min(tipHeight - hours * 20, searched.fromHeight - 1)
      const { inclusion } = await waited({ hours, hoursMissed, sentAtMs: noon, commands: { [height]: own } })
      states.push(inclusion.state)
    }
  }
  expect(states).toEqual(Array(169).fill('included'))
})

test('an older block that holds the command is read once, and then only looked at', async () => {
  const hour = { patienceMs: 3_600_000, pollMs: 60_000 }
  const { inclusion, heights } = await waited({ commands: { 950: own }, confirmations: 51, ...hour })
  expect(inclusion).toMatchObject({ state: 'unconfirmed', sofar: { state: 'included', confirmations: 50 } })
  expect(heights).toHaveLength(51)
})

describe('behind one address a daemon stands still, and', () => {
  const paid = { commands: { 950: own }, confirmations: 40 }

  test('a block that it shows has only the blocks on top that it has itself, however high the tip of another answer is', async () => {
    const answers = (request: number) => request >= 50
    const { inclusion } = await waited({ ...paid, standing: { at: 985, answers }, waits: 2 })
    expect(inclusion).toMatchObject({ state: 'unconfirmed', sofar: { state: 'included', confirmations: 35 } })
    expect((await waited(paid)).inclusion).toMatchObject({ state: 'included', confirmations: 50 })
  })

  test('the blocks above it, which it does not have, are asked for again, and nobody says that an indexer is needed', async () => {
    const answers = (request: number) => request % 9 === 4
    const hour = { patienceMs: 3_600_000, pollMs: 60_000 }
    const { inclusion, updates } = await waited({ ...paid, standing: { at: 985, answers }, ...hour })
    expect(inclusion).toMatchObject({ state: 'included', confirmations: 50 })
    expect(updates.filter(({ needsIndexer }) => needsIndexer)).toEqual([])
  })
})

describe('a nonce that no block lists', () => {
  test.each<[string, object, Written, number]>([
    ['replaced below an earlier command of the sender', replaced, { commands: { 950: earlier } }, 51],
    ['replaced above the tip of its first sending', replaced, { sentAtTip: { height: 940, stateHash: '3N940' } }, 61],
    [
      'replaced if that tip is among the latest blocks',
      replaced,
      { sentAtTip: { height: 990, stateHash: '3N990' } },
      0,
    ],
    [
      'undecided if that tip was reorganised away',
      undecided,
      { sentAtTip: { height: 990, stateHash: 'gone990' } },
      300,
    ],
    ['undecided without either, where a node holds no more', undecided, {}, 300],
    [
      'undecided where the blocks older than those that the service has searched are of another branch',
      undecided,
      { forkedBelow: 981, commands: { 980: earlier } },
      21,
    ],
    ['undecided where the service has no such block', undecided, { lowest: 900 }, 102],
    [
      'undecided where a reorganisation came in between',
      undecided,
      { forkedBelow: 951, commands: { 950: earlier } },
      51,
    ],
    [
      'undecided where only a block of another branch holds a rival',
      undecided,
      { forkedBelow: 951, commands: { 950: { ...own, hash: '5Jrival', fee: 20_000_000 } } },
      51,
    ],
  ])('makes a command %s', async (_, expected, written, read) => {
    const { inclusion, heights } = await waited(written)
    expect(inclusion).toMatchObject(expected)
    expect(heights).toHaveLength(read)
  })

  test('is searched for again a minute after a reorganisation, and once an hour where the blocks never fit together', async () => {
    const hour = { patienceMs: 3_600_000, pollMs: 10_000 }
    const { heights } = await waited({ forkedBelow: 951, commands: { 950: earlier }, ...hour })
    expect(heights).toHaveLength(2 * 51)
  })

  test('is searched for once an hour, and the caller is told that an indexer would know', async () => {
    const threeHours = { patienceMs: 3 * 3_600_000, pollMs: 60_000 }
    const { heights, updates } = await waited(threeHours)
    // Of the same chain none is read twice.
    expect(heights).toHaveLength(300)
    expect(updates).toEqual([{ hash: own.hash, ...undecided, sending: 'nonce-used', needsIndexer: true }])
    const indexed = await waited({ isIndexed: true })
    expect(indexed.updates).toEqual([{ hash: own.hash, ...undecided, sending: 'nonce-used' }])
  })

  test('is not searched for anew by the next wait of the same client', async () => {
    expect((await waited({ waits: 3 })).heights).toHaveLength(300)
    const found = await waited({ waits: 3, commands: { 950: earlier } })
    expect(found.inclusion).toMatchObject(replaced)
    expect(found.heights).toHaveLength(51)
  })

  test('is searched for from the block that could not be read, after longer and longer pauses, and none is read anew', async () => {
    const { heights } = await waited({ failing: 960, patienceMs: 3 * 3_600_000, pollMs: 60_000 })
    const above = Array.from({ length: 40 }, (_, index) => tipHeight - index)
    expect(heights.filter((height) => height > 960)).toEqual(above)
    expect(heights.filter((height) => height === 960)).toHaveLength(9 * 3)
  })

  test('is found by a search that was broken off at each thirtieth block', async () => {
    let read = 0
    const failing = (height: number) => height % 30 === 0 && read++ % 4 < 3
    const hour = { patienceMs: 3_600_000, pollMs: 60_000 }
    const { inclusion, heights } = await waited({ failing, commands: { 730: earlier }, ...hour })
    expect([inclusion, heights.length]).toMatchObject([replaced, 271 + 3 * 9])
  })
})
