// The alarms of a template over the lines of functions, as CloudWatch would see them.
import type { StackTemplate } from '../../stack-template.ts'
import { type Metric, type MetricData, nameOf, pairsOf, textOf } from '../alarm-text.ts'

/** A line as a deployed function writes it. */
export interface MetricsLine {
  readonly _aws: {
    readonly Timestamp: number
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string
      readonly Dimensions: readonly (readonly string[])[]
      readonly Metrics: readonly { readonly Name: string }[]
    }[]
  }
  readonly [field: string]: unknown
}

interface Statistic {
  readonly metric: Metric
  readonly stat: string
  /** Seconds. */
  readonly period: number
}

interface Sample {
  readonly at: number
  readonly value: number
}

const keyOf = (namespace: string, name: string, dimensions: readonly string[]) =>
  [namespace, name, ...dimensions.toSorted()].join(' ')

function samplesOf(lines: readonly MetricsLine[]): ReadonlyMap<string, readonly Sample[]> {
  const samples = new Map<string, Sample[]>()
  for (const line of lines) {
    const { Timestamp: at, CloudWatchMetrics } = line._aws
    for (const { Namespace, Dimensions, Metrics } of CloudWatchMetrics) {
      for (const set of Dimensions) {
        const dimensions = set.map((name) => `${name}=${line[name]}`)
        for (const { Name } of Metrics) {
          const key = keyOf(Namespace, Name, dimensions)
          const values = [line[Name]].flat().map((value) => ({ at, value: Number(value) }))
          samples.set(key, [...(samples.get(key) ?? []), ...values])
        }
      }
    }
  }
  return samples
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** The value of a statistic of one sample or more. */
function statisticOf(stat: string, values: readonly number[]): number {
  switch (stat) {
    case 'Sum':
      return sum(values)
    case 'Average':
      return sum(values) / values.length
    case 'Maximum':
      return Math.max(...values)
    case 'Minimum':
      return Math.min(...values)
    case 'p99':
      return values.toSorted((left, right) => left - right)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN
    default:
      throw new Error(`${stat}: an unknown statistic`)
  }
}

/** The value of an expression of an alarm on metrics of ours; undefined where data is missing. */
function resultOf(expression: string, values: Readonly<Record<string, number | undefined>>): number | undefined {
  if (/^MAX\(\[(?:FILL\(m\d+, 0\)(?:, )?)+\]\)$/.test(expression)) {
    return Math.max(...Object.values(values).map((value) => value ?? 0))
  }
  if (expression !== '100 * faults / requests') throw new Error(`${expression}: an unknown expression`)
  const { faults, requests } = values
  return faults === undefined || requests === undefined ? undefined : (100 * faults) / requests
}

/** Metrics of AWS itself are not in our lines: their alarms are taken to be well. */
const isOurs = ({ metric }: Statistic): boolean => metric.Namespace === 'ChainExplorer'

/**
 * The alarms that tell somebody at a time, each with the section of the runbook that its mail names.
 *
 * @param lines of all functions until then
 * @param now milliseconds since 1970
 */
export function ringingAlarms(template: StackTemplate, lines: readonly MetricsLine[], now: number) {
  const samples = samplesOf(lines)
  const valueAt = ({ metric, stat, period }: Statistic, periodsAgo: number): number | undefined => {
    const dimensions = (metric.Dimensions ?? []).map(({ Name, Value }) => `${Name}=${textOf(Value)}`)
    const end = now - periodsAgo * period * 1000
    const values = (samples.get(keyOf(metric.Namespace, metric.MetricName, dimensions)) ?? [])
      .filter(({ at }) => at < end && at >= end - period * 1000)
      .map(({ value }) => value)
    return values.length === 0 ? undefined : statisticOf(stat, values)
  }
  const ringing = new Map<string, { readonly section: string; readonly isTelling: boolean }>()
  const described = ({ AlarmDescription, AlarmActions }: Record<string, unknown>) => ({
    section: /runbook\.md#([a-z-]+)$/.exec(String(AlarmDescription))?.[1] ?? '',
    isTelling: AlarmActions !== undefined,
  })
  for (const [id, { Properties: alarm }] of Object.entries(template.findResources('AWS::CloudWatch::Alarm'))) {
    const data: readonly MetricData[] = alarm.Metrics ?? []
    let inputs: readonly (readonly [id: string, Statistic])[] = data.flatMap(({ Id, MetricStat: of }) =>
      of === undefined ? [] : [[Id, { metric: of.Metric, stat: of.Stat, period: of.Period }]],
    )
    if (inputs.length === 0) inputs = [['value', { metric: alarm, stat: alarm.Statistic, period: alarm.Period }]]
    if (!inputs.every(([, input]) => isOurs(input))) continue
    const expression = data.find(({ Expression }) => Expression !== undefined)?.Expression
    const { EvaluationPeriods: periods, DatapointsToAlarm: wanted = periods, Threshold, TreatMissingData } = alarm
    const isBeyond = (value: number) =>
      alarm.ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value > Threshold
    const breaching = Array.from({ length: periods }, (_, ago) => {
      const values = Object.fromEntries(inputs.map(([input, statistic]) => [input, valueAt(statistic, ago)]))
      const value = expression === undefined ? values.value : resultOf(expression, values)
      return value === undefined ? TreatMissingData === 'breaching' : isBeyond(value)
    }).filter((each) => each).length
    if (breaching >= wanted) ringing.set(nameOf(id), described(alarm))
  }
  const pairs = pairsOf(template)
  for (const [id, { Properties: pair }] of Object.entries(template.findResources('AWS::CloudWatch::CompositeAlarm'))) {
    const parts = [...(pairs[nameOf(id)] ?? '').matchAll(/ALARM\((\w+)\)/g)].map(([, part = '']) => part)
    if (parts.every((part) => ringing.has(part))) ringing.set(nameOf(id), described(pair))
  }
  return [...ringing].flatMap(([name, { section, isTelling }]) => (isTelling ? [{ name, section }] : []))
}
