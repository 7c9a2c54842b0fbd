// Reads alarms from a template.
import type { StackTemplate } from '../stack-template.ts'

interface Stat {
  readonly Namespace: string
  readonly MetricName: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[]
}

interface Data {
  readonly Id: string
  readonly Expression?: string
  readonly MetricStat?: { readonly Metric: Stat; readonly Stat: string; readonly Period: number }
}

interface AlarmProperties {
  /** Of an alarm on an expression. */
  readonly Metrics?: readonly Data[]
}

/** All alarms by their construct ids, without actions and comparison, which one test checks for all of them. */
export function alarmsOf(template: StackTemplate): Record<string, AlarmProperties & Record<string, unknown>> {
  const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm'))
  return Object.fromEntries(
    alarms.map(([id, { Properties }]) => {
      const { AlarmActions, OKActions, ComparisonOperator, ...rest } = Properties
      return [id.replace(/^.*WatchingAlarms(.*)[0-9A-F]{8}$/, '$1'), rest]
    }),
  )
}

const dimensionsOf = ({ Dimensions = [] }: Stat): object =>
  Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]))

/** The metrics of an alarm's expression by their ids: name, statistic, period and dimensions. */
export const inputsIn = ({ Metrics = [] }: AlarmProperties): Record<string, readonly unknown[]> =>
  Object.fromEntries(
    Metrics.flatMap(({ Id, MetricStat }) => {
      if (MetricStat === undefined) return []
      const { Metric, Stat, Period } = MetricStat
      return [[Id, [Metric.MetricName, Stat, Period, dimensionsOf(Metric)]]]
    }),
  )

/** The expressions of an alarm. */
export const expressionsIn = ({ Metrics = [] }: AlarmProperties): readonly string[] =>
  Metrics.flatMap(({ Expression }) => Expression ?? [])

/** The properties of an alarm on one metric of the service, in periods of five minutes. */
export const ofMetric = (name: string, statistic: string, dimensions: object): object => ({
  Namespace: 'ChainExplorer',
  MetricName: name,
  Statistic: statistic,
  Period: 300,
  Dimensions: Object.entries({ ...dimensions, Service: 'chain-explorer-test' })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([Name, Value]) => ({ Name, Value })),
})
