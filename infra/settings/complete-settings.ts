// Puts the values of all key paths together as the settings of a stage.

import type { Credential, StageSettings } from './schema.ts'
import type { OptionalGroup, SettingValues } from './setting-table.ts'

/** A credential that was read whole. */
const credentialOf = (values: SettingValues, group: 'nodeCredential' | 'indexerCredential'): Credential => ({
  header: values[`${group}.header`],
  secret: values[`${group}.secret`],
  parameter: values[`${group}.parameter`],
})

/**
 * The settings of a stage.
 *
 * @param has whether an optional group is given; the values of one that is not are never looked at
 */
export function completeSettings(
  stage: string,
  values: SettingValues,
  has: (group: OptionalGroup) => boolean,
): StageSettings {
  return {
    stage,
    region: values.region,
    network: values.network,
    chainId: values.chainId,
    nodeGraphqlUrl: values.nodeGraphqlUrl,
    upstreamTimeoutMs: values.upstreamTimeoutMs,
    upstreamHeaders: values.upstreamHeaders,
    nodeCredential: has('nodeCredential') ? credentialOf(values, 'nodeCredential') : null,
    indexerGraphqlUrl: values.indexerGraphqlUrl,
    indexerHeaders: values.indexerHeaders,
    indexerCredential: has('indexerCredential') ? credentialOf(values, 'indexerCredential') : null,
    indexerTimeoutMs: values.indexerTimeoutMs,
    indexerStakesTimeoutMs: values.indexerStakesTimeoutMs,
    lockedSupplyTable: values.lockedSupplyTable,
    vpc: has('vpc')
      ? {
          vpcId: values['vpc.vpcId'],
          subnetIds: values['vpc.subnetIds'],
          availabilityZones: values['vpc.availabilityZones'],
          securityGroupIds: values['vpc.securityGroupIds'],
        }
      : null,
    customDomain: has('customDomain')
      ? {
          domainName: values['customDomain.domainName'],
          hostedZoneId: values['customDomain.hostedZoneId'],
          zoneName: values['customDomain.zoneName'],
          certificateArn: values['customDomain.certificateArn'],
        }
      : null,
    longestCacheSeconds: values.longestCacheSeconds,
    throttles: {
      reads: { rate: values['throttles.reads.rate'], burst: values['throttles.reads.burst'] },
      broadcasts: { rate: values['throttles.broadcasts.rate'], burst: values['throttles.broadcasts.burst'] },
    },
    broadcastReservedConcurrency: values.broadcastReservedConcurrency,
    accountConcurrency: values.accountConcurrency,
    firewall: {
      enabled: values['firewall.enabled'],
      requestsPerMinute: values['firewall.requestsPerMinute'],
      broadcastsPerMinute: values['firewall.broadcastsPerMinute'],
    },
    originSecretGeneration: values.originSecretGeneration,
    alarmEmail: values.alarmEmail,
    alarmTopicArn: values.alarmTopicArn,
    logRetentionDays: values.logRetentionDays,
    retainLogs: values.retainLogs,
  }
}
