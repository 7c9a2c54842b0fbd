import { Stack } from 'aws-cdk-lib'
import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { metricsNamespace } from '../../../shared/deployment/metrics.ts'
import { metricPeriod } from '../service-metrics.ts'

/**
 * The requests that the API answered with 429, counted in its access log: AWS has no metric of them.
 *
 * @param accessLog with the status as text, since the API writes the log's values into quotes
 */
export function throttledRequests(scope: Construct, accessLog: ILogGroup): IMetric {
  const filter = new MetricFilter(scope, 'Throttled', {
    logGroup: accessLog,
    filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
    metricNamespace: `${metricsNamespace}/AccessLog`,
    metricName: `${Stack.of(scope).stackName}-Throttled`,
    metricValue: '1',
    defaultValue: 0,
  })
  return filter.metric({ statistic: Stats.SUM, period: metricPeriod, label: '429' })
}
