import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { metricPeriod } from './service-metrics.ts'

/** CloudFront has its metrics in this region, wherever the stack is. Alarms can read metrics of their own region only. */
export const edgeMetricsRegion = 'us-east-1'

/** A metric of a CloudFront distribution. */
export const edgeMetric = (distributionId: string, metricName: string, statistic: string): Metric =>
  new Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
    statistic,
    period: metricPeriod,
    region: edgeMetricsRegion,
  })
