// The trouble with the nodes and indexers before which npm start puts the service, one line for each.
import { Secrets } from '../../functions/runtime/redaction.ts'
import type { Settings } from '../../functions/runtime/settings/settings.ts'
import type { Upstream } from '../../functions/runtime/settings/upstream-settings.ts'
import { systemClock } from '../../functions/runtime/system-clock.ts'
import { portsOver } from '../../functions/runtime/upstreams/upstreams.ts'
import { isForeign, isForked, isOtherChain } from '../../shared/chain/network-state.ts'
import { apply, type ChainEvent, type ChainState, initialState } from '../../shared/chain/state.ts'
import { chainOf, loneChain, nameOf } from '../../shared/deployment/networks.ts'
import { blocksBelowQuery, maxWalkedBlocks } from '../../shared/indexer/older-blocks.ts'
import { WireError } from '../../shared/upstream/errors.ts'
import { heightValues } from '../../shared/upstream/heights.ts'
import { type Network, networkIn, networkQuery } from '../../shared/upstream/network.ts'
import { dataOf, lacksNames, nodeTipQuery, tipIn } from '../../shared/upstream/node-query.ts'
import type { Operation } from '../../shared/upstream/operation.ts'
import type { QueryUpstream, Reply, Tip } from '../../shared/upstream/query.ts'
import type { Variables } from '../../shared/upstream/wire.ts'
import { plainLine } from '../troubles/plain-line.ts'
import { ignoredProxyOf, isRustNode, seenIn, troubleOf, wordsOf } from '../troubles/upstream-troubles.ts'

/** The greeting waits this long for the nodes, then for a block, so that it is there within five seconds. */
export const maxWaitMs = 2000

/** Of the upstream's own words in a line. */
const maxReasonLength = 300

/** The variables of each upstream's settings; `NODES` has several nodes with their headers. */
const settingsOf = (upstream: Operation['upstream'], { nodes }: Settings) => {
  if (upstream === 'indexer') return { address: 'INDEXER_GRAPHQL_URL', key: 'INDEXER_HEADERS' }
  return nodes === undefined
    ? { address: 'NODE_GRAPHQL_URL', key: 'UPSTREAM_HEADERS, such as {"x-api-key":"…"}' }
    : { address: 'its address', key: 'its headers in NODES' }
}

/** A question to one upstream, and all that is needed to speak of its failure. */
interface Question<Data = unknown> {
  readonly operation: Operation<Data>
  readonly variables: Variables
  readonly query: QueryUpstream
  readonly url: string
  readonly headers: Upstream['headers']
  readonly settings: Settings
  readonly secrets: Secrets
}

type Found<Data> = { readonly data: Data } | { readonly trouble: string }

async function find<Data>(question: Question<Data>, limitMs: number): Promise<Found<Data>> {
  const { operation, variables, query } = question
  let reply: Reply | undefined
  try {
    reply = await query(operation, variables, { limitMs, isRepeat: true })
    return { data: dataOf(operation, variables, reply) }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    const mayBeRust = operation.upstream === 'node' && reply !== undefined && lacksNames(reply)
    const isRust = mayBeRust && (await isRustNode(query, { limitMs, isRepeat: true }))
    return { trouble: troubleText(question, error, reply, isRust) }
  }
}

/** Fault and remedy in one line, to follow the upstream's name. */
function troubleText(
  { operation, url, headers, settings, secrets }: Question,
  error: WireError,
  reply?: Reply,
  isRust?: boolean,
): string {
  const { upstream } = operation
  const hasKey = Object.keys(headers).length > 0
  const { says, remedy } = wordsOf(troubleOf(seenIn(error, reply, isRust)), {
    upstream,
    hasKey,
    ignoredProxy: ignoredProxyOf(url, process.env),
    ...settingsOf(upstream, settings),
  })
  return `${says} (${plainLine(secrets.masked(error.message), maxReasonLength)}). ${remedy}.`
}

interface Look {
  readonly name: string
  readonly trouble?: string
  readonly tip?: Tip
  /** Undefined where it does not say, or not in time. */
  readonly network?: Network | undefined
}

/** Asks a node for its tip, and beside that for its chain id. */
async function lookAtNode(
  name: string,
  node: Omit<Question, 'operation' | 'variables'>,
  limitMs: number,
): Promise<Look> {
  const question = { ...node, operation: nodeTipQuery, variables: {} }
  const naming = find({ ...node, operation: networkQuery, variables: {} }, limitMs)
  const found = await find(question, limitMs)
  if ('trouble' in found) return { name, ...found }
  const tip = tipIn(found.data)
  if (tip === undefined) {
    return { name, trouble: troubleText(question, new WireError('busy', 'bestChain lists no block')) }
  }
  const network = await naming
  return { name, tip, network: 'data' in network ? networkIn(network.data) : undefined }
}

/** The state of the service's chain after these looks, by its own rules. */
function judged({ genesisStateHashes = [], chainIds }: Settings, looks: readonly Look[], now: number): ChainState {
  let state = initialState(looks.length, 0, genesisStateHashes, chainIds)
  const learn = (event: ChainEvent) => {
    state = apply(state, event, { nowMs: now, wallMs: now }).state
  }
  for (const [node, { tip, network }] of looks.entries()) {
    if (tip === undefined) continue
    if (network !== undefined) learn({ type: 'network-described', node, network })
    learn({ type: 'tip-shown', node, tip })
  }
  return state
}

/** The genesis block, with the name of its chain. */
function named({ genesisStateHash }: Tip): string {
  const chain = chainOf(genesisStateHash)
  return chain === undefined ? genesisStateHash : `${genesisStateHash} (${nameOf(chain)})`
}

/** The trouble of a node that has a tip. */
function tipTrouble(tip: Tip, chainId: string | undefined, state: ChainState, index: number): string | undefined {
  const isUsed = !isForeign(state, index)
  const lone = loneChain(tip.genesisStateHash, chainId)
  if (lone !== undefined) {
    return `is ${lone}. It is ${isUsed ? 'used, since no pin excludes it' : 'not used'}. Install the release of the present chain anew.`
  }
  if (isOtherChain(state, index)) {
    return `is of another network, by its chain id ${chainId}, and is not used. Take it out, or correct CHAIN_ID.`
  }
  if (!isUsed) {
    return `is of another network, by its genesis block ${named(tip)}, and is not used. Take it out, or correct GENESIS_STATE_HASH.`
  }
  if (isForked(state)) {
    return `is of another network than GENESIS_STATE_HASH pins, by its genesis block ${named(tip)}, and is used: every node names it, as after a hard fork. Correct GENESIS_STATE_HASH.`
  }
  if (chainOf(tip.genesisStateHash)?.until !== undefined) {
    return `is on a chain that a hard fork has ended, by its genesis block ${named(tip)}. Upgrade it.`
  }
  const { syncStatus } = tip
  return syncStatus === 'SYNCED' ? undefined : `is in ${syncStatus}, so its blocks may be old. Wait until it is SYNCED.`
}

export interface NodesFound {
  /** `The node is bootstrapping …`: a line for each node and each indexer with a trouble. */
  readonly troubles: readonly string[]
  /** True if the service can answer from at least one. */
  readonly isUsable: boolean
  /** The known chain that the service answers from: `mainnet since 2026-09-03`; absent for an unknown one. */
  readonly network?: string
}

/** No block has this height: the question is as deep and has as many fields as any, and its answer is empty. */
const noHeights = { ...heightValues(maxWalkedBlocks, []), canonical: true, proofHeight: 0 }

/** Puts to each indexer the question that asks for most. A trouble is that of its connection, its key or its limits. */
async function lookAtIndexers(
  queries: readonly (readonly [Upstream, QueryUpstream])[],
  common: Pick<Question, 'settings' | 'secrets'>,
  limitMs: number,
): Promise<readonly string[]> {
  const questions = queries.map(([{ url, headers }, query]) => ({ ...common, url, headers, query }))
  const found = await Promise.all(
    questions.map((question) => find({ ...question, operation: blocksBelowQuery, variables: noHeights }, limitMs)),
  )
  return found.flatMap((each, index) => {
    const number = found.length > 1 ? `${index + 1} ` : ''
    return 'trouble' in each ? [`The indexer ${number}${each.trouble}`] : []
  })
}

/**
 * Asks every node for its tip and its chain id, and every indexer, at once, and judges which nodes are used as the service
 * does.
 */
export async function lookAtNodes(settings: Settings, limitMs = maxWaitMs): Promise<NodesFound> {
  const secrets = new Secrets()
  const ports = portsOver(settings, systemClock, secrets)
  const common = { settings, secrets }
  const listed = settings.nodes ?? [settings.node]
  const asking = ports.nodes.map(({ name, query }, index) => {
    const { url, headers } = listed[index] ?? settings.node
    return lookAtNode(name, { ...common, url, headers, query }, limitMs)
  })
  const pairs = settings.indexers.flatMap((indexer, index) => {
    const query = ports.indexers?.[index]
    return query === undefined ? [] : [[indexer, query] as const]
  })
  const ofIndexers = lookAtIndexers(pairs, common, limitMs)
  const looks = await Promise.all(asking)
  const state = judged(settings, looks, Date.now())
  const ofNodes = looks.flatMap(({ name, tip, network, ...look }, index) => {
    const trouble = look.trouble ?? (tip && tipTrouble(tip, network?.chainId, state, index))
    return trouble === undefined ? [] : [`The node ${settings.nodes === undefined ? '' : `${name} `}${trouble}`]
  })
  const used = looks.find(({ tip }, index) => tip !== undefined && !isForeign(state, index))
  const chain =
    used?.tip && !loneChain(used.tip.genesisStateHash, used.network?.chainId) && chainOf(used.tip.genesisStateHash)
  const troubles = [...ofNodes, ...(await ofIndexers)]
  return { troubles, isUsable: used !== undefined, ...(chain && { network: nameOf(chain) }) }
}
