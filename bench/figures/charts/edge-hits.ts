// How many requests CloudFront answers by itself, minute by minute.
import { type Outcome, rowsOf } from '../outcome.ts'
import { type Chart, colours, labelOf, listed, percentAxis, shownShare } from './chart.ts'

const routeNames = {
  '/summary': '/summary',
  '/blocks': '/blocks',
  '/blocks/{}': '/blocks/{state_hash}',
  '/accounts/{}': '/accounts/{public_key}',
}

const values = (outcomes: readonly Outcome[]) =>
  rowsOf(outcomes, 'edge').map(({ route, minute, requests, hits }) => ({
    route: labelOf(routeNames, route),
    minute: Number(minute),
    requests: Number(requests),
    hits: Number(hits),
    share: Number(hits) / Number(requests),
  }))

function shareOf(minutes: readonly { readonly hits: number; readonly requests: number }[]): number {
  const sum = (what: 'hits' | 'requests') => minutes.reduce((total, minute) => total + minute[what], 0)
  return sum('hits') / sum('requests')
}

export const edgeHits: Chart = {
  name: 'edge-hits',
  title: 'Requests that CloudFront answers without waiting for the service',
  of: ['edge'],
  text:
    'A model of one CloudFront edge, configured by the synthesised template, replays an hour of visitors who read blocks, ' +
    'accounts and the summary, while one call in a hundred to the service fails. It begins with an empty cache. Counted is ' +
    'who did not wait for a call of their own. Lists and summary are the same for everyone; accounts are kept for seconds ' +
    'and few visitors ask for the same one, so that almost each is a call.',
  alt: (outcomes) =>
    `In the first minute, and over the hour: ${listed(
      Object.values(routeNames).map((name) => {
        const own = values(outcomes).filter(({ route }) => route === name)
        const first = own.filter(({ minute }) => minute === 0)
        return `${name} ${shownShare(shareOf(first))}, ${shownShare(shareOf(own))}`
      }),
    )}.`,
  spec: (outcomes) => ({
    data: { values: values(outcomes) },
    width: 620,
    height: 260,
    mark: { type: 'line', strokeWidth: 2.5 },
    encoding: {
      // Where two lines are one above the other, both are seen.
      strokeDash: {
        field: 'route',
        type: 'nominal',
        scale: {
          domain: Object.values(routeNames),
          range: [
            [6, 6],
            [1, 0],
            [1, 0],
            [1, 0],
          ],
        },
        title: null,
        legend: { orient: 'bottom', symbolStrokeWidth: 2.5 },
      },
      x: { field: 'minute', type: 'quantitative', title: 'minute of the hour', scale: { domain: [0, 60] } },
      y: {
        field: 'share',
        type: 'quantitative',
        title: 'share of the requests in that minute',
        scale: { domain: [0, 1] },
        axis: percentAxis,
      },
      color: {
        field: 'route',
        type: 'nominal',
        title: null,
        sort: Object.values(routeNames),
        scale: {
          domain: Object.values(routeNames),
          range: [colours.blue, colours.green, colours.orange, colours.grey],
        },
        legend: { orient: 'bottom' },
      },
    },
  }),
}
