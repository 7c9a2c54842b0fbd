// The upstreams' addresses in the settings of a stage, and from where each can be reached.
import { BlockList, isIP } from 'node:net'
import type { Partly, StageSettings } from './schema.ts'

/** `placeholder`: the stage files of the repository have addresses under .example, so that they synthesise unchanged. */
type Reach = 'placeholder' | 'loopback' | 'private' | 'public'

interface UpstreamAddress {
  /** The setting that holds it. */
  readonly at: 'nodeGraphqlUrl' | 'nodes' | 'indexerGraphqlUrl'
  /** The rest of an address may hold a key. */
  readonly host: string
  readonly hasPath: boolean
  readonly reach: Reach
}

function blockOf(ipv4: readonly (readonly [net: string, bits: number])[], ipv6: typeof ipv4): BlockList {
  const block = new BlockList()
  for (const [net, bits] of ipv4) block.addSubnet(net, bits)
  for (const [net, bits] of ipv6) block.addSubnet(net, bits, 'ipv6')
  return block
}

const loopbackNets = blockOf(
  [
    ['127.0.0.0', 8],
    ['0.0.0.0', 8],
  ],
  [['::', 127]],
)

const privateNets = blockOf(
  [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
    ['169.254.0.0', 16],
  ],
  [
    ['fc00::', 7],
    ['fe80::', 10],
  ],
)

const endsWithLabel = (host: string, labels: readonly string[]): boolean =>
  labels.some((label) => host === label || host.endsWith(`.${label}`))

/** Domains that no name server of the internet serves. */
const privateDomains = ['internal', 'local', 'lan', 'intranet', 'corp', 'home.arpa', 'test', 'invalid', 'localhost']

/** True if a name may have an address on the internet. */
export const isPublicName = (host: string): boolean =>
  host.includes('.') && !endsWithLabel(host, [...privateDomains, 'example'])

function reachOf(host: string): Reach {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const version = isIP(address)
  if (version !== 0) {
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (loopbackNets.check(address, family)) return 'loopback'
    return privateNets.check(address, family) ? 'private' : 'public'
  }
  if (endsWithLabel(host, ['example'])) return 'placeholder'
  if (endsWithLabel(host, ['localhost'])) return 'loopback'
  return isPublicName(host) ? 'public' : 'private'
}

/** All addresses of nodes and indexers that are given. */
export function upstreamAddresses(settings: Partly<StageSettings>): readonly UpstreamAddress[] {
  const { nodeGraphqlUrl, nodes, indexerGraphqlUrl } = settings
  const given = [
    ['nodeGraphqlUrl', nodeGraphqlUrl ?? null],
    ...(nodes ?? []).map(({ graphqlUrl }) => ['nodes', graphqlUrl] as const),
    ...(indexerGraphqlUrl ?? []).map((url) => ['indexerGraphqlUrl', url] as const),
  ] as const
  return given.flatMap(([at, url]) => {
    if (url === null) return []
    const { hostname: host, pathname } = new URL(url)
    return [{ at, host, hasPath: pathname !== '/', reach: reachOf(host) }]
  })
}
