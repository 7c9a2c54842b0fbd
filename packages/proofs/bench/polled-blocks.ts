// An instance that is asked for GET /blocks?limit=10 every five seconds without a tag, through 20 new blocks of 100 commands: slots
// of 90 s of which 44 % have a block, as on mainnet. Its processor time for a request, its memory, and the bytes that the node
// sends, beside another checkout of this project. Virtual time; each instance is a process under Lambda's runtime API.
//
//   npm run bench -- polled-blocks --beside FOLDER             a checkout with its packages installed
//   npm run bench -- polled-blocks --beside FOLDER --rounds 5
//   npm run bench -- polled-blocks --blocks 250                some 10,000 requests
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { listen } from '../../../local/start/listen.ts'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { originHeader } from '../../../shared/http/routes.ts'
import { createChain } from '../../testnet/chain.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { createRandom } from '../../testnet/random.ts'
import { commandsPerBlock } from '../load/full-blocks.ts'
import { gatewayEvent } from '../load/gateway-event.ts'
import { quantile } from '../load/spread.ts'
import { otherTitle, variantsBeside } from './cold/bundles.ts'
import { originSecret } from './cold/scenarios.ts'
import { coldStart, lambdaEnvironment } from './cold/start.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    beside: { type: 'string', default: '.' },
    rounds: { type: 'string', default: '3' },
    blocks: { type: 'string', default: '20' },
  },
})
const pollMs = 5000
const slotMs = 90_000
const density = 0.44
const newBlocks = Number(values.blocks)

/** After which poll there is a new block; the last one is followed by no other poll. */
function arrivals(): ReadonlySet<number> {
  const random = createRandom('polled blocks')
  const polls = new Set<number>()
  for (let slot = 1; polls.size < newBlocks; slot++) if (random() < density) polls.add((slot * slotMs) / pollMs)
  return polls
}
const newAfter = arrivals()
const polls = Math.max(...newAfter)

/** A chain whose blocks are full, and its node, which prints each answer once. */
async function fullChain() {
  let now = Date.now() - polls * pollMs
  const chain = createChain({ seed: 'polled', now: () => now, blockSeconds: slotMs / 1000, signsOwnCommands: false })
  const template = chain.bestChain().flatMap(({ userCommands }) => userCommands)[0]
  if (template === undefined) throw new Error('the chain has no command')
  const fill = (block: object) => {
    const command = (nonce: number) => ({ ...template, command: { ...template.command, nonce } })
    Object.assign(block, { userCommands: Array.from({ length: commandsPerBlock }, (_, nonce) => command(nonce)) })
  }
  chain.bestChain().slice(-20).forEach(fill)
  const printing = await listen(nodeServer(chain), 0, '127.0.0.1')
  const answers = new Map<string, string>()
  let bytes = 0
  const node = await listen(
    async (request, response) => {
      const body = await text(request)
      const headers = { 'content-type': 'application/json' }
      const printed =
        answers.get(body) ??
        (await (await fetch(`http://127.0.0.1:${printing.port}/graphql`, { method: 'POST', headers, body })).text())
      answers.set(body, printed)
      bytes += Buffer.byteLength(printed)
      response.writeHead(200, headers).end(printed)
    },
    0,
    '127.0.0.1',
  )
  return {
    url: `http://127.0.0.1:${node.port}/graphql`,
    pins: { GENESIS_STATE_HASH: chain.genesisBlock().stateHash, CHAIN_ID: chain.chainId },
    sentBytes: () => bytes,
    poll(hasNewBlock: boolean) {
      now += pollMs
      if (!hasNewBlock) return
      fill(chain.produceBlock())
      answers.clear()
    },
    tip: () => chain.tip().stateHash,
    close: () => Promise.all([node.close(), printing.close()]),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'polled-blocks-'))
const client = join(import.meta.dirname, 'cold/runtime-client.mjs')
const variants = variantsBeside(values.beside).slice(0, 2)
const event = gatewayEvent(getBlocks, { query: { limit: '10' }, headers: { [originHeader]: originSecret } })

async function polled(code: string) {
  const chain = await fullChain()
  const sample = await coldStart({
    command: [client, join(code, 'index.mjs')],
    env: {
      NODE_GRAPHQL_URL: chain.url,
      ORIGIN_SECRETS: originSecret,
      UPSTREAM_TIMEOUT_MS: '8000',
      ...chain.pins,
      ...lambdaEnvironment(code),
    },
    event,
    warmRequests: polls,
    warmFrom: 0,
    onAnswer: (answered) => {
      if (answered <= polls) chain.poll(newAfter.has(answered - 1))
    },
  })
  const newest = JSON.parse(sample.answer.body).blocks?.[0]?.stateHash
  await chain.close()
  if (newest !== chain.tip()) throw new Error(`the last answer shows ${newest}`)
  return { processorMs: sample.warmProcessorMs, megabytes: sample.peakMegabytes, bytes: chain.sentBytes() / polls }
}

type Figures = Awaited<ReturnType<typeof polled>>

const shown = (samples: readonly number[], digits: number): string => {
  const [middle, low, high] = [0.5, 0, 1].map((share) => quantile(samples, share).toFixed(digits))
  return `${middle} (${low}-${high})`
}

const rounds: Figures[][] = []
try {
  for (const { title, bundle } of variants) {
    mkdirSync(join(folder, title))
    await bundle(getBlocks, join(folder, title))
  }
  for (let round = 0; round < Number(values.rounds); round++) {
    const figures: Figures[] = []
    for (const { title } of variants) figures.push(await polled(join(folder, title)))
    rounds.push(figures)
  }
} finally {
  rmSync(folder, { recursive: true })
}
console.log(
  `${polls} requests, ${newBlocks} new blocks, ${rounds.length} rounds; this service, ${otherTitle}, and the ratio`,
)
console.log('median (least to greatest)\n')
for (const [figure, title, digits] of [
  ['processorMs', 'processor time of a request, ms', 2],
  ['bytes', 'bytes from the node for a request', 0],
  ['megabytes', 'peak memory, MB', 1],
] as const) {
  const [own = [], other = []] = [0, 1].map((index) => rounds.map((each) => each[index]?.[figure] ?? Number.NaN))
  const ratios = own.map((value, round) => value / (other[round] ?? Number.NaN))
  console.log(`${title.padEnd(36)} ${shown(own, digits)}   ${shown(other, digits)}   ${shown(ratios, 3)}`)
}
