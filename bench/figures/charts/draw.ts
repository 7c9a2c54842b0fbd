// Charts to SVG, the same bytes each time.
import { parse, resetSVGDefIds, View } from 'vega'
import { compile } from 'vega-lite'
import type { Outcome } from '../outcome.ts'
import type { Chart } from './chart.ts'

/** White on any page, so that the text is readable in dark mode too. */
const config = {
  background: 'white',
  padding: 12,
  font: 'Helvetica, Arial, sans-serif',
  // The picture has one text for screen readers; each mark would read out its own.
  aria: false,
  title: { anchor: 'start', fontSize: 15, offset: 14 },
  axis: {
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    labelLimit: 0,
    labelFlush: false,
    gridColor: '#e5e5e5',
  },
  legend: { labelFontSize: 12, labelLimit: 0 },
  header: { labelFontSize: 13, labelFontWeight: 'bold', labelPadding: 4, labelLimit: 0 },
  view: { stroke: null },
} as const

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** @throws Error if the outcomes lack the chart's rows */
export async function draw(chart: Chart, outcomes: readonly Outcome[]): Promise<string> {
  // Vega numbers what it defines on from one chart to the next.
  resetSVGDefIds()
  const { spec } = compile({ ...chart.spec(outcomes), title: chart.title }, { config })
  const svg = await new View(parse(spec), { renderer: 'none' }).toSVG()
  return `${svg
    .replace('<svg ', `<svg role="img" aria-label="${escaped(chart.alt(outcomes))}" `)
    .replaceAll('><g', '>\n<g')}\n`
}
