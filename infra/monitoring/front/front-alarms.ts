// The alarms in front of the functions: the public address, CloudFront, and the HTTP API with its throttles. No
// function sees these errors, such as a missing permission, a wrong origin or an expired domain.
import { Duration, Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import {
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { pathsOf, routeOf } from '../../../shared/http/routes.ts'
import { alarmsOnAny, sumOf } from '../metric-sum.ts'
import type { MonitoredFunction } from '../monitored-function.ts'
import type { PlannedAlarm } from '../planned-alarm.ts'
import { metricPeriod } from '../service-metrics.ts'
import {
  lasting,
  maxFaultPercent,
  maxRouteRefusals,
  maxThrottledPercent,
  maxViewerFailures,
  minRequests,
} from '../thresholds.ts'
import type { AccessLogCounts } from './access-log-counts.ts'
import { edgeMetric, edgeMetricsRegion, viewerFailures } from './edge-metric.ts'

/** The layers in front of the functions. */
export interface Ingress extends AccessLogCounts {
  readonly api: HttpApi
  /** Of CloudFront. */
  readonly distributionId: string
  readonly viewerFunctionName: string
  /** Of the custom domain, which somebody else makes. */
  readonly certificateArn?: string
  /** 1 while the public address answers, else 0; absent without a check. */
  readonly publicStatus?: IMetric
}

/** The share of requests, in per cent; 0 where a period has too few requests. */
function share(label: string, percent: string, usingMetrics: Record<string, IMetric>): MathExpression {
  const expression = `IF(requests >= ${minRequests}, ${percent}, 0)`
  return new MathExpression({ expression, usingMetrics, period: metricPeriod, label })
}

function errors(id: string, component: string, metric: MathExpression): PlannedAlarm {
  const what = `${component} answered more than ${maxFaultPercent} % of the requests with 5xx.`
  return {
    id,
    what,
    section: 'failing-front',
    urgency: 'page',
    rollsBack: true,
    condition: { metric, ...lasting, threshold: maxFaultPercent },
  }
}

/** The shares of the API's requests that failed with 5xx, and that were answered with 429. */
export function apiShares({ api, throttled, failed }: Ingress): {
  readonly failed: MathExpression
  readonly refused: MathExpression
} {
  const requests = api.metricCount({ period: metricPeriod })
  return {
    failed: share('The HTTP API, 5xx, %', '100 * FILL(failed, 0) / requests', { requests, failed }),
    refused: share('The HTTP API, 429, %', '100 * FILL(throttled, 0) / requests', { requests, throttled }),
  }
}

function apiAlarms(ingress: Ingress): readonly PlannedAlarm[] {
  const { failed, refused } = apiShares(ingress)
  return [
    errors('ApiFaults', 'The HTTP API', failed),
    {
      id: 'ThrottledRequests',
      what: `The HTTP API answered more than ${maxThrottledPercent} % of the requests with 429.`,
      section: 'throttled-requests',
      urgency: 'ticket',
      condition: { metric: refused, ...lasting, threshold: maxThrottledPercent },
    },
  ]
}

/** A route that refuses alone is a small share of the API's calls. */
export function routeRefusalAlarms(
  functions: readonly MonitoredFunction[],
  refused: (route: string) => IMetric,
): readonly PlannedAlarm[] {
  const plan = {
    id: 'RouteRefusals',
    what: 'For 15 minutes the HTTP API has answered more than half of the calls of a route with 429.',
    section: 'throttled-requests',
    urgency: 'page',
    condition: { threshold: maxRouteRefusals, evaluationPeriods: 3 },
  } as const
  const shares = functions.flatMap(({ endpoint }) =>
    pathsOf(endpoint).map((path) => refused(routeOf({ ...endpoint, path }))),
  )
  return alarmsOnAny(plan, shares, 'refused by the worst route')
}

/** ACM renews sixty days before a certificate expires: one this close to its end is not renewed by itself. */
const minDaysToExpiry = 21

function certificateAlarms({ certificateArn: CertificateArn }: Ingress): readonly PlannedAlarm[] {
  if (CertificateArn === undefined) return []
  return [
    {
      id: 'Certificate',
      what: `The certificate of the custom domain expires in less than ${minDaysToExpiry} days: ACM has not renewed it.`,
      section: 'public-address',
      urgency: 'ticket',
      condition: {
        metric: new Metric({
          namespace: 'AWS/CertificateManager',
          metricName: 'DaysToExpiry',
          dimensionsMap: { CertificateArn },
          statistic: Stats.MINIMUM,
          // ACM writes it twice a day.
          period: Duration.days(1),
        }),
        threshold: minDaysToExpiry,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        // ACM writes nothing of a certificate that has expired: the alarm must not end by that.
        treatMissingData: TreatMissingData.IGNORE,
      },
    },
  ]
}

/** An alarm reads only metrics of the region that it is in. */
function edgeAlarms(ingress: Ingress): readonly PlannedAlarm[] {
  const { distributionId, viewerFunctionName } = ingress
  const metric = share('CloudFront, 5xx, %', 'share', {
    requests: edgeMetric(distributionId, 'Requests', Stats.SUM),
    share: edgeMetric(distributionId, '5xxErrorRate', Stats.AVERAGE),
  })
  const failures = sumOf(viewerFailures(viewerFunctionName))
  return [
    ...certificateAlarms(ingress),
    errors('EdgeFaults', 'CloudFront', metric),
    {
      id: 'ViewerFunction',
      what: `CloudFront's function failed on more than ${maxViewerFailures} requests, or was throttled.`,
      section: 'viewer-function',
      urgency: 'page',
      rollsBack: true,
      condition: {
        metric: new MathExpression({ ...failures, period: metricPeriod, label: 'Failures of the viewer function' }),
        threshold: maxViewerFailures,
      },
    },
  ]
}

function addressAlarms({ publicStatus }: Ingress): readonly PlannedAlarm[] {
  if (publicStatus === undefined) return []
  const condition: PlannedAlarm['condition'] = {
    metric: publicStatus,
    threshold: 1,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    // One minute each. A new check has no value for about that long.
    evaluationPeriods: 3,
    // A deleted check has no values.
    treatMissingData: TreatMissingData.BREACHING,
  }
  const what = 'GET /summary at the public address fails from the internet, or its check is gone.'
  return [{ id: 'PublicAddress', what, section: 'public-address', urgency: 'page', condition }]
}

/** Those of CloudFront only where an alarm of the stack can read its metrics. */
export const frontAlarms = (scope: Construct, ingress: Ingress): readonly PlannedAlarm[] => [
  ...apiAlarms(ingress),
  ...(Stack.of(scope).region === edgeMetricsRegion ? edgeAlarms(ingress) : []),
  ...addressAlarms(ingress),
]
