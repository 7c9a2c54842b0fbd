// The dashboard: requests, CDN, chain, node and indexer, several nodes, broadcasts, functions.

import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  MathExpression,
  type Metric,
  Row,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import { routeOf } from '../../shared/agreements/names.ts'
import { edgeMetric } from './edge-metric.ts'
import { sumOf } from './metric-sum.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import { metricPeriod, type ServiceMetrics } from './service-metrics.ts'

/** The width of a CloudWatch dashboard. */
const columns = 24

interface ServiceDashboardProps {
  readonly metrics: ServiceMetrics
  readonly functions: readonly MonitoredFunction[]
  readonly alarms: readonly IAlarm[]
  /** Of CloudFront. */
  readonly distributionId: string
}

const heading = (markdown: string): IWidget => new TextWidget({ markdown: `## ${markdown}`, width: columns, height: 1 })

/** Graphs side by side, by title. */
function row(graphs: Readonly<Record<string, readonly IMetric[]>>): IWidget {
  const width = Math.floor(columns / Object.keys(graphs).length)
  const widgets = Object.entries(graphs).map(
    ([title, left]) => new GraphWidget({ title, left: [...left], width, period: metricPeriod }),
  )
  return new Row(...widgets)
}

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
      row({ 'Latency p50, ms': latency('p50'), 'Latency p95, ms': latency('p95'), 'Latency p99, ms': latency('p99') }),
      ...this.#edge(props),
      heading('Chain'),
      row({
        Height: [metrics.metric('TipHeight', Stats.MAXIMUM)],
        'Age of the tip, slots': [metrics.metric('TipAgeSlots', Stats.MAXIMUM)],
      }),
      heading('Node and indexer'),
      row({
        'Latency of a call p50, ms': perRoute((route) => metrics.metric('UpstreamLatency', 'p50', { route })),
        'Latency of a call p99, ms': perRoute((route) => metrics.metric('UpstreamLatency', 'p99', { route })),
        'Calls without an answer': perRoute((route) => metrics.sum('UpstreamErrors', { route })),
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
      }),
      heading('Functions'),
      row({
        'Concurrent executions': functions.map((monitored) =>
          monitored.handler
            .metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM, period: metricPeriod })
            .with({ label: routeOf(monitored.endpoint) }),
        ),
        Throttles: functions.map((monitored) =>
          monitored.handler.metricThrottles({ label: routeOf(monitored.endpoint) }),
        ),
        'Died without an answer': functions.map((monitored) =>
          monitored.handler.metricErrors({ label: routeOf(monitored.endpoint) }),
        ),
        'Refused past the CDN': [metrics.sum('OriginRefused')],
      }),
    ]
    const dashboard = new Dashboard(this, 'Dashboard', { widgets: widgets.map((widget) => [widget]) })
    this.name = dashboard.dashboardName
  }

  /** Requests at the CDN, and the share that it answers from its cache. */
  #edge({ distributionId, functions, metrics }: ServiceDashboardProps): readonly IWidget[] {
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
        'Errors, %': ['4xxErrorRate', '5xxErrorRate'].map((name) => edgeMetric(distributionId, name, Stats.AVERAGE)),
      }),
    ]
  }
}
