// How many daemons answer at a node's address, as far as a few questions show it, and which setting is for which.
import type { ChainSettings } from '../../../functions/runtime/settings/settings.ts'
import type { Upstream } from '../../../functions/runtime/settings/upstream-settings.ts'
import { queryOver } from '../../../functions/runtime/upstreams/upstreams.ts'
import { descriptionTimeoutMs } from '../../../shared/upstream/network.ts'
import { operation } from '../../../shared/upstream/operation.ts'
import { nullable, shape, shortText } from '../../../shared/upstream/wire.ts'
import { type Finding, fail, ok } from '../finding.ts'
import { answeredData, askUpstream } from './question.ts'

/** A daemon has a peer id of its own, once its network has started. */
const peerQuery = operation(
  'node',
  'query',
  'nodePeer',
  '',
  shape({ daemonStatus: shape({ addrsAndPorts: shape({ peer: nullable(shape({ peerId: shortText })) }) }) }),
  { timeoutMs: descriptionTimeoutMs },
)

/** A balancer that picks idle daemons spreads only parallel questions. Three at once keep an operator's daemons available. */
const rounds = 4
const besides = 3

/** The peer id of whoever answers on a new connection; undefined without one. */
async function peerOn(node: Upstream, extension: ChainSettings['extension']): Promise<string | undefined> {
  const query = queryOver({ node, indexers: [], ...(extension !== undefined && { extension }) })
  return answeredData(await askUpstream(query, peerQuery))?.daemonStatus.addrsAndPorts.peer?.peerId
}

/** The peer ids of a dozen answers, each on a connection of its own. */
export async function readPeers(node: Upstream, extension: ChainSettings['extension']): Promise<readonly string[]> {
  const peers: (string | undefined)[] = []
  for (let round = 0; round < rounds; round++) {
    peers.push(...(await Promise.all(Array.from({ length: besides }, () => peerOn(node, extension)))))
  }
  return peers.filter((peer) => peer !== undefined)
}

/** How the settings list the address: as `nodeGraphqlUrl`, as a single daemon of `nodes`, or as a shared one. */
export type AddressListing = 'alone' | 'one' | 'shared'

const forOne = {
  alone: `nodes: [{ graphqlUrl: '…' }] with that address in place of nodeGraphqlUrl (NODES='[{"graphqlUrl":"…"}]' of npm start)`,
  one: 'its entry of nodes, as it is',
  shared: 'take sharedAddress: true out of its entry of nodes',
}

const forSeveral = {
  alone: 'nodeGraphqlUrl, as it is',
  one: 'sharedAddress: true in its entry of nodes',
  shared: 'its entry of nodes, as it is',
}

/**
 * Reports the minimum number of daemons at the address. Seeing only one proves nothing, because a balancer may pin a caller to one
 * daemon, so the finding then names both settings.
 *
 * @param peers of the answers
 */
export function daemonsFinding(peers: readonly string[], listed: AddressListing): Finding {
  const subject = 'node address'
  const count = new Set(peers).size
  const asked = `by ${peers.length} answers on new connections`
  if (count > 1 && listed === 'one') {
    const says = `at least ${count} daemons answer here, ${asked}, and the settings say one: refusals and absences would be told too early`
    return fail(subject, says, `${forSeveral.one}, or an address of each`)
  }
  if (count > 1) return ok(subject, `at least ${count} daemons answer here, ${asked}: ${forSeveral[listed]}`)
  const seen = count === 0 ? 'no daemon tells its peer id here' : `at least 1 daemon answers here, ${asked}`
  return ok(
    subject,
    `${seen}. If you know that it is a single one: ${forOne[listed]}. If several may answer, even where a balancer sticks to one of them: ${forSeveral[listed]}`,
  )
}
