// What callers are answered when nodes and network fail all the time.
import { type Outcome, outcomeOf, rowsOf } from '../outcome.ts'
import { type Chart, colours, labelOf, listed, percent, percentAxis } from './chart.ts'

const outcomeNames = {
  accepted: 'accepted: a node took it',
  'already-known': 'sent before: a node holds it',
  refused: 'refused: no node that was asked holds it',
  unknown: 'unknown: an answer was lost',
}

const places = {
  'broadcasts at one address': 'two nodes behind one address',
  'broadcasts at three nodes': 'three nodes with an address each',
  'broadcasts at one to five nodes': 'one to five nodes, some in trouble or of another network',
}

const names = Object.keys(places)
const order = Object.keys(outcomeNames)

/** Answers that say otherwise than what happened, and commands that got lost. */
function falseAnswers(outcomes: readonly Outcome[]): number {
  const counted = names.map((name) => outcomeOf(outcomes, name).figures ?? {})
  const kinds = ['false failed', 'false sent', 'lost']
  return counted.flatMap((figures) => kinds.map((kind) => figures[kind] ?? 0)).reduce((sum, count) => sum + count, 0)
}

const values = (outcomes: readonly Outcome[]) =>
  names.flatMap((name) =>
    rowsOf(outcomes, name)
      .toSorted((one, other) => order.indexOf(String(one.outcome)) - order.indexOf(String(other.outcome)))
      .map(({ outcome, share }) => ({
        place: labelOf(places, name),
        outcome: labelOf(outcomeNames, outcome),
        rank: order.indexOf(String(outcome)),
        share: Number(share),
        shown: percent(Number(share)),
      })),
  )

export const broadcastOutcomes: Chart = {
  name: 'broadcast-outcomes',
  title: 'Answers to broadcasts while nodes and network fail',
  of: names,
  text:
    'Seeded histories of wallets that send payments and delegations, over nodes that restart and reorganise and a network ' +
    'that loses, breaks and delays up to 80 % of what it carries. Every answer is compared with what really happened. ' +
    'Only "unknown" leaves a caller without an outcome; nodes that can be asked one by one make it rarer.',
  alt: (outcomes) =>
    `${names
      .map((name) => {
        const own = values(outcomes).filter(({ place }) => place === labelOf(places, name))
        return `With ${labelOf(places, name)}: ${listed(own.map(({ outcome, shown }) => `${shown} ${outcome.split(':')[0]}`))}.`
      })
      .join(' ')} False answers: ${falseAnswers(outcomes)}.`,
  spec: (outcomes) => ({
    data: { values: values(outcomes) },
    width: 620,
    height: { step: 52 },
    encoding: {
      y: { field: 'place', type: 'nominal', sort: Object.values(places), title: null, axis: { maxExtent: 200 } },
      x: {
        field: 'share',
        type: 'quantitative',
        stack: 'normalize',
        title: 'share of the answers',
        axis: { ...percentAxis, grid: false },
      },
      order: { field: 'rank' },
    },
    layer: [
      {
        mark: 'bar',
        encoding: {
          color: {
            field: 'outcome',
            type: 'nominal',
            title: null,
            scale: {
              domain: Object.values(outcomeNames),
              range: [colours.lightBlue, colours.green, colours.orange, colours.grey],
            },
            legend: { orient: 'bottom', columns: 2 },
          },
        },
      },
      {
        mark: { type: 'text', color: 'black', fontSize: 12 },
        encoding: {
          text: { field: 'shown' },
          x: { field: 'share', type: 'quantitative', stack: 'normalize', bandPosition: 0.5 },
        },
      },
    ],
  }),
}
