import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch'
import type { Condition, PlannedAlarm } from './planned-alarm.ts'
import { metricPeriod } from './service-metrics.ts'

/** Part of a CloudWatch expression, with the metrics that it names. */
export interface Sum {
  readonly expression: string
  readonly usingMetrics: Record<string, IMetric>
}

/** Of several metrics. One without values in a period counts as 0; otherwise the whole would have no value. */
function over(name: 'SUM' | 'MAX', metrics: readonly IMetric[]): Sum {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const filled = Object.keys(usingMetrics).map((each) => `FILL(${each}, 0)`)
  return { expression: `${name}([${filled.join(', ')}])`, usingMetrics }
}

export const sumOf = (metrics: readonly IMetric[]): Sum => over('SUM', metrics)

/** CloudWatch takes no more in one alarm. */
const maxMetrics = 10

/** An alarm that fires when one of several metrics is beyond the threshold. */
interface PlanOnAny extends Omit<PlannedAlarm, 'condition'> {
  readonly condition: Omit<Condition, 'metric'>
}

/**
 * The alarms that fire when one of these metrics is above a threshold: one for each ten of them, the second with a 2 after
 * its id. Only the first one rolls a deployment back, since CloudFormation watches five alarms at most.
 */
export function alarmsOnAny(
  { id, rollsBack, condition, ...plan }: PlanOnAny,
  metrics: readonly IMetric[],
  label: string,
  period = metricPeriod,
): readonly PlannedAlarm[] {
  return Array.from({ length: Math.ceil(metrics.length / maxMetrics) }, (_, part) => {
    const ofPart = metrics.slice(part * maxMetrics, (part + 1) * maxMetrics)
    const metric = new MathExpression({ ...over('MAX', ofPart), period, label })
    const made = { ...plan, condition: { ...condition, metric } }
    return part === 0 ? { ...made, id, ...(rollsBack && { rollsBack }) } : { ...made, id: `${id}${part + 1}` }
  })
}
