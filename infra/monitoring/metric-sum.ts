import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch'

/** Part of a CloudWatch expression, with the metrics that it names. */
interface Sum {
  readonly expression: string
  readonly usingMetrics: Record<string, IMetric>
}

/** The sum of metrics. One without values in a period counts as 0; otherwise the whole sum would have no value. */
export function sumOf(metrics: readonly IMetric[]): Sum {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`)
  return { expression: `SUM([${filled.join(', ')}])`, usingMetrics }
}
