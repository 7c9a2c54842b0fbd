// What no setting shows alone: settings that do not go together.
import type { Example } from './setting-rules.ts'
import type { SettingKey, SettingValues } from './setting-table.ts'

/** A conflict, told at the setting that is to be changed first. */
export interface Conflict {
  readonly at: SettingKey
  /** What is wrong with what was given there. */
  readonly but: string
  readonly wants: string
  /** Another setting to show as an example than the one to be changed. */
  readonly exampleOf?: SettingKey
  /** An example that fits the other settings, where the usual one does not. */
  readonly example?: Example
}

type Values = Partial<SettingValues>

const credentialConflicts = (values: Values, group: 'nodeCredential' | 'indexerCredential'): readonly Conflict[] => {
  const header = values[`${group}.header`]
  const secret = values[`${group}.secret`]
  const parameter = values[`${group}.parameter`]
  const { region } = values
  if (header === undefined || secret === undefined || parameter === undefined) return []
  const at = `${group}.secret` as const
  if ((secret === null) === (parameter === null)) {
    const but = secret === null ? 'neither a secret nor a parameter is named' : 'a parameter is named as well'
    return [{ at, but, wants: 'either a secret or a parameter that holds the text of the header' }]
  }
  const isElsewhere = region !== undefined && secret?.startsWith('arn:') === true && secret.split(':')[3] !== region
  return isElsewhere ? [{ at, but: `the stack is in ${region}`, wants: 'a secret in the region of the stack' }] : []
}

const urlConflicts = (
  values: Values,
  at: 'nodeGraphqlUrl' | 'indexerGraphqlUrl',
  hasVpc: boolean,
): readonly Conflict[] =>
  values[at]?.startsWith('http:') === true && !hasVpc
    ? [
        {
          at,
          but: 'it is not encrypted and there is no vpc',
          wants: 'an https address, or a vpc that reaches a private one',
        },
      ]
    : []

/**
 * Every conflict among values that are each right; a wrong one, absent here, is in none.
 *
 * @param hasVpc whether anything is given for a VPC
 */
export function conflictsOf(values: Values, hasVpc: boolean): readonly Conflict[] {
  const { region, alarmEmail, alarmTopicArn } = values
  const { 'customDomain.domainName': domain, 'customDomain.zoneName': zone } = values
  const { 'vpc.subnetIds': subnets, 'vpc.availabilityZones': zones } = values
  const conflicts: Conflict[] = [
    ...urlConflicts(values, 'nodeGraphqlUrl', hasVpc),
    ...urlConflicts(values, 'indexerGraphqlUrl', hasVpc),
    ...credentialConflicts(values, 'nodeCredential'),
    ...credentialConflicts(values, 'indexerCredential'),
  ]
  if (region !== undefined && region !== 'us-east-1' && values['firewall.enabled'] === true) {
    const wants = 'us-east-1, the only region for a firewall in front of CloudFront; or firewall.enabled false'
    conflicts.push({ at: 'region', but: 'the firewall is on', wants })
  }
  if (domain !== undefined && zone !== undefined && domain !== zone && !domain.endsWith(`.${zone}`)) {
    conflicts.push({
      at: 'customDomain.domainName',
      but: `it is not in the zone ${zone}`,
      wants: 'a name in the hosted zone',
    })
  }
  if (subnets !== undefined && zones !== undefined && subnets.length !== zones.length) {
    const but = `there are ${subnets.length} subnets`
    conflicts.push({ at: 'vpc.availabilityZones', but, wants: 'the zone of each subnet, in their order' })
  }
  const otherZone = region && zones?.find((name) => !name.startsWith(region))
  if (otherZone) {
    const but = `${otherZone} is not in ${region}, the region of the stack`
    const example = [`${region}a`]
    conflicts.push({ at: 'vpc.availabilityZones', but, wants: 'zones of the region of the stack', example })
  }
  if (region !== undefined && typeof alarmTopicArn === 'string' && alarmTopicArn.split(':')[3] !== region) {
    conflicts.push({
      at: 'alarmTopicArn',
      but: `the stack is in ${region}`,
      wants: 'a topic in the region of the stack',
      example: `arn:aws:sns:${region}:123456789012:explorer-alarms`,
    })
  }
  if (values.indexerGraphqlUrl === null && typeof values['indexerCredential.header'] === 'string') {
    conflicts.push({
      at: 'indexerCredential.header',
      but: 'there is no indexer',
      wants: 'indexerGraphqlUrl beside it',
      exampleOf: 'indexerGraphqlUrl',
    })
  }
  if (typeof alarmEmail === 'string' && typeof alarmTopicArn === 'string') {
    const wants = "no address beside a topic: subscribe it to the topic, which is not the stack's"
    conflicts.push({ at: 'alarmEmail', but: 'alarmTopicArn is given as well', wants, example: null })
  }
  return conflicts
}
