import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { metricPeriod } from '../service-metrics.ts'

/** CloudFront has its metrics in this region, wherever the stack is. An alarm reads only metrics of the region that it is in. */
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

/** A metric of the viewer function. */
export const viewerMetric = (functionName: string, metricName: string, statistic: string): Metric =>
  new Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { FunctionName: functionName, Region: 'Global' },
    statistic,
    period: metricPeriod,
    region: edgeMetricsRegion,
  })

/** By what failed: the function ended with an error or took too long, it returned something invalid, or was not run. */
export const viewerFailures = (functionName: string): readonly Metric[] =>
  ['FunctionExecutionErrors', 'FunctionValidationErrors', 'FunctionThrottles'].map((name) =>
    viewerMetric(functionName, name, Stats.SUM),
  )

/** Requests that a rule of the firewall answered. The dimensions are the names of metrics, not those of list and rule. */
export const blockedRequests = (acl: string, rule: string): Metric =>
  new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: acl, Rule: rule },
    statistic: Stats.SUM,
    period: metricPeriod,
    region: edgeMetricsRegion,
  })
