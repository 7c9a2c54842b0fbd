// The trouble with the nodes before which npm start puts the service, one line for each.
import type { Settings } from '../../functions/runtime/settings/settings.ts'
import { portsOver } from '../../functions/runtime/upstreams/upstreams.ts'
import { isRefusedUnread } from '../../shared/chain/outcome.ts'
import { WireError } from '../../shared/upstream/errors.ts'
import {
  isBootstrapping,
  isRefusedLoad,
  nodeTipQuery,
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
}

function troubleOf(reply: Reply): string {
  if (reply.status === 401 || reply.status === 403) return troubles.key
  if (isRefusedLoad(reply)) return troubles.load
  if (isRefusedUnread(reply)) return troubles.rust
  const { bestChain }: { readonly bestChain?: unknown } = Object(reply.data)
  const hasNoBlocks = bestChain === null || (Array.isArray(bestChain) && bestChain.length === 0)
  return isBootstrapping(reply) || hasNoBlocks ? troubles.bootstrapping : troubles.unreadable
}

async function lookAt({ name, query }: NodePort, limitMs: number): Promise<Look> {
  try {
    const reply = await query(nodeTipQuery, {}, { limitMs, isRepeat: true })
    const tip = tipInUnread(reply.data)
    return tip === undefined ? { name, trouble: troubleOf(reply) } : { name, tip }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {
      name,
      trouble: error.fault === 'timeout' || error.fault === 'unreachable' ? troubles[error.fault] : troubles.unreadable,
    }
  }
}

const isOf = (networks: readonly string[], { genesisStateHash }: Tip): boolean =>
  networks.length === 0 || networks.includes(genesisStateHash)

/** The trouble of a node that has a tip. */
function tipTrouble(tip: Tip, networks: readonly string[]): string | undefined {
  const { genesisStateHash, syncStatus } = tip
  if (!isOf(networks, tip)) {
    return `is of another network, by its genesis block ${genesisStateHash}, and is not used. Take it out, or correct GENESIS_STATE_HASH.`
  }
  return syncStatus === 'SYNCED' ? undefined : `is in ${syncStatus}, so its blocks may be old. Wait until it is SYNCED.`
}

export interface NodesFound {
  /** `The node is bootstrapping …`: a line for each node with a trouble. */
  readonly troubles: readonly string[]
  /** True if the service can answer from at least one. */
  readonly isUsable: boolean
}

/** Asks every node for its tip, at once. The network is a pinned one, or that of the first node that answers. */
export async function lookAtNodes(settings: Settings, limitMs = maxWaitMs): Promise<NodesFound> {
  const looks = await Promise.all(portsOver(settings).nodes.map((node) => lookAt(node, limitMs)))
  const tips = looks.flatMap(({ tip }) => tip ?? [])
  const networks = settings.genesisStateHashes ?? tips.slice(0, 1).map((tip) => tip.genesisStateHash)
  const troubles = looks.flatMap(({ name, tip, trouble = tip && tipTrouble(tip, networks) }) =>
    trouble === undefined ? [] : [`The node ${settings.nodes === undefined ? '' : `${name} `}${trouble}`],
  )
  return { troubles, isUsable: tips.some((tip) => isOf(networks, tip)) }
}
