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

/** A line of the API's access log, with the time of its request. */
export interface AccessLine {
  readonly at: number
  readonly route: string
  readonly status: string
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

type KeyedSample = readonly [key: string, sample: Sample]

/** What CloudWatch reads from a line. Alarms look at each line many times. */
const ofLine = new WeakMap<MetricsLine, readonly KeyedSample[]>()

function readLine(line: MetricsLine): readonly KeyedSample[] {
  const { Timestamp: at, CloudWatchMetrics } = line._aws
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((set) => {
      const dimensions = set.map((name) => `${name}=${line[name]}`)
      return Metrics.flatMap(({ Name }) => {
        const key = keyOf(Namespace, Name, dimensions)
        return [line[Name]].flat().map((value) => [key, { at, value: Number(value) }] as const)
      })
    }),
  )
}

function samplesOf(lines: readonly MetricsLine[]): ReadonlyMap<string, readonly Sample[]> {
  const samples = new Map<string, Sample[]>()
  for (const line of lines) {
    const read = ofLine.get(line) ?? readLine(line)
    ofLine.set(line, read)
    for (const [key, sample] of read) {
      const found = samples.get(key) ?? []
      if (found.push(sample) === 1) samples.set(key, found)
    }
  }
  return samples
}

/** True if a filter pattern of CloudWatch Logs on members of a line takes it: comparisons with texts in which * is anything. */
function isTaken(pattern: string, line: AccessLine): boolean {
  const comparisons = [...pattern.matchAll(/\$\.(\w+) (!?=) "([^"]*)"/g)]
  if (comparisons.length !== pattern.split('&&').length) throw new Error(`${pattern}: an unknown pattern`)
  return comparisons.every(([, member = '', sign, wanted = '']) => {
    const parts = wanted.split('*').map((part) => part.replace(/[^\w ]/g, '\\$&'))
    const isEqual = new RegExp(`^${parts.join('.*')}$`).test(String(line[member as keyof AccessLine]))
    return isEqual === (sign === '=')
  })
}

interface Filter {
  readonly FilterPattern: string
  readonly MetricTransformations: readonly {
    readonly MetricNamespace: string
    readonly MetricName: string
    readonly MetricValue: string
    readonly Dimensions?: readonly { readonly Key: string; readonly Value: string }[]
  }[]
}

/** What the API counts, and what filters write of its access log, by name and dimensions. */
function apiSamples(template: StackTemplate, lines: readonly AccessLine[]): Map<string, Sample[]> {
  const counts = new Map([['AWS/ApiGateway Count', lines.map(({ at }) => ({ at, value: 1 }))]])
  for (const { Properties } of Object.values(template.findResources('AWS::Logs::MetricFilter'))) {
    const { FilterPattern, MetricTransformations }: Filter = Properties
    for (const { MetricNamespace, MetricName, MetricValue, Dimensions = [] } of MetricTransformations) {
      for (const line of lines.filter((each) => isTaken(FilterPattern, each))) {
        const dimensions = Dimensions.map(({ Key, Value }) => `${Key}=${line[Value.slice(2) as keyof AccessLine]}`)
        const key = keyOf(MetricNamespace, MetricName, dimensions)
        const samples = counts.get(key) ?? []
        counts.set(key, samples)
        samples.push({ at: line.at, value: Number(MetricValue) })
      }
    }
  }
  return counts
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** The value of a statistic of one sample or more. */
function statisticOf(stat: string, values: readonly number[]): number {
  switch (stat) {
    case 'Sum':
    case 'SampleCount':
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
  const share = /^IF\(requests >= (\d+), 100 \* FILL\((\w+), 0\) \/ requests, 0\)$/.exec(expression)
  if (share !== null) {
    const [, fewest, failed = ''] = share
    const { requests = 0, [failed]: count = 0 } = values
    return requests >= Number(fewest) ? (100 * count) / requests : 0
  }
  if (expression !== '100 * faults / requests') throw new Error(`${expression}: an unknown expression`)
  const { faults, requests } = values
  return faults === undefined || requests === undefined ? undefined : (100 * faults) / requests
}

/** Most metrics of AWS itself are in none of our lines: their alarms are taken to be well. */
const isKnown = ({ metric: { Namespace, MetricName } }: Statistic): boolean =>
  /^ChainExplorer\b/.test(Namespace) || `${Namespace} ${MetricName}` === 'AWS/ApiGateway Count'

/** The logical ids of the alarms that roll a deployment back, in one text. */
const rollbackAlarms = (template: StackTemplate): string => JSON.stringify(template.toJSON().Outputs?.RollbackAlarms)

/** A night's lines so far: those of all functions, and those of the API's access log. */
export interface NightLines {
  readonly lines: readonly MetricsLine[]
  readonly accessLines: readonly AccessLine[]
}

/**
 * The alarms that tell somebody at a time, each with the section of the runbook that its mail names, and whether it rolls a
 * deployment back.
 *
 * @param now milliseconds since 1970
 */
export function ringingAlarms(template: StackTemplate, { lines, accessLines }: NightLines, now: number) {
  const samples = samplesOf(lines)
  const ofApi = apiSamples(template, accessLines)
  const valueAt = ({ metric, stat, period }: Statistic, periodsAgo: number): number | undefined => {
    const { Namespace, MetricName } = metric
    const dimensions = (metric.Dimensions ?? []).map(({ Name, Value }) => `${Name}=${textOf(Value)}`)
    const end = now - periodsAgo * period * 1000
    const key = keyOf(Namespace, MetricName, dimensions)
    const found = samples.get(key) ?? ofApi.get(key) ?? ofApi.get(`${Namespace} ${MetricName}`)
    const values = (found ?? []).filter(({ at }) => at < end && at >= end - period * 1000).map(({ value }) => value)
    return values.length === 0 ? undefined : statisticOf(stat, values)
  }
  const rollingBack = rollbackAlarms(template)
  const described = (id: string, { AlarmDescription, AlarmActions }: Record<string, unknown>) => ({
    rollsBack: rollingBack.includes(id),
    section: /runbook\.md#([a-z-]+)$/.exec(String(AlarmDescription))?.[1] ?? '',
    isTelling: AlarmActions !== undefined,
  })
  const ringing = new Map<string, ReturnType<typeof described>>()
  for (const [id, { Properties: alarm }] of Object.entries(template.findResources('AWS::CloudWatch::Alarm'))) {
    const data: readonly MetricData[] = alarm.Metrics ?? []
    let inputs: readonly (readonly [id: string, Statistic])[] = data.flatMap(({ Id, MetricStat: of }) =>
      of === undefined ? [] : [[Id, { metric: of.Metric, stat: of.Stat, period: of.Period }]],
    )
    if (inputs.length === 0) inputs = [['value', { metric: alarm, stat: alarm.Statistic, period: alarm.Period }]]
    if (!inputs.every(([, input]) => isKnown(input))) continue
    const expression = data.find(({ Expression }) => Expression !== undefined)?.Expression
    const { EvaluationPeriods: periods, DatapointsToAlarm: wanted = periods, Threshold, TreatMissingData } = alarm
    const isBeyond = (value: number) =>
      alarm.ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value > Threshold
    const breaching = Array.from({ length: periods }, (_, ago) => {
      const values = Object.fromEntries(inputs.map(([input, statistic]) => [input, valueAt(statistic, ago)]))
      const value = expression === undefined ? values.value : resultOf(expression, values)
      return value === undefined ? TreatMissingData === 'breaching' : isBeyond(value)
    }).filter((each) => each).length
    if (breaching >= wanted) ringing.set(nameOf(id), described(id, alarm))
  }
  const pairs = pairsOf(template)
  for (const [id, { Properties: pair }] of Object.entries(template.findResources('AWS::CloudWatch::CompositeAlarm'))) {
    const parts = [...(pairs[nameOf(id)] ?? '').matchAll(/ALARM\((\w+)\)/g)].map(([, part = '']) => part)
    if (parts.every((part) => ringing.has(part))) ringing.set(nameOf(id), described(id, pair))
  }
  return [...ringing].flatMap(([name, { isTelling, ...told }]) => (isTelling ? [{ name, ...told }] : []))
}
