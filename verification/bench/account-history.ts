// Every account's history, page by page, against every block: nothing lost, nothing doubled.
//
//   npm run bench -- account-history                        300 blocks of the embedded chain, then 1,000 walks while it reorganises
//   npm run bench -- account-history --quick                60 blocks, 30 walks
//   npm run bench -- account-history --node URL --indexer URL   every account of running upstreams that stand still
import { parseArgs } from 'node:util'
import { readSettings } from '../../functions/runtime/settings/settings.ts'
import { type Chain, createChain } from '../../local/chain/chain.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { createRandom, integerBetween } from '../../local/chain/random.ts'
import { gateway } from '../../local/gateway/gateway.ts'
import { listen } from '../../local/start/listen.ts'
import { serviceRoutes } from '../../local/start/routes.ts'
import { type Truth, truthOf } from '../account-history/chain-truth.ts'
import { truthOfUpstreams } from '../account-history/upstream-truth.ts'
import { type AskPage, addedUp, differencesOf, noDifferences, walk } from '../account-history/walk.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
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
  const settings = readSettings({ ...patience, NODE_GRAPHQL_URL: nodeUrl, INDEXER_GRAPHQL_URL: indexerUrl })
  const front = await listen(gateway(await serviceRoutes(settings, () => undefined)), 0, local)
  const asking =
    (publicKey: string): AskPage =>
    async (query) => {
      const answer = await fetch(`http://${local}:${front.port}/accounts/${publicKey}/transactions${query}`)
      return { status: answer.status, body: await answer.json() }
    }
  return { asking, close: () => front.close() }
}

type Service = Pick<Awaited<ReturnType<typeof serviceOver>>, 'asking'>

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

async function upstreamsOf(chain: Chain) {
  const servers = await Promise.all([nodeServer(chain), indexerServer(chain)].map((server) => listen(server, 0, local)))
  const [node, indexer] = servers.map(({ port }) => `http://${local}:${port}/graphql`)
  const service = await serviceOver(node ?? '', indexer ?? '')
  return { ...service, close: () => Promise.all([service, ...servers].map((server) => server.close())) }
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

const { node, indexer, quick } = values
if (node !== undefined && indexer !== undefined) {
  const service = await serviceOver(node, indexer)
  await everyAccount(service, await truthOfUpstreams(node, indexer), [1, 3, 25])
  await service.close()
} else {
  const historyBlocks = quick ? 60 : 300
  const chain = createChain({ seed: 'account history', now: () => now, slotsPerEpoch: 12, historyBlocks })
  const service = await upstreamsOf(chain)
  await everyAccount(service, truthOf(chain), [1, 3, 25])
  await service.close()
  await reorganisedWalks(quick ? 30 : 1000)
}
if (wrong > 0) process.exitCode = 1
