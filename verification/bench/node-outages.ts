// What does a caller see while three nodes are killed, hang and lag in turn? Mixed GETs at 100 a second for five minutes, a
// block every two seconds. Each answer is compared with the chain at the height in its header: none may be wrong or a
// 5xx, and no tip may go back within an instance.
//
//   npm run bench -- node-outages
//   npm run bench -- node-outages --quick     45 seconds
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { listen } from '../../local/start/listen.ts'
import { equalChains } from '../load/equal-chains.ts'
import { faultyServer } from '../load/faulty-server.ts'
import { judge, type Verdict } from '../load/judge.ts'
import { createMix, type MixedRequest } from '../load/mix.ts'
import { openLoop } from './load/open-loop.ts'

const { values } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } })

const requestsPerSecond = 100
const seconds = values.quick ? 45 : 300
const blockSeconds = 2
const nodeCount = 3
/** Each node is killed, hangs and lags, and every trouble is followed by a rest of the same length. */
const partMs = (seconds * 1000) / (nodeCount * 6)
/** Longer than every time budget of the service. */
const patienceMs = 25_000

interface Sample {
  readonly trouble: string
  readonly path: string
  readonly status: number
  readonly tookMs: number
  readonly verdict: Verdict
  readonly reason: string | undefined
  readonly wentBack: boolean
}

const options = { seed: 'node outages', blockSeconds, slotsPerEpoch: 10 }
const { recorded, chains, advance, lag } = equalChains(options, nodeCount, Date.now())
const nodes = await Promise.all(chains.map((chain) => faultyServer(nodeServer(chain))))
const indexer = await listen(indexerServer(recorded.chain), 0, '127.0.0.1')
const service = new Worker(new URL('./load/service-worker.ts', import.meta.url), {
  workerData: {
    NODE_GRAPHQL_URL: nodes.map(({ port }) => `http://127.0.0.1:${port}/graphql`).join(),
    INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexer.port}/graphql`,
    INDEXER_TIMEOUT_MS: '8000',
  },
})
const url = await new Promise<string>((resolve, reject) => service.once('message', resolve).once('error', reject))

const nextRequest = createMix('node outages', recorded)
const samples: Sample[] = []
/** By the function that answers, the greatest height that it has shown. */
const shown = new Map<string, number>()
let trouble = 'none'

const functionOf = ({ kind }: MixedRequest): string => (kind === 'old block' ? 'block' : kind)

async function sendOne(): Promise<void> {
  const request = nextRequest()
  const during = trouble
  const shownBefore = shown.get(functionOf(request)) ?? 0
  const statesBefore = recorded.states.length
  const sentAt = performance.now()
  const answer = await fetch(url + request.path, { signal: AbortSignal.timeout(patienceMs) })
    .then(async (response) => ({ status: response.status, headers: response.headers, text: await response.text() }))
    .catch((error: unknown) => ({ status: 0, headers: new Headers(), text: String(error) }))
  const tookMs = performance.now() - sentAt
  const height = Number(answer.headers.get('x-chain-height'))
  // Another answer may have shown a higher tip meanwhile: that makes this one old, but it does not go back.
  const shownAfter = shown.get(functionOf(request)) ?? 0
  shown.set(functionOf(request), Math.max(shownAfter, height))
  const labelled = recorded.states.filter(({ tip }) => tip.height === height)
  // The indexer has no label: it may have been asked at any moment of the request. Of several questions to nodes the label
  // is that of the lowest tip.
  const meanwhile = recorded.states.slice(statesBefore - 1)
  const hasSeveralQuestions = request.kind !== 'blocks' && request.kind !== 'summary'
  const states = hasSeveralQuestions ? [...labelled, ...meanwhile] : labelled
  const { verdict, reason } = judge(answer, request.expectedBodies(states, meanwhile), false, height < shownAfter)
  samples.push({
    trouble: during,
    path: request.path,
    status: answer.status,
    tookMs,
    verdict,
    reason,
    wentBack: answer.status === 200 && height < shownBefore,
  })
}

async function causeTrouble(): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    for (const fault of ['killed', 'hanging'] as const) {
      trouble = `node ${index + 1} ${fault}`
      await node.fail(fault, partMs)
      trouble = 'none'
      await sleep(partMs)
    }
    trouble = `node ${index + 1} lagging`
    lag(index, true)
    await sleep(partMs)
    lag(index, false)
    trouble = 'none'
    console.error(`${samples.length} of ${seconds * requestsPerSecond} answers`)
    await sleep(partMs)
  }
}

// The first answer of each function is slow: it loads and compiles what the later ones use.
for (let warmUp = 0; warmUp < requestsPerSecond; warmUp++) await sendOne()
samples.length = 0

const blocks = setInterval(advance, blockSeconds * 1000)
await Promise.all([openLoop(seconds * requestsPerSecond, requestsPerSecond, sendOne), causeTrouble()])
clearInterval(blocks)
await Promise.all([service.terminate(), indexer.close(), ...nodes.map((node) => node.close())])

const percentile = (own: readonly Sample[], share: number): number => {
  const sorted = own.map(({ tookMs }) => tookMs).toSorted((left, right) => left - right)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}
const calmMs = percentile(
  samples.filter((sample) => sample.trouble === 'none'),
  0.5,
)
console.log(
  ['during', 'requests', 'complete', 'incomplete', '5xx', 'wrong', 'went back', 'p50', 'p99']
    .map((title, column) => (column === 0 ? title.padEnd(18) : title.padStart(11)))
    .join(''),
)
for (const name of new Set(samples.map((sample) => sample.trouble))) {
  const own = samples.filter((sample) => sample.trouble === name)
  const cells = [
    own.length,
    ...(['complete', 'incomplete', '5xx', 'wrong'] as const).map(
      (verdict) => own.filter((sample) => sample.verdict === verdict).length,
    ),
    own.filter(({ wentBack }) => wentBack).length,
    (percentile(own, 0.5) / calmMs).toFixed(1),
    (percentile(own, 0.99) / calmMs).toFixed(1),
  ]
  console.log(name.padEnd(18) + cells.map((cell) => String(cell).padStart(11)).join(''))
}
console.log(
  'p50 and p99 are ratios to the p50 without trouble. Incomplete: without some fields of the indexer, which are named.',
)
const bad = samples.filter(({ verdict, wentBack }) => verdict === '5xx' || verdict === 'wrong' || wentBack)
console.log(`${samples.length} answers, ${bad.length} of them wrong, a 5xx, or of a tip that went back`)
for (const { trouble: during, path, verdict, reason } of bad.slice(0, 5)) {
  console.log(`  ${during}: ${path} ${verdict} ${reason ?? ''}`)
}
if (bad.length > 0) process.exitCode = 1
