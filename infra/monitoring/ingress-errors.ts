// Errors of CloudFront and the HTTP API that no function sees, such as a missing permission or a wrong origin.
import { Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { edgeMetric, edgeMetricsRegion } from './edge-metric.ts'
import { metricPeriod } from './service-metrics.ts'

/** What requests pass before they reach a function. */
export interface Ingress {
  readonly api: HttpApi
  /** Of CloudFront. */
  readonly distributionId: string
}

interface IngressErrors {
  readonly id: string
  readonly component: string
  /** Per cent of the requests that were answered with 5xx. */
  readonly metric: MathExpression
}

/**
 * The share of 5xx answers of the HTTP API and, where an alarm of the stack can read its metrics, of CloudFront.
 *
 * @param leastRequests in a period; with fewer the share counts as 0
 */
export function ingressErrors(
  scope: Construct,
  { api, distributionId }: Ingress,
  leastRequests: number,
): readonly IngressErrors[] {
  const errors = (id: string, component: string, percent: string, usingMetrics: Record<string, IMetric>) => {
    const expression = `IF(requests >= ${leastRequests}, ${percent}, 0)`
    const label = `${component}, 5xx, %`
    return { id, component, metric: new MathExpression({ expression, usingMetrics, period: metricPeriod, label }) }
  }
  const ofApi = errors('ApiFaults', 'The HTTP API', '100 * FILL(faults, 0) / requests', {
    requests: api.metricCount({ period: metricPeriod }),
    faults: api.metricServerError({ period: metricPeriod, statistic: Stats.SUM }),
  })
  if (Stack.of(scope).region !== edgeMetricsRegion) return [ofApi]
  const ofEdge = errors('EdgeFaults', 'CloudFront', 'share', {
    requests: edgeMetric(distributionId, 'Requests', Stats.SUM),
    share: edgeMetric(distributionId, '5xxErrorRate', Stats.AVERAGE),
  })
  return [ofApi, ofEdge]
}
