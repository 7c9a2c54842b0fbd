import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch'
import type { PlannedAlarm } from './planned-alarm.ts'
import { metricPeriod } from './service-metrics.ts'

/** Part of a CloudWatch expression, with the metrics that it names. */
export interface Sum {
  readonly expression: string
  readonly usingMetrics: Record<string, IMetric>
}

/** The sum of metrics. One without values in a period counts as 0; otherwise the whole sum would have no value. */
export function sumOf(metrics: readonly IMetric[]): Sum {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`)
  return { expression: `SUM([${filled.join(', ')}])`, usingMetrics }
}

/** CloudWatch takes no more in one alarm. */
const maxMetrics = 10

/**
 * The alarms that fire when one of these metrics is above 0: one for each ten of them, the second with a 2 after its id.
 * Only the first one rolls a deployment back, since CloudFormation watches five alarms at most.
 */
export function alarmsOnAny(
  { id, rollsBack, ...plan }: Omit<PlannedAlarm, 'condition'>,
  metrics: readonly IMetric[],
  label: string,
): readonly PlannedAlarm[] {
  return Array.from({ length: Math.ceil(metrics.length / maxMetrics) }, (_, part) => {
    const ofPart = metrics.slice(part * maxMetrics, (part + 1) * maxMetrics)
    const metric = new MathExpression({ ...sumOf(ofPart), period: metricPeriod, label })
    const condition = { metric, threshold: 0 }
    return part === 0
      ? { ...plan, id, ...(rollsBack && { rollsBack }), condition }
      : { ...plan, id: `${id}${part + 1}`, condition }
  })
}
