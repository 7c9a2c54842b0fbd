// The answers to callers while three nodes are killed, hang and lag in turn. Mixed GETs at 100 a second for five minutes, a
// block every two seconds. No answer may be wrong or a 5xx, and no tip may go back within an instance. And, in virtual
// time, how soon visitors have a 200 again after an outage of all nodes, and the last one of them a 5xx, over 100 seeds.
//
//   npm run bench -- node-outages
//   npm run bench -- node-outages --quick     45 seconds
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listen } from '../../../local/start/listen.ts'
import { indexerServer } from '../../testnet/indexer/server.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { equalChains } from '../load/equal-chains.ts'
import { faultyServer } from '../load/faulty-server.ts'
import { reportLoad, runLoad } from '../load/mixed-load.ts'
import { checksOf, firstSuccesses, lastFailures, median, runTrial } from '../world/reads/measures.ts'
import { recoveries } from '../world/reads/trials.ts'
import { service } from '../world/service/service.ts'

const { quick } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } }).values
const seconds = quick ? 45 : 300
const blockSeconds = 2
const nodeCount = 3
/** Each node is killed, hangs and lags, and every trouble is followed by a rest of the same length. */
const partMs = (seconds * 1000) / (nodeCount * 6)

const options = { seed: 'node outages', blockSeconds, slotsPerEpoch: 10 }
const { recorded, chains, advance, lag } = equalChains(options, nodeCount, Date.now())
const nodes = await Promise.all(chains.map((chain) => faultyServer(nodeServer(chain))))
const indexer = await listen(indexerServer(recorded.chain), 0, '127.0.0.1')

const samples = await runLoad({
  seed: 'node outages',
  requestsPerSecond: 100,
  seconds,
  blockSeconds,
  recorded,
  environment: {
    NODE_GRAPHQL_URL: nodes.map(({ port }) => `http://127.0.0.1:${port}/graphql`).join(),
    INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexer.port}/graphql`,
    INDEXER_TIMEOUT_MS: '8000',
  },
  advance,
  hadIndexer: () => true,
  async causeTrouble(during) {
    for (const [index, node] of nodes.entries()) {
      const name = `node ${index + 1}`
      for (const fault of ['killed', 'hanging'] as const) {
        await during(`${name} ${fault}`, () => node.fail(fault, partMs))
        await sleep(partMs)
      }
      lag(index, true)
      await during(`${name} lagging`, () => sleep(partMs))
      lag(index, false)
      await sleep(partMs)
    }
  },
})

for (const trial of recoveries) {
  const figures = await runTrial(service, trial, 100)
  const seconds = firstSuccesses(figures, trial.wellAt)
  const last = Math.max(...lastFailures(figures, trial.wellAt))
  const [half, worst, lastBad] = [median(seconds), Math.max(...seconds), last].map((value) => value.toFixed(2))
  const missed = checksOf(trial, figures, figures).filter(({ isMet }) => !isMet)
  console.log(`${trial.name}: 200 again after ${half} s, at worst ${worst} s; the last 5xx after ${lastBad} s`)
  for (const { says } of missed) console.log(`  MISSED ${says}`)
  if (missed.length > 0) process.exitCode = 1
}
await Promise.all([indexer, ...nodes].map((server) => server.close()))
reportLoad(samples)
