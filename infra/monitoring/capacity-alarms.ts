// The alarms on throttled functions, and on those that soon will be.
import { Duration } from 'aws-cdk-lib'
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
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
  const plan = { id: 'Throttles', what, section: 'throttles', urgency: 'ticket', condition: { threshold: 0 } } as const
  return alarmsOnAny(plan, metrics, 'throttles')
}

const executions = { metricName: 'ConcurrentExecutions', statistic: Stats.MAXIMUM, period: Duration.minutes(1) }

const concurrency = (id: string, what: string, limit: number) =>
  ({
    id,
    what: `${what} more than ${concurrencyShare * 100} % of ${limit} concurrent executions.`,
    section: 'concurrency',
    urgency: 'ticket',
    condition: { threshold: Math.floor(concurrencyShare * limit) },
  }) as const

export function accountConcurrency({ accountConcurrency: limit }: Concurrency): PlannedAlarm {
  const { condition, ...plan } = concurrency('Concurrency', 'The functions of the account use', limit)
  return { ...plan, condition: { ...condition, metric: new Metric({ namespace: 'AWS/Lambda', ...executions }) } }
}

/** The functions that are alike in their reserved executions. */
function reserved(id: string, handlers: readonly LambdaFunction[], limit: number | null): readonly PlannedAlarm[] {
  if (limit === null) return []
  const used = handlers.map((handler) => handler.metric('ConcurrentExecutions', executions))
  const plan = concurrency(id, 'A function uses', limit)
  return alarmsOnAny(plan, used, 'executions of the busiest function', executions.period)
}

/** Of the functions: those that are throttled, and those with reserved executions that soon will be. */
export function functionCapacity(props: CapacityProps): readonly PlannedAlarm[] {
  const { functions, docs, reservedConcurrency } = props
  const { GET: reads = [], POST: broadcasts = [] } = Object.groupBy(functions, ({ endpoint }) => endpoint.method)
  const handlersOf = (alike: readonly MonitoredFunction[]) => alike.map(({ handler }) => handler)
  return [
    ...throttles(props),
    ...reserved('ReadConcurrency', [...handlersOf(reads), docs], reservedConcurrency.reads),
    ...reserved('BroadcastConcurrency', handlersOf(broadcasts), reservedConcurrency.broadcasts),
  ]
}
