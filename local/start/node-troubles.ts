// The trouble with the nodes before which npm start puts the service, one line for each.
import type { Settings } from '../../functions/runtime/settings/settings.ts'
import { portsOver } from '../../functions/runtime/upstreams/upstreams.ts'
import { isForeign, isForked, isOtherChain } from '../../shared/chain/network-state.ts'
import { isRefusedUnread } from '../../shared/chain/outcome.ts'
import { apply, type ChainEvent, type ChainState, initialState } from '../../shared/chain/state.ts'
import { chainOf, loneChain, nameOf } from '../../shared/deployment/networks.ts'
import { WireError } from '../../shared/upstream/errors.ts'
import {
  isBootstrapping,
  isRefusedLoad,
  networkQuery,
  nodeTipQuery,
  queryData,
  rustNode,
  tipInUnread,
} from '../../shared/upstream/node-query.ts'
import type { NodePort, Reply, Tip } from '../../shared/upstream/query.ts'

/** The greeting waits this long for the nodes, then for a block, so that it is there within five seconds. */
export const maxWaitMs = 2000

const whereGraphQlIs = 'A daemon has GraphQL at port 3085, path /graphql.'

/** Fault and remedy, in one line each. */
const troubles = {
  unreachable: `refuses connections, or has no such host. Start it, or correct its address. ${whereGraphQlIs}`,
  timeout: 'does not answer in time. Check its address, its load and the network between.',
  key: 'refuses the key. Set UPSTREAM_HEADERS, such as {"x-api-key":"…"}.',
  load: 'is there, and refuses requests for its load. Try again later.',
  bootstrapping: 'is bootstrapping and has no blocks yet. Wait until it is synced, some ten minutes after its start.',
  rust: `is ${rustNode.is}. ${rustNode.remedy}.`,
  unreadable: `does not answer as a Mina daemon. Correct its address. ${whereGraphQlIs}`,
} as const

interface Look {
  readonly name: string
  readonly trouble?: string
  readonly tip?: Tip
  /** Undefined where it does not say, or not in time. */
  readonly chainId?: string | undefined
}

function troubleOf(reply: Reply): string {
  if (reply.status === 401 || reply.status === 403) return troubles.key
  if (isRefusedLoad(reply)) return troubles.load
  if (isRefusedUnread(reply)) return troubles.rust
  const { bestChain }: { readonly bestChain?: unknown } = Object(reply.data)
  const hasNoBlocks = bestChain === null || (Array.isArray(bestChain) && bestChain.length === 0)
  return isBootstrapping(reply) || hasNoBlocks ? troubles.bootstrapping : troubles.unreadable
}

async function chainIdOf({ query }: NodePort, limitMs: number): Promise<string | undefined> {
  const limited: NodePort['query'] = (operation, variables) => query(operation, variables, { limitMs, isRepeat: true })
  try {
    return (await queryData(limited, networkQuery, {})).daemonStatus.chainId
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return undefined
  }
}

async function lookAt(node: NodePort, limitMs: number): Promise<Look> {
  const { name, query } = node
  const naming = chainIdOf(node, limitMs)
  try {
    const reply = await query(nodeTipQuery, {}, { limitMs, isRepeat: true })
    const tip = tipInUnread(reply.data)
    return tip === undefined ? { name, trouble: troubleOf(reply) } : { name, tip, chainId: await naming }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {
      name,
      trouble: error.fault === 'timeout' || error.fault === 'unreachable' ? troubles[error.fault] : troubles.unreadable,
    }
  }
}

/** What the service takes for its network after these looks, by its own rules. */
function judged({ genesisStateHashes = [], chainIds }: Settings, looks: readonly Look[], now: number): ChainState {
  let state = initialState(looks.length, 0, genesisStateHashes, chainIds)
  const learn = (event: ChainEvent) => {
    state = apply(state, event, now).state
  }
  for (const [node, { tip, chainId }] of looks.entries()) {
    if (tip === undefined) continue
    const { genesisStateHash } = tip
    if (chainId !== undefined) learn({ type: 'chain-id-shown', node, chainId, genesisStateHash })
    learn({ type: 'tip-shown', node, tip, wallMs: now })
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
  /** `The node is bootstrapping …`: a line for each node with a trouble. */
  readonly troubles: readonly string[]
  /** True if the service can answer from at least one. */
  readonly isUsable: boolean
  /** The known chain that the service answers from: `mainnet since 2026-09-03`; absent for an unknown one. */
  readonly network?: string
}

/** Asks every node for its tip and its chain id, at once, and judges which are used as the service does. */
export async function lookAtNodes(settings: Settings, limitMs = maxWaitMs): Promise<NodesFound> {
  const looks = await Promise.all(portsOver(settings).nodes.map((node) => lookAt(node, limitMs)))
  const state = judged(settings, looks, Date.now())
  const troubles = looks.flatMap(({ name, tip, chainId, ...look }, index) => {
    const trouble = look.trouble ?? (tip && tipTrouble(tip, chainId, state, index))
    return trouble === undefined ? [] : [`The node ${settings.nodes === undefined ? '' : `${name} `}${trouble}`]
  })
  const used = looks.find(({ tip }, index) => tip !== undefined && !isForeign(state, index))
  const chain = used?.tip && !loneChain(used.tip.genesisStateHash, used.chainId) && chainOf(used.tip.genesisStateHash)
  return { troubles, isUsable: used !== undefined, ...(chain && { network: nameOf(chain) }) }
}
