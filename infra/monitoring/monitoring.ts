// Metrics, alarms, dashboard and heartbeat of a stack.
import { Stack, Validations } from 'aws-cdk-lib'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import { Alarms } from './alarms.ts'
import { ServiceDashboard } from './dashboard.ts'
import { Heartbeat } from './heartbeat.ts'
import type { Ingress } from './ingress-errors.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import { ServiceMetrics } from './service-metrics.ts'

export interface MonitoringProps extends Ingress {
  /** All functions of the stack, that of the summary among them. */
  readonly functions: readonly MonitoredFunction[]
  /** Who is told of alarms; null for nobody. */
  readonly alarmEmail: string | null
  /** A topic of one's own to tell of alarms, which must let CloudWatch publish; null for one that the stack makes. */
  readonly alarmTopicArn: string | null
  /** How many functions the account may run at once, all of its stacks together. */
  readonly accountConcurrency: number
  /** Of each broadcast function; null for as many as the account allows. */
  readonly broadcastReservedConcurrency: number | null
  /** What the functions want to see of a request that came through the CDN: the heartbeat comes past it. */
  readonly heartbeatHeaders?: Readonly<Record<string, string>>
}

/** Watches the functions of a stack, and gives them the name under which they keep their metrics. */
export class Monitoring extends Construct {
  readonly topicArn: string
  /** In the console of the stack's region. */
  readonly dashboardUrl: string

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id)
    const { functions } = props
    const { stackName, region } = Stack.of(this)
    const metrics = new ServiceMetrics(stackName)
    for (const { handler } of functions) handler.addEnvironment('SERVICE_NAME', stackName)

    const topic = this.#topic(props)
    const alarms = new Alarms(this, 'Alarms', { ...props, metrics })
    for (const alarm of alarms.all) {
      alarm.addAlarmAction(new SnsAction(topic))
      alarm.addOkAction(new SnsAction(topic))
    }

    const { distributionId, heartbeatHeaders } = props
    const dashboard = new ServiceDashboard(this, 'Dashboard', {
      metrics,
      functions,
      alarms: alarms.all,
      ...(distributionId !== undefined && { distributionId }),
    })
    const summary = functions.find(({ endpoint }) => endpoint.path === '/summary')
    if (summary === undefined) throw new Error('there is no function of GET /summary to watch the chain through')
    new Heartbeat(this, 'Heartbeat', summary.handler, heartbeatHeaders)

    this.topicArn = topic.topicArn
    this.dashboardUrl = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.name}`
  }

  #topic({ alarmEmail, alarmTopicArn }: MonitoringProps): ITopic {
    const topic = alarmTopicArn === null ? this.#ownTopic() : Topic.fromTopicArn(this, 'Topic', alarmTopicArn)
    if (alarmEmail === null) return topic
    topic.addSubscription(new EmailSubscription(alarmEmail))
    Validations.of(topic).acknowledge({
      id: 'Serverless::Serverless-SNSRedrivePolicy',
      reason: 'An e-mail that cannot be delivered goes into a queue that nobody reads; the dashboard shows the alarm.',
    })
    return topic
  }

  /**
   * Not encrypted with a key: alarms can publish to a topic with a key of one's own only, which costs more than the
   * whole topic, and they say nothing that is secret.
   */
  #ownTopic(): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true })
    // Any policy replaces the one that lets the account's own alarms publish.
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
