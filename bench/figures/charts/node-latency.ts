// How long callers wait while one node of three is in trouble.
import type { Outcome } from '../outcome.ts'
import { type Chart, colours, shownShare } from './chart.ts'
import { policyNames, policyRows, policyRun, troubleNames } from './node-policies.ts'

const trials = [
  '5 % of one node ten times slower',
  'one black hole',
  'a node down at cold start, healed after 9 s',
] as const

const values = (outcomes: readonly Outcome[]) =>
  policyRows(outcomes)
    .filter(({ trial }) => trials.some((name) => name === trial))
    .map(({ policyName, trouble, p50Usual, p99Usual, calls, failed }) => ({
      policyName,
      trouble,
      median: Number(p50Usual),
      slowest: Number(p99Usual),
      beside: `${Number(calls).toFixed(2)} calls${failed > 0 ? `, ${shownShare(failed)} fail` : ''}`,
    }))

const point = (field: string, colour: string, shape: string) => ({
  mark: { type: 'point' as const, filled: true, opacity: 1, size: 70, color: colour, shape },
  encoding: { x: { field, type: 'quantitative' as const } },
})

export const nodeLatency: Chart = {
  name: 'node-latency',
  title: 'Waiting for an answer while one node of three is in trouble',
  of: [policyRun],
  text:
    'Six ways to ask three nodes, on the same simulated histories in virtual time. Waits are multiples of a healthy ' +
    "node's median, on a logarithmic scale: the circle is the median, the diamond the wait that one answer in a hundred " +
    'exceeds. Beside it: calls to nodes per question, and the share of questions that end in an error.',
  alt: (outcomes) =>
    `Waits that one answer in a hundred exceeds, as multiples of a healthy node's median. ${trials
      .map((trial) => {
        const own = values(outcomes).filter(({ trouble }) => trouble === troubleNames[trial])
        const parts = own.map(({ policyName, slowest }) => `${policyName} ${slowest.toPrecision(3)}`)
        return `When ${troubleNames[trial]}: ${parts.join('; ')}.`
      })
      .join(' ')}`,
  spec: (outcomes) => ({
    data: { values: values(outcomes) },
    facet: {
      row: {
        field: 'trouble',
        type: 'nominal',
        title: null,
        sort: trials.map((trial) => troubleNames[trial]),
        header: { labelOrient: 'top', labelAnchor: 'start', labelAngle: 0 },
      },
    },
    spec: {
      width: 480,
      height: { step: 24 },
      encoding: {
        y: {
          field: 'policyName',
          type: 'nominal',
          sort: Object.values(policyNames),
          title: null,
          axis: { maxExtent: 170 },
        },
      },
      layer: [
        {
          mark: { type: 'rule', color: colours.grey },
          encoding: {
            x: {
              field: 'median',
              type: 'quantitative',
              scale: { type: 'log', domain: [0.7, 1000], nice: false },
              title: 'wait, as a multiple of a healthy node’s median',
              axis: { values: [1, 3, 10, 30, 100] },
            },
            x2: { field: 'slowest' },
          },
        },
        point('median', colours.blue, 'circle'),
        point('slowest', colours.red, 'diamond'),
        {
          mark: { type: 'text', align: 'left', dx: 10, fontSize: 12 },
          encoding: { x: { field: 'slowest', type: 'quantitative' }, text: { field: 'beside' } },
        },
      ],
    },
  }),
}
