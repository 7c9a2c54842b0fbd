// Deposits and blocks behind one address with two daemons, of which one stands still: what is credited, and how soon.
import { describe, expect, test } from '@jest/globals'
import type { Cursor, DepositsOptions, ServiceError } from '../../packages/client/src/client.ts'
import { clientOfDaemons, type Daemons, orphan } from './two-daemons.ts'

const slotMs = 180_000

const dayMs = 86_400_000

/** @returns milliseconds until each block up to a height was credited, and everything that was credited or taken back in a day */
async function credited(
  daemons: Daemons,
  from: Cursor,
  upTo: number,
  options: Pick<DepositsOptions, 'confirmations' | 'pollMs'> = {},
) {
  const day = new AbortController()
  const onWay = (answer: Response) => {
    if (clock.now() - startMs > dayMs) day.abort()
    return answer
  }
  const { client, clock, requests } = clientOfDaemons({ onWay, ...daemons })
  const startMs = clock.now()
  const atMs = new Map<number, number>()
  const said: string[] = []
  const troubles: string[] = []
  const onTrouble = ({ message }: ServiceError) => troubles.push(message)
  for await (const step of client.deposits({ keys: new Set(), from, ...options, onTrouble, signal: day.signal })) {
    said.push(`${step.state === 'credited' ? '+' : '-'}${step.stateHash}`)
    atMs.set(step.cursor.height, clock.now() - startMs)
    if (step.cursor.height === upTo || said.length > 3 * upTo) break
  }
  return { atMs, said, troubles, requests: requests() }
}

const at = (height: number): Cursor => ({
  height,
  stateHash: `3N${height}`,
  below: Array.from({ length: Math.min(290, height - 1) }, (_, index) => `3N${height - 1 - index}`),
})
const chainOf = (from: number, upTo: number) =>
  Array.from({ length: upTo - from }, (_, index) => `+3N${from + 1 + index}`)

/** A fixed seed, so that the daemons answer in the same disorder each time. */
function byChance(): (request: number) => boolean {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return (state >> 8) % 2 === 0
  }
}

describe('with one of two daemons stopped behind one address', () => {
  const stops = [1, 5, 30].flatMap((ago) => [0, 1, ago].map((orphans) => [ago, orphans] as const))

  test.each(stops)(
    '%i blocks ago with %i orphans, no orphan is credited and nothing is taken back at the pace of the chain',
    async (ago, orphans) => {
      const good = { height: 1000, blockMs: slotMs }
      const from = at(985)
      const alone = await credited(good, from, 1025)
      const both = await credited({ ...good, stopped: { height: 1000 - ago, orphans } }, from, 1025)
      expect([both.said, both.troubles]).toEqual([chainOf(985, 1025), []])
      for (const [height, ms] of both.atMs) expect(ms).toBeLessThanOrEqual(2 * (alone.atMs.get(height) ?? 0))
    },
  )

  test.each([
    ['in turn', undefined, 2],
    // Half of all answers are the stopped one's: two requests a block in the mean, more by chance.
    ['by chance', byChance, 2.1],
  ] as const)('%s, a thousand blocks are caught up in twice the time at most', async (_, order, most) => {
    const good = { height: 2000, blockMs: slotMs }
    const alone = await credited(good, at(900), 1900)
    const isStopped = order?.()
    const stopped = { height: 890, orphans: 5 }
    const both = await credited({ ...good, stopped, ...(isStopped && { isStopped }) }, at(900), 1900)
    expect([both.said, both.troubles]).toEqual([chainOf(900, 1900), []])
    const ends = [alone, both].map(({ atMs }) => atMs.get(1900) ?? 0)
    expect((ends[1] ?? 0) / (ends[0] ?? 1)).toBeLessThanOrEqual(most)
  })

  test('nothing is taken back by its orphans, deeper than the confirmations, however long it answers alone', async () => {
    const stopped = { height: 970, orphans: 30 }
    const isStopped = (request: number) => request < 100
    const { said } = await credited({ height: 1000, blockMs: slotMs, stopped, isStopped }, at(985), 1000, {
      confirmations: 2,
    })
    expect(said).toEqual(chainOf(985, 1000))
  })

  // The tip comes from the good daemon, and the block that is asked for after it from the other one, each time.
  test.each([
    [5_000, 10_000],
    [60_000, 10_000],
    [60_000, 720_000],
  ])('in turn behind a cache of %i ms, no block is missed by polls of %i ms', async (cacheMs, pollMs) => {
    const good = { height: 1000, blockMs: slotMs, cacheMs }
    const alone = await credited(good, at(985), 1025, { pollMs })
    const both = await credited({ ...good, stopped: { height: 999, orphans: 0 } }, at(985), 1025, { pollMs })
    expect([both.said, both.troubles]).toEqual([chainOf(985, 1025), []])
    // Once for the tip, and once for the block, it has to wait until the cache asks again. The requests take a while, too.
    const longestMs = 2 * (Math.max(cacheMs, pollMs) + pollMs) + 3_000
    for (const [height, ms] of both.atMs) expect(ms - (alone.atMs.get(height) ?? 0)).toBeLessThanOrEqual(longestMs)
  })

  test('behind a cache that asks again with its tags, no orphan is credited and none is missed', async () => {
    const stopped = { height: 995, orphans: 3 }
    const both = await credited(
      { ...{ height: 1000, blockMs: slotMs, cacheMs: 15_000 }, stopped, isStopped: byChance() },
      at(985),
      1005,
    )
    expect(both.said).toEqual(chainOf(985, 1005))
  })
})

test('an orphan that was credited is taken back once the answer that shows the other block is deep enough', async () => {
  const cursor = { ...at(985), stateHash: orphan(985) }
  const { said } = await credited({ height: 1000, blockMs: slotMs, stopped: { height: 990, orphans: 6 } }, cursor, 986)
  expect(said).toEqual([`-${orphan(985)}`, '+3N985', '+3N986'])
})

describe('an answer without its tip', () => {
  const unlabelled = ({ status, body }: Response) => new Response(body, { status })

  test('is told as trouble, and nothing is taken from it', async () => {
    let isDropped = true
    const troubles: string[] = []
    const { client } = clientOfDaemons({
      ...{ height: 1000, blockMs: slotMs },
      onWay: (answer, path) => (isDropped && path.startsWith('/blocks') ? unlabelled(answer) : answer),
    })
    const onTrouble = ({ message }: ServiceError) => {
      troubles.push(message)
      isDropped = false
    }
    for await (const step of client.deposits({ keys: new Set(), from: at(984), onTrouble })) {
      expect(step).toMatchObject({ state: 'credited', stateHash: '3N985' })
      break
    }
    expect(troubles).toEqual(['x-chain-height is missing'])
  })

  test('is asked for again without its tag where it is a 304', async () => {
    const asked: (string | undefined)[] = []
    const { client } = clientOfDaemons({
      ...{ height: 1000, blockMs: slotMs },
      onWay: (answer, path, tag) => {
        if (path !== '/network') asked.push(tag)
        return answer.status === 304 ? unlabelled(answer) : answer
      },
    })
    const answers = [await client.blockAtHeight(990), await client.blockAtHeight(990)]
    expect(answers.map(({ chain }) => chain?.height)).toEqual([1000, 1000])
    expect(asked).toEqual([undefined, '"3N990"', undefined])
  })
})
