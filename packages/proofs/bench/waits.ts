// How long people wait where several daemons may share the node's address, beside another checkout of this project: for the
// refusal of a broadcast, and for GET /pool where each question takes a second. Every ratio is that of two answers in the
// same turn. A pause before each answer of the embedded node stands for the way there.
//
//   npm run bench -- waits --beside FOLDER               a checkout with its packages installed
//   npm run bench -- waits --beside FOLDER --turns 9
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import Client from 'mina-signer'
import { listen } from '../../../local/start/listen.ts'
import { type Chain, createChain } from '../../testnet/chain.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { createZkappCommand } from '../../testnet/zkapp-command.ts'
import { quantile } from '../load/spread.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string', default: '.' }, turns: { type: 'string', default: '5' } },
})
const turns = Number(values.turns)
const neverExpires = '4294967295'
const signer = new Client({ network: 'testnet' })
const strangerKeys = signer.genKeys()

/** A service of a checkout over a chain of its own, whose node takes its time. */
async function serviceOf(folder: string) {
  const chain = createChain({ seed: 'waits', now: Date.now, signsOwnCommands: false })
  const serveNode = nodeServer(chain)
  const way = { ms: 0 }
  const node = await listen(
    async (request, response) => {
      await pause(way.ms)
      return serveNode(request, response)
    },
    0,
    '127.0.0.1',
  )
  const environment = { NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql`, UPSTREAM_TIMEOUT_MS: '8000' }
  const { startService } = await import(pathToFileURL(join(resolve(folder), 'local/start/service.ts')).href)
  const service = await startService({ environment, log: () => undefined })
  return { chain, way, url: String(service.url), close: () => Promise.all([service.close(), node.close()]) }
}

type Service = Awaited<ReturnType<typeof serviceOf>>

/** @returns milliseconds */
async function timed({ url }: Service, path: string, wanted: number, body?: object): Promise<number> {
  const startedAt = performance.now()
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(url + path, init)
  const text = await response.text()
  if (response.status !== wanted) throw new Error(`${path} answers ${response.status} ${text}`)
  return performance.now() - startedAt
}

interface Changes {
  readonly amount?: string
  readonly fee?: string
  readonly nonce?: string
  readonly validUntil?: string
}

/** Payments of one wallet, by what the node refuses them for. */
const refusals: Readonly<Record<string, Changes & { readonly isStrange?: boolean }>> = {
  'insufficient-funds': { amount: '2000000000000000000' },
  'bad-nonce, above the next': { nonce: '40' },
  expired: { validUntil: '1' },
  'replace-fee-too-low': { fee: '9000000' },
  'sender-unknown': { isStrange: true, nonce: '0' },
}

function paymentOf(chain: Chain, { isStrange = false, ...changes }: (typeof refusals)[string], memo: string) {
  const [alice, bob] = chain.wallets
  if (alice === undefined || bob === undefined) throw new Error('the chain has no wallets')
  const { publicKey, privateKey } = isStrange ? strangerKeys : alice
  const nonce = String(chain.account(alice.publicKey)?.nonce ?? 0)
  const common = { from: publicKey, to: bob.publicKey, amount: '1000000000', fee: '10000000', nonce, memo }
  const payload = { ...common, validUntil: neverExpires, ...changes }
  return { publicKey, signature: signer.signPayment(payload, privateKey).signature, payload }
}

const shown = (samples: readonly number[]): string =>
  [0.5, 0.25, 0.75].map((share) => quantile(samples, share).toFixed(2)).join(' ')

/** Both at once, so that what slows a turn slows both. */
async function compared(title: string, ask: (service: Service, turn: number) => Promise<number>): Promise<number> {
  const [own, other]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn++) {
    const [mine = 0, theirs = 0] = await Promise.all(both.map((service) => ask(service, turn)))
    own.push(mine / 1000)
    other.push(theirs / 1000)
  }
  const ratios = own.map((seconds, turn) => seconds / (other[turn] ?? Number.NaN))
  console.log(`${title.padEnd(44)} ${shown(ratios)}   ${shown(own)} s to ${shown(other)} s`)
  return quantile(ratios, 0.5)
}

const both = [await serviceOf('.'), await serviceOf(values.beside)]
console.log(`${turns} turns; ratio, then seconds of this checkout and of the other: median and quartiles\n`)
try {
  for (const service of both) {
    service.way.ms = 50
    await timed(service, '/broadcast/transaction', 201, paymentOf(service.chain, {}, 'waits in the pool'))
  }
  const ofKinds: number[] = []
  for (const [kind, changes] of Object.entries(refusals)) {
    const refused = (service: Service, turn: number) =>
      timed(service, '/broadcast/transaction', 400, paymentOf(service.chain, changes, `${kind} ${turn}`.slice(0, 32)))
    ofKinds.push(await compared(kind, refused))
  }
  console.log(`median of the kinds ${quantile(ofKinds, 0.5).toFixed(2)}\n`)

  for (const { way } of both) way.ms = 1000
  const pool = (path: (service: Service) => string) => (service: Service) => timed(service, path(service), 200)
  const walletOf = ({ chain }: Service, index: number) => chain.wallets[index]?.publicKey ?? ''
  await compared(
    '/pool, a payment',
    pool(() => '/pool'),
  )
  await compared(
    '/pool?account, none',
    pool((service) => `/pool?account=${walletOf(service, 5)}`),
  )
  for (const { chain } of both) {
    const from = chain.wallets[3]?.publicKey ?? ''
    chain.queueZkapp(createZkappCommand({ from, fee: 100_000_000n, nonce: chain.account(from)?.nonce ?? 0 }, {}))
  }
  await compared(
    '/pool, a payment and a zkApp command',
    pool(() => '/pool'),
  )
  await compared(
    '/pool?account, of the zkApp command',
    pool((service) => `/pool?account=${walletOf(service, 3)}`),
  )
} finally {
  await Promise.all(both.map((service) => service.close()))
}
