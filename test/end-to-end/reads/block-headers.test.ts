// Pages of headers: what each says of its block, and where they end.
import { describe, expect, test } from '@jest/globals'
import { headerOf } from '../../../packages/proofs/account-history/blocks.ts'
import { type Chain, createChain } from '../../../packages/testnet/chain.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createRandom, integerBetween } from '../../../packages/testnet/random.ts'
import type { BlockHeader } from '../../../shared/contract/block-header.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { get, now, serviceOver } from '../running-service.ts'

const [historyBlocks, frontierBlocks] = [250, 60]

const chainOf = (seed: string) =>
  createChain({ seed, now: () => now, slotsPerEpoch: 12, historyBlocks, frontierBlocks, signsOwnCommands: false })

async function asking(chain: Chain, hasIndexer = true) {
  const url = await serviceOver([nodeServer(chain)], hasIndexer ? [indexerServer(chain)] : [])
  return (rest: string) => get(`${url}/blocks/before/${rest}`)
}

type Ask = Awaited<ReturnType<typeof asking>>

const chain = chainOf('headers')
const tip = chain.tip()
const root = tip.height - frontierBlocks + 1
const cursorAt = (height: number) => `${height}-${chain.bestChain().find((one) => one.height === height)?.stateHash}`
const [ask, askNodeAlone] = [await asking(chain), await asking(chain, false)]

/** The items below a cursor, page by page; none once a cursor is not canonical any more. */
async function walk(asked: Ask, cursor: string, query: string, between: () => void = () => undefined) {
  const pages: (readonly unknown[])[] = []
  for (let next: string | undefined = cursor; next !== undefined; between()) {
    const { status, body } = await asked(`${next}${query}`)
    if (status === 409) return undefined
    const { blocks, headers } = Object(body)
    pages.push(headers ?? blocks.map(headerOf))
    next = Object(body).next
  }
  return pages
}

/** Fees are in the header of an indexer alone. */
const withoutSums = ({ feesNanomina: _, proofFeesNanomina: __, ...header }: BlockHeader) => header

describe('headers', () => {
  test('are what the whole blocks show, from node and indexer, with the sums of fees from an indexer', async () => {
    const [headers, blocks] = await Promise.all(
      ['?view=header', ''].map((query) => walk(ask, cursorAt(tip.height), query)),
    )
    const given = headers?.flat() as BlockHeader[]
    const whole = blocks?.flat() as BlockHeader[]
    expect([given.length, given.map(withoutSums)]).toEqual([tip.height - 1, whole.map(withoutSums)])
    const ofIndexer = given.filter(({ feesNanomina }) => feesNanomina !== undefined)
    expect(ofIndexer.length).toBeGreaterThan(historyBlocks - frontierBlocks - 20)
    expect(ofIndexer).toEqual(whole.slice(-ofIndexer.length))
    const counted = (['zkappCommandCount', 'proofCount', 'commandCount'] as const).map(
      (name) => new Set(given.map((header) => header[name])).size > 1,
    )
    expect(counted).toEqual([true, true, true])
  })

  test('come in the same pages from any tip, below those that the tip begins', async () => {
    const cursors = async (from: number) => {
      const pages = await walk(ask, cursorAt(from), '?view=header')
      return pages?.map((page) => Object(page.at(-1)).blockHeight)
    }
    const [one, two] = [await cursors(tip.height), await cursors(tip.height - 7)]
    expect(one?.every((height) => height % 20 === 1)).toBe(true)
    expect(two).toEqual(one?.slice(-(two?.length ?? 0)))
    expect([two?.at(-1), (one?.length ?? 0) - (two?.length ?? 0)]).toEqual([1, 0])
  })

  test.each([
    ['of a node', tip.height, '', (tip.height - 1) % 20 || 20],
    ['of a node, below one where a full page ends', Math.floor(tip.height / 20) * 20 - 19, '', 20],
    ['of a node, with a limit', tip.height, '&limit=3', 3],
    ['of a node, with the greatest limit', Math.floor(tip.height / 20) * 20 - 19, '&limit=1000', 20],
    ['of an indexer', root - 2, '', (root - 3) % 100],
    ['of an indexer, with a limit', root - 2, '&limit=50', 50],
    ['that a node begins', root + 3, '', (root + 2) % 20 || 20],
  ])('%s are a page of its size', async (_what, height, query, count) => {
    const { body } = await ask(`${cursorAt(height)}?view=header${query}`)
    const { headers, next, ...rest } = Object(body)
    expect({ count: headers?.length, rest, next }).toEqual({ count, rest: {}, next: cursorAt(height - count) })
  })

  test('end with the first block, and over a node alone with its root', async () => {
    const whole = await ask(`${cursorAt(40)}?view=header`)
    expect([Object(whole.body).headers.at(-1).blockHeight, Object.keys(Object(whole.body))]).toEqual([1, ['headers']])
    const pages = await walk(askNodeAlone, cursorAt(tip.height), '?view=header')
    expect(Object(pages?.at(-1)?.at(-1)).blockHeight).toBe(root)
    const { body } = await askNodeAlone(`${cursorAt(root + 2)}?view=header`)
    expect(Object(body)).toMatchObject({ headers: [{}, {}], endOfKnown: true })
    expect((await askNodeAlone(`${cursorAt(root)}?view=header`)).status).toBe(503)
  })

  test('are kept as long as whole blocks, lack nothing, and have a tag of their own', async () => {
    for (const height of [tip.height, root + 3, root - 2]) {
      const [header, block] = await Promise.all(['?view=header', ''].map((query) => ask(cursorAt(height) + query)))
      expect(header?.headers.get('cache-control')).toBe(block?.headers.get('cache-control'))
      expect(header?.headers.get('x-missing-fields')).toBeNull()
      expect(header?.headers.get('etag')).not.toBe(block?.headers.get('etag'))
    }
  })

  test('below a block that is not canonical are a 409, below height 1 a 404, and of another view a 400', async () => {
    const other = unheldValues.state_hash
    const asked = [`20-${other}?view=header`, `1-${other}?view=header`, `${cursorAt(20)}?view=headers`]
    const given = await Promise.all(asked.map(ask))
    expect(given.map(({ status, body }) => [status, Object(body).message])).toEqual([
      [409, 'The block of this cursor is not canonical any more.'],
      [404, 'There is no block below height 1.'],
      [400, 'view must be block or header, given once'],
    ])
  })

  test('link to each other while the chain reorganises, or are a 409', async () => {
    const random = createRandom('headers while the chain moves')
    const living = chainOf('living headers')
    const askLiving = await asking(living)
    let refused = 0
    for (let walks = 0; walks < 8; walks++) {
      const start = living.tip()
      let left = 2
      const pages = await walk(askLiving, `${start.height}-${start.stateHash}`, '?view=header', () => {
        if (left === 0) return
        left -= 1
        living.reorganise(integerBetween(random, 1, 25))
        for (let made = 0; made < 2; made++) living.produceBlock()
      })
      if (pages === undefined) {
        refused += 1
        continue
      }
      const given = pages.flat() as BlockHeader[]
      const parents = [start.previousStateHash, ...given.map(({ previousStateHash }) => previousStateHash)]
      expect(given.map(({ stateHash }) => stateHash)).toEqual(parents.slice(0, -1))
      expect(given.at(-1)?.blockHeight).toBe(1)
    }
    expect([refused > 0, refused < 8]).toEqual([true, true])
  })
})
