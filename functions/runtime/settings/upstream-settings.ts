// The upstreams of the settings: the nodes and the indexers, each with its address, headers, key and time-out.
import { stageSettings } from '../../../shared/deployment/stage-settings.ts'
import type { Credential } from '../upstreams/credential.ts'
import { addressWanted, type Mistakes, type StageValues } from './stage-values.ts'

/** One GraphQL upstream. */
export interface Upstream {
  readonly url: string
  /** Sent with each request, such as an API key. */
  readonly headers: Readonly<Record<string, string>>
  /** A key that is stored elsewhere and sent with each request. */
  readonly credential?: Credential
  /** For one call, its answer's body included. */
  readonly timeoutMs: number
  /** For a call that walks a ledger; `timeoutMs` if not set. */
  readonly slowTimeoutMs?: number
}

interface NodeUpstream extends Upstream {
  /** For logs: the host, and a number where several nodes have the same one. */
  readonly name: string
  /** Several nodes answer at this address in turn. */
  readonly sharedAddress: boolean
}

export interface NodeSettings {
  /** The only node, or the first of several. */
  readonly node: Upstream
  /** All nodes; absent if there is only one address, behind which there may be several. */
  readonly nodes?: readonly NodeUpstream[]
}

export interface IndexerSettings {
  /** In the order of the settings; empty on a deployment without one. */
  readonly indexers: readonly Upstream[]
  /** Present if no indexer may be asked for staking ledgers. */
  readonly withoutStakes?: true
}

/** The host of each; nodes of one host are numbered. */
function namesOf(urls: readonly string[]): readonly string[] {
  const hosts = urls.map((url) => (URL.canParse(url) ? new URL(url).host : ''))
  return hosts.map((host, index) =>
    hosts.filter((other) => other === host).length === 1
      ? host
      : `${host}#${hosts.slice(0, index + 1).filter((other) => other === host).length}`,
  )
}

/** A key must never reach another provider. */
function refuseKeys(values: StageValues, of: 'node' | 'indexer', wanted: string, mistakes: Mistakes): void {
  const headers = of === 'node' ? 'upstreamHeaders' : 'indexerHeaders'
  if (Object.keys(values[headers]).length > 0) mistakes.add(stageSettings[headers].variable, 'headers for all', wanted)
  const credential = `${of}Credential` as const
  if (values[credential] !== null) mistakes.add(stageSettings[credential].variable, 'a key for all', wanted)
}

/** The nodes at the addresses of `NODE_GRAPHQL_URL`: one, behind which there may be several, or several without any key. */
function addressedNodes(values: StageValues, mistakes: Mistakes): NonNullable<StageValues['nodes']> {
  const { nodeGraphqlUrl: urls, upstreamHeaders: headers, nodeCredential: credential } = values
  if (urls === null) {
    mistakes.add(stageSettings.nodeGraphqlUrl.variable, undefined, addressWanted)
    return []
  }
  const wanted = 'NODES, in which each node has its own headers and key, where there are several addresses'
  if (urls.length > 1) refuseKeys(values, 'node', wanted, mistakes)
  return urls.map((url) => ({ url, headers, ...(credential && { credential }), sharedAddress: urls.length === 1 }))
}

export function nodesFrom(values: StageValues, mistakes: Mistakes): NodeSettings {
  const given = values.nodes ?? addressedNodes(values, mistakes)
  const names = namesOf(given.map(({ url }) => url))
  const timeoutMs = values.upstreamTimeoutMs
  const nodes = given.map((node, index) => ({ ...node, timeoutMs, name: names[index] ?? '' }))
  const [first] = nodes
  // Settings without a node are refused.
  if (first === undefined) return { node: { url: '', headers: {}, timeoutMs: 0 } }
  const { sharedAddress, name: _name, ...node } = first
  return nodes.length === 1 && sharedAddress ? { node } : { node, nodes }
}

export function indexersFrom(values: StageValues, mistakes: Mistakes): IndexerSettings {
  const { indexerGraphqlUrl: urls, indexerHeaders: headers, indexerCredential: credential } = values
  if (urls === null) return { indexers: [] }
  const wanted = 'a single indexer, or indexers that need none'
  if (urls.length > 1) refuseKeys(values, 'indexer', wanted, mistakes)
  const timeouts = { timeoutMs: values.indexerTimeoutMs, slowTimeoutMs: values.indexerStakesTimeoutMs }
  return {
    indexers: urls.map((url) => ({ url, headers, ...(credential && { credential }), ...timeouts })),
    ...(!values.indexerStakes && { withoutStakes: true }),
  }
}
