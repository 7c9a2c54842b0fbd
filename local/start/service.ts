// The whole service in one process: the embedded chain with its node and indexer, the functions, and the gateway.
import type { RequestListener } from 'node:http'
import type { Log } from '../../functions/runtime/log.ts'
import { readSettings, type Settings } from '../../functions/runtime/settings/settings.ts'
import { systemClock } from '../../functions/runtime/system-clock.ts'
import { type Chain, createChain, type Wallet } from '../../packages/testnet/chain.ts'
import { createForkDay, type ForkDay } from '../../packages/testnet/fork-day.ts'
import { indexerServer } from '../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import type { Clock } from '../../shared/chain/port.ts'
import { isStateHash } from '../../shared/mapping/base58check.ts'
import { flakyNode } from '../flaky/flaky-node.ts'
import { randomTroubles } from '../flaky/troubles.ts'
import { gateway } from '../gateway/gateway.ts'
import { controlPath, controls } from './controls.ts'
import { keptChain } from './kept-chain.ts'
import { type Listening, listen } from './listen.ts'
import { withLiveExamples } from './live-examples.ts'
import { serviceRoutes } from './routes.ts'
import { exampleRoutes } from './signed-examples.ts'

export interface ServiceOptions {
  /** By default 0: any free port. */
  readonly port?: number
  /** Of the embedded node; by default 0. */
  readonly nodePort?: number
  /** Address to listen on; by default only this machine can connect. */
  readonly host?: string
  /**
   * Settings of the functions. With `NODE_GRAPHQL_URL` or `NODES` the service uses these nodes, without an embedded chain. An empty
   * `INDEXER_GRAPHQL_URL` switches the embedded indexer off.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly blockSeconds?: number
  readonly slotsPerEpoch?: number
  /** Number of blocks that the embedded chain keeps. */
  readonly keptBlocks?: number
  /** A folder that keeps the embedded chain, with its pool and its hard forks, over a restart. */
  readonly keep?: string
  /** Determines keys, hashes and history of the chain, and the troubles of a flaky node. */
  readonly seed?: string
  /** As in the options of the chain: false leaves signatures out, except of a chain that is kept. */
  readonly signsOwnCommands?: boolean
  /** The share of the calls to the embedded node that go wrong, from 0 to 1. By default none do. */
  readonly flaky?: number
  /** The clock of chain, gateway and functions, ms since 1970. */
  readonly now?: () => number
  /** How the functions wait for an upstream; by default as long as they say. */
  readonly after?: Clock['after']
  /** By which the functions count how long an upstream has taken, ms; by default the machine's. */
  readonly elapsed?: Clock['elapsed']
  /** Calls a task at intervals; returns a function that stops it. */
  readonly repeat?: (task: () => void, intervalMs: number) => () => void
  readonly log?: Log
}

export interface Service {
  /** Base address of the REST service, without a slash at its end. */
  readonly url: string
  /** The node's GraphQL address; the first one's of several. */
  readonly nodeUrl: string
  /** Those of the functions. */
  readonly settings: Settings
  /** The share of the calls to the node that go wrong on purpose; absent for none. */
  readonly flaky?: number
  /** The indexer's GraphQL address; absent without one. */
  readonly indexerUrl?: string
  /** Absent in front of another node. */
  readonly chain?: Chain
  /** The folder that keeps the chain over a restart. */
  readonly keptIn?: string
  /** The address of the controls of the chain, on loopback. Absent in front of another node. */
  readonly controlUrl?: string
  /** Empty in front of another node. */
  readonly wallets: readonly Wallet[]
  /** Stops blocks and servers; every call returns the same promise. */
  close(): Promise<void>
}

function repeatByTimer(task: () => void, intervalMs: number): () => void {
  const timer = setInterval(task, intervalMs)
  return () => clearInterval(timer)
}

function addressOf(host: string, port: number): string {
  const isEveryAddress = host === '0.0.0.0' || host === '::'
  const reachable = isEveryAddress ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Node, indexer and controls of one chain behind one port. */
function upstreamServer(day: ForkDay, serviceUrl: () => string): RequestListener {
  const serveNode = nodeServer(day.node)
  const serveIndexer = indexerServer(day.indexed)
  const serveControls = controls(day, serviceUrl)
  return (request, response) => {
    if (request.url?.startsWith('/indexer/')) return serveIndexer(request, response)
    return request.url?.startsWith(`${controlPath}/`) ? serveControls(request, response) : serveNode(request, response)
  }
}

/**
 * Starts the service; resolves when it answers.
 *
 * @throws Error for wrong settings, or with the system's `code` when the port is not available; every server that was
 *   started is closed by then
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { port = 0, nodePort = 0, host = '127.0.0.1', environment = {}, log, flaky } = options
  const { blockSeconds = 10, slotsPerEpoch = 40, keptBlocks, keep, signsOwnCommands = true } = options
  const { seed = 'chain-explorer', now = Date.now, repeat = repeatByTimer } = options
  const { after, elapsed } = { ...systemClock, ...options }

  const usesOtherNode = Boolean(environment.NODE_GRAPHQL_URL || environment.NODES)
  const chainOptions = { seed, blockSeconds, slotsPerEpoch, ...(keptBlocks && { keptBlocks }) }
  const kept = usesOtherNode || keep === undefined ? undefined : keptChain(keep, chainOptions, now)
  const day = usesOtherNode
    ? undefined
    : (kept?.day ?? createForkDay(createChain({ ...chainOptions, now, signsOwnCommands })))
  // A kept chain is as old as its last block was when it stopped.
  kept?.day.produceIfDue()
  const chain = day?.node
  let url = ''
  const upstream =
    day &&
    (await listen(
      upstreamServer(day, () => url),
      flaky === undefined ? nodePort : 0,
      '127.0.0.1',
    ).catch((error) => {
      kept?.release()
      throw error
    }))
  const upstreamUrl = upstream && `http://127.0.0.1:${upstream.port}`
  const troubled =
    upstreamUrl && flaky !== undefined
      ? await flakyNode(`${upstreamUrl}/graphql`, randomTroubles(seed, flaky, now), undefined, nodePort).catch(
          async (error) => {
            await upstream?.close()
            kept?.release()
            throw error
          },
        )
      : undefined
  let front: Listening
  let settings: Settings
  try {
    const own = upstream && {
      NODE_GRAPHQL_URL: `http://127.0.0.1:${(troubled ?? upstream).port}/graphql`,
      INDEXER_GRAPHQL_URL: environment.INDEXER_GRAPHQL_URL ?? `${upstreamUrl}/indexer/graphql`,
    }
    settings = readSettings({ ...environment, ...own })
    const misspelt = settings.genesisStateHashes?.find((pin) => !isStateHash(pin))
    if (misspelt !== undefined) throw new Error(`GENESIS_STATE_HASH: ${misspelt} has a wrong checksum`)
    const describe = chain && ((openApi: string) => withLiveExamples(openApi, chain))
    const routes = [
      ...(await serviceRoutes(settings, log, { now, after, elapsed }, describe)),
      ...(chain ? exampleRoutes(chain) : []),
    ]
    front = await listen(gateway(routes, { now }), port, host)
    url = addressOf(host, front.port)
  } catch (error) {
    await Promise.all([troubled?.close(), upstream?.close()])
    kept?.release()
    throw error
  }

  const stopBlocks = day && repeat(() => day.produceIfDue(), blockSeconds * 1000)
  let closing: Promise<void> | undefined
  const close = async () => {
    stopBlocks?.()
    await Promise.all([front.close(), troubled?.close(), upstream?.close()])
    kept?.release()
  }
  const [indexer] = settings.indexers
  return {
    url,
    nodeUrl: settings.node.url,
    settings,
    ...(troubled && flaky !== undefined && { flaky }),
    ...(indexer && { indexerUrl: indexer.url }),
    ...(kept && keep !== undefined && { keptIn: keep }),
    ...(chain && { chain, controlUrl: `http://127.0.0.1:${(troubled ?? upstream)?.port}${controlPath}` }),
    wallets: chain?.wallets ?? [],
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
