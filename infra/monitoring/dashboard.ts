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
import { blocksLeftBehind, maxEmptySlots, rareEmptySlots } from '../../shared/contract/tip-age.ts'
import { routeOf } from '../../shared/http/routes.ts'
import { maxBlocksBehind } from '../../shared/indexer/indexed.ts'
import type { FirewallMetricNames } from '../edge/firewall.ts'
import type { Concurrency } from './capacity-alarms.ts'
import { above, columns, type GraphWithLines, heading, row } from './dashboard-row.ts'
import { budgetThresholds, failedShare } from './error-budget.ts'
import { blockedRequests, edgeMetric, viewerFailures, viewerMetric } from './front/edge-metric.ts'
import { apiShares, type Ingress } from './front/front-alarms.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import { metricPeriod, type ServiceMetrics } from './service-metrics.ts'
import { concurrencyShare, maxFaultPercent, maxOriginRefusals, maxP99Ms, maxViewerFailures } from './thresholds.ts'

interface ServiceDashboardProps extends Ingress, Concurrency {
  readonly metrics: ServiceMetrics
  readonly functions: readonly MonitoredFunction[]
  readonly alarms: readonly IAlarm[]
  /** On stages with a firewall. */
  readonly firewallMetrics?: FirewallMetricNames
}

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
    const broadcasts = functions.filter(({ endpoint }) => endpoint.method === 'POST')
    const measured: readonly { readonly route?: string }[] = metrics.ofRoutes
      ? functions.map(({ endpoint }) => ({ route: routeOf(endpoint) }))
      : [{}]
    const perRoute = (metric: (of: { readonly route?: string }) => Metric) =>
      measured.map((of) => metric(of).with({ label: of.route ?? 'all routes' }))
    const latency = (statistic: string) => perRoute((of) => metrics.metric('Latency', statistic, of))
    const ofAccount = (metricName: string, statistic: string) =>
      new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period: metricPeriod, label: 'account' })
    const perFunction = (metricName: string, statistic: string) =>
      functions.map(({ handler, endpoint }) =>
        handler.metric(metricName, { statistic, period: metricPeriod, label: routeOf(endpoint) }),
      )
    const perFunctionOrAccount = metrics.ofRoutes
      ? perFunction
      : (...metric: Parameters<typeof ofAccount>) => [ofAccount(...metric)]

    const widgets = [
      new AlarmStatusWidget({ title: 'Alarms', alarms: [...props.alarms], width: columns, height: 4 }),
      heading('Users'),
      row({
        Requests: perRoute((of) => metrics.sum('Requests', of)),
        ...(metrics.ofRoutes && { 'Requests by outcome': [metrics.sumOfEach('Requests')] }),
        ...(metrics.ofRoutes && { Faults: perRoute((of) => metrics.sum('Faults', of)) }),
        'Failed, %': {
          metrics: [failedShare(metrics, metricPeriod)],
          lines: budgetThresholds,
        },
        'Missing fields': [metrics.sumOfEach('MissingFields')],
      }),
      row({
        'Latency p50, ms': latency('p50'),
        'Latency p95, ms': latency('p95'),
        'Latency p99, ms': { metrics: latency('p99'), lines: metrics.ofRoutes ? latencyLines(functions) : [] },
      }),
      ...this.#edge(props),
      heading('Chain'),
      row({
        Height: [metrics.metric('TipHeight', Stats.MAXIMUM)],
        'Age of the tip, slots': {
          metrics: [metrics.metric('TipAgeSlots', Stats.MAXIMUM)],
          lines: [{ value: maxEmptySlots }, { value: rareEmptySlots, label: 'threshold of the ticket' }],
        },
        'Clock behind every node': [metrics.sum('ClockBehind')],
        'Another network than the last pin, and one with a fresher tip': [
          metrics.sum('PinStale'),
          metrics.sum('OtherNetworkFresh'),
        ],
      }),
      heading('Node and indexer'),
      row({
        'Latency of a call p50, ms': perRoute((of) => metrics.metric('UpstreamLatency', 'p50', of)),
        'Latency of a call p99, ms': perRoute((of) => metrics.metric('UpstreamLatency', 'p99', of)),
        'Calls without an answer': perRoute((of) => metrics.sum('UpstreamErrors', of)),
        'Not asked, since all nodes are busy': [metrics.sum('Shed')],
        'Failed for want of the indexer': [metrics.sum('IndexerFaults')],
        'Blocks that the indexer lies behind': above(maxBlocksBehind, [metrics.metric('IndexerLag', Stats.MINIMUM)]),
      }),
      heading('Several nodes'),
      row({
        'Out of use': [metrics.metric('NodesOut', Stats.MAXIMUM)],
        'Blocks that one lies behind': above(blocksLeftBehind - 1, [metrics.metric('NodeLag', Stats.MINIMUM)]),
        'Asked beside a slow one, and after a failed one': [metrics.sum('Hedges'), metrics.sum('Failovers')],
        Demotions: [metrics.sum('Demotions')],
      }),
      heading('Broadcasts'),
      row({
        'By code': [metrics.sumOfEach('BroadcastOutcome')],
        ...(metrics.ofRoutes && {
          'Outcome unknown': broadcasts.map(({ endpoint }) =>
            metrics
              .sum('Requests', { route: routeOf(endpoint), outcome: 'unknown' })
              .with({ label: routeOf(endpoint) }),
          ),
        }),
        'By the heartbeat, by code': [metrics.sumOfEach('BroadcastHeartbeats')],
      }),
      heading('Functions'),
      row({
        'Concurrent executions': above(concurrencyShare * props.accountConcurrency, [
          ofAccount('ConcurrentExecutions', Stats.MAXIMUM),
          ...(metrics.ofRoutes ? perFunction('ConcurrentExecutions', Stats.MAXIMUM) : []),
        ]),
        Throttles: perFunctionOrAccount('Throttles', Stats.SUM),
        'Died without an answer': perFunctionOrAccount('Errors', Stats.SUM),
        'Ended in a bug': above(0, [metrics.sum('InternalErrors')]),
        'Refused past the CDN': above(maxOriginRefusals, [metrics.sum('OriginRefused')]),
      }),
    ]
    const dashboard = new Dashboard(this, 'Dashboard', { widgets: widgets.map((widget) => [widget]) })
    this.name = dashboard.dashboardName
  }

  /** Requests at the CDN, the share answered from its cache, and those that firewall, throttles and faults turn away. */
  #edge(props: ServiceDashboardProps): readonly IWidget[] {
    const { distributionId, viewerFunctionName, firewallMetrics, publicStatus } = props
    const requests = edgeMetric(distributionId, 'Requests', Stats.SUM)
    const hits = new MathExpression({
      expression: '100 * (1 - FILL(reached, 0) / edge)',
      usingMetrics: { edge: requests, reached: props.metrics.sum('Requests') },
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
          'Turned away by the firewall': Object.entries(
            // A small stage's dashboard is free only up to fifty metrics.
            props.metrics.ofRoutes ? firewallMetrics.rules : { 'all rules': 'ALL' },
          ).map(([label, rule]) => blockedRequests(firewallMetrics.acl, rule).with({ label })),
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
