// Conflicts between settings and limits of AWS, which a deployment would find out only half-way.
import { Architecture, ParamsAndSecretsVersions } from 'aws-cdk-lib/aws-lambda'
import { RegionInfo } from 'aws-cdk-lib/region-info'
import { minReserved, minUnreserved } from '../../shared/deployment/settings.ts'
import { functionCounts } from './concurrency.ts'
import { maxTagsOfHealthCheck } from './groups/tags.ts'
import type { Example } from './kinds.ts'
import type { Partly, StageSettings } from './schema.ts'

/** A conflict, reported at the setting to change. */
export interface Conflict {
  readonly at: string
  readonly but: string
  readonly wants: string
  /** Another setting to show as an example. */
  readonly exampleOf?: string
  /** An example that fits the other settings, where the usual one does not. */
  readonly example?: Example
}

function concurrencyConflicts({ reservedConcurrency, accountConcurrency }: Partly<StageSettings>): Conflict[] {
  const { reads, broadcasts } = reservedConcurrency ?? {}
  if (reads === undefined || broadcasts === undefined || accountConcurrency === undefined) return []
  const { reads: readers, broadcasts: broadcasters } = functionCounts
  const ofBroadcasts = broadcasters * (broadcasts ?? 0)
  const sum = readers * (reads ?? 0) + ofBroadcasts
  const maxReserved = accountConcurrency - minUnreserved
  if (sum === 0 || sum <= maxReserved) return []
  const parts = [
    ...(reads === null ? [] : [`${readers} × ${reads} for reads`]),
    ...(broadcasts === null ? [] : [`${broadcasters} × ${broadcasts} for broadcasts`]),
  ]
  const but = `${parts.join(' and ')} make ${sum}`
  const wants =
    maxReserved < 1
      ? `no reservation, since AWS keeps ${minUnreserved} unreserved and accountConcurrency is ${accountConcurrency}`
      : `at most ${maxReserved} in all: accountConcurrency, ${accountConcurrency}, less the ${minUnreserved} that AWS keeps unreserved`
  const conflict = (kind: 'reads' | 'broadcasts', free: number, functions: number): Conflict => {
    // The example leaves a share, for the functions of the next release.
    const fitting = Math.floor(free / (functions + 1))
    return { at: `reservedConcurrency.${kind}`, but, wants, example: fitting < minReserved ? null : fitting }
  }
  // The examples fit together: the one for reads leaves room for the broadcasts as they are, or as their example has them.
  const broadcastsFit = broadcasts === null || ofBroadcasts <= maxReserved
  return [
    ...(reads === null ? [] : [conflict('reads', broadcastsFit ? maxReserved - ofBroadcasts : 0, readers)]),
    ...(broadcastsFit ? [] : [conflict('broadcasts', maxReserved, broadcasters)]),
  ]
}

/** Lambda takes 4 KB. The rest is for the origin secrets, the time-outs and the names of the variables. */
const maxUpstreamBytes = 4096 - 900

/** Every function has the addresses, headers and credentials of its upstreams in its environment. */
function environmentConflicts(values: Partly<StageSettings>): Conflict[] {
  const { nodes, nodeGraphqlUrl, nodeCredential, upstreamHeaders = {} } = values
  const { indexerGraphqlUrl, indexerCredential, indexerHeaders = {} } = values
  const withoutDefaults = (_key: string, value: unknown) => (value === null || value === false ? undefined : value)
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? '', withoutDefaults) ?? '')
  const bytes = {
    nodes: nodes ? bytesOf(nodes) : bytesOf(nodeGraphqlUrl) + bytesOf(nodeCredential),
    upstreamHeaders: nodes ? 0 : bytesOf(upstreamHeaders),
    indexerHeaders: bytesOf(indexerGraphqlUrl?.join()) + bytesOf(indexerHeaders) + bytesOf(indexerCredential),
  }
  const sum = Object.values(bytes).reduce((left, right) => left + right)
  if (sum <= maxUpstreamBytes) return []
  const [at = ''] = Object.entries(bytes).sort(([, left], [, right]) => right - left)[0] ?? []
  const but = `addresses, headers and credentials of node and indexer make ${sum} bytes`
  const wants = `at most ${maxUpstreamBytes} bytes of them, since Lambda takes 4 KB of environment; a long key belongs in a secret`
  return [{ at, but, wants }]
}

/** AWS publishes the extension by which functions read secrets and parameters region by region. */
function readerConflicts(values: Partly<StageSettings>): Conflict[] {
  const { region, nodes, nodeCredential, indexerCredential } = values
  const { V1_0_103: version } = ParamsAndSecretsVersions
  if (!region || RegionInfo.get(region).paramsAndSecretsLambdaLayerArn(version, Architecture.ARM_64.name)) return []
  const but = `the stack is in ${region}, where the CDK knows no Lambda extension that reads secrets and parameters`
  const wants = 'no credential, or a stack in another region'
  return [
    ...(nodeCredential?.header ? [{ at: 'nodeCredential.header', but, wants }] : []),
    ...(nodes?.some(({ credential }) => credential !== null) ? [{ at: 'nodes', but, wants }] : []),
    ...(indexerCredential?.header ? [{ at: 'indexerCredential.header', but, wants }] : []),
  ]
}

function tagConflicts({ tags, healthCheck }: Partly<StageSettings>): Conflict[] {
  if (!healthCheck || tags === undefined || Object.keys(tags).length <= maxTagsOfHealthCheck) return []
  const wants = `at most ${maxTagsOfHealthCheck}, since Route 53 takes 10 for a health check, with the stack's own and its name`
  return [{ at: 'tags', but: 'healthCheck is on', wants }]
}

/** All conflicts with limits of AWS. */
export const awsConflicts = (values: Partly<StageSettings>): readonly Conflict[] => [
  ...concurrencyConflicts(values),
  ...environmentConflicts(values),
  ...readerConflicts(values),
  ...tagConflicts(values),
]
