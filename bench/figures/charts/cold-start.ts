// Cold start and warm requests beside other ways to write the same endpoint.
import { type Outcome, rowsOf } from '../outcome.ts'
import { type Chart, colours, labelOf, listed } from './chart.ts'

const whatNames = { cold: 'cold start until the first answer', warm: 'a warm request' }

const values = (outcomes: readonly Outcome[]) =>
  rowsOf(outcomes, 'cold').map(({ request, variant, what, median, low, high }) => ({
    request: String(request),
    variant: String(variant),
    what: labelOf(whatNames, what),
    median: Number(median),
    low: Number(low),
    high: Number(high),
    isOurs: variant === 'this service',
  }))

const requestsOf = (outcomes: readonly Outcome[]) => [...new Set(values(outcomes).map(({ request }) => request))]

const ofVariant = (outcomes: readonly Outcome[]) => ({
  y: {
    field: 'variant',
    type: 'nominal' as const,
    sort: [...new Set(values(outcomes).map(({ variant }) => variant))],
    title: null,
    axis: { maxExtent: 180 },
  },
  color: { condition: { test: 'datum.isOurs', value: colours.blue }, value: colours.grey },
})

export const coldStart: Chart = {
  name: 'cold-start',
  title: 'Cold starts and warm requests beside the same endpoint written otherwise',
  of: ['cold'],
  text:
    'Processor time. Each start is a new process behind a stand-in for Lambda’s Runtime API, and the variants take turns. Every figure is ' +
    'a ratio to the endpoint written by hand on the built-in fetch, in the same turn: left of 1 is less work. The dot is ' +
    'the median, the line spans the quartiles.',
  alt: (outcomes) => {
    const all = values(outcomes)
    const sentences = Array.from(
      Map.groupBy(all, ({ what }) => what),
      ([what, own]) => {
        const parts = Array.from(
          Map.groupBy(own, ({ variant }) => variant),
          ([variant, ratios]) => {
            return `${variant} ${listed(ratios.map(({ median }) => median.toFixed(2)))}`
          },
        )
        return `${what}: ${parts.join('; ')}.`
      },
    )
    return `Medians for ${listed(requestsOf(outcomes))}. ${sentences.join(' ')}`
  },
  spec: (outcomes) => ({
    data: { values: values(outcomes) },
    facet: {
      row: {
        field: 'request',
        type: 'nominal',
        title: null,
        sort: requestsOf(outcomes),
        header: { labelOrient: 'top', labelAnchor: 'start', labelAngle: 0 },
      },
      column: {
        field: 'what',
        type: 'nominal',
        title: null,
        sort: Object.values(whatNames),
        header: { labelAnchor: 'start' },
      },
    },
    spec: {
      width: 300,
      height: { step: 22 },
      layer: [
        { mark: { type: 'rule', color: '#333333', strokeDash: [3, 3] }, encoding: { x: { datum: 1 } } },
        {
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: {
            ...ofVariant(outcomes),
            x: { field: 'low', type: 'quantitative', scale: { zero: true }, title: 'processor time, as a ratio' },
            x2: { field: 'high' },
          },
        },
        {
          mark: { type: 'point', filled: true, opacity: 1, size: 70 },
          encoding: { ...ofVariant(outcomes), x: { field: 'median', type: 'quantitative' } },
        },
      ],
    },
  }),
}
