// Conflicts between settings that are valid on their own.
import { chainOf } from '../../shared/deployment/networks.ts'
import { chainIdsWanted } from '../../shared/deployment/pins.ts'
import { isPublicName, upstreamAddresses } from './addresses.ts'
import { awsConflicts, type Conflict } from './aws-limits.ts'
import type { Credential } from './credential.ts'
import type { CustomDomain, Partly, StageSettings } from './schema.ts'

const regionOf = (arn: string): string | undefined => arn.split(':')[3]

function credentialConflicts(group: string, credential: Partly<Credential>, region: string | undefined): Conflict[] {
  const { header, secret, parameter } = credential
  const at = `${group}.secret`
  if (header === undefined || secret === undefined || parameter === undefined) return []
  if ((secret === null) === (parameter === null)) {
    const but = secret === null ? 'neither a secret nor a parameter is named' : 'a parameter is named as well'
    return [{ at, but, wants: 'either a secret or a parameter that holds the text of the header' }]
  }
  if (region === undefined || !secret?.startsWith('arn:') || regionOf(secret) === region) return []
  return [{ at, but: `the stack is in ${region}`, wants: 'a secret in the region of the stack' }]
}

/** `nodes` is the long form of `nodeGraphqlUrl`, its headers and its credential. */
function* nodeConflicts({ nodes, ...values }: Partly<StageSettings>): Generator<Conflict> {
  const { nodeGraphqlUrl, nodeCredential, upstreamHeaders = {}, region, vpc } = values
  if (nodes === null && nodeGraphqlUrl === null) {
    const wants = 'the address of a node, or nodes for several'
    yield { at: 'nodeGraphqlUrl', but: 'there are no nodes either', wants }
  }
  if (!nodes) return
  const but = 'nodes is given as well'
  if (nodeGraphqlUrl) yield { at: 'nodeGraphqlUrl', but, wants: 'either one address or nodes' }
  if (Object.keys(upstreamHeaders).length > 0) {
    yield { at: 'upstreamHeaders', but, wants: 'headers of each node in nodes' }
  }
  if (nodeCredential?.header) {
    yield { at: 'nodeCredential.header', but, wants: 'the credential of each node in nodes' }
  }
  if (!vpc && nodes.some(({ graphqlUrl }) => graphqlUrl.startsWith('http:'))) {
    yield { at: 'nodes', but: 'one is not encrypted and there is no vpc', wants: 'https addresses, or a vpc' }
  }
  const isForeign = (secret: string | null | undefined) =>
    region !== undefined && secret?.startsWith('arn:') && regionOf(secret) !== region
  if (nodes.some(({ credential }) => isForeign(credential?.secret))) {
    yield { at: 'nodes', but: `the stack is in ${region}`, wants: 'secrets in the region of the stack' }
  }
}

function domainConflicts({ domainName, hostedZoneId, zoneName }: Partly<CustomDomain>): Conflict[] {
  if (hostedZoneId !== undefined && zoneName !== undefined && (hostedZoneId === null) !== (zoneName === null)) {
    const [at, other] = hostedZoneId === null ? ['hostedZoneId', 'zoneName'] : ['zoneName', 'hostedZoneId']
    const wants = 'id and name of the hosted zone, or neither: the records are then yours to make'
    return [{ at: `customDomain.${at}`, but: `customDomain.${other} is given`, wants }]
  }
  if (domainName === undefined || !zoneName || `.${domainName}`.endsWith(`.${zoneName}`)) return []
  const but = `it is not in the zone ${zoneName}`
  const example = `explorer.${zoneName}`
  return [{ at: 'customDomain.domainName', but, wants: 'a name in the hosted zone', example }]
}

/** A service that asks itself causes a question with each question, until its throttles refuse them. */
function loopConflicts(values: Partly<StageSettings>): Conflict[] {
  const own = values.customDomain?.domainName
  const looping = upstreamAddresses(values).flatMap(({ at, host }) => (host.replace(/\.$/, '') === own ? [at] : []))
  return [...new Set(looping)].map((at) => {
    const wants = `the address of ${at === 'indexerGraphqlUrl' ? 'an indexer' : 'a node'} itself`
    return { at, but: `${own} is the domain of this service, which would ask itself`, wants }
  })
}

/**
 * All conflicts among the valid settings.
 *
 * @param values without those that are wrong: undefined is in no conflict, null is a setting that is not given
 */
export function conflictsOf(values: Partly<StageSettings>): readonly Conflict[] {
  const { region, vpc, customDomain } = values
  const conflicts: Conflict[] = []
  const add = (at: string, but: string, wants: string, shown: Pick<Conflict, 'example' | 'exampleOf'> = {}) =>
    conflicts.push({ at, but, wants, ...shown })

  conflicts.push(...nodeConflicts(values), ...awsConflicts(values))
  for (const at of ['nodeGraphqlUrl', 'indexerGraphqlUrl'] as const) {
    if ([values[at] ?? []].flat().some((url) => url.startsWith('http:')) && !vpc)
      add(at, 'it is not encrypted and there is no vpc', 'an https address, or a vpc that reaches the private one')
  }
  for (const group of ['nodeCredential', 'indexerCredential'] as const)
    conflicts.push(...credentialConflicts(group, values[group] ?? {}, region))
  if (region !== undefined && region !== 'us-east-1' && values.firewall?.enabled) {
    const wants = 'us-east-1, the only region for a firewall in front of CloudFront; or firewall.enabled false'
    add('region', 'the firewall is on', wants)
  }
  conflicts.push(...domainConflicts(customDomain ?? {}), ...loopConflicts(values))

  if (values.healthCheck && region !== undefined && region !== 'us-east-1') {
    const wants = 'false, or a stack in us-east-1, the only region with metrics of health checks'
    add('healthCheck', `the stack is in ${region}`, wants, { example: false })
  }
  if (values.cdnAccessLog && region !== undefined && region !== 'us-east-1') {
    const wants = 'false, or a stack in us-east-1, the only region from which CloudFront delivers its log'
    add('cdnAccessLog', `the stack is in ${region}`, wants, { example: false })
  }
  for (const check of ['healthCheck', 'broadcastHeartbeat'] as const) {
    if (values[check] && customDomain?.domainName !== undefined && !isPublicName(customDomain.domainName)) {
      const but = `${customDomain.domainName} has no address on the internet`
      add(check, but, 'false, or a public domain: the check comes from the internet', { example: false })
    }
  }
  if (values.firewall?.enabled === false && values.firewall.blockedIpSetArn) {
    const wants = 'no IP set, or firewall.enabled true: the firewall refuses its addresses'
    add('firewall.blockedIpSetArn', 'firewall.enabled is false', wants, { example: null })
  }

  if (values.firewall?.freeIpSetArn) {
    const but =
      values.firewall.enabled === false
        ? 'firewall.enabled is false'
        : values.firewall.costlyRequestsPerMinute === null && 'firewall.costlyRequestsPerMinute is null'
    const wants = 'no IP set, or a firewall with costlyRequestsPerMinute, which does not limit its addresses'
    if (but) add('firewall.freeIpSetArn', but, wants, { example: null })
  }

  const { genesisStateHash, chainId } = values
  const fitting = genesisStateHash && chainId ? chainIdsWanted(genesisStateHash, chainId) : undefined
  if (genesisStateHash && fitting !== undefined) {
    const example = genesisStateHash.map((pin) => chainOf(pin)?.chainId ?? '0123456789abcdef'.repeat(4))
    add('chainId', 'it does not fit genesisStateHash', fitting, { example })
  }

  const { subnetIds, availabilityZones } = vpc ?? {}
  const zones = (subnetIds ?? ['']).map((_id, index) => `${region ?? 'us-east-1'}${'abcdef'[index % 6]}`)
  if (subnetIds && availabilityZones && subnetIds.length !== availabilityZones.length) {
    const wants = 'the zone of each subnet, in their order'
    add('vpc.availabilityZones', `the number of subnets is ${subnetIds.length}`, wants, { example: zones })
  }
  const otherZone = region && availabilityZones?.find((zone) => !zone.startsWith(region))
  if (otherZone) {
    const but = `${otherZone} is not in ${region}, the region of the stack`
    add('vpc.availabilityZones', but, 'zones of the region of the stack', { example: zones })
  }
  for (const [email, topic] of [
    ['alarmEmail', 'alarmTopicArn'],
    ['ticketEmail', 'ticketTopicArn'],
  ] as const) {
    if (region !== undefined && values[topic] && regionOf(values[topic]) !== region) {
      const example = `arn:aws:sns:${region}:123456789012:explorer-alarms`
      add(topic, `the stack is in ${region}`, 'a topic in the region of the stack', { example })
    }
    if (values[email] && values[topic]) {
      const wants = 'either an address or a topic; to use both, subscribe the address to the topic'
      add(email, `${topic} is given as well`, wants, { example: null })
    }
  }
  if ((values.indexerGraphqlUrl?.length ?? 0) > 1) {
    const [but, wants] = ['there are several indexers', 'a single indexer, or indexers that need none']
    if (Object.keys(values.indexerHeaders ?? {}).length > 0) add('indexerHeaders', but, wants, { example: {} })
    if (values.indexerCredential?.header !== undefined) {
      add('indexerCredential.header', but, wants, { exampleOf: 'indexerGraphqlUrl' })
    }
  }
  if (values.indexerGraphqlUrl === null && values.indexerCredential?.header !== undefined) {
    const shown = { exampleOf: 'indexerGraphqlUrl' }
    add('indexerCredential.header', 'there is no indexer', 'indexerGraphqlUrl too', shown)
  }
  return conflicts
}
