// The dashboard: requests, CDN, API, chain, node and indexer, several nodes, broadcasts, functions.
import {
  AlarmStatusWidget,
  Dashboard,
  type IAlarm,
  type IWidget,
  MathExpression,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import { routeOf } from '../../shared/http/routes.ts'
import type { FirewallMetricNames } from '../edge/firewall.ts'
import type { Concurrency } from './capacity-alarms.ts'
import { above, columns, type GraphWithLines, heading, row } from './dashboard-row.ts'
import { blockedRequests, edgeMetric, viewerFailures, viewerMetric } from './front/edge-metric.ts'
import { apiShares, type Ingress } from './front/front-alarms.ts'
import { sumOf } from './metric-sum.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import { metricPeriod, type ServiceMetrics } from './service-metrics.ts'
import {
  concurrencyShare,
  maxFaultPercent,
  maxOriginRefusals,
  maxP99Ms,
  maxTipAgeSlots,
  maxViewerFailures,
} from './thresholds.ts'

interface ServiceDashboardProps extends Ingress, Concurrency {
  readonly metrics: ServiceMetrics
  readonly functions: readonly MonitoredFunction[]
  readonly alarms: readonly IAlarm[]
  /** On stages with a firewall. */
  readonly firewallMetrics?: FirewallMetricNames
}

const executions = { metricName: 'ConcurrentExecutions', statistic: Stats.MAXIMUM, period: metricPeriod }

/** One line for each threshold, named by the endpoints that have it. */
const latencyLines = (functions: readonly MonitoredFunction[]): GraphWithLines['lines'] =>
  [...Map.groupBy(functions, maxP99Ms)].map(([value, slow]) => ({
    value,
    label: `threshold: ${slow.map(({ endpoint }) => endpoint.name).join(', ')}`,
  }))

/** The dashboard of a stack. */
export class ServiceDashboard extends Construct {
  readonly name: string

  constructor(scope: Construct, id: string, props: ServiceDashboardProps) {
    super(scope, id)
    const { functions, metrics } = props
    const routes = functions.map(({ endpoint }) => routeOf(endpoint))
    const broadcasts = functions
      .filter(({ endpoint }) => endpoint.method === 'POST')
      .map(({ endpoint }) => routeOf(endpoint))
    const perRoute = (metric: (route: string) => Metric, shown = routes) =>
      shown.map((route) => metric(route).with({ label: route }))
    const latency = (statistic: string) => perRoute((route) => metrics.metric('Latency', statistic, { route }))

    const widgets = [
      new AlarmStatusWidget({ title: 'Alarms', alarms: [...props.alarms], width: columns, height: 4 }),
      heading('Users'),
      row({
        Requests: perRoute((route) => metrics.sum('Requests', { route })),
        'Requests by outcome': [metrics.sumOfEach('Requests')],
        Faults: perRoute((route) => metrics.sum('Faults', { route })),
        'Missing fields': [metrics.sumOfEach('MissingFields')],
      }),
      row({
        'Latency p50, ms': latency('p50'),
        'Latency p95, ms': latency('p95'),
        'Latency p99, ms': { metrics: latency('p99'), lines: latencyLines(functions) },
      }),
      ...this.#edge(props),
      heading('Chain'),
      row({
        Height: [metrics.metric('TipHeight', Stats.MAXIMUM)],
        'Age of the tip, slots': above(maxTipAgeSlots, [metrics.metric('TipAgeSlots', Stats.MAXIMUM)]),
        'Clock behind every node': [metrics.sum('ClockBehind')],
        'Another network than the last pin, and one with a fresher tip': [
          metrics.sum('PinStale'),
          metrics.sum('OtherNetworkFresh'),
        ],
      }),
      heading('Node and indexer'),
      row({
        'Latency of a call p50, ms': perRoute((route) => metrics.metric('UpstreamLatency', 'p50', { route })),
        'Latency of a call p99, ms': perRoute((route) => metrics.metric('UpstreamLatency', 'p99', { route })),
        'Calls without an answer': perRoute((route) => metrics.sum('UpstreamErrors', { route })),
        'Not asked, since all nodes are busy': [metrics.sum('Shed')],
        'Failed for want of the indexer': [metrics.sum('IndexerFaults')],
      }),
      heading('Several nodes'),
      row({
        'Out of use': [metrics.metric('NodesOut', Stats.MAXIMUM)],
        'Asked beside a slow one, and after a failed one': [metrics.sum('Hedges'), metrics.sum('Failovers')],
        Demotions: [metrics.sum('Demotions')],
      }),
      heading('Broadcasts'),
      row({
        'By code': [metrics.sumOfEach('BroadcastOutcome')],
        'Outcome unknown': perRoute((route) => metrics.sum('Requests', { route, outcome: 'unknown' }), broadcasts),
        'By the heartbeat': [metrics.sum('BroadcastHeartbeats')],
      }),
      heading('Functions'),
      row({
        'Concurrent executions': above(concurrencyShare * props.accountConcurrency, [
          new Metric({ ...executions, namespace: 'AWS/Lambda', label: 'account' }),
          ...functions.map(({ handler, endpoint }) =>
            handler.metric(executions.metricName, { ...executions, label: routeOf(endpoint) }),
          ),
        ]),
        Throttles: functions.map((monitored) =>
          monitored.handler.metricThrottles({ label: routeOf(monitored.endpoint) }),
        ),
        'Died without an answer': functions.map((monitored) =>
          monitored.handler.metricErrors({ label: routeOf(monitored.endpoint) }),
        ),
        'Ended in a bug': above(0, [metrics.sum('InternalErrors')]),
        'Refused past the CDN': above(maxOriginRefusals, [metrics.sum('OriginRefused')]),
      }),
    ]
    const dashboard = new Dashboard(this, 'Dashboard', { widgets: widgets.map((widget) => [widget]) })
    this.name = dashboard.dashboardName
  }

  /** Requests at the CDN, the share answered from its cache, and those that firewall, throttles and faults turn away. */
  #edge(props: ServiceDashboardProps): readonly IWidget[] {
    const { distributionId, viewerFunctionName, functions, metrics, firewallMetrics, publicStatus } = props
    const requests = edgeMetric(distributionId, 'Requests', Stats.SUM)
    const reached = sumOf(functions.map((monitored) => metrics.sum('Requests', { route: routeOf(monitored.endpoint) })))
    const hits = new MathExpression({
      expression: `100 * (1 - ${reached.expression} / edge)`,
      usingMetrics: { edge: requests, ...reached.usingMetrics },
      period: metricPeriod,
      label: 'hits, %',
    })
    return [
      heading('CDN'),
      row({
        Requests: [requests],
        'Answered without the service, %': [hits],
        'Errors, %': above(
          maxFaultPercent,
          ['4xxErrorRate', '5xxErrorRate'].map((name) => edgeMetric(distributionId, name, Stats.AVERAGE)),
        ),
        ...(firewallMetrics !== undefined && {
          'Turned away by the firewall': Object.entries(firewallMetrics.rules).map(([label, rule]) =>
            blockedRequests(firewallMetrics.acl, rule).with({ label }),
          ),
        }),
        ...(publicStatus !== undefined && { 'Public address answers': [publicStatus] }),
      }),
      row({
        'Viewer function, % of the time that it may take': [
          viewerMetric(viewerFunctionName, 'FunctionComputeUtilization', Stats.MAXIMUM),
        ],
        'Viewer function, errors and throttles': above(maxViewerFailures, viewerFailures(viewerFunctionName)),
      }),
      heading('API'),
      row({
        'Requests, and turned away by throttles (429)': [
          props.api.metricCount({ period: metricPeriod }),
          props.throttled,
        ],
        'Shares that have an alarm, %': above(maxFaultPercent, Object.values(apiShares(props))),
      }),
    ]
  }
}
