// Reads alarms from a template, each as lines of text.
import type { StackTemplate } from '../stack-template.ts'

export interface Metric {
  readonly Namespace: string
  readonly MetricName: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[]
}

export interface MetricData {
  readonly Id: string
  readonly Expression?: string
  readonly MetricStat?: { readonly Metric: Metric; readonly Stat: string; readonly Period: number }
}

/** A value of a template as text; a reference is the construct's name. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('Fn::Join' in value && Array.isArray(value['Fn::Join'])) return value['Fn::Join'][1].map(textOf).join('')
  return Object.values(value)
    .flat()
    .join('.')
    .replace(/[0-9A-F]{8}$/, '')
}

function metricText({ Namespace, MetricName, Dimensions = [] }: Metric, statistic: string, period: number): string {
  const dimensions = Dimensions.map(({ Name, Value }) => `${Name}=${textOf(Value)}`).join(', ')
  return `${statistic} of ${Namespace} ${MetricName} {${dimensions}} in ${period} s`
}

const signs: Readonly<Record<string, string>> = { GreaterThanThreshold: '>', LessThanThreshold: '<' }

/** The name by which tests and people know an alarm. */
export const nameOf = (logicalId: string): string => logicalId.replace(/^.*WatchingAlarms(.*)[0-9A-F]{8}$/, '$1')

/** The alarms on other alarms by their construct ids, each with the rule by which it fires. */
export const pairsOf = (template: StackTemplate): Record<string, string> =>
  Object.fromEntries(
    Object.entries(template.findResources('AWS::CloudWatch::CompositeAlarm')).map(([id, { Properties }]) => [
      nameOf(id),
      textOf(Properties.AlarmRule).replaceAll(/"WatchingAlarms(\w+)[0-9A-F]{8}\.Arn"/g, '$1'),
    ]),
  )

/** All alarms on metrics by their construct ids: when each fires, and then the metrics of its expression. */
export function alarmsOf(template: StackTemplate): Record<string, readonly string[]> {
  const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm'))
  return Object.fromEntries(
    alarms.map(([id, { Properties: alarm }]) => {
      const data: readonly MetricData[] = alarm.Metrics ?? []
      const expression = data.flatMap(({ Expression }) => Expression ?? []).join('; ')
      const inputs = data.flatMap(({ Id, MetricStat }) =>
        MetricStat === undefined ? [] : `${Id}: ${metricText(MetricStat.Metric, MetricStat.Stat, MetricStat.Period)}`,
      )
      const { EvaluationPeriods: periods, DatapointsToAlarm: points = periods, TreatMissingData: missing } = alarm
      const value = expression || metricText(alarm, alarm.Statistic, alarm.Period)
      const sign = signs[alarm.ComparisonOperator]
      return [
        nameOf(id),
        [`${value} ${sign} ${alarm.Threshold} (${points} of ${periods}, missing: ${missing})`, ...inputs],
      ]
    }),
  )
}

/** Those on metrics, and those on other alarms. */
export const allAlarms = (stage: StackTemplate) => [
  ...Object.values(stage.findResources('AWS::CloudWatch::Alarm')),
  ...Object.values(stage.findResources('AWS::CloudWatch::CompositeAlarm')),
]

/** Those that tell somebody: the others are parts of an alarm on alarms. */
export const telling = (stage: StackTemplate) => allAlarms(stage).filter(({ Properties }) => Properties.AlarmActions)
