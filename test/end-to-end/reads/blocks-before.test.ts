// Walks down the chain over node and indexers, and the answers at their ends.
import { describe, expect, test } from '@jest/globals'
import { blockDifferencesOf, walkBlocks } from '../../../packages/proofs/account-history/blocks.ts'
import { changedOnTheWay } from '../../../packages/proofs/changed-answers.ts'
import { type Chain, createChain } from '../../../packages/testnet/chain.ts'
import type { IndexerState } from '../../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createRandom, integerBetween } from '../../../packages/testnet/random.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { serve, unservedUrl } from '../../serving.ts'
import { gatewayOver, get, now, serviceOver } from '../running-service.ts'

const chainOf = (seed: string) =>
  createChain({
    seed,
    now: () => now,
    slotsPerEpoch: 12,
    historyBlocks: 60,
    frontierBlocks: 20,
    signsOwnCommands: false,
  })

/** @param states of the indexers; a text is the address of one */
async function servingBlocks(chain: Chain, states: readonly (IndexerState | string)[]) {
  const indexers = states.map((state) => (typeof state === 'string' ? state : indexerServer(chain, state)))
  const url = await serviceOver([nodeServer(chain)], indexers)
  return { url, ask: (rest: string) => get(`${url}/blocks/before/${rest}`) }
}

const none = { lost: 0, doubled: 0, gaps: 0 }
const chain = chainOf('blocks')
const tip = chain.tip()
const root = tip.height - chain.frontierBlocks + 1
const cursorAt = (height: number) => `${height}-${chain.bestChain().find((one) => one.height === height)?.stateHash}`
const [both, nodeAlone] = [await servingBlocks(chain, [{}]), await servingBlocks(chain, [])]

describe('a walk down the blocks', () => {
  test.each([3, 10])('over node and indexer shows each block once, in pages of %d', async (limit) => {
    const walk = await walkBlocks(both.ask, () => tip, limit)
    expect([walk.given.length, walk.isWhole]).toEqual([59, true])
    expect(blockDifferencesOf(walk, chain.allBlocks(), 1)).toEqual(none)
  })

  test.each([1, 10])('over a node alone ends with its root, in pages of %d', async (limit) => {
    const walk = await walkBlocks(nodeAlone.ask, () => tip, limit)
    expect([walk.given.at(-1)?.height, walk.isWhole]).toEqual([root, false])
    expect(blockDifferencesOf(walk, chain.allBlocks(), root)).toEqual(none)
  })

  test.each<[string, IndexerState]>([
    ['that lags', { behind: 8 }],
    ['that has not connected its latest blocks', { dangling: 7 }],
    ['that began late', { firstHeight: 30 }],
  ])('over an indexer %s leaves nothing out', async (_what, state) => {
    const walk = await walkBlocks((await servingBlocks(chain, [state])).ask, () => tip, 10)
    const lowest = state.firstHeight ?? 1
    expect([walk.given.at(-1)?.height, walk.isWhole]).toEqual([lowest, lowest === 1])
    expect(blockDifferencesOf(walk, chain.allBlocks(), lowest)).toEqual(none)
  })

  test('begins again where a reorganisation has replaced the cursor’s block, and goes on where it has not', async () => {
    const random = createRandom('walks down')
    const living = chainOf('living blocks')
    const { ask } = await servingBlocks(living, [{}])
    const found: object[] = []
    let beginnings = 0
    for (let walks = 0; walks < 6; walks++) {
      let left = 2
      const walk = await walkBlocks(
        ask,
        () => living.tip(),
        3,
        (below) => {
          const depth = living.tip().height - below + integerBetween(random, -1, 2)
          if (left === 0 || depth < 1 || depth > living.frontierBlocks - 2) return
          left -= 1
          living.reorganise(depth)
          for (let made = 0; made < 2; made++) living.produceBlock()
        },
      )
      beginnings += walk.beginnings
      found.push(blockDifferencesOf(walk, living.allBlocks(), 1))
    }
    expect(found).toEqual(found.map(() => none))
    expect(beginnings).toBeGreaterThan(8)
  })
})

/** A node that leaves its chain for another one between its first answer with blocks and its tip. */
async function reorganisedNode(before: Chain, after: Chain) {
  const [old, living] = [await serve(nodeServer(before)), await serve(nodeServer(after))]
  let hasListed = false
  return serve(async (request, response) => {
    let question = ''
    for await (const part of request) question += part
    const isOld = !hasListed && question.includes('blocksByHeight')
    hasListed ||= isOld
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${(isOld ? old : living).url}/graphql`, { method: 'POST', headers, body: question })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
}

describe('a page of older blocks', () => {
  test('gives no 409 when the node reorganises to the cursor’s block between listing blocks and naming its tip', async () => {
    const [before, after] = [chainOf('replaced'), chainOf('replaced')]
    after.reorganise(1)
    const [, above] = after.bestChain().toReversed()
    const node = await reorganisedNode(before, after)
    const ofOneDaemon = JSON.stringify([{ graphqlUrl: `${node.url}/graphql`, sharedAddress: false }])
    const { url } = await serve(await gatewayOver({ NODES: ofOneDaemon }))
    const { status } = await get(`${url}/blocks/before/${above?.height}-${above?.stateHash}?limit=2`)
    expect([before.tip().height, above?.height, status]).toEqual([above?.height, before.tip().height, 503])
  })

  test('has the blocks that GET /blocks and GET /blocks/height/{height} show, from node and indexer', async () => {
    const { blocks } = Object((await get(`${both.url}/blocks?limit=4`)).body)
    const ofNode = Object((await both.ask(`${cursorAt(tip.height)}?limit=3`)).body)
    expect(ofNode).toEqual({ blocks: blocks.slice(1), next: cursorAt(tip.height - 3) })
    const [first, second] = await Promise.all([20, 19].map((height) => get(`${both.url}/blocks/height/${height}`)))
    const ofIndexer = await both.ask(`${cursorAt(21)}?limit=2`)
    expect(ofIndexer.body).toEqual({
      blocks: [Object(first?.body).block, Object(second?.body).block],
      next: cursorAt(19),
    })
    expect(ofIndexer.headers.get('x-missing-fields')).toBe(first?.headers.get('x-missing-fields'))
  })

  test('has the oldest block that the node holds from the node, with every field', async () => {
    const { body, headers } = await both.ask(`${cursorAt(root + 2)}?limit=2`)
    const shown = await get(`${both.url}/blocks/height/${root}`)
    expect(Object(body).blocks[1]).toEqual(Object(shown.body).block)
    expect(headers.get('x-missing-fields')).toBeNull()
  })

  test.each([
    ['near the tip', tip.height, 15],
    ['of settled blocks', tip.height - 12, 60],
    ['across the seam', root + 3, 60],
    ['of final blocks', root - 2, 86_400],
    ['that ends with the first block', 5, 86_400],
  ])('%s is kept as long as its newest block may be', async (_what, height, seconds) => {
    const { status, headers } = await both.ask(cursorAt(height))
    expect([status, headers.get('cache-control')?.split(', ')[1]]).toEqual([200, `max-age=${seconds}`])
  })

  test('has a tag, and is a 304 for it', async () => {
    for (const height of [tip.height, root - 2]) {
      const { headers } = await both.ask(cursorAt(height))
      const condition = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
      expect((await fetch(`${both.url}/blocks/before/${cursorAt(height)}`, condition)).status).toBe(304)
    }
  })

  test('lacks and names the times of receipt where the indexer is down, and is a 503 where only that has the blocks', async () => {
    const { ask } = await servingBlocks(chain, [`${unservedUrl}/graphql`])
    const { status, headers } = await ask(cursorAt(tip.height))
    expect([status, headers.get('x-missing-fields')]).toEqual([200, 'receivedTime'])
    expect((await ask(cursorAt(root + 3))).status).toBe(503)
    expect((await ask(cursorAt(20))).status).toBe(503)
  })

  test.each(['', '?view=header'])(
    'is a 503 where the indexer’s blocks cannot be read, as those blocks are (%s)',
    async (query) => {
      const { url } = await serve(indexerServer(chain))
      const unreadable = (answer: string) => answer.replaceAll('"creator":"', '"creator":7,"was":"')
      const indexer = await serve(changedOnTheWay(`${url}/graphql`, unreadable))
      const { ask } = await servingBlocks(chain, [`${indexer.url}/graphql`])
      expect(await ask(`${cursorAt(20)}${query}`)).toMatchObject({
        status: 503,
        body: { message: 'Upstream unavailable.' },
      })
    },
  )

  const other = unheldValues.state_hash
  const gone = 'The block of this cursor is not canonical any more.'
  const needed = 'Nothing here shows the blocks below this one: it takes an indexer that has them.'
  const malformed = 'cursor must be the height and the state hash of a block, HEIGHT-STATEHASH'
  test.each<[string, number, string]>([
    // Until a longer chain shows another block, that may be the block of a daemon behind the same address.
    [`${tip.height}-${other}`, 503, 'Upstream unavailable.'],
    [`${tip.height - 1}-${other}`, 409, gone],
    [`${root + 5}-${other}`, 409, gone],
    [`20-${other}`, 409, gone],
    [`${tip.height + 1}-${other}`, 503, 'Upstream unavailable.'],
    [`1-${other}`, 404, 'There is no block below height 1.'],
    ['1', 400, malformed],
    [`007-${other}`, 400, malformed],
    [`7-${other.slice(0, -1)}`, 400, malformed],
    [`7-${other.slice(0, -1)}y`, 400, malformed],
    [`7-${other}?limit=0`, 400, 'limit must be a whole number, 1 or more, given once'],
  ])('below %s is a %d', async (cursor, status, message) => {
    expect(await both.ask(cursor)).toMatchObject({ status, body: { message } })
  })

  test('over a node alone is a 503 that names what is missing, at its root and below', async () => {
    for (const height of [root, root - 1, 20]) {
      expect(await nodeAlone.ask(cursorAt(height))).toMatchObject({ status: 503, body: { message: needed } })
    }
  })
})
