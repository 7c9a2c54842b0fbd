// The service's own metrics, for alarms and the dashboard.
import { Duration } from 'aws-cdk-lib'
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import {
  type Dimension,
  keptUnder,
  type MetricName,
  metricsNamespace,
  type RequestOutcome,
} from '../../shared/deployment/metrics.ts'

/** The heartbeat has the same interval, so that each period has values of the chain's metrics. */
export const metricPeriod = Duration.minutes(5)

/** Selects values of a metric: of all routes, or of all outcomes, where one is left out. */
interface Selection {
  readonly route?: string
  readonly outcome?: RequestOutcome
}

/** The metrics of one stack. */
export class ServiceMetrics {
  readonly #service: string
  /** False on a stage without metrics by route: a metric of a route is then that of the service. */
  readonly ofRoutes: boolean

  /** @param service the `SERVICE_NAME` of the functions */
  constructor(service: string, ofRoutes: boolean) {
    this.#service = service
    this.ofRoutes = ofRoutes
  }

  /** One metric. The test of the dashboard finds dimensions that the functions do not write it with. */
  metric(name: MetricName, statistic: string, { route, outcome }: Selection = {}): Metric {
    const dimensionsMap: { readonly [Key in Dimension]?: string } = {
      Service: this.#service,
      ...(route !== undefined && { Route: route }),
      ...(outcome !== undefined && { Outcome: outcome }),
    }
    return new Metric({ namespace: metricsNamespace, metricName: name, dimensionsMap, statistic, period: metricPeriod })
  }

  /** The sum of a metric's values in a period. */
  sum(name: MetricName, selection?: Selection): Metric {
    return this.metric(name, Stats.SUM, selection)
  }

  /** The sum of a metric's values for each combination of its last dimensions, whatever values those have. */
  sumOfEach(name: MetricName): MathExpression {
    const dimensions = keptUnder(name, this.ofRoutes).at(-1)?.join() ?? ''
    const search = `{${metricsNamespace},${dimensions}} MetricName="${name}" Service="${this.#service}"`
    return new MathExpression({
      expression: `SEARCH('${search}', '${Stats.SUM}', ${metricPeriod.toSeconds()})`,
      usingMetrics: {},
      period: metricPeriod,
      label: '',
    })
  }
}
