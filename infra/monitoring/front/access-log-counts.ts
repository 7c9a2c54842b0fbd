// Requests that are counted in the API's access log, since AWS has no metric of them.
import { Stack } from 'aws-cdk-lib'
import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
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

/** @param accessLog with the status as text, since the API writes the log's values into quotes */
export function accessLogCounts(scope: Construct, accessLog: ILogGroup): AccessLogCounts {
  const counted = (id: string, label: string, filterPattern: IFilterPattern) =>
    new MetricFilter(scope, id, {
      logGroup: accessLog,
      filterPattern,
      metricNamespace: `${metricsNamespace}/AccessLog`,
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
