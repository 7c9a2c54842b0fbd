// Outcomes side by side as text, and whether their limits are kept.
import type { Figures, RouteFigures } from './figures.ts'
import { hotRoutes, type Limit, lookUpRoutes, percent, seconds, shareOf, sumOf } from './limits.ts'
import type { Outcome } from './scenarios.ts'

interface Column {
  readonly name: string
  readonly outcome: Outcome
}

type Row = readonly [name: string, cell: (outcome: Outcome) => string]

const reads = [...hotRoutes, ...lookUpRoutes]

const oldest = ({ routes }: Figures, route: string, of: 'oldestMs' | 'oldestOnErrorMs'): string =>
  seconds(routes.get(route)?.[of] ?? 0)

const share =
  (of: keyof RouteFigures, only?: readonly string[], digits = 1) =>
  ({ figures }: Outcome): string =>
    percent(shareOf(figures, of, only), digits)

const perSecond = (count: number, outcome: Outcome): string => (count / outcome.seconds).toFixed(1)

const costs: readonly Row[] = [
  ['origin calls a second', (outcome) => perSecond(outcome.costs.calls, outcome)],
  ['  of them answered 429 by the API', (outcome) => perSecond(outcome.costs.refused, outcome)],
  ['node calls a second', (outcome) => perSecond(outcome.costs.nodeCalls, outcome)],
]

const hits: readonly Row[] = reads.map((route) => [`hits ${route}`, share('hits', [route])])

const ages: readonly Row[] = [
  ['oldest /summary', ({ figures }) => oldest(figures, '/summary', 'oldestMs')],
  ['  in place of an error', ({ figures }) => oldest(figures, '/summary', 'oldestOnErrorMs')],
  ['oldest account', ({ figures }) => oldest(figures, '/accounts/{}', 'oldestMs')],
  ['longest time that an error was kept', ({ figures }) => seconds(figures.oldestErrorMs)],
]

export const rowsOfHour: readonly Row[] = [
  ['requests', ({ figures }) => String(sumOf(figures, 'requests'))],
  ['hits on all reads', share('hits')],
  ...hits,
  ['given while revalidating', ({ figures }) => percent(figures.revalidating / sumOf(figures, 'requests'))],
  ['waits on /summary and /blocks', share('waits', hotRoutes, 3)],
  ...costs,
  ['origin MB', (outcome) => (outcome.costs.bytes / 1e6).toFixed(1)],
  ...ages,
]

export const rowsOfOutage: readonly Row[] = [
  ...reads.map((route): Row => [`answered ${route}`, share('answered', [route], 2)]),
  ['waits on /summary and /blocks', share('waits', hotRoutes)],
  ['most calls for a key and second that reach a function', ({ figures }) => String(figures.mostCallsASecond)],
  ...costs,
  ...ages,
]

export const rowsOfSiege: readonly Row[] = [
  ['hostile requests a second', (outcome) => perSecond(outcome.hostile.requests, outcome)],
  ['  refused at the edge', (outcome) => perSecond(outcome.hostile.refused, outcome)],
  ["  answered with visitors' copies", (outcome) => perSecond(outcome.hostile.fromCopies, outcome)],
  ["  that refreshed visitors' copies", (outcome) => perSecond(outcome.hostile.sharedCalls, outcome)],
  ['  with an origin call of their own', (outcome) => perSecond(outcome.hostile.ownCalls, outcome)],
  ...costs,
  ...hotRoutes.map((route): Row => [`visitors answered on ${route}`, share('answered', [route], 2)]),
  ...lookUpRoutes.flatMap((route): readonly Row[] => [
    [`visitors answered on ${route}`, share('answered', [route])],
    [
      '  starved by 429',
      ({ figures }) => `${sumOf(figures, 'starved', [route])} of ${sumOf(figures, 'requests', [route])}`,
    ],
  ]),
]

/** A table with a column for each outcome. */
export function tableOf(title: string, rows: readonly Row[], columns: readonly Column[]): string {
  const cells = [
    ['', ...columns.map(({ name }) => name)],
    ...rows.map(([name, cell]) => [name, ...columns.map(({ outcome }) => cell(outcome))]),
  ]
  const widths = (cells[0] ?? []).map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)))
  const lines = cells.map((row) =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('   '),
  )
  return [title, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** Each limit as a line. */
export const limitsText = (of: string, limits: readonly Limit[]): string =>
  [
    `Limits of ${of}`,
    ...limits.map(({ name, figure, isKept }) => `  ${isKept ? 'kept  ' : 'BROKEN'} ${name}: ${figure}`),
  ].join('\n')
