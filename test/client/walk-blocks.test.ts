// The walk down the blocks, over answers that a test has written.
import { describe, expect, test } from '@jest/globals'
import type { BlockHeader, BlockName, BlockView, Labelled } from '../../packages/client/src/client.ts'
import { type Scripted, type ScriptedAnswer, scriptedClient } from './scripted-service.ts'

const block = (height: number) => ({ blockHeight: height, stateHash: `3N${height}` })
const blocks = (heights: readonly number[], more: object = {}) => ({ body: { blocks: heights.map(block), ...more } })
const gone = { status: 409, body: { message: 'The block of this cursor is not canonical any more.' } }
/** The answer of a node with its tip at a height. */
const under = (tip: number, answer: ScriptedAnswer): Scripted => ({
  ...answer,
  headers: { 'x-chain-height': `${tip}`, 'x-chain-state-hash': `3N${tip}`, 'x-chain-time': '2026-01-01T12:00:00.000Z' },
})

async function walked(answers: readonly Scripted[], from?: BlockName, view?: BlockView) {
  const { client, asked, clock } = scriptedClient(answers)
  const heights: number[] = []
  const error = await (async () => {
    for await (const { value } of client.walkBlocks({ from, view })) heights.push(value.blockHeight)
  })().catch((thrown: unknown) => thrown)
  return { heights, error, questions: asked.map(({ url }) => url.replace(/.*?(?=\/blocks)/, '')), clock }
}

describe('a walk down the blocks', () => {
  test('begins with the newest block and goes on page by page to the first one', async () => {
    const answers = [blocks([6]), blocks([5, 4, 3], { next: '3-3N3' }), blocks([2, 1])]
    expect(await walked(answers)).toMatchObject({
      heights: [6, 5, 4, 3, 2, 1],
      error: undefined,
      questions: ['/blocks', '/blocks/before/6-3N6?limit=5', '/blocks/before/3-3N3?limit=2'],
    })
  })

  test('begins below a block that the caller has, and ends where nothing lower can be shown', async () => {
    const { heights, questions } = await walked([blocks([8, 7], { endOfKnown: true })], { height: 9, stateHash: '3N9' })
    expect([heights, questions]).toEqual([[8, 7], ['/blocks/before/9-3N9?limit=8']])
  })

  test('asks for nine of ten pages by the same address after a new block, so that caches have them', async () => {
    const pagesFrom = async (tip: number) => {
      const { client, asked } = scriptedClient([
        under(tip, blocks([tip])),
        () => {
          const [, height = '', limit = '10'] =
            /before\/(\d+)-\w+(?:\?limit=(\d))?$/.exec(asked.at(-1)?.url ?? '') ?? []
          const heights = Array.from({ length: Number(limit) }, (_, index) => Number(height) - 1 - index)
          return under(tip, blocks(heights, { next: 'more' }))
        },
      ])
      for await (const { value } of client.walkBlocks()) if (asked.length > 11 || value.blockHeight === 1) break
      return asked.slice(1, 11).map(({ url }) => url)
    }
    for (const tip of [201, 206, 210]) {
      const [one, next] = [await pagesFrom(tip), await pagesFrom(tip + 1)]
      expect([one.length, one.filter((address) => next.includes(address)).length]).toEqual([10, 9])
    }
  })

  test('in one line each begins with the newest block, and asks for pages as full as the service gives them', async () => {
    const headers = (heights: readonly number[], more: object = {}) => ({
      body: { headers: heights.map(block), ...more },
    })
    const command = { amount: 1, fee: 2 }
    const whole = {
      ...{ ...block(24), dateTime: '2026-01-01T12:00:00.000Z', creator: 'B62', canonical: true, receivedTime: 'later' },
      protocolState: { previousStateHash: '3N23', consensusState: { slot: 7, epoch: 2, totalCurrency: 5 } },
      snarkJobs: [{ fee: 1 }, { fee: 0 }],
      transactions: { coinbase: 720_000_000_000, userCommands: [command, command], zkappCommandCount: 3 },
    }
    const { client, asked } = scriptedClient([
      { body: { blocks: [whole] }, headers: { 'x-missing-fields': 'receivedTime' } },
      headers([23, 22, 21], { next: '21-3N21' }),
      headers([20, 19]),
    ])
    const given: Labelled<BlockHeader>[] = []
    for await (const one of client.walkBlocks({ view: 'header' })) given.push(one)
    expect(given[0]).toMatchObject({
      missingFields: [],
      value: {
        ...{ stateHash: '3N24', blockHeight: 24, previousStateHash: '3N23', dateTime: '2026-01-01T12:00:00.000Z' },
        ...{ creator: 'B62', slot: 7, epoch: 2, canonical: true, coinbase: 720_000_000_000n },
        ...{ commandCount: 5, zkappCommandCount: 3, proofCount: 2 },
      },
    })
    expect(given.map(({ value }) => value.blockHeight)).toEqual([24, 23, 22, 21, 20, 19])
    expect(asked.map(({ url }) => url.replace(/.*?(?=\/blocks)/, ''))).toEqual([
      '/blocks',
      '/blocks/before/24-3N24?view=header',
      '/blocks/before/21-3N21?view=header',
    ])
    const twice = await walked([headers([5], { next: '5-3N5' }), gone, gone], { height: 6, stateHash: '3N6' }, 'header')
    expect([twice.heights, twice.error]).toEqual([[5], expect.objectContaining({ status: 409 })])
  })

  test('has nothing below the first block, and asks for nothing', async () => {
    expect(await walked([], { height: 1, stateHash: '3N1' })).toMatchObject({
      heights: [],
      error: undefined,
      questions: [],
    })
  })

  test('goes on after one 409, since a node may lag, and ends with an error after the second in a row', async () => {
    const page = blocks([5], { next: '5-3N5' })
    const once = await walked([blocks([6]), gone, page, gone, blocks([4])])
    expect([once.heights, once.error]).toEqual([[6, 5, 4], undefined])
    const twice = await walked([blocks([6]), page, gone, gone])
    expect([twice.heights, twice.error]).toEqual([
      [6, 5],
      expect.objectContaining({
        name: 'ServiceError',
        status: 409,
        message: 'no way below block 3N5: it is not canonical',
      }),
    ])
  })

  test('believes no 409 under a lower tip than that of the page with the block: another node may show it at once', async () => {
    const lower = under(12, gone)
    const pages = [under(16, blocks([15, 14, 13, 12, 11], { next: '11-3N11' })), under(16, blocks([10]))]
    const found = await walked(
      [under(16, blocks([16])), lower, lower, pages[0], lower, lower, lower, pages[1]].flatMap((each) => each ?? []),
    )
    expect([found.heights, found.error, found.clock.pausesMs]).toEqual([[16, 15, 14, 13, 12, 11, 10], undefined, []])
  })

  test('ends as unavailable where all answers for a minute have tips too low to tell, and from a block of the caller too', async () => {
    const { heights, error, clock } = await walked([under(12, gone)], { height: 16, stateHash: '3N16' })
    expect([heights, error]).toEqual([
      [],
      expect.objectContaining({
        code: 'unavailable',
        message: 'no way below block 3N16: each tip is too low',
      }),
    ])
    expect(clock.pausesMs.reduce((sum, ms) => sum + ms, 0)).toBe(60_000)
  })
})
