// The time that the service adds to that of its upstreams. Functions without a gateway, over a node and an indexer
// that answer after fixed delays, as a ratio to the delay that follows from those. All settings take turns.
//
//   npm run bench -- indexer-latency
//   npm run bench -- indexer-latency --quick
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { lambdaContext } from '../../local/gateway/context.ts'
import { serviceRoutes } from '../../local/start/routes.ts'
import { defaultSettings } from '../../shared/deployment/stage-settings.ts'
import { getBlocks } from '../../shared/endpoints/get-blocks.ts'
import { gatewayEvent } from '../load/gateway-event.ts'
import { quantile } from '../load/spread.ts'
import type { DelayedUpstreams } from './indexer-latency/delayed-upstreams.ts'
import { type Asked, type Setting, settings } from './indexer-latency/settings.ts'

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
})
const rounds = options.quick ? 5 : 50
const warmUpRounds = 2
/** Allowance for 1 ms timers, loopback and our own work. A row is late if even its best answers exceed it. */
const maxOverhead = 1.25
const bare = '(bare fetch)'

const thread = new Worker(new URL('./indexer-latency/delayed-upstreams.ts', import.meta.url))
const upstreams = await new Promise<DelayedUpstreams>((resolve, reject) =>
  thread.once('message', resolve).once('error', reject),
)

const addressesOf = ({ nodeMs, indexerMs, stakesMs }: Setting) => ({
  nodeUrl: `${upstreams.nodeUrl}?delayMs=${nodeMs}`,
  indexerUrl: `${upstreams.indexerUrl}?delayMs=${indexerMs}&stakesDelayMs=${stakesMs}`,
})

/** The path of each endpoint, and the parameters of a request. */
const requestOf = {
  blocks: ['/blocks', { query: { limit: '10' } }],
  block: ['/blocks/{state_hash}', { parameters: { state_hash: upstreams.stateHash } }],
  'old block': ['/blocks/{state_hash}', { parameters: { state_hash: upstreams.oldStateHash } }],
  account: ['/accounts/{public_key}', { parameters: { public_key: upstreams.publicKey } }],
} as const

/** An indexer does not know this one since the Berkeley hard fork. */
const unknownOfOldBlocks = 'protocolState.blockchainState.snarkedLedgerHash'

/**
 * Milliseconds for one answer of a function without cached staking ledgers.
 *
 * @throws Error for an answer that is incomplete where the setting makes it complete, or the reverse
 */
async function answerTime(setting: Setting, asked: Asked): Promise<number> {
  const { nodeUrl, indexerUrl } = addressesOf(setting)
  const [path, options] = requestOf[asked]
  const indexer = { url: indexerUrl, headers: {}, timeoutMs: setting.budgetMs, slowTimeoutMs: setting.stakesBudgetMs }
  const settings = {
    node: { url: nodeUrl, headers: {}, timeoutMs: 8000 },
    indexers: [indexer],
    ofEndpoints: defaultSettings,
  }
  const routes = await serviceRoutes(settings, () => undefined)
  const handler = routes.find((route) => route.path === path)?.handler
  if (handler === undefined) throw new Error(`no function answers ${path}`)
  const request = gatewayEvent({ method: 'GET', path }, options)
  const startedAt = performance.now()
  const answer = await handler(request, lambdaContext('bench', Date.now))
  const elapsedMs = performance.now() - startedAt
  const { statusCode, headers = {} } = answer as APIGatewayProxyStructuredResultV2
  const missing = headers['x-missing-fields'] ?? ''
  const isComplete = missing === (asked === 'old block' ? unknownOfOldBlocks : '')
  if (statusCode !== 200 || isComplete !== setting.isComplete) {
    throw new Error(`${setting.name}: ${asked} answered ${statusCode}, missing ${missing}`)
  }
  return elapsedMs
}

/** Milliseconds for the operations of GET /blocks, sent to both upstreams at once by a bare fetch. */
async function bareTime(setting: Setting): Promise<number> {
  const { nodeUrl, indexerUrl } = addressesOf(setting)
  const urls = { node: nodeUrl, indexer: indexerUrl }
  const questions = getBlocks.operations.map(({ upstream, document }) => ({
    url: urls[upstream],
    body: JSON.stringify({ query: document, variables: upstream === 'node' ? { maxLength: 10 } : { limit: 20 } }),
  }))
  const startedAt = performance.now()
  const headers = { 'content-type': 'application/json' }
  await Promise.all(
    questions.map(async ({ url, body }) => (await fetch(url, { method: 'POST', headers, body })).text()),
  )
  return performance.now() - startedAt
}

interface Row {
  readonly setting: string
  readonly asked: string
  readonly allowedMs: number
  measure(): Promise<number>
  readonly ratios: number[]
}

const rows = settings.flatMap((setting): Row[] => {
  const { name, nodeMs, indexerMs, allowed, isComplete } = setting
  const answers = allowed.map(([asked, allowedMs]): Row => {
    return { setting: name, asked, allowedMs, measure: () => answerTime(setting, asked), ratios: [] }
  })
  if (!isComplete) return answers
  const slowerMs = Math.max(nodeMs, indexerMs)
  return [...answers, { setting: name, asked: bare, allowedMs: slowerMs, measure: () => bareTime(setting), ratios: [] }]
})

for (let round = -warmUpRounds; round < rounds; round++) {
  for (const { allowedMs, measure, ratios } of rows) {
    const elapsedMs = await measure()
    if (round >= 0) ratios.push(elapsedMs / allowedMs)
  }
}
await thread.terminate()

const median = (values: readonly number[]): string => quantile(values, 0.5).toFixed(2)
const widest = Math.max(...settings.map(({ name }) => name.length)) + 2

console.log(`time of an answer as a ratio to the allowed delay; ${rounds} requests a row, all delays in ms`)
console.log(`${''.padEnd(widest)}${''.padEnd(13)}allowed  median  p5..p95`)
for (const { setting, asked, allowedMs, ratios } of rows) {
  const spread = `${quantile(ratios, 0.05).toFixed(2)}..${quantile(ratios, 0.95).toFixed(2)}`
  const limit = String(allowedMs).padStart(7)
  console.log(`${setting.padEnd(widest)}${asked.padEnd(13)}${limit}  ${median(ratios).padStart(6)}  ${spread}`)
}
const bareRatios = rows.filter(({ asked }) => asked === bare).flatMap(({ ratios }) => ratios)
console.log(
  `A bare fetch of both upstreams at once takes ${median(bareRatios)}: timers of 1 ms and loopback. ` +
    'The rest of a row is our own work.',
)
const late = rows.filter(({ ratios }) => quantile(ratios, 0.05) > maxOverhead)
console.log(`late (above ${maxOverhead} even at p5): ${late.length}`)
for (const { setting, asked } of late) console.log(`  ${asked}: ${setting}`)
if (late.length > 0) process.exitCode = 1
