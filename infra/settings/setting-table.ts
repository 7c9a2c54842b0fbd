// Every setting by its key path, with the rule for it.
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import {
  certificateArn,
  chainId,
  domainName,
  emailAddress,
  graphqlUrl,
  headerName,
  hostedZoneId,
  parameter,
  region,
  secret,
  topicArn,
  vpcId,
} from './aws-rules.ts'
import { lockedSupplyTable } from './locked-supply-file.ts'
import {
  headers,
  listOf,
  oneOf,
  optional,
  quoted,
  type Rule,
  timeoutMs,
  trueOrFalse,
  wholeNumber,
} from './setting-rules.ts'

const retentions = Object.values(RetentionDays).filter((days) => typeof days === 'number')

/** A month is long enough to look into a complaint. */
const logRetentionDays: Rule<number> = {
  ...wholeNumber(1, 3653, 30, 'days as CloudWatch knows them'),
  wants: `one of ${retentions.filter((days) => days <= 3653).join(', ')} days`,
  parse: (given) => retentions.find((days) => days <= 3653 && String(days) === String(given)),
}

const perSecond = (fallback: number): Rule<number> =>
  wholeNumber(1, 10_000, fallback, "a whole number from 1 to 10000, the account's own limit")

const perMinute = (fallback: number): Rule<number> =>
  wholeNumber(10, 2_000_000_000, fallback, "a whole number from 10, the firewall's least, to 2000000000")

const reservedConcurrency: Rule<number | null> = optional({
  ...wholeNumber(1, 10_000, 20, 'a whole number from 1 to 10000; 100 of the account must stay unreserved'),
  show: quoted,
})

/** Of a key path the text before the dot is a group. */
export const settingTable = {
  region: { ...region, fallback: 'us-east-1' },
  network: oneOf('mainnet', 'devnet'),
  chainId,
  nodeGraphqlUrl: graphqlUrl("a node's", 'https://node.example/graphql'),
  upstreamTimeoutMs: timeoutMs(8000),
  upstreamHeaders: headers,
  'nodeCredential.header': headerName,
  'nodeCredential.secret': optional(secret),
  'nodeCredential.parameter': optional(parameter),
  indexerGraphqlUrl: optional(graphqlUrl("an indexer's", 'https://indexer.example/graphql')),
  indexerHeaders: headers,
  'indexerCredential.header': headerName,
  'indexerCredential.secret': optional(secret),
  'indexerCredential.parameter': optional(parameter),
  indexerTimeoutMs: timeoutMs(1500),
  indexerStakesTimeoutMs: timeoutMs(8000),
  lockedSupplyTable,
  'vpc.vpcId': vpcId,
  'vpc.subnetIds': listOf(/^subnet-[0-9a-f]{8,17}$/, 'ids of subnets', ['subnet-0a1b2c3d4e5f67890']),
  'vpc.availabilityZones': listOf(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'the zones of the subnets, in their order', [
    'us-east-1a',
  ]),
  'vpc.securityGroupIds': listOf(/^sg-[0-9a-f]{8,17}$/, 'ids of security groups', ['sg-0a1b2c3d4e5f67890']),
  'customDomain.domainName': domainName,
  'customDomain.hostedZoneId': hostedZoneId,
  'customDomain.zoneName': { ...domainName, example: 'example.org' },
  'customDomain.certificateArn': certificateArn,
  longestCacheSeconds: wholeNumber(1, 86_400, 86_400, 'whole seconds from 1 to 86400, a day'),
  'throttles.reads.rate': perSecond(1000),
  'throttles.reads.burst': perSecond(2000),
  'throttles.broadcasts.rate': perSecond(50),
  'throttles.broadcasts.burst': perSecond(100),
  broadcastReservedConcurrency: reservedConcurrency,
  accountConcurrency: wholeNumber(1, 1_000_000, 1000, 'a whole number from 1, the quota "Concurrent executions"'),
  'firewall.enabled': trueOrFalse(true),
  'firewall.requestsPerMinute': perMinute(1000),
  'firewall.broadcastsPerMinute': perMinute(30),
  originSecretGeneration: wholeNumber(1, 1_000_000, 1, 'a whole number from 1 to 1000000'),
  alarmEmail: optional(emailAddress),
  alarmTopicArn: optional(topicArn),
  logRetentionDays,
  retainLogs: trueOrFalse(false),
} as const

export type SettingKey = keyof typeof settingTable

type ValueOf<R> = R extends Rule<infer T> ? T : never

/** A value for each key path. */
export type SettingValues = { readonly [Key in SettingKey]: ValueOf<(typeof settingTable)[Key]> }

/** Groups that a stage can do without: given in part, they must be given whole. */
export const optionalGroups = ['nodeCredential', 'indexerCredential', 'vpc', 'customDomain'] as const
export type OptionalGroup = (typeof optionalGroups)[number]

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingTable, key)

/** In the order of the table. */
export const settingKeys: readonly SettingKey[] = Object.keys(settingTable).filter(isSettingKey)

/** The optional group that a key path lies in. */
export const groupOf = (key: string): OptionalGroup | undefined =>
  optionalGroups.find((group) => key.startsWith(`${group}.`))
