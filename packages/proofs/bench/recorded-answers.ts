// The answers of another checkout of the project, such as the release before, beside this one's: 1,500 requests drawn by a
// seed, each sent to both. Every service has its own copy of one chain, with this checkout's node and indexer before it.
//
//   npm run bench -- recorded-answers --against FOLDER             a checkout with its packages installed
//   npm run bench -- recorded-answers --against FOLDER --seed 2 --requests 300
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { listen } from '../../../local/start/listen.ts'
import { type Chain, createChain } from '../../testnet/chain.ts'
import { indexerServer } from '../../testnet/indexer/server.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { createRandom } from '../../testnet/random.ts'
import { drawRequest, type RecordedRequest } from '../recorded-answers/requests.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string', default: join(import.meta.dirname, '../../..') },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '1500' },
  },
})

const local = '127.0.0.1'
const slotMs = 90_000
let now = Date.UTC(2026, 0, 1)

/** A service of a checkout, over a chain that grows only by this bench. */
async function serviceOf(folder: string) {
  const chain = createChain({
    seed: 'recorded answers',
    now: () => now,
    blockSeconds: slotMs / 1000,
    historyBlocks: 90,
  })
  const [node, indexer] = await Promise.all(
    [nodeServer(chain), indexerServer(chain)].map((server) => listen(server, 0, local)),
  )
  const environment = {
    NODE_GRAPHQL_URL: `http://${local}:${node?.port}/graphql`,
    INDEXER_GRAPHQL_URL: `http://${local}:${indexer?.port}/graphql`,
    UPSTREAM_TIMEOUT_MS: '20000',
    INDEXER_TIMEOUT_MS: '20000',
  }
  const { startService } = await import(pathToFileURL(join(resolve(folder), 'local/start/service.ts')).href)
  const service = await startService({ environment, now: () => now, log: () => undefined })
  const close = () => Promise.all([service.close(), node?.close(), indexer?.close()])
  return { chain, url: String(service.url), close }
}

/** They name this response, this release or this address, and so differ between equal answers. */
const ofOneResponse = ['apigw-requestid', 'connection', 'date', 'etag', 'keep-alive', 'server-timing', 'content-length']

interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

async function send(url: string, { method, path, headers, body }: RecordedRequest, tag?: string) {
  const condition = tag === undefined ? {} : { 'if-none-match': tag }
  const init = { method, headers: { ...headers, ...condition }, ...(body !== undefined && { body }) }
  const response = await fetch(url + path, init)
  const named = [...response.headers].filter(([name]) => !ofOneResponse.includes(name))
  const tagged: Record<string, string> = response.headers.has('etag') ? { etag: 'has one' } : {}
  const told = {
    status: response.status,
    headers: { ...Object.fromEntries(named), ...tagged },
    body: await response.text(),
  }
  return { told: told satisfies Told, etag: response.headers.get('etag') ?? undefined }
}

async function answerOf(url: string, request: RecordedRequest): Promise<readonly Told[]> {
  const { told, etag } = await send(url, request)
  if (!request.withTag || etag === undefined) return [told]
  return [told, (await send(url, request, etag)).told]
}

/** Leaves of a JSON text by their place, with every index as `*`; a text that is not JSON is one leaf. */
function leavesOf(text: string): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>()
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) {
      leaves.set(place, `${leaves.get(place) ?? ''} ${JSON.stringify(value)}`)
      return
    }
    for (const [key, inner] of Object.entries(value))
      visit(inner, Array.isArray(value) ? `${place}/*` : `${place}/${key}`)
  }
  try {
    visit(JSON.parse(text), '')
  } catch {
    leaves.set('text', text)
  }
  return leaves
}

function* differencesOf(before: Told, after: Told): Generator<string> {
  if (before.status !== after.status) {
    yield `status ${before.status} -> ${after.status}`
    return
  }
  const names = new Set([...Object.keys(before.headers), ...Object.keys(after.headers)])
  for (const name of names) if (before.headers[name] !== after.headers[name]) yield `header ${name}`
  if (before.body === after.body) return
  const [old, fresh] = [leavesOf(before.body), leavesOf(after.body)]
  const places = [...new Set([...old.keys(), ...fresh.keys()])].filter((place) => old.get(place) !== fresh.get(place))
  if (places.length === 0) yield 'the order of keys'
  for (const place of places)
    yield `body ${place}${old.has(place) ? '' : ' is new'}${fresh.has(place) ? '' : ' is gone'}`
}

/** The path with values as placeholders, so that differences of one kind count together. */
const kindOf = ({ method, path }: RecordedRequest): string =>
  `${method} ${path.replace(/\?.*/, '?…').replaceAll(/\/(?:[1-9A-HJ-NP-Za-km-z]{50,}|\d+|unknown)/g, '/…')}`

const both = [await serviceOf(values.against), await serviceOf('.')] as const
const chains: readonly Chain[] = both.map(({ chain }) => chain)
const [first] = chains
if (first === undefined) throw new Error('no chain')
const random = createRandom(`recorded answers ${values.seed}`)
const count = Number(values.requests)
const kinds = new Map<string, { count: number; readonly example: string }>()
const statuses = new Map<number, number>()
let different = 0
try {
  for (let index = 0; index < count; index++) {
    if (index % 25 === 24) {
      now += slotMs
      for (const chain of chains) {
        if (index % 200 === 199) chain.reorganise(2)
        else chain.produceBlock()
      }
    }
    const request = drawRequest(random, first)
    const [before = [], after = []] = await Promise.all(both.map(({ url }) => answerOf(url, request)))
    const found = before.flatMap((told, at) => {
      const other = after[at]
      return other === undefined ? ['no second answer'] : [...differencesOf(told, other)]
    })
    if (found.length > 0) different += 1
    for (const { status } of after) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    for (const difference of new Set(found)) {
      const kind = `${kindOf(request)}: ${difference}`
      const example = `${request.method} ${request.path} ${request.body ?? ''}`.trim()
      const known = kinds.get(kind) ?? { count: 0, example }
      known.count += 1
      kinds.set(kind, known)
    }
  }
} finally {
  await Promise.all(both.map(({ close }) => close()))
}

const tally = [...statuses].sort(([one], [other]) => one - other).map(([status, times]) => `${times} × ${status}`)
console.log(`${count} requests of seed ${values.seed}: ${different} answers differ. Answers here: ${tally.join(', ')}`)
for (const [kind, { count: times, example }] of [...kinds].sort(([, one], [, other]) => other.count - one.count)) {
  console.log(`${String(times).padStart(5)}  ${kind}\n         such as ${example.slice(0, 400)}`)
}
