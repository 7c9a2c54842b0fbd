// A service that is asked every five minutes of a night, with a switch for each trouble: the lines that its functions write.
import type { RequestListener } from 'node:http'
import type { RequestLine } from '../../../../functions/runtime/log.ts'
import { metricsLine } from '../../../../functions/runtime/metrics.ts'
import { flakyNode, type Purpose } from '../../../../local/flaky/flaky-node.ts'
import { hurriedClock } from '../../../../local/start/hurried-clock.ts'
import { type Chain, createChain } from '../../../../packages/testnet/chain.ts'
import { indexerServer } from '../../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../../packages/testnet/node/server.ts'
import { filledPath, unheldValues } from '../../../../shared/contract/parameters.ts'
import { endpoints } from '../../../../shared/endpoints/all.ts'
import { broadcastTransaction } from '../../../../shared/endpoints/broadcast-transaction.ts'
import { getAccount } from '../../../../shared/endpoints/get-account.ts'
import { getBlock } from '../../../../shared/endpoints/get-block.ts'
import { gatewayOver, post, signPayment, now as start, wallet } from '../../../end-to-end/running-service.ts'
import { serve, untilTestEnds } from '../../../serving.ts'
import type { AccessLine, MetricsLine, NightLines } from './alarm-states.ts'

/** Between two rounds of questions, as between two heartbeats. */
const roundMs = 300_000

/** The name of the bare stage's stack. */
const stack = 'chain-explorer-dev'

/** A request of each round. */
export interface Asked {
  readonly route: string
  readonly path: string
}

const asked = (route: string, path: string): Asked => ({ route: `GET ${route}`, path })

const reads = endpoints
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => asked(path, filledPath(path, unheldValues)))

/** An answer of a round. */
export interface Answered {
  readonly route: string
  readonly status: number
}

/** What can be wrong in a night. */
export interface Trouble {
  /** Takes the place of the first node until it is cleared. */
  node: RequestListener | undefined
  indexer: RequestListener | undefined
  /** True while the indexer is twelve blocks behind, which the node still holds. */
  indexerLags: boolean
  /** True while the second of two nodes shows the block that it has now. */
  secondStandsStill: boolean
  /** Of the functions' machine against that of the chain. */
  clockOffMs: number
  /** False while the network makes no blocks. */
  makesBlocks: boolean
  /** True while no broadcast reaches the node. */
  losesBroadcasts: boolean
  /** Calls of a route that its throttle refuses in each round, so that no function sees them. */
  refused: { readonly route: string; readonly count: number } | undefined
}

export const well: Trouble = {
  node: undefined,
  indexer: undefined,
  indexerLags: false,
  secondStandsStill: false,
  clockOffMs: 0,
  makesBlocks: true,
  losesBroadcasts: false,
  refused: undefined,
}

export interface Rehearsal extends Trouble, NightLines {
  readonly now: () => number
  /** Asks every read once, sends a payment, and returns the answers after five minutes have passed. */
  round(): Promise<readonly Answered[]>
  /** Five minutes in which only the tip is read. */
  quietRound(): Promise<void>
}

export interface RehearsalOptions {
  readonly hasSecondNode?: boolean
  readonly hasIndexer?: boolean
  /** What each node holds; usually 20. */
  readonly frontierBlocks?: number
  /** What somebody asks in each round, beside the reads. */
  readonly alsoAsked?: (chain: Chain) => Asked
  /** How often a balancer asks GET /health in a round, beside the reads. */
  readonly healthChecks?: number
  /** Whether users ask too; otherwise there are only the heartbeat's reads. */
  readonly isQuiet?: boolean
  /** Whether a proxy stands before the node that can lose broadcasts. */
  readonly isLossy?: boolean
  /** Environment variables of the functions. */
  readonly settings?: (chain: Chain) => Readonly<Record<string, string>>
}

/** The chain as a node shows it that gets no blocks while it stands still. */
function standingStill(chain: Chain, isStanding: () => boolean): Chain {
  let held: ReturnType<Chain['frontier']> | undefined
  const frontier = () => {
    held = isStanding() ? (held ?? chain.frontier()) : undefined
    return held ?? chain.frontier()
  }
  return { ...chain, frontier, tip: () => frontier().at(-1) ?? chain.tip() }
}

export async function createRehearsal({
  hasSecondNode = false,
  hasIndexer = true,
  frontierBlocks = 20,
  alsoAsked,
  isLossy = false,
  healthChecks = 0,
  isQuiet = false,
  settings = () => ({}),
}: RehearsalOptions = {}): Promise<Rehearsal> {
  let time = start
  const options = { seed: 'night', blockSeconds: 180, historyBlocks: 60, frontierBlocks }
  const chain = createChain({ ...options, now: () => time, signsOwnCommands: false })
  const [alice, bob] = [wallet(chain, 'alice'), wallet(chain, 'bob')]
  const [serveNode, serveIndexer, lagging] = [
    nodeServer(chain),
    indexerServer(chain),
    indexerServer(chain, { behind: 12 }),
  ]
  const first = await serve((...exchange) => (rehearsal.node ?? serveNode)(...exchange))
  const urls = [`${first.url}/graphql`]
  if (isLossy) {
    const isLost = (purpose: Purpose) => purpose === 'mutation' && rehearsal.losesBroadcasts
    const proxy = await flakyNode(urls[0] ?? '', (purpose) => (isLost(purpose) ? 'lost request' : 'none'))
    urls[0] = `http://127.0.0.1:${untilTestEnds(proxy).port}/graphql`
  }
  if (hasSecondNode) {
    const second = nodeServer(standingStill(chain, () => rehearsal.secondStandsStill))
    urls.push(`${(await serve(second)).url}/graphql`)
  }
  const indexer = await serve((...exchange) =>
    (rehearsal.indexer ?? (rehearsal.indexerLags ? lagging : serveIndexer))(...exchange),
  )
  const lines: MetricsLine[] = []
  const log = (line: RequestLine) => void lines.push(metricsLine(line, stack, time) as MetricsLine)
  const upstreams = {
    NODE_GRAPHQL_URL: urls.join(),
    ...(hasIndexer && { INDEXER_GRAPHQL_URL: `${indexer.url}/graphql` }),
    ...settings(chain),
  }
  const clock = { ...hurriedClock, now: () => time + rehearsal.clockOffMs }
  const { url } = await serve(await gatewayOver(upstreams, log, clock))
  const accessLines: AccessLine[] = []
  const note = (route: string, status: number) => {
    accessLines.push({ at: time, route, status: String(status) })
    return { route, status }
  }
  const ask = async ({ route, path }: Asked) => note(route, (await fetch(url + path)).status)
  const buried = chain.bestChain()[25]?.stateHash
  const ofUsers = [asked(getAccount.path, `/accounts/${alice.publicKey}`), asked(getBlock.path, `/blocks/${buried}`)]
  const questions = [...reads, ...(isQuiet ? [] : ofUsers)]
  /** Within a round nothing changes: one answer to the balancer, with its line, stands for all. */
  async function polled(): Promise<readonly Answered[]> {
    if (healthChecks === 0) return []
    const earlier = lines.length
    const { route, status } = await ask(asked('/health', '/health'))
    const line = lines.slice(earlier)
    for (let check = 1; check < healthChecks; check++) lines.push(...line)
    return [{ route, status }, ...Array.from({ length: healthChecks - 1 }, () => note(route, status))]
  }
  let sent = 0
  const rehearsal: Rehearsal = {
    ...well,
    lines,
    accessLines,
    now: () => time,
    async round() {
      if (rehearsal.makesBlocks) chain.produceBlock()
      const answers: Answered[] = []
      for (const each of [...questions, ...(alsoAsked ? [alsoAsked(chain)] : [])]) answers.push(await ask(each))
      answers.push(...(await polled()))
      const { route = '', count = 0 } = rehearsal.refused ?? {}
      for (let call = 0; call < count; call++) accessLines.push({ at: time, route, status: '429' })
      if (!isQuiet) answers.push(await pay())
      time += roundMs
      return answers
    },
    async quietRound() {
      if (rehearsal.makesBlocks) chain.produceBlock()
      await ask(asked('/summary', '/summary'))
      time += roundMs
    },
  }
  async function pay(): Promise<Answered> {
    const nonce = String(chain.inferredNonce(chain.account(alice.publicKey) ?? fail()))
    const payment = signPayment(chain, alice, bob, { nonce, memo: `night ${sent++}` })
    const { path } = broadcastTransaction
    return note(`POST ${path}`, (await post(`${url}${path}`, payment)).status)
  }
  return rehearsal
}

function fail(): never {
  throw new Error('alice has no account')
}
