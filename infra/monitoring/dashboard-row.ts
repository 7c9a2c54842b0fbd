// The parts of a dashboard: headings, and graphs side by side with the thresholds of their alarms.
import { Color, GraphWidget, type IMetric, type IWidget, Row, TextWidget } from 'aws-cdk-lib/aws-cloudwatch'
import { metricPeriod } from './service-metrics.ts'

/** The width of a CloudWatch dashboard. */
export const columns = 24

/** Metrics, and the values above which an alarm fires. */
export interface GraphWithLines {
  readonly metrics: readonly IMetric[]
  readonly lines: readonly { readonly value: number; readonly label?: string }[]
}

type Graphs = Readonly<Record<string, readonly IMetric[] | GraphWithLines>>

/** @param value above it an alarm fires, where the stack has that alarm */
export const above = (value: number, metrics: readonly IMetric[]): GraphWithLines => ({ metrics, lines: [{ value }] })

/** Across the whole dashboard. */
export const heading = (markdown: string): IWidget =>
  new TextWidget({ markdown: `## ${markdown}`, width: columns, height: 1 })

/** Graphs side by side, by title. */
export function row(graphs: Graphs): IWidget {
  const width = Math.floor(columns / Object.keys(graphs).length)
  const widgets = Object.entries(graphs).map(([title, graph]) => {
    const { metrics, lines } = 'lines' in graph ? graph : { metrics: graph, lines: [] }
    const leftAnnotations = lines.map(({ value, label = 'threshold' }) => ({ value, label, color: Color.RED }))
    return new GraphWidget({ title, left: [...metrics], leftAnnotations, width, period: metricPeriod })
  })
  return new Row(...widgets)
}
