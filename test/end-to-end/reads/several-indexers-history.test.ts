// The history of accounts across a hard fork, where one indexer stayed on the old chain and another is on the node's.
import { describe, expect, test } from '@jest/globals'
import { createChain } from '../../../local/chain/chain.ts'
import type { IndexerState } from '../../../local/chain/indexer/ingested.ts'
import { indexerServer } from '../../../local/chain/indexer/server.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { type Truth, truthOf } from '../../../verification/account-history/chain-truth.ts'
import {
  differencesOf,
  noDifferences,
  type Page,
  type Placed,
  walk,
} from '../../../verification/account-history/walk.ts'
import { abandonedUrl, serve, untilFileEnds } from '../../serving.ts'
import { gatewayOver, get, now } from '../running-service.ts'

const discarded = 4
const old = createChain({
  seed: 'before the fork',
  now: () => now,
  slotsPerEpoch: 12,
  historyBlocks: 24,
  signsOwnCommands: false,
})
const forked = old.forkAfter(discarded)
const { height: parentHeight, stateHash: parentHash } = old.bestChain().at(-1 - discarded) ?? old.tip()
// More than a node is asked for: only an indexer has the new chain's first ones.
for (let made = 0; made < 45; made++) forked.produceBlock()

const truths: readonly (readonly [Truth, (one: Placed) => boolean])[] = [
  [truthOf(old), ({ height }) => height <= parentHeight],
  [truthOf(forked), () => true],
]
const truth = new Map<string, Map<string, Placed>>()
for (const [part, isKept] of truths) {
  for (const [key, commands] of part) {
    const kept = [...commands].filter(([, one]) => isKept(one))
    truth.set(key, new Map([...(truth.get(key) ?? []), ...kept]))
  }
}
const accounts = [...truth].toSorted(([, left], [, right]) => right.size - left.size).map(([key]) => key)
const [busiest = ''] = accounts

const indexed = async (chain: typeof old, state: IndexerState = {}) => {
  const { url } = await serve(indexerServer(chain, state), untilFileEnds)
  return `${url}/graphql`
}
const node = await serve(nodeServer(forked), untilFileEnds)
const addresses = {
  old: await indexed(old),
  crossing: await indexed(forked),
  'begun at the fork': await indexed(forked, { isWithoutOldChain: true }),
  'begun there as well': await indexed(forked, { isWithoutOldChain: true }),
  'of another chain': await indexed(
    createChain({ seed: 'a stranger', now: () => now, historyBlocks: 24, signsOwnCommands: false }),
  ),
  down: `${await abandonedUrl()}/graphql`,
}
type Kind = keyof typeof addresses

async function serviceWith(...kinds: readonly Kind[]) {
  const environment = {
    NODE_GRAPHQL_URL: `${node.url}/graphql`,
    INDEXER_GRAPHQL_URL: kinds.map((kind) => addresses[kind]).join(),
  }
  const { url } = await serve(await gatewayOver(environment), untilFileEnds)
  return (publicKey: string) => (query: string) => get(`${url}/accounts/${publicKey}/transactions${query}`)
}

type Asking = Awaited<ReturnType<typeof serviceWith>>

async function differences(asking: Asking, keys: readonly string[], limit: number) {
  const found = new Map<string, object>()
  for (const key of keys) found.set(key, differencesOf(await walk(asking(key), limit), truth.get(key) ?? new Map()))
  return found
}

const same = (keys: readonly string[]) => new Map(keys.map((key) => [key, noDifferences]))

const unavailable = { status: 503, body: { message: 'Upstream unavailable.' } }

describe.each<readonly Kind[]>([
  ['begun at the fork', 'old'],
  ['old', 'begun at the fork'],
  ['crossing', 'old'],
  ['old', 'crossing'],
  ['down', 'begun at the fork', 'old'],
])('with an indexer that is %s before one that is %s', (...kinds) => {
  const service = serviceWith(...kinds)

  test.each([
    [2, accounts.slice(-4)],
    [25, accounts],
  ])('a walk across the fork finds each command once, and no discarded one, in pages of %d', async (limit, keys) => {
    expect(await differences(await service, keys, limit)).toEqual(same(keys))
  })
})

test('a walk across the fork holds commands of both chains, and the fork discarded some', () => {
  const heights = [...(truth.get(busiest)?.values() ?? [])].map(({ height }) => height)
  const lost = [...(truthOf(old).get(busiest)?.values() ?? [])].filter(({ height }) => height > parentHeight)
  expect([Math.min(...heights) <= parentHeight, Math.max(...heights) > parentHeight + 40, lost.length > 0]).toEqual([
    true,
    true,
    true,
  ])
})

test('a page that ends with the new chain’s first block leads on to the old chain', async () => {
  const asking = (await serviceWith('begun at the fork', 'old'))(busiest)
  const { stateHash, height } = forked.genesisBlock()
  const below = await asking(`?limit=1&before=${height}-${stateHash}`)
  const newest = [...(truth.get(busiest)?.values() ?? [])].filter((one) => one.height < height)
  const heights = newest.map((one) => one.height)
  expect([below.status, Object(below.body).transactions[0].block.blockHeight]).toEqual([200, Math.max(...heights)])
  expect(Object(below.body).transactions[0]).toMatchObject({ final: true, confirmations: old.frontierBlocks - 1 })
  const discardedBlock = old.tip()
  const replaced = await asking(`?before=${discardedBlock.height}-${discardedBlock.stateHash}`)
  expect(replaced.status).toBe(409)
})

describe('where nobody has the chain before the fork', () => {
  test.each<readonly Kind[]>([
    ['begun at the fork', 'down'],
    ['down', 'begun at the fork'],
    ['begun at the fork', 'begun there as well'],
    ['begun at the fork', 'of another chain'],
  ])(
    'with an indexer that is %s and one that is %s, the pages above it are right, the next one is a 503',
    async (...kinds) => {
      const asking = (await serviceWith(...kinds))(busiest)
      const { height, stateHash } = forked.genesisBlock()
      const above = forked.bestChain()[3] ?? forked.tip()
      expect(await asking(`?limit=100&before=${above.height}-${above.stateHash}`)).toMatchObject(unavailable)
      expect(await asking(`?before=${height}-${stateHash}`)).toMatchObject(unavailable)
      expect(await asking(`?before=${parentHeight}-${parentHash}`)).toMatchObject(unavailable)
      const deep = forked.bestChain()[30] ?? forked.tip()
      const { status, body } = await asking(`?limit=1&before=${deep.height}-${deep.stateHash}`)
      const [first] = (body as Page).transactions
      expect([status, first?.block.blockHeight]).toEqual([
        200,
        Math.max(
          ...[...(truth.get(busiest)?.values() ?? [])].map((one) => one.height).filter((one) => one < deep.height),
        ),
      ])
    },
  )
})

describe('where only the old chain’s indexer answers', () => {
  test('its pages are right, and those of the new chain that no node shows are a 503', async () => {
    const asking = (await serviceWith('down', 'old'))(busiest)
    const kept = await asking(`?limit=1&before=${parentHeight}-${parentHash}`)
    expect(kept.status).toBe(200)
    const deep = forked.bestChain()[1] ?? forked.tip()
    expect(await asking(`?limit=100&before=${deep.height}-${deep.stateHash}`)).toMatchObject(unavailable)
  })
})
