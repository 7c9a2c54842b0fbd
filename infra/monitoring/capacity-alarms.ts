// The alarms on throttled functions, and on those that soon will be.
import { Duration } from 'aws-cdk-lib'
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { routeOf } from '../../shared/http/routes.ts'
import type { StageSettings } from '../settings/schema.ts'
import { alarmsOnAny } from './metric-sum.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import type { PlannedAlarm } from './planned-alarm.ts'
import { metricPeriod } from './service-metrics.ts'
import { concurrencyShare } from './thresholds.ts'

/** Limits of concurrent executions: of the account, and of each function that has some reserved. */
export type Concurrency = Pick<StageSettings, 'accountConcurrency' | 'reservedConcurrency'>

interface CapacityProps extends Concurrency {
  readonly functions: readonly MonitoredFunction[]
  readonly docs: LambdaFunction
}

function throttles({ functions, docs }: CapacityProps): readonly PlannedAlarm[] {
  const handlers = [...functions.map(({ handler }) => handler), docs]
  const metrics = handlers.map((handler) => handler.metricThrottles({ period: metricPeriod }))
  const what = 'Lambda throttled requests.'
  return alarmsOnAny({ id: 'Throttles', what, section: 'throttles', urgency: 'ticket' }, metrics, 'throttles')
}

const executions = { metricName: 'ConcurrentExecutions', statistic: Stats.MAXIMUM, period: Duration.minutes(1) }

const concurrency = (id: string, what: string, metric: IMetric, limit: number): PlannedAlarm => ({
  id,
  what: `${what} use more than ${concurrencyShare * 100} % of ${limit} concurrent executions.`,
  section: 'concurrency',
  urgency: 'ticket',
  condition: { metric, threshold: Math.floor(concurrencyShare * limit) },
})

export function accountConcurrency({ accountConcurrency: limit }: Concurrency): PlannedAlarm {
  const account = new Metric({ namespace: 'AWS/Lambda', ...executions })
  return concurrency('Concurrency', 'The functions of the account', account, limit)
}

/** Of each function: those that are throttled, and those with reserved executions that soon will be. */
export function functionCapacity(props: CapacityProps): readonly PlannedAlarm[] {
  const { functions, docs, reservedConcurrency } = props
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
    ...throttles(props),
    ...limited.flatMap(({ name, what, handler, reserved }) => {
      const used = handler.metric('ConcurrentExecutions', executions)
      return reserved === null ? [] : concurrency(`${name}Concurrency`, what, used, reserved)
    }),
  ]
}
