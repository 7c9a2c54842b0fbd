// Metrics, alarms, dashboard and heartbeat of a stack.
import { Stack } from 'aws-cdk-lib'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { FunctionEnvironment } from '../../shared/deployment/stage-settings.ts'
import type { FirewallMetricNames } from '../edge/firewall.ts'
import type { StageSettings } from '../settings/schema.ts'
import { Alarms, type Upstreams } from './alarms.ts'
import { Budget } from './budget.ts'
import type { Concurrency } from './capacity-alarms.ts'
import { ServiceDashboard } from './dashboard.ts'
import { accessLogCounts, routeRefusals } from './front/access-log-counts.ts'
import type { Ingress } from './front/front-alarms.ts'
import { PublicHealthCheck } from './front/health-check.ts'
import { Heartbeat } from './heartbeat.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import { ServiceMetrics } from './service-metrics.ts'
import { type TopicSettings, Topics } from './topics.ts'

export interface MonitoringProps
  extends Pick<Ingress, 'api' | 'certificateArn' | 'distributionId' | 'viewerFunctionName'>,
    Concurrency,
    TopicSettings,
    Upstreams,
    Pick<StageSettings, 'healthCheck' | 'monthlyBudgetDollars' | 'routeMetrics'> {
  readonly accessLog: ILogGroup
  /** The public name of the service. */
  readonly hostName: string
  /** On stages with a firewall. */
  readonly firewallMetrics?: FirewallMetricNames
  /** The functions of all endpoints, that of the summary among them. */
  readonly functions: readonly MonitoredFunction[]
  /** The function of the docs page. Neither heartbeat nor dashboard needs it: it answers without a node. */
  readonly docs: LambdaFunction
  /** Posts broadcasts; absent on a stage without a heartbeat of broadcasts. */
  readonly broadcastPoster?: IFunction
}

/** Monitors the functions of a stack, and gives them the service name that their metrics have as a dimension. */
export class Monitoring extends Construct {
  /** The topics that are told of alarms: those that page somebody, and the others. */
  readonly topics: Topics
  /** The ARNs of the alarms during which a deployment is rolled back. */
  readonly rollbackArns: readonly string[]
  /** In the console of the stack's region. */
  readonly dashboardUrl: string
  /** Of Route 53; absent on a stage without a check of its public address. */
  readonly healthCheckId?: string

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id)
    const { functions, routeMetrics } = props
    const { stackName, region } = Stack.of(this)
    const metrics = new ServiceMetrics(stackName, routeMetrics)
    const environment: FunctionEnvironment = {
      SERVICE_NAME: stackName,
      ...(!routeMetrics && { ROUTE_METRICS: 'false' }),
    }
    for (const handler of [...functions.map(({ handler }) => handler), props.docs])
      for (const [name, value] of Object.entries(environment)) handler.addEnvironment(name, value)

    const counts = accessLogCounts(this, props.accessLog)
    const check = props.healthCheck && new PublicHealthCheck(this, 'PublicAddress', props.hostName)
    if (check) this.healthCheckId = check.healthCheckId
    const watched = {
      ...props,
      metrics,
      ...counts,
      ...(check && { publicStatus: check.status }),
      ...(routeMetrics && { refusedOf: routeRefusals(this, props.accessLog) }),
    }
    this.topics = new Topics(this, 'Topics', props)
    const alarms = new Alarms(this, 'Alarms', watched)
    for (const { alarm, urgency } of alarms.all) {
      alarm.addAlarmAction(new SnsAction(this.topics[urgency]))
      alarm.addOkAction(new SnsAction(this.topics[urgency]))
    }
    this.rollbackArns = alarms.rollbackArns
    if (props.monthlyBudgetDollars !== null) new Budget(this, 'Budget', props.monthlyBudgetDollars, this.topics.ticket)

    const shown = alarms.all.map(({ alarm }) => alarm)
    const dashboard = new ServiceDashboard(this, 'Dashboard', { ...watched, alarms: shown })
    new Heartbeat(this, 'Heartbeat', functions)

    this.dashboardUrl = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.name}`
  }
}
