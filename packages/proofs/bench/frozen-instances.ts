// The deployed bundles under AWS's runtime client, as instances that sleep between two requests, over a daemon that is slow to
// answer `daemonStatus`, or never does. A process is stopped when it asks for its next event, and goes on when one comes.
// Meanwhile each upstream closes its connections, and before the last request the chain moves on by 40 blocks. Each endpoint is
// asked five times. Exit code 1 where an answer after the first is worse for it, or a log line takes a sleep for trouble.
//
//   npm run bench -- frozen-instances                       sleeps of 1, 5 and 12 s
//   npm run bench -- frozen-instances --sleep 300           one length of sleep, in seconds
//   npm run bench -- frozen-instances --layout 'one node'   one of three layouts
//   npm run bench -- frozen-instances --quick               a `daemonStatus` of 3 s and a sleep of 11 s, three times each
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, request as sendOn } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Client from 'mina-signer'
import { listen } from '../../../local/start/listen.ts'
import { heldValues } from '../../../shared/contract/parameters.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { originHeader } from '../../../shared/http/routes.ts'
import { createChain } from '../../testnet/chain.ts'
import { indexerServer } from '../../testnet/indexer/server.ts'
import { namedIn, optionsNamedIn } from '../../testnet/named.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { type Answered, askSleeping, type LogLine } from '../frozen-instances/instance.ts'
import { runtimeClient } from '../frozen-instances/runtime-client.ts'
import { gatewayEvent } from '../load/gateway-event.ts'
import { thisService } from './cold/bundles.ts'
import { originSecret } from './cold/scenarios.ts'

const {
  quick,
  sleep,
  layout: given,
} = parseArgs({
  args: process.argv.slice(3),
  options: { quick: { type: 'boolean', default: false }, sleep: { type: 'string' }, layout: { type: 'string' } },
}).values

const never = Number.POSITIVE_INFINITY
const statusesMs = quick ? [3000] : [1000, 2000, 3000, 5000, 9000, never]
/** The sleeps between the requests of an instance. */
const sleepsOf = (sleepMs: number): readonly number[] =>
  quick ? [sleepMs, 1000] : [sleepMs, sleepMs, sleepMs, sleepMs]
const sleepsMs = quick ? [11_000] : sleep === undefined ? [1000, 5000, 12_000] : [Number(sleep) * 1000]
const allLayouts = ['one node', 'two nodes', 'with an indexer'] as const
const layouts = allLayouts.filter((each) => (quick ? each === 'one node' : given === undefined || each === given))
/** Processes at once: most of them sleep, the more the longer their sleeps are. */
const atOnce = quick ? endpoints.length : Math.max(...sleepsMs) >= 60_000 ? 180 : 40
/** Between the starts of the first ones, so that they do not wake together either. */
const staggerMs = quick ? 0 : 250

/** The most that an answer may take beyond `daemonStatus`, and the most for one that does not need it. */
const marginMs = 500
const promptMs = 900

const client = runtimeClient()
if ('why' in client) {
  console.log(`not run: ${client.why}`)
  process.exit()
}

const chain = createChain({
  seed: 'frozen instances',
  now: () => Date.now(),
  slotsPerEpoch: 12,
  historyBlocks: 60,
  signsOwnCommands: false,
})
const node = await listen(nodeServer(chain), 0, '127.0.0.1')
const indexer = await listen(indexerServer(chain), 0, '127.0.0.1')

interface SlowNode {
  readonly url: string
  /** As an upstream whose idle connections end, or that restarts. */
  cut(): void
}

/** The node behind a server that takes its time for `daemonStatus`. */
async function slowNode(statusMs: number): Promise<SlowNode> {
  const server: Server = createServer(async (request, response) => {
    const body = await text(request)
    const send = () => {
      const headers = { 'content-type': 'application/json' }
      // A new connection each time: the node may close an idle one at that moment.
      sendOn({ port: node.port, path: '/graphql', method: 'POST', headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, headers)
        answer.pipe(response)
      }).end(body)
    }
    if (!body.includes('daemonStatus')) send()
    else if (statusMs !== never) setTimeout(send, statusMs)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/graphql`, cut: () => server.closeAllConnections() }
}

const folder = mkdtempSync(join(tmpdir(), 'frozen-'))
await Promise.all(endpoints.map((endpoint) => thisService.bundle(endpoint, join(folder, endpoint.name))))

const [alice, bob] = chain.wallets
if (alice === undefined || bob === undefined) throw new Error('the chain has no wallets')
const common = { from: alice.publicKey, to: bob.publicKey, fee: '10000000', memo: '', validUntil: '4294967295' }
const signer = new Client({ network: chain.network })
const payment = { ...common, amount: '1500000000', nonce: '0' }
const delegation = { ...common, nonce: '1' }
const wallet = (payload: object, { signature }: { readonly signature: object }) =>
  JSON.stringify({ publicKey: alice.publicKey, signature, payload })
const bodies: Readonly<Record<string, string>> = {
  broadcastTransaction: wallet(payment, signer.signPayment(payment, alice.privateKey)),
  broadcastDelegation: wallet(delegation, signer.signStakeDelegation(delegation, alice.privateKey)),
}

/** A request for what the chain holds by now: a node drops old blocks. */
const eventOf = (endpoint: (typeof endpoints)[number]) => {
  const { from, nonce, valid_until } = optionsNamedIn(chain)
  const terms = endpoint.name === 'getTransaction' ? { from, nonce, valid_until } : {}
  const query = Object.fromEntries(Object.entries(terms).map(([key, value]) => [key, `${value}`]))
  const body = bodies[endpoint.name]
  return gatewayEvent(endpoint, {
    parameters: heldValues(namedIn(chain)),
    query,
    headers: { [originHeader]: originSecret, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
}

const pins = { GENESIS_STATE_HASH: chain.genesisBlock().stateHash, CHAIN_ID: chain.chainId }

interface Case {
  readonly endpoint: (typeof endpoints)[number]
  readonly statusMs: number
  readonly sleepMs: number
  readonly layout: (typeof layouts)[number]
  readonly isPinned: boolean
}

/** Words in a log line by which an instance calls a node, or the indexer, troubled. */
const troubles = ['nodeEvents', 'failedCalls', 'nodesOut', 'isDown', 'isBehind', 'isIndexerFault', 'refusedForMs']

/** The time of a request that its calls do not explain, but for that which describes the network: a busy machine slows calls. */
function waitedMs({ durationMs, upstream }: LogLine): number {
  const calls = upstream.filter(({ operation }) => operation !== 'nodeNetwork')
  return durationMs - calls.reduce((sum, call) => sum + call.durationMs, 0)
}

/** What is wrong in the answers of one instance; empty where nothing is. */
function faultsOf({ statusMs, isPinned, sleepMs }: Case, answers: readonly Answered[], lines: readonly LogLine[]) {
  const isHung = statusMs === never
  const unavailable = isHung ? [] : answers.slice(1).filter(({ status }) => status >= 500)
  const waits = lines.map(waitedMs)
  // A pinned chain id is asked for again after ten minutes, for a second at most.
  const mayAsk = isPinned && sleepMs >= 300_000
  // One in ten minutes may wait for a daemon that hangs.
  const mayWait = Math.max(1, Math.ceil((sleepMs * sleepsOf(sleepMs).length) / 600_000))
  const late = isHung
    ? waits.filter((wait) => wait > 2000 + marginMs).slice(mayWait)
    : waits.slice(1).filter((wait, index) => wait > (index === 0 || mayAsk ? statusMs + marginMs : promptMs))
  const told = lines.slice(1).filter((line) => !isHung && troubles.some((word) => Boolean(Reflect.get(line, word))))
  return [
    ...unavailable.map(({ status }) => `${status}`),
    ...late.map((wait) => `waited ${Math.round(wait)} ms`),
    ...told.map((line) => JSON.stringify(line)),
  ]
}

async function play(each: Case): Promise<boolean> {
  const { endpoint, statusMs, sleepMs, layout, isPinned } = each
  const nodes = [await slowNode(statusMs), ...(layout === 'two nodes' ? [await slowNode(statusMs)] : [])]
  const { answers, lines } = await askSleeping({
    program: (client as { program: string }).program,
    code: join(folder, endpoint.name),
    env: {
      ORIGIN_SECRETS: originSecret,
      NODE_GRAPHQL_URL: nodes.map(({ url }) => url).join(),
      ...(layout === 'with an indexer' && { INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexer.port}/graphql` }),
      ...(isPinned && pins),
    },
    event: () => eventOf(endpoint),
    sleepsMs: sleepsOf(sleepMs),
    whileAsleep: () => nodes.forEach(({ cut }) => void cut()),
  })
  for (const { cut } of nodes) cut()
  const faults = faultsOf(each, answers, lines)
  if (faults.length === 0) return true
  const seen = answers.map(({ status, tookMs }) => `${status} ${Math.round(tookMs)} ms`).join(', ')
  const setting = `${layout}${isPinned ? ', pinned' : ''}, daemonStatus ${statusMs / 1000} s, sleeps of ${sleepMs / 1000} s`
  console.log(`${endpoint.name}, ${setting}: ${seen}; ${faults.join('; ')}`)
  return false
}

const cases: readonly Case[] = sleepsMs.flatMap((sleepMs) =>
  statusesMs.flatMap((statusMs) =>
    layouts.flatMap((layout) =>
      (quick ? [true] : [false, true]).flatMap((isPinned) =>
        endpoints.map((endpoint) => ({ endpoint, statusMs, sleepMs, layout, isPinned })),
      ),
    ),
  ),
)

/** @returns those that went wrong */
async function playAll(all: readonly Case[], together: number): Promise<readonly Case[]> {
  const wrong: Case[] = []
  const left = all.values()
  const playNext = async (_: unknown, index: number) => {
    await wait(index * staggerMs)
    for (const each of left) if (!(await play(each))) wrong.push(each)
  }
  await Promise.all(Array.from({ length: together }).map(playNext))
  return wrong
}

// Blocks that come while instances sleep.
const blocks = setInterval(() => chain.produceBlock(), 10_000)
const doubted = await playAll(cases, atOnce)
// Instances that wake together hold each other up, so what went wrong counts if it does so again among few.
const faults = await playAll(doubted, 4)
clearInterval(blocks)
await node.close()
await indexer.close()
rmSync(folder, { recursive: true })
console.log(`${cases.length} instances, ${faults.length} with a fault`)
process.exit(faults.length === 0 ? 0 : 1)
