import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { metricPeriod } from './service-metrics.ts'

/** CloudFront has its metrics there, wherever the stack is, and alarms see those of their own region only. */
export const edgeMetricsRegion = 'us-east-1'

/** A metric that CloudFront keeps of a distribution. */
export const edgeMetric = (distributionId: string, metricName: string, statistic: string): Metric =>
  new Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
    statistic,
    period: metricPeriod,
    region: edgeMetricsRegion,
  })
