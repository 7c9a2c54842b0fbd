// The service's own metrics as alarms and dashboard refer to them.
import { Duration } from 'aws-cdk-lib'
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { type Dimension, type MetricName, metrics, metricsNamespace, type Outcome } from '../../shared/metrics.ts'

/** Also that of the heartbeat, so that each period has a value of the chain's metrics. */
export const metricPeriod = Duration.minutes(5)

/** Which of a metric's values are meant; those of all routes, or of all outcomes, where one is left out. */
interface Place {
  readonly route?: string
  readonly outcome?: Outcome
}

/** The metrics of one stack. */
export class ServiceMetrics {
  readonly #service: string

  /** @param service the `SERVICE_NAME` of the functions */
  constructor(service: string) {
    this.#service = service
  }

  /**
   * One metric.
   *
   * @throws Error for dimensions under which the functions do not keep it: such a metric never has a value
   */
  metric(name: MetricName, statistic: string, { route, outcome }: Place = {}): Metric {
    const dimensionsMap: { readonly [Key in Dimension]?: string } = {
      Service: this.#service,
      ...(route !== undefined && { Route: route }),
      ...(outcome !== undefined && { Outcome: outcome }),
    }
    const kept = metrics[name].dimensions.map((dimensions) => dimensions.join())
    const asked = Object.keys(dimensionsMap).join()
    if (!kept.some((dimensions) => dimensions === asked)) throw new Error(`${name} is not kept by ${asked}`)
    return new Metric({ namespace: metricsNamespace, metricName: name, dimensionsMap, statistic, period: metricPeriod })
  }

  /** How often something happened in a period. */
  sum(name: MetricName, place?: Place): Metric {
    return this.metric(name, Stats.SUM, place)
  }

  /**
   * One line per combination of the last dimensions that a metric is kept by, whatever words occur.
   *
   * @param route of these values only
   */
  each(name: MetricName, statistic: string, route?: string): MathExpression {
    const dimensions = metrics[name].dimensions.at(-1)?.join() ?? ''
    const place = `Service="${this.#service}"${route === undefined ? '' : ` Route="${route}"`}`
    return new MathExpression({
      expression: `SEARCH('{${metricsNamespace},${dimensions}} MetricName="${name}" ${place}', '${statistic}', ${metricPeriod.toSeconds()})`,
      usingMetrics: {},
      period: metricPeriod,
      label: '',
    })
  }
}
