// The outcome of a trial as figures, limits and text.
import type { Figures, RouteFigures } from './figures.ts'
import type { OriginCosts } from './service.ts'

export interface Outcome {
  readonly figures: Figures
  readonly costs: Readonly<OriginCosts>
  readonly seconds: number
}

export interface Limit {
  readonly name: string
  readonly figure: string
  readonly isKept: boolean
}

/** The routes that most visitors read, each of few keys. */
export const hotRoutes: readonly string[] = ['/summary', '/blocks']

/** A figure as a share of the requests of some routes, by default of all. */
export function shareOf({ routes }: Figures, of: keyof RouteFigures, only?: readonly string[]): number {
  const wanted = [...routes].filter(([route]) => only?.includes(route) !== false)
  const sum = (key: keyof RouteFigures) => wanted.reduce((total, [, figures]) => total + figures[key], 0)
  return sum(of) / Math.max(1, sum('requests'))
}

export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

export const atMost = (
  name: string,
  figure: number,
  max: number,
  show: (figure: number) => string = String,
): Limit => ({
  name: `${name} (at most ${show(max)})`,
  figure: show(figure),
  isKept: figure <= max,
})

export const atLeast = (name: string, share: number, min: number): Limit => ({
  name: `${name} (at least ${percent(min)})`,
  figure: percent(share, 2),
  isKept: share >= min,
})

/** The costs of a trial, the visitors' answers by route, and each limit. */
export function report({ figures, costs, seconds: duration }: Outcome, limits: readonly Limit[]): string {
  const perSecond = (count: number): string => (count / duration).toFixed(1)
  const routes = [...figures.routes].sort().map(([route, { requests, hits, answered, starved, ...ages }]) => {
    const [hit, good, refused] = [hits, answered, starved].map((count) => percent(count / requests))
    const oldest = `oldest ${seconds(ages.oldestMs)}, in place of an error ${seconds(ages.oldestOnErrorMs)}`
    return `  ${route.padEnd(14)} hits ${hit}, answered ${good}, starved by 429 ${refused}, ${oldest}`
  })
  return [
    `  ${perSecond(costs.calls)} calls to the origin a second, of them ${perSecond(costs.refused)} answered 429; ${perSecond(costs.nodeCalls)} to the node; ${(costs.bytes / 1e6).toFixed(1)} MB`,
    ...routes,
    ...limits.map(({ name, figure, isKept }) => `  ${isKept ? 'kept  ' : 'BROKEN'} ${name}: ${figure}`),
  ].join('\n')
}
