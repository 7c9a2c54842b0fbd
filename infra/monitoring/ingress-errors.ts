// What callers meet where no function is asked: a lost right, a throttle of Lambda's, an API out of reach.
import { Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { edgeMetric, edgeMetricsRegion } from './edge-metric.ts'
import { metricPeriod } from './service-metrics.ts'

/** What stands in front of the functions. */
export interface Ingress {
  readonly api?: HttpApi
  /** Of the CDN. */
  readonly distributionId?: string
}

interface Faults {
  readonly id: string
  /** Who answers. */
  readonly what: string
  /** Per cent of the requests that were answered with 5xx. */
  readonly metric: MathExpression
}

/**
 * The share of 5xx that each part of the front answers, as far as an alarm of the stack can see it.
 *
 * @param leastRequests in a period; of fewer the share counts as 0
 */
export function ingressErrors(
  scope: Construct,
  { api, distributionId }: Ingress,
  leastRequests: number,
): readonly Faults[] {
  const faults = (id: string, what: string, percent: string, usingMetrics: Record<string, IMetric>): Faults => {
    const expression = `IF(requests >= ${leastRequests}, ${percent}, 0)`
    return {
      id,
      what,
      metric: new MathExpression({ expression, usingMetrics, period: metricPeriod, label: `${what}, 5xx, %` }),
    }
  }
  const ofApi = api && {
    requests: api.metricCount({ period: metricPeriod }),
    faults: api.metricServerError({ period: metricPeriod, statistic: Stats.SUM }),
  }
  const isSeen = distributionId !== undefined && Stack.of(scope).region === edgeMetricsRegion
  const ofEdge = isSeen && {
    requests: edgeMetric(distributionId, 'Requests', Stats.SUM),
    share: edgeMetric(distributionId, '5xxErrorRate', Stats.AVERAGE),
  }
  return [
    ...(ofApi ? [faults('ApiFaults', 'The HTTP API', '100 * FILL(faults, 0) / requests', ofApi)] : []),
    ...(ofEdge ? [faults('EdgeFaults', 'CloudFront', 'share', ofEdge)] : []),
  ]
}
