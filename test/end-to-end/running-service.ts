// The whole service on free ports: embedded chain, its node, and the gateway, with a switch for faults between them.
import type { IncomingMessage, RequestListener } from 'node:http'
import Client from 'mina-signer'
import type { Log, RequestLine } from '../../functions/runtime/log.ts'
import { readSettings } from '../../functions/runtime/settings/settings.ts'
import { gateway } from '../../local/gateway/gateway.ts'
import { hurriedClock } from '../../local/start/hurried-clock.ts'
import { serviceRoutes } from '../../local/start/routes.ts'
import { type ServiceOptions, startService } from '../../local/start/service.ts'
import { type Chain, createChain, type Wallet } from '../../packages/testnet/chain.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import type { Clock } from '../../shared/chain/port.ts'
import { serve, untilFileEnds } from '../serving.ts'
import { checkDeclared } from './declared-fields.ts'

export const now = Date.UTC(2026, 0, 1)

/** A busy machine must not look like an upstream that hangs. Tests of time-outs set their own. */
const patienceMs = 20_000
const patience = {
  UPSTREAM_TIMEOUT_MS: String(patienceMs),
  INDEXER_TIMEOUT_MS: String(patienceMs),
  INDEXER_STAKES_TIMEOUT_MS: String(patienceMs),
}

/** The gateway in front of the upstreams of an environment; it does not pause between nodes unless it has a clock. */
export const gatewayOver = async (
  environment: Readonly<Record<string, string>>,
  log: Log = () => undefined,
  clock: Clock = hurriedClock,
) => gateway(await serviceRoutes(readSettings({ ...patience, ...environment }), log, clock))

/** An upstream that is served here, or the address of another one. */
type Upstream = RequestListener | string

/** The address of the service over these nodes and indexers, all of which end with the file unless told otherwise. */
export async function serviceOver(
  nodes: readonly Upstream[],
  indexers: readonly Upstream[] = [],
  { until = untilFileEnds, log, clock }: { until?: typeof untilFileEnds; log?: Log; clock?: Clock } = {},
): Promise<string> {
  const listed = async (upstreams: readonly Upstream[]) => {
    const addresses = upstreams.map(async (each) =>
      typeof each === 'string' ? each : `${(await serve(each, until)).url}/graphql`,
    )
    return (await Promise.all(addresses)).join()
  }
  const environment = { NODE_GRAPHQL_URL: await listed(nodes), INDEXER_GRAPHQL_URL: await listed(indexers) }
  return (await serve(await gatewayOver(environment, log, clock), until)).url
}

/** The service of `npm start` with its indexer, on a chain that grows only by its test, until the file ends. */
export async function startQuietService(environment: ServiceOptions['environment'] = {}) {
  const options = {
    now: () => now,
    slotsPerEpoch: 12,
    repeat: () => () => undefined,
    log: () => undefined,
    signsOwnCommands: false,
  }
  const { chain, url, controlUrl, wallets } = await startService({
    ...options,
    environment: { ...patience, ...environment },
  }).then(untilFileEnds)
  if (chain === undefined) throw new Error('the service has no chain')
  return { chain, url, controlUrl, wallets }
}

export interface RunningService {
  readonly url: string
  readonly nodeUrl: string
  readonly chain: Chain
  readonly log: readonly RequestLine[]
  /** Takes the node's place until it is cleared. */
  fault: RequestListener | undefined
  /** On every answer, as from a cache in front. */
  addedHeaders: Readonly<Record<string, string>>
  /** The requests that reached the node or the fault. */
  readonly received: IncomingMessage[]
}

/** The time of the chain of `runService`, on which its tip is fresh. */
export const chainClock: Clock = { ...hurriedClock, now: () => now }

/** Runs until the tests of the file have. */
export async function runService(
  network: 'mainnet' | 'testnet' = 'testnet',
  timeoutMs = patienceMs,
  clock?: Clock,
): Promise<RunningService> {
  const chain = createChain({ seed: 'end to end', now: () => now, network, signsOwnCommands: false })
  const serveNode = nodeServer(chain)
  const log: RequestLine[] = []
  const received: IncomingMessage[] = []
  const node = await serve((request, response) => {
    received.push(request)
    return (service.fault ?? serveNode)(request, response)
  }, untilFileEnds)
  const nodeUrl = `${node.url}/graphql`
  const environment = { NODE_GRAPHQL_URL: nodeUrl, UPSTREAM_TIMEOUT_MS: String(timeoutMs) }
  const answer = await gatewayOver(environment, (line) => log.push(line), clock)
  const { url } = await serve((request, response) => {
    response.setHeaders(new Map(Object.entries(service.addedHeaders)))
    return answer(request, response)
  }, untilFileEnds)
  const service: RunningService = { url, nodeUrl, chain, log, fault: undefined, addedHeaders: {}, received }
  return service
}

/** @throws Error for a field that the contract lacks */
export async function get(url: string): Promise<{ status: number; text: string; headers: Headers; body: unknown }> {
  const response = await fetch(url)
  const { status, headers } = response
  const text = await response.text()
  const body: unknown = JSON.parse(text)
  checkDeclared('GET', url, status, body)
  return { status, text, headers, body }
}

/** @throws Error for a field that the contract lacks */
export async function post(url: string, sent: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { method: 'POST', body: typeof sent === 'string' ? sent : JSON.stringify(sent) })
  const body: unknown = await response.json()
  checkDeclared('POST', url, response.status, body)
  return { status: response.status, body }
}

const common = { fee: '10000000', validUntil: '4294967295', memo: ' memo ä' }

/** @returns a body for POST /broadcast/transaction */
export function signPayment(chain: Chain, from: Wallet, to: Wallet, changes: object = {}) {
  const payload = { ...common, from: from.publicKey, to: to.publicKey, amount: '1500000000', nonce: '0', ...changes }
  const { signature } = new Client({ network: chain.network }).signPayment(payload, from.privateKey)
  return { publicKey: from.publicKey, signature, payload }
}

/** The hash of a payment, as nodes and indexers have it. */
export const hashOf = ({ payload, ...signed }: ReturnType<typeof signPayment>): string =>
  new Client({ network: 'testnet' }).hashPayment({ ...signed, data: payload } as never, { berkeley: true })

/** The hashes of a sender's commands on the best chain, oldest first. */
export const hashesOnChain = (chain: Chain, { publicKey }: Wallet): readonly string[] =>
  chain
    .bestChain()
    .flatMap(({ userCommands }) => userCommands.map(({ command }) => command))
    .flatMap(({ from, hash }) => (from === publicKey ? [hash] : []))

/** @returns a body for POST /broadcast/delegation */
export function signDelegation(chain: Chain, from: Wallet, to: Wallet, changes: object = {}) {
  const payload = { ...common, from: from.publicKey, to: to.publicKey, nonce: '0', ...changes }
  const { signature } = new Client({ network: chain.network }).signStakeDelegation(payload, from.privateKey)
  return { publicKey: from.publicKey, signature, payload }
}

/** A block as GET /transactions/{hash} and the client's results name that of a command. */
export const commandBlock = ({ stateHash, height, date }: ReturnType<Chain['tip']>) => ({
  stateHash,
  blockHeight: height,
  dateTime: new Date(date).toISOString(),
})

export function wallet(chain: Chain, name: string): Wallet {
  const found = chain.wallets.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`no wallet ${name}`)
  return found
}
