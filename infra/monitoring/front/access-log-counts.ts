// Requests that are counted in the API's access log, since AWS has no metric of them.
import { Stack } from 'aws-cdk-lib'
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { metricsNamespace } from '../../../shared/deployment/metrics.ts'
import { metricPeriod } from '../service-metrics.ts'

export interface AccessLogCounts {
  /** The requests that the API answered with 429. */
  readonly throttled: IMetric
  /** Those that it answered with 5xx, but for GET /health: its 503 is an answer, which a balancer may ask for all the time. */
  readonly failed: IMetric
}

/** Of the metric of a route's refusals: method and path, as the access log has them. */
const routeDimension = 'Route'

const namespace = `${metricsNamespace}/AccessLog`

/**
 * The share of a route's calls that the API refuses with 429, by its method and path; HEAD has its own throttle. Two filters
 * write to one metric, 1 for a refused call and 0 for any other, so that its average is the share.
 */
export function routeRefusals(scope: Construct, logGroup: ILogGroup): (route: string) => IMetric {
  const metricName = `${Stack.of(scope).stackName}-Refused`
  for (const [id, sign, metricValue] of [
    ['Refused', '=', '1'],
    ['NotRefused', '!=', '0'],
  ] as const) {
    const filterPattern = FilterPattern.stringValue('$.status', sign, '429')
    const dimensions = { [routeDimension]: '$.route' }
    new MetricFilter(scope, id, {
      ...{ logGroup, filterPattern, metricNamespace: namespace, metricName, metricValue, dimensions },
    })
  }
  return (route) =>
    new Metric({
      ...{ namespace, metricName, dimensionsMap: { [routeDimension]: route } },
      ...{ statistic: Stats.AVERAGE, period: metricPeriod, label: route },
    })
}

/** @param accessLog with the status as text, since the API writes the log's values into quotes */
export function accessLogCounts(scope: Construct, accessLog: ILogGroup): AccessLogCounts {
  const counted = (id: string, label: string, filterPattern: IFilterPattern) =>
    new MetricFilter(scope, id, {
      logGroup: accessLog,
      filterPattern,
      metricNamespace: namespace,
      metricName: `${Stack.of(scope).stackName}-${id}`,
      metricValue: '1',
      defaultValue: 0,
    }).metric({ statistic: Stats.SUM, period: metricPeriod, label })
  const isServerError = FilterPattern.stringValue('$.status', '=', '5*')
  const isNotHealth = FilterPattern.stringValue('$.route', '!=', '* /health')
  return {
    throttled: counted('Throttled', '429', FilterPattern.stringValue('$.status', '=', '429')),
    failed: counted('Failed', '5xx', FilterPattern.all(isServerError, isNotHealth)),
  }
}
