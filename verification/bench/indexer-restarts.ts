// A caller's view of an indexer that fails and recovers again and again. Mixed GETs at 200 a second for 30 s, a
// block every two seconds, six outages of the indexer. Each answer is compared with the chain itself: none may be a
// 5xx, none may be wrong, and all must be complete again once the indexer is back.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { listen } from '../../local/start/listen.ts'
import { faultyServer, type OutageKind } from '../load/faulty-server.ts'
import { judge } from '../load/judge.ts'
import { createMix } from '../load/mix.ts'
import { recordedChain } from '../load/recorded-chain.ts'
import { recoveries } from '../load/recoveries.ts'
import { countsTable, type Sample } from '../load/samples.ts'
import { openLoop } from './load/open-loop.ts'

const requestsPerSecond = 200
const requests = 30 * requestsPerSecond
const blockSeconds = 2
/** Two seconds of trouble in every five. */
const outageMs = 2000
const pauseMs = 3000
const faults: readonly OutageKind[] = ['killed', 'killed', 'hanging', 'killed', 'killed', 'killed']
/** The service's own default: how long an answer may wait for the indexer. */
const indexerBudgetMs = 1500
/** Longer than every time budget of the service. */
const patienceMs = 20_000

const recorded = recordedChain({ seed: 'indexer restarts', now: Date.now, blockSeconds, slotsPerEpoch: 10 })
const node = await listen(nodeServer(recorded.chain), 0, '127.0.0.1')
const indexer = await faultyServer(indexerServer(recorded.chain))
const service = new Worker(new URL('./load/service-worker.ts', import.meta.url), {
  workerData: {
    NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql`,
    INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexer.port}/graphql`,
    INDEXER_TIMEOUT_MS: String(indexerBudgetMs),
  },
})
const url = await new Promise<string>((resolve, reject) => service.once('message', resolve).once('error', reject))

const nextRequest = createMix('indexer restarts', recorded)
const samples: Sample[] = []

async function sendOne(): Promise<void> {
  const request = nextRequest()
  const statesBefore = recorded.states.length
  const sentAt = performance.now()
  const answer = await fetch(url + request.path, { signal: AbortSignal.timeout(patienceMs) })
    .then(async (response) => ({ status: response.status, headers: response.headers, text: await response.text() }))
    .catch((error: unknown) => ({ status: 0, headers: new Headers(), text: String(error) }))
  const receivedAt = performance.now()
  const states = recorded.states.slice(statesBefore - 1)
  const wasUp = indexer.wasUp(sentAt, receivedAt)
  const mayBeUnknowable = !wasUp && request.needsIndexer(states)
  const judgement = judge(answer, request.expectedBodies(states), mayBeUnknowable)
  const { kind, path } = request
  samples.push({ ...judgement, kind, path, sentAt, receivedAt, wasUp, states: states.length })
}

async function causeOutages(): Promise<void> {
  for (const [index, fault] of faults.entries()) {
    await sleep(index === 0 ? outageMs : pauseMs)
    await indexer.fail(fault, outageMs)
  }
}

// The first answer of each kind is slow: it loads and compiles what the later ones use.
for (let warmUp = 0; warmUp < requestsPerSecond; warmUp++) await sendOne()
samples.length = 0

const blocks = setInterval(recorded.advance, blockSeconds * 1000)
const statesBefore = recorded.states.length
const startedAt = performance.now()
await Promise.all([openLoop(requests, requestsPerSecond, sendOne), causeOutages()])
const elapsedMs = performance.now() - startedAt
clearInterval(blocks)
await Promise.all([service.terminate(), indexer.close(), node.close()])

const count = (verdict: Sample['verdict']): number => samples.filter((sample) => sample.verdict === verdict).length
const recovered = recoveries(samples, indexer.outages)
const bad = samples.filter(({ verdict }) => verdict === 'wrong' || verdict === '5xx')

console.log(
  `${samples.length} requests in ${(elapsedMs / 1000).toFixed(1)} s, ${recorded.states.length - statesBefore} new blocks, ` +
    `${indexer.outages.length} outages of the indexer (${indexer.outages.map(({ fault }) => fault).join(', ')})`,
)
console.log(countsTable(samples).join('\n'))
const slowestMs = Math.max(...samples.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
console.log(`slowest answer: ${(slowestMs / indexerBudgetMs).toFixed(2)} of the time budget for the indexer`)
console.log(`answers before the first complete one after each outage: ${recovered.answersUntilComplete.join(' ')}`)
console.log(`incomplete later, without an outage or a new block: ${recovered.incompleteLater}`)
console.log(`complete: ${count('complete')}`)
console.log(`incomplete, missing fields named: ${count('incomplete')}`)
console.log(`unknowable (503 for an old block during an outage): ${count('unknowable')}`)
console.log(`5xx: ${count('5xx')}`)
console.log(`wrong: ${count('wrong')}`)
console.log(`recovered: ${recovered.isComplete ? 'yes' : 'no'}`)
for (const { verdict, path, reason } of bad.slice(0, 5)) console.log(`  ${verdict}: ${path} ${reason}`)
if (bad.length > 0 || !recovered.isComplete || count('incomplete') === 0) process.exitCode = 1
