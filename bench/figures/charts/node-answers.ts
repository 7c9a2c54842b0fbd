// How many answers fail or are false while one node of three is in trouble.
import type { Outcome } from '../outcome.ts'
import { type Chart, colours, shownShare } from './chart.ts'
import { policyNames, policyRows, policyRun, troubleNames } from './node-policies.ts'

/** In lines of about the width of a column, parted by `|`. */
const inLines = (name: string): string => name.replaceAll(/(.{6,}?) /g, '$1|')

const values = (outcomes: readonly Outcome[]) =>
  policyRows(outcomes).map(({ policyName, trouble, failed }) => ({
    policyName,
    who: inLines(policyName),
    trouble,
    failed,
    shown: failed === 0 ? '0' : shownShare(failed),
  }))

export const nodeAnswers: Chart = {
  name: 'node-answers',
  title: 'Questions without a true answer while one node of three is in trouble',
  of: [policyRun],
  text:
    'The same six ways. Counted is an error, a tip older than one that the caller has seen, and a "not found" for a block ' +
    'that there is.',
  alt: (outcomes) =>
    `In how many of ${Object.keys(troubleNames).length} troubles some questions have no true answer, and what share at worst. ${Object.values(
      policyNames,
    )
      .map((name) => {
        const shares = values(outcomes).flatMap(({ policyName, failed }) =>
          policyName === name && failed > 0 ? [failed] : [],
        )
        return `${name}: ${shares.length === 0 ? 'none' : `${shares.length}, ${shownShare(Math.max(...shares))}`}`
      })
      .join('; ')}.`,
  spec: (outcomes) => ({
    data: { values: values(outcomes) },
    width: { step: 92 },
    height: { step: 30 },
    encoding: {
      y: {
        field: 'trouble',
        type: 'nominal',
        sort: Object.values(troubleNames),
        title: null,
        axis: { maxExtent: 350, labelPadding: 6 },
      },
      x: {
        field: 'who',
        type: 'nominal',
        sort: Object.values(policyNames).map(inLines),
        title: null,
        // Below, because lines above a chart grow into it.
        axis: { labelAngle: 0, labelExpr: "split(datum.label, '|')" },
      },
    },
    layer: [
      {
        mark: { type: 'rect', stroke: 'white', strokeWidth: 2 },
        encoding: {
          color: {
            condition: { test: 'datum.failed === 0', value: '#cfe8df' },
            field: 'failed',
            type: 'quantitative',
            legend: null,
            scale: { domain: [0, 1], range: ['#fbe3cf', colours.red] },
          },
        },
      },
      { mark: { type: 'text', fontSize: 12 }, encoding: { text: { field: 'shown' } } },
    ],
  }),
}
