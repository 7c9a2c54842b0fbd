import { Annotations, CfnOutput, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { endpoints } from '../shared/endpoints/all.ts'
import { docsRoutes } from '../shared/http/docs-page.ts'
import { DocsFunction } from './api/docs-function.ts'
import { EndpointFunction } from './api/endpoint-function.ts'
import { ExplorerHttpApi } from './api/http-api.ts'
import { PrivateNetwork } from './api/private-network.ts'
import { CdnAccessLog } from './edge/access-log.ts'
import { Edge } from './edge/distribution.ts'
import { Firewall } from './edge/firewall.ts'
import { OriginSecret } from './edge/origin-secret.ts'
import { BroadcastHeartbeat } from './monitoring/broadcast-heartbeat.ts'
import { deploymentTag } from './monitoring/budget.ts'
import { Monitoring } from './monitoring/monitoring.ts'
import { SavedQueries } from './monitoring/saved-queries.ts'
import { previousRelease } from './previous-release.ts'
import type { StageSettings } from './settings/schema.ts'
import { obstaclesIn } from './settings/warnings.ts'

/** The deployed version. */
export interface Release {
  readonly version: string
  readonly commit: string
}

/**
 * The service on AWS: CloudFront, an HTTP API, one function per endpoint, and their monitoring. Fixed names contain the
 * stage, and those that all regions share also the region, so that several stages and regions fit into one account.
 */
export class ApiStack extends Stack {
  constructor(scope: Construct, settings: StageSettings, { version, commit }: Release) {
    const name = `chain-explorer-${settings.stage}`
    super(scope, name, {
      description: `Chain Explorer REST Service (${settings.stage})`,
      env: { region: settings.region },
      terminationProtection: settings.terminationProtection ?? settings.network === 'mainnet',
      // Without version and commit: a stack's tags are on each of its resources, so that any commit would change them all.
      tags: {
        ...settings.tags,
        service: 'chain-explorer',
        stage: settings.stage,
        ...deploymentTag(name, settings.region),
      },
    })

    for (const { at, text } of obstaclesIn(settings))
      Annotations.of(this).addWarningV2(`chain-explorer:${at}`, `${at}: ${text}`)
    const originSecret = new OriginSecret(this, 'OriginSecret', settings.originSecretGeneration)
    const shared = {
      originSecrets: originSecret.accepted,
      release: `${version}+${commit}`,
      ...(settings.vpc !== null && { network: new PrivateNetwork(this, 'Network', settings.vpc) }),
    }
    const served = endpoints.map((endpoint) => {
      const { handler, logGroupName } = new EndpointFunction(this, endpoint, settings, shared)
      return { endpoint, handler, logGroupName }
    })
    const docs = new DocsFunction(this, settings, shared.originSecrets, shared.release)
    const docsServed = Object.values(docsRoutes).map((path) => ({
      endpoint: { name: 'docs', method: 'GET', path } as const,
      handler: docs.handler,
    }))
    const { http, accessLog } = new ExplorerHttpApi(this, 'Api', settings, [...served, ...docsServed])
    const firewall = settings.firewall.enabled && new Firewall(this, 'Firewall', settings.firewall)
    const { distribution, viewerFunctionName, hostName } = new Edge(this, 'Edge', settings, {
      api: http,
      originSecret,
      ...(firewall && { webAclArn: firewall.arn }),
    })
    const cdnAccessLog = settings.cdnAccessLog && new CdnAccessLog(this, 'CdnLog', settings, distribution)
    const baseAddress = `https://${hostName}`
    // CloudFront may send a new secret only when all functions accept it.
    distribution.node.addDependency(docs.handler, ...served.map(({ handler }) => handler))
    const broadcasts =
      settings.broadcastHeartbeat && new BroadcastHeartbeat(this, 'BroadcastHeartbeat', settings, baseAddress)
    // The id is part of the names of deployed resources: with another one, CloudFormation would replace them.
    const { dashboardUrl, topics, rollbackArns, healthCheckId } = new Monitoring(this, 'Watching', {
      ...settings,
      functions: served,
      docs: docs.handler,
      api: http,
      accessLog,
      distributionId: distribution.distributionId,
      viewerFunctionName,
      hostName,
      ...(settings.customDomain && { certificateArn: settings.customDomain.certificateArn }),
      ...(firewall && { firewallMetrics: firewall.metricNames }),
      ...(broadcasts && { broadcastPoster: broadcasts.handler }),
    })

    const logGroups = [...served, docs, ...(broadcasts ? [broadcasts] : [])].map(({ logGroupName }) => logGroupName)
    new SavedQueries(this, 'SavedQueries', [...logGroups, accessLog.logGroupName])
    const outputs: readonly (readonly [id: string, description: string, value: string])[] = [
      ['BaseAddress', 'Base address of the service: append a path such as /summary', baseAddress],
      ['TryIt', 'Shows that the service answers', `curl -i ${baseAddress}/summary`],
      ['CdnAddress', "CloudFront's own address of the service", `https://${distribution.distributionDomainName}`],
      [
        'DistributionId',
        'The CloudFront distribution, for invalidations and moved domains',
        distribution.distributionId,
      ],
      ['ApiAddress', 'The HTTP API behind CloudFront, which refuses everybody else', http.apiEndpoint],
      ['LogGroups', 'Log groups of the functions', logGroups.join(' ')],
      ['AccessLog', 'Log group of all calls of the HTTP API', accessLog.logGroupName],
      ...(cdnAccessLog
        ? ([['CdnAccessLog', 'Log group of all requests to CloudFront', cdnAccessLog.logGroup.logGroupName]] as const)
        : []),
      ['DashboardAddress', 'Dashboard', dashboardUrl],
      ['AlarmTopic', 'SNS topic of the alarms that page somebody', topics.page.topicArn],
      ['TicketTopic', 'SNS topic of the alarms that can wait', topics.ticket.topicArn],
      ['RollbackAlarms', 'ARNs of the alarms that roll a deployment back', rollbackArns.join(' ')],
      ...(healthCheckId === undefined
        ? []
        : ([['HealthCheckId', 'The check of the public address by Route 53', healthCheckId]] as const)),
      ...(firewall
        ? ([
            ['FirewallArn', 'The firewall, for its sampled requests', firewall.arn],
            ['FirewallRules', 'Metric names of its rules', Object.values(firewall.metricNames.rules).join(' ')],
          ] as const)
        : []),
      ['Version', 'Deployed version', version],
      ['Commit', 'Deployed commit, with -dirty and a hash of the sources after changes', commit],
    ]
    for (const [id, description, value] of outputs) new CfnOutput(this, id, { description, value })
    previousRelease(this)
  }
}
