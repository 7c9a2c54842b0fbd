// Every account's history and the chain itself, page by page, against every block: nothing lost, nothing doubled.
//
//   npm run bench -- account-history                        300 blocks of the embedded chain, then 1,000 walks of accounts and 24 of
//                                                           blocks while it reorganises
//   npm run bench -- account-history --quick                60 blocks, 30 walks, 12 of blocks
//   npm run bench -- account-history --blocks               the walks of blocks alone
//   npm run bench -- account-history --node URL --indexer URL   every account and block of running upstreams that stand still
import type { RequestListener } from 'node:http'
import { parseArgs } from 'node:util'
import { readSettings } from '../../functions/runtime/settings/settings.ts'
import { type Chain, createChain } from '../../local/chain/chain.ts'
import { createForkDay } from '../../local/chain/fork-day.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { createRandom, integerBetween } from '../../local/chain/random.ts'
import { gateway } from '../../local/gateway/gateway.ts'
import { listen } from '../../local/start/listen.ts'
import { serviceRoutes } from '../../local/start/routes.ts'
import { blockDifferencesOf, comparedHeaders, type Link, walkBlocks } from '../account-history/blocks.ts'
import { type Truth, truthOf } from '../account-history/chain-truth.ts'
import { blocksOfUpstreams, truthOfUpstreams } from '../account-history/upstream-truth.ts'
import { type AskPage, addedUp, differencesOf, noDifferences, walk } from '../account-history/walk.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    blocks: { type: 'boolean', default: false },
    node: { type: 'string' },
    indexer: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})

const now = Date.UTC(2026, 0, 1)
const local = '127.0.0.1'
const patience = { UPSTREAM_TIMEOUT_MS: '20000', INDEXER_TIMEOUT_MS: '20000', INDEXER_STAKES_TIMEOUT_MS: '20000' }

/** The service before two upstreams, as a question for a page. */
async function serviceOver(nodeUrl: string, indexerUrl: string) {
  const indexer = indexerUrl === '' ? {} : { INDEXER_GRAPHQL_URL: indexerUrl }
  const settings = readSettings({ ...patience, NODE_GRAPHQL_URL: nodeUrl, ...indexer })
  const front = await listen(gateway(await serviceRoutes(settings, () => undefined)), 0, local)
  const ask = async (path: string) => {
    const answer = await fetch(`http://${local}:${front.port}${path}`)
    return { status: answer.status, body: await answer.json() }
  }
  const asking =
    (publicKey: string): AskPage =>
    (query) =>
      ask(`/accounts/${publicKey}/transactions${query}`)
  const askBlocks: AskPage = (rest) => ask(`/blocks/before/${rest}`)
  return { asking, askBlocks, close: () => front.close() }
}

type Service = Omit<Awaited<ReturnType<typeof serviceOver>>, 'close'>

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

let wrong = 0

async function everyAccount({ asking }: Service, truth: Truth, limits: readonly number[]): Promise<void> {
  for (const limit of limits) {
    const startedAt = performance.now()
    let sum = noDifferences
    let [commands, pages] = [0, 0]
    for (const [key, known] of truth) {
      const walked = await walk(asking(key), limit)
      sum = addedUp(sum, differencesOf(walked, known))
      commands += known.size
      pages += walked.pages
    }
    const faults = Object.entries(sum).map(([name, count]) => `${name} ${count}`)
    console.log(
      `limit ${limit}: ${truth.size} accounts, ${commands} commands, ${pages} pages; ${faults.join(', ')}; ${seconds(startedAt)}`,
    )
    wrong += Object.values(sum).reduce((total, count) => total + count, 0)
  }
}

interface NodeCalls {
  calls: number
  /** The most blocks that one document had, the tip beside it not counted. */
  mostBlocks: number
}

/** @param indexers over the same chain unless given */
async function upstreamsOf(chain: Chain, indexers: readonly RequestListener[] = [indexerServer(chain)]) {
  const node: NodeCalls = { calls: 0, mostBlocks: 0 }
  const answer: RequestListener = nodeServer(chain)
  const counted: RequestListener = (request, response) => {
    request.on('data', (part: Buffer) => {
      const wanted = `${part}`.match(/"wants\w+":true/g) ?? []
      node.calls += Number(`${part}`.includes('"query":'))
      node.mostBlocks = Math.max(node.mostBlocks, wanted.length)
    })
    answer(request, response)
  }
  const servers = await Promise.all([counted, ...indexers].map((server) => listen(server, 0, local)))
  const [nodeUrl = '', ...indexerUrls] = servers.map(({ port }) => `http://${local}:${port}/graphql`)
  const service = await serviceOver(nodeUrl, indexerUrls.join())
  return { ...service, node, close: () => Promise.all([service, ...servers].map((server) => server.close())) }
}

/** Walks while the chain reorganises between pages, about as often with the cursor's block as without it. */
async function reorganisedWalks(walks: number): Promise<void> {
  const startedAt = performance.now()
  const random = createRandom(`account history ${values.seed}`)
  let [beginnings, reorganisations, lost, doubled, pages] = [0, 0, 0, 0, 0]
  for (let done = 0; done < walks; ) {
    // A chain grows with its reorganisations: another one after some walks.
    const chain = createChain({
      seed: `living ${values.seed} ${done}`,
      now: () => now,
      slotsPerEpoch: 12,
      historyBlocks: 50,
    })
    const service = await upstreamsOf(chain)
    for (const end = Math.min(walks, done + 20); done < end; done++) {
      const before = truthOf(chain)
      const keys = [...before.keys()].sort()
      const key = keys[integerBetween(random, 0, keys.length - 1)] ?? ''
      let left = 2
      const walked = await walk(service.asking(key), integerBetween(random, 1, 8), (below) => {
        const depth = chain.tip().height - below + integerBetween(random, -1, 2)
        if (left === 0 || depth < 1 || depth > chain.frontierBlocks - 2) return
        left -= 1
        reorganisations += 1
        chain.reorganise(depth)
        for (let made = 0; made < 2; made++) chain.produceBlock()
      })
      const after = truthOf(chain).get(key) ?? new Map()
      // A command of both ends was there all the time; one of a new block may have come above the walk.
      const lasting = [...(before.get(key)?.keys() ?? [])].filter((hash) => after.has(hash))
      lost += lasting.filter((hash) => !walked.merged.has(hash)).length
      doubled += differencesOf(walked, after).doubled
      beginnings += walked.beginnings
      pages += walked.pages
    }
    await service.close()
  }
  console.log(
    `${walks} walks, ${pages} pages, ${reorganisations} reorganisations, ${beginnings - walks} new beginnings after a 409; lost ${lost}, doubled ${doubled}; ${seconds(startedAt)}`,
  )
  wrong += lost + doubled
}

type BlockSetting = (
  historyBlocks: number,
  seed: string,
) => {
  readonly chain: Chain
  readonly indexers: readonly RequestListener[]
  /** Blocks before a hard fork that it kept. */
  readonly kept: readonly Link[]
}

const livingChain = (historyBlocks: number, seed: string) =>
  createChain({ seed, now: () => now, slotsPerEpoch: 12, historyBlocks })

/** A third of the blocks are of the chain before a fork, one indexer has those, the other the new ones. */
const forked: BlockSetting = (historyBlocks, seed) => {
  let time = now
  const old = createChain({
    ...{ seed, now: () => time, slotsPerEpoch: 12, blockSeconds: 90 },
    historyBlocks: Math.floor(historyBlocks / 3),
  })
  const day = createForkDay(old)
  const nextSlot = () => {
    time += 90_000
    day.produceIfDue()
  }
  nextSlot()
  const parent = old.tip()
  for (let discarded = 0; discarded < 3; discarded++) nextSlot()
  day.fork(3)
  while (day.node.tip().height < historyBlocks) nextSlot()
  const kept = old.bestChain().filter(({ height }) => height <= parent.height)
  const begun = indexerServer(day.node, { isWithoutOldChain: true })
  return { chain: day.node, indexers: [begun, indexerServer(old)], kept }
}

const blockSettings: Readonly<Record<string, BlockSetting>> = {
  'node alone': (blocks, seed) => ({ chain: livingChain(blocks, seed), indexers: [], kept: [] }),
  'node and indexer': (blocks, seed) => {
    const chain = livingChain(blocks, seed)
    return { chain, indexers: [indexerServer(chain)], kept: [] }
  },
  'two indexers': (blocks, seed) => {
    const chain = livingChain(blocks, seed)
    return { chain, indexers: [indexerServer(chain, { behind: 15 }), indexerServer(chain)], kept: [] }
  },
  'two indexers and a hard fork': forked,
}

const pageSizes = [1, 3, 10, 'headers'] as const

const shownSize = (page: number | 'headers'): string => (page === 'headers' ? page : `blocks, limit ${page}`)

/** Walks down all blocks while the chain reorganises between pages. */
async function walksOfBlocks(historyBlocks: number, walksOfEach: number): Promise<void> {
  const random = createRandom(`walks of blocks ${values.seed}`)
  for (const [name, setting] of Object.entries(blockSettings)) {
    for (const page of pageSizes) {
      const startedAt = performance.now()
      let [pages, beginnings, reorganisations, lost, doubled, gaps, compared, unlike] = [0, 0, 0, 0, 0, 0, 0, 0]
      const { chain, indexers, kept } = setting(historyBlocks, `blocks ${values.seed} ${page}`)
      const service = await upstreamsOf(chain, indexers)
      for (let walks = 0; walks < walksOfEach; walks++) {
        let left = 3
        const walked = await walkBlocks(
          service.askBlocks,
          () => chain.tip(),
          page,
          (below) => {
            const depth = chain.tip().height - below + integerBetween(random, -1, 2)
            const isTooDeep = depth > Math.min(chain.frontierBlocks, chain.bestChain().length) - 2
            if (left === 0 || depth < 1 || isTooDeep || random() < 0.5) return
            left -= 1
            reorganisations += 1
            chain.reorganise(depth)
            chain.produceBlock()
          },
        )
        const lowest = indexers.length > 0 ? 1 : chain.tip().height - chain.frontierBlocks + 2
        const found = blockDifferencesOf(walked, [...kept, ...chain.allBlocks()], lowest)
        lost += found.lost
        doubled += found.doubled
        gaps += found.gaps
        if (page === 'headers') {
          const whole = await walkBlocks(service.askBlocks, () => chain.tip(), 10)
          const headers = comparedHeaders(walked.headers, whole)
          compared += headers.compared
          unlike += headers.unlike
        }
        pages += walked.pages
        beginnings += walked.beginnings
      }
      await service.close()
      const { calls, mostBlocks } = service.node
      console.log(
        `${shownSize(page)}, ${name}: ${walksOfEach} walks, ${pages} pages, ${reorganisations} reorganisations, ` +
          `${beginnings - walksOfEach} new beginnings; lost ${lost}, doubled ${doubled}, gaps ${gaps}, unlike the whole block ${unlike} of ${compared}; ` +
          `${(calls / pages).toFixed(1)} calls to the node for a page, at most ${mostBlocks} blocks in one; ${seconds(startedAt)}`,
      )
      wrong += lost + doubled + gaps + unlike
    }
  }
}

/** Every block of upstreams that stand still. */
async function everyBlock({ askBlocks }: Service, known: readonly Link[]): Promise<void> {
  const [tip, lowest] = [known.at(-1), known[0]]
  if (tip === undefined || lowest === undefined) throw new Error('the upstreams have no block')
  const whole = await walkBlocks(askBlocks, () => tip, 10)
  for (const page of pageSizes) {
    const walked = await walkBlocks(askBlocks, () => tip, page)
    const { compared, unlike } = comparedHeaders(walked.headers, whole)
    const { lost, doubled, gaps } = blockDifferencesOf(walked, known, lowest.height)
    const reached = walked.given.at(-1)?.height
    console.log(
      `${shownSize(page)}: ${walked.given.length} of ${known.length - 1}, down to ${reached}; lost ${lost}, doubled ${doubled}, gaps ${gaps}, unlike the whole block ${unlike} of ${compared}`,
    )
    wrong += lost + doubled + gaps + unlike
  }
}

const { node, indexer, quick, blocks } = values
if (node !== undefined && indexer !== undefined) {
  const service = await serviceOver(node, indexer)
  await everyAccount(service, await truthOfUpstreams(node, indexer), [1, 3, 25])
  await everyBlock(service, await blocksOfUpstreams(node, indexer))
  await service.close()
} else {
  const historyBlocks = quick ? 60 : 300
  if (!blocks) {
    const chain = createChain({ seed: 'account history', now: () => now, slotsPerEpoch: 12, historyBlocks })
    const service = await upstreamsOf(chain)
    await everyAccount(service, truthOf(chain), [1, 3, 25])
    await service.close()
    await reorganisedWalks(quick ? 30 : 1000)
  }
  await walksOfBlocks(historyBlocks, quick ? 1 : 2)
}
if (wrong > 0) process.exitCode = 1
