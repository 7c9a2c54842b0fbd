// Metrics, alarms, dashboard and heartbeat of a stack.
import { Stack, Validations } from 'aws-cdk-lib'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import type { FirewallMetricNames } from '../edge/firewall.ts'
import type { StageSettings } from '../settings/schema.ts'
import { Alarms, type Concurrency } from './alarms.ts'
import { ServiceDashboard } from './dashboard.ts'
import type { Ingress } from './front/front-alarms.ts'
import { PublicHealthCheck } from './front/health-check.ts'
import { throttledRequests } from './front/throttled-requests.ts'
import { Heartbeat } from './heartbeat.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import { ServiceMetrics } from './service-metrics.ts'

type AlarmSettings = Pick<StageSettings, 'alarmEmail' | 'alarmTopicArn'>

export interface MonitoringProps
  extends Pick<Ingress, 'api' | 'distributionId' | 'viewerFunctionName'>,
    Concurrency,
    AlarmSettings,
    Pick<StageSettings, 'healthCheck'> {
  readonly accessLog: ILogGroup
  /** The public name of the service. */
  readonly hostName: string
  /** On stages with a firewall. */
  readonly firewallMetrics?: FirewallMetricNames
  /** The functions of all endpoints, that of the summary among them. */
  readonly functions: readonly MonitoredFunction[]
  /** The function of the docs page. Neither heartbeat nor dashboard needs it: it answers without a node. */
  readonly docs: LambdaFunction
  /** The headers that CloudFront adds to requests. */
  readonly heartbeatHeaders: Readonly<Record<string, string>>
}

/** Monitors the functions of a stack, and gives them the service name that their metrics have as a dimension. */
export class Monitoring extends Construct {
  readonly topicArn: string
  /** In the console of the stack's region. */
  readonly dashboardUrl: string

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id)
    const { functions } = props
    const { stackName, region } = Stack.of(this)
    const metrics = new ServiceMetrics(stackName)
    for (const handler of [...functions.map(({ handler }) => handler), props.docs])
      handler.addEnvironment('SERVICE_NAME', stackName)

    const throttled = throttledRequests(this, props.accessLog)
    const check = props.healthCheck && new PublicHealthCheck(this, 'PublicAddress', props.hostName)
    const watched = { ...props, metrics, throttled, ...(check && { publicStatus: check.status }) }
    const topic = this.#topic(props)
    const alarms = new Alarms(this, 'Alarms', watched)
    for (const alarm of alarms.all) {
      alarm.addAlarmAction(new SnsAction(topic))
      alarm.addOkAction(new SnsAction(topic))
    }

    const dashboard = new ServiceDashboard(this, 'Dashboard', { ...watched, alarms: alarms.all })
    new Heartbeat(this, 'Heartbeat', functions, props.heartbeatHeaders)

    this.topicArn = topic.topicArn
    this.dashboardUrl = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.name}`
  }

  #topic({ alarmEmail, alarmTopicArn }: AlarmSettings): ITopic {
    const topic = alarmTopicArn === null ? this.#ownTopic() : Topic.fromTopicArn(this, 'Topic', alarmTopicArn)
    if (alarmEmail === null) return topic
    topic.addSubscription(new EmailSubscription(alarmEmail))
    Validations.of(topic).acknowledge({
      id: 'Serverless::Serverless-SNSRedrivePolicy',
      reason: 'A queue for undelivered e-mails would have no reader. The dashboard shows the alarm.',
    })
    return topic
  }

  /**
   * Not encrypted: alarms could publish to it only with a customer-managed key, which costs more than the topic itself, and
   * alarms hold no secret.
   */
  #ownTopic(): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true })
    // Any policy replaces the default one, which allows the account's own alarms to publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    )
    return topic
  }
}
