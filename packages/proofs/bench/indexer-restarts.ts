// The answers to callers while the indexer fails and recovers again and again. Mixed GETs at 200 a second for 30 s, a block
// every two seconds, six outages of the indexer. No answer may be wrong or a 5xx, and all must be complete again once the
// indexer is back.
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../local/start/listen.ts'
import { indexerServer } from '../../testnet/indexer/server.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { faultyServer } from '../load/faulty-server.ts'
import { reportLoad, runLoad } from '../load/mixed-load.ts'
import { recordedChain } from '../load/recorded-chain.ts'

/** Two seconds of trouble in every five. */
const outageMs = 2000
const pauseMs = 3000
const blockSeconds = 2

const recorded = recordedChain({ seed: 'indexer restarts', now: Date.now, blockSeconds, slotsPerEpoch: 10 })
const node = await listen(nodeServer(recorded.chain), 0, '127.0.0.1')
const indexer = await faultyServer(indexerServer(recorded.chain))

const samples = await runLoad({
  seed: 'indexer restarts',
  requestsPerSecond: 200,
  seconds: 30,
  blockSeconds,
  recorded,
  environment: {
    NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql`,
    INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexer.port}/graphql`,
    INDEXER_TIMEOUT_MS: '1500',
  },
  advance: recorded.advance,
  hadIndexer: indexer.wasUp,
  async causeTrouble(during) {
    for (const fault of ['killed', 'killed', 'hanging', 'killed', 'killed', 'killed'] as const) {
      await sleep(pauseMs)
      await during(`indexer ${fault}`, () => indexer.fail(fault, outageMs))
    }
  },
})
await Promise.all([indexer.close(), node.close()])
reportLoad(samples)
const late = samples.filter(({ verdict, wasCalm }) => verdict === 'incomplete' && wasCalm)
console.log(`incomplete while the indexer was there and no block came: ${late.length}`)
if (late.length > 0 || samples.every(({ verdict }) => verdict !== 'incomplete')) process.exitCode = 1
