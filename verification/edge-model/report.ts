// An outcome as text, and the limits that it keeps or breaks.
import { type Limit, percent, seconds } from './limits.ts'
import type { Outcome } from './scenarios.ts'

const routeText = (
  route: string,
  figures: Outcome['figures']['routes'] extends ReadonlyMap<string, infer F> ? F : never,
) => {
  const { requests, answered, starved, hits, oldestMs, oldestOnErrorMs } = figures
  const [hitShare, answeredShare, starvedShare] = [hits, answered, starved].map((count) => percent(count / requests))
  const ages = `oldest ${seconds(oldestMs)}, in place of an error ${seconds(oldestOnErrorMs)}`
  return `  ${route.padEnd(14)} hits ${hitShare}, answered ${answeredShare}, starved by 429 ${starvedShare}, ${ages}`
}

/** The costs of a run, and the visitors' answers by route. */
export function outcomeText(title: string, outcome: Outcome): string {
  const { figures, costs } = outcome
  const perSecond = (count: number): string => (count / outcome.seconds).toFixed(1)
  return [
    title,
    `  ${perSecond(costs.calls)} calls to the origin a second, of them ${perSecond(costs.refused)} answered 429; ${perSecond(costs.nodeCalls)} to the node; ${(costs.bytes / 1e6).toFixed(1)} MB`,
    ...[...figures.routes].sort().map(([route, each]) => routeText(route, each)),
  ].join('\n')
}

/** Each limit as a line. */
export const limitsText = (limits: readonly Limit[]): string =>
  limits.map(({ name, figure, isKept }) => `  ${isKept ? 'kept  ' : 'BROKEN'} ${name}: ${figure}`).join('\n')
