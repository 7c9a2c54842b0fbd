// The alarms. Each description ends with the section of the runbook that says what to do.
import { Duration } from 'aws-cdk-lib'
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { routeOf } from '../../shared/http/routes.ts'
import type { StageSettings } from '../settings/schema.ts'
import { type Condition, frontAlarms, type Ingress } from './front/front-alarms.ts'
import { sumOf } from './metric-sum.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import { metricPeriod, type ServiceMetrics } from './service-metrics.ts'
import {
  concurrencyShare,
  lasting,
  maxFaultPercent,
  maxOriginRefusals,
  maxP99Ms,
  maxTipAgeSlots,
  minRequests,
} from './thresholds.ts'

/** Limits of concurrent executions: of the account, and of each function that has some reserved. */
export type Concurrency = Pick<StageSettings, 'accountConcurrency' | 'reservedConcurrency'>

interface AlarmsProps extends Ingress, Concurrency {
  readonly metrics: ServiceMetrics
  readonly functions: readonly MonitoredFunction[]
  readonly docs: LambdaFunction
}

/** All alarms of a stack. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[]

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id)
    const { functions } = props
    this.all = [
      this.#tipAge(props),
      ...functions.map((monitored) => this.#faults(monitored, props)),
      ...frontAlarms(this, props).map(({ id, what, section, condition }) => this.#alarm(id, what, section, condition)),
      ...functions.map((monitored) => this.#latency(monitored, props)),
      ...functions
        .filter(({ endpoint }) => endpoint.method === 'POST')
        .map((monitored) => this.#unknownOutcomes(monitored, props)),
      this.#throttles([...functions.map(({ handler }) => handler), props.docs]),
      ...this.#concurrency(props),
      this.#originRefusals(props),
      this.#nodesOut(props),
    ]
  }

  /** @param section the anchor of a heading in the runbook */
  #alarm(id: string, what: string, section: string, condition: Condition): Alarm {
    return new Alarm(this, id, {
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...condition,
      alarmDescription: `${what} What to do: docs/runbook.md#${section}`,
    })
  }

  #tipAge({ metrics }: AlarmsProps): Alarm {
    const what = `The best tip is more than ${maxTipAgeSlots} slots old, or its age is unknown.`
    return this.#alarm('TipAge', what, 'tip-age', {
      metric: metrics.metric('TipAgeSlots', Stats.MAXIMUM),
      threshold: maxTipAgeSlots,
      // A heartbeat may fall on either side of a period's end, so that one period has none.
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.BREACHING,
    })
  }

  #faults(monitored: MonitoredFunction, { metrics }: AlarmsProps): Alarm {
    const route = routeOf(monitored.endpoint)
    const { handler, endpoint } = monitored
    // A function that crashes writes no line, so Lambda's own error count is added.
    const failed = '(FILL(faults, 0) + FILL(errors, 0))'
    const metric = new MathExpression({
      // A few requests, perhaps only the heartbeat's, make an alarm only if all of them fail.
      expression: `IF((invocations >= ${minRequests}) OR (${failed} >= invocations), 100 * ${failed} / invocations, 0)`,
      usingMetrics: {
        invocations: handler.metricInvocations({ period: metricPeriod }),
        errors: handler.metricErrors({ period: metricPeriod }),
        faults: metrics.sum('Faults', { route }),
      },
      period: metricPeriod,
      label: `${route} failed, %`,
    })
    const what = `${route}: more than ${maxFaultPercent} % of the requests failed, or all of a few.`
    return this.#alarm(`${endpoint.name}Faults`, what, 'failing-requests', {
      metric,
      ...lasting,
      threshold: maxFaultPercent,
    })
  }

  #latency(monitored: MonitoredFunction, { metrics }: AlarmsProps): Alarm {
    const route = routeOf(monitored.endpoint)
    const threshold = maxP99Ms(monitored)
    const metric = new MathExpression({
      expression: `IF(requests >= ${minRequests}, latency, 0)`,
      usingMetrics: {
        requests: metrics.sum('Requests', { route }),
        latency: metrics.metric('Latency', 'p99', { route }),
      },
      period: metricPeriod,
      label: `${route} p99, ms`,
    })
    const what = `${route}: one request in a hundred takes more than ${threshold} ms.`
    return this.#alarm(`${monitored.endpoint.name}Latency`, what, 'slow-requests', { metric, ...lasting, threshold })
  }

  #unknownOutcomes(monitored: MonitoredFunction, { metrics }: AlarmsProps): Alarm {
    const route = routeOf(monitored.endpoint)
    const what = `${route}: the caller of a broadcast was told that its outcome is unknown.`
    return this.#alarm(`${monitored.endpoint.name}Unknown`, what, 'unknown-broadcasts', {
      metric: metrics.sum('Requests', { route, outcome: 'unknown' }),
      threshold: 0,
    })
  }

  #throttles(functions: readonly LambdaFunction[]): Alarm {
    const metric = new MathExpression({
      ...sumOf(functions.map((handler) => handler.metricThrottles({ period: metricPeriod }))),
      period: metricPeriod,
      label: 'throttles',
    })
    return this.#alarm('Throttles', 'Lambda throttled requests.', 'throttles', { metric, threshold: 0 })
  }

  #concurrency({ functions, docs, accountConcurrency, reservedConcurrency }: AlarmsProps): readonly Alarm[] {
    const alarm = (id: string, what: string, metric: IMetric, limit: number) =>
      this.#alarm(
        id,
        `${what} use more than ${concurrencyShare * 100} % of ${limit} concurrent executions.`,
        'concurrency',
        {
          metric,
          threshold: Math.floor(concurrencyShare * limit),
        },
      )
    const executions = { metricName: 'ConcurrentExecutions', statistic: Stats.MAXIMUM, period: Duration.minutes(1) }
    const account = new Metric({ namespace: 'AWS/Lambda', ...executions })
    const limited = [
      ...functions.map(({ endpoint, handler }) => ({
        name: endpoint.name,
        what: routeOf(endpoint),
        handler,
        reserved: reservedConcurrency[endpoint.method === 'POST' ? 'broadcasts' : 'reads'],
      })),
      { name: 'docs', what: 'The docs page', handler: docs, reserved: reservedConcurrency.reads },
    ]
    return [
      alarm('Concurrency', 'The functions of the account', account, accountConcurrency),
      ...limited.flatMap(({ name, what, handler, reserved }) => {
        const used = handler.metric('ConcurrentExecutions', executions)
        return reserved === null ? [] : alarm(`${name}Concurrency`, what, used, reserved)
      }),
    ]
  }

  #originRefusals({ metrics }: AlarmsProps): Alarm {
    const what = `More than ${maxOriginRefusals} requests bypassed the CDN or carried a wrong secret.`
    return this.#alarm('OriginRefusals', what, 'origin-refusals', {
      metric: metrics.sum('OriginRefused'),
      threshold: maxOriginRefusals,
    })
  }

  #nodesOut({ metrics }: AlarmsProps): Alarm {
    const what = 'One of several nodes has been out of use for 15 minutes; the others answer.'
    return this.#alarm('NodesOut', what, 'nodes-out', {
      metric: metrics.metric('NodesOut', Stats.MAXIMUM),
      threshold: 0,
      evaluationPeriods: 3,
    })
  }
}
