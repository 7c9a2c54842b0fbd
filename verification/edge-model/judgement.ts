// The figures as text, and their limits.
import type { Figures } from './figures.ts'

interface Limit {
  readonly name: string
  readonly figure: string
  readonly isKept: boolean
}

const atMost = (name: string, figure: number, most: number): Limit => ({
  name: `${name} (at most ${most})`,
  figure: String(figure),
  isKept: figure <= most,
})

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

/** The share of requests to some routes that the edge answered without the origin. */
function hitRatio({ routes }: Figures, of: readonly string[]): number {
  const chosen = [...routes].filter(([route]) => of.includes(route)).map(([, figures]) => figures)
  const sum = (what: 'hits' | 'requests') => chosen.reduce((total, figures) => total + figures[what], 0)
  return sum('hits') / Math.max(1, sum('requests'))
}

const percent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`

const leastHits = 0.94

function limitsOf(figures: Figures): readonly Limit[] {
  const busiest = hitRatio(figures, ['/summary', '/blocks'])
  return [
    {
      name: `hits on /summary and /blocks (at least ${percent(leastHits)})`,
      figure: percent(busiest),
      isKept: busiest >= leastHits,
    },
    atMost('errors served past 1 s', figures.errorsPastASecond, 0),
    atMost('accounts older than 5 s', figures.accountsPastFiveSeconds, 0),
    atMost('answers older than they allow', figures.olderThanPromised, 0),
    atMost('most origin calls per key and cache time', figures.mostOriginCalls, 1),
    atMost('broadcasts that did not reach the service', figures.broadcastsNotSent, 0),
    atMost('broadcasts where answers are kept', figures.broadcastsUnderCache, 0),
    atMost('answers to another question', figures.mixedUp, 0),
  ]
}

/** @returns whether every limit is kept, and the figures as lines of text */
export function judge(figures: Figures): { readonly isKept: boolean; readonly text: string } {
  const limits = limitsOf(figures)
  const all = [...figures.routes.keys()].sort()
  const requests = [...figures.routes.values()].reduce((sum, route) => sum + route.requests, 0)
  const lines = [
    `requests ${requests}, plus ${figures.broadcasts} broadcasts; hits ${percent(hitRatio(figures, all))}`,
    ...all.map((route) => {
      const calls = figures.routes.get(route)?.originCalls ?? 0
      return `  ${route.padEnd(14)} hits ${percent(hitRatio(figures, [route])).padStart(6)}, origin calls ${calls}`
    }),
    `  waited for another's call ${figures.collapsed}; expired copies in place of errors ${figures.expiredCopies}`,
    `  oldest error ${seconds(figures.oldestErrorMs)}, oldest account ${seconds(figures.oldestAccountMs)}`,
    ...limits.map(({ name, figure, isKept }) => `  ${isKept ? 'kept ' : 'BROKEN'} ${name}: ${figure}`),
  ]
  return { isKept: limits.every(({ isKept }) => isKept), text: lines.join('\n') }
}
