// The generated parts of "Cost" in docs/operations.md: stages at rest, and two answers at two rates.
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import type { CloudFormation } from '../../synthesise.ts'
import { countsOf, dollarsAtRest } from './at-rest.ts'
import { type Answer, edgeDollars, originDollars, secondsPerMonth, trafficDollars } from './requests.ts'

/** An answer that CloudFront keeps. */
interface KeptAnswer extends Answer {
  /** The size as readers know it. */
  readonly size: string
  readonly maxAgeSeconds: number
}

/** Seconds for which caches keep an endpoint's usual answer. */
function maxAgeOf({ name, caching }: typeof getSummary | typeof getBlocks): number {
  const seconds = caching[200]?.complete?.maxAgeSeconds
  if (seconds === undefined) throw new Error(`${name} is not kept`)
  return seconds
}

const summary: KeptAnswer = {
  name: '`GET /summary`',
  size: '1.7 KB with headers',
  bytes: 1700,
  apiUnits: 1,
  functionMs: 120,
  maxAgeSeconds: maxAgeOf(getSummary),
}

const tenFullBlocks: KeptAnswer = {
  name: 'ten full blocks',
  size: '100 commands each, 1.27 MB, with gzip 0.39 MB',
  bytes: 390_000,
  apiUnits: 3,
  functionMs: 500,
  maxAgeSeconds: maxAgeOf(getBlocks),
}

const answers = [summary, tenFullBlocks]
const ratesPerSecond = [1, 1000]

/** Cents matter below a hundred dollars. */
const dollars = (amount: number): string => (amount < 100 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en'))

const table = (rows: readonly (readonly string[])[]): string => {
  const [heading = [], ...others] = rows.map((cells) => `| ${cells.join(' | ')} |\n`)
  return `${heading}|${'---|'.repeat(rows[0]?.length ?? 0)}\n${others.join('')}`
}

/** A column of the table of stages at rest. */
export interface ShownStage {
  /** A file in `config/`. */
  readonly stage: string
  /** Variables that override its settings. */
  readonly changed: Readonly<Record<string, string>>
}

const shown = ['mainnet', 'devnet'].flatMap((stage): readonly ShownStage[] => [
  { stage, changed: {} },
  { stage, changed: { EXPLORER_ROUTE_METRICS: 'false' } },
])

const headingOf = ({ stage, changed }: ShownStage): string =>
  'EXPLORER_ROUTE_METRICS' in changed ? `${stage} with \`routeMetrics: false\`` : stage

function atRest(templates: readonly CloudFormation[]): string {
  const counted = templates.map(countsOf)
  const costs = counted.map((counts) => dollarsAtRest(counts, summary))
  const row = (name: string, cells: readonly (string | number)[]) => [name, ...cells.map(String)]
  return table([
    row('', shown.map(headingOf)),
    row(
      'resources, of these functions',
      counted.map(({ resources, functions }) => `${resources}, ${functions}`),
    ),
    row(
      'alarms, on metrics',
      counted.map(({ alarms, alarmPairs, alarmMetrics }) => `${alarms + alarmPairs}, ${alarmMetrics}`),
    ),
    row(
      'metrics of the service',
      counted.map(({ metrics }) => metrics),
    ),
    row(
      'metrics on the dashboard',
      counted.map(({ dashboardMetrics }) => dashboardMetrics),
    ),
    ...Object.keys(costs[0] ?? {}).map((name) =>
      row(
        `${name}, dollars`,
        costs.map((cost) => dollars(cost[name] ?? 0)),
      ),
    ),
    row(
      '**together, dollars a month**',
      costs.map((cost) => `**${dollars(Object.values(cost).reduce((sum, each) => sum + each, 0))}**`),
    ),
  ])
}

function byRate(): string {
  const rows = answers.flatMap((answer) =>
    ratesPerSecond.map((rate) => {
      const requests = rate * secondsPerMonth
      const calls = Math.min(rate, 1 / answer.maxAgeSeconds) * secondsPerMonth
      const [edge, origin, traffic] = [
        edgeDollars(requests, true),
        originDollars(calls, answer),
        trafficDollars(requests, answer),
      ]
      const saved = originDollars(requests, answer) - origin
      return [
        answer.name,
        rate.toLocaleString('en'),
        `${((100 * (requests - calls)) / requests).toFixed(2)} %`,
        ...[edge, origin, traffic, edge + origin + traffic, saved].map(dollars),
      ]
    }),
  )
  const assumed = answers.map(
    ({ name, size, apiUnits, functionMs }) =>
      `${functionMs} ms of a function and ${apiUnits} × 512 KB at the API for ${name} (${size})`,
  )
  const heading = [
    'Answer',
    'Requests a second',
    'From the cache',
    'CloudFront and firewall',
    'API, functions, logs',
    'Traffic',
    '**Together**',
    'Saved by the cache',
  ]
  const behind = answers.map((answer) => `${dollars(originDollars(1e6, answer))} for ${answer.name}`)
  const text = [
    `A call behind the cache is taken to need ${assumed.join(', and ')}.`,
    `A month has ${secondsPerMonth / 86_400} days. A million requests cost ${dollars(edgeDollars(1e6, true))} in front of the cache, and behind it ${behind.join(' and ')}.`,
  ]
  return `${table([heading, ...rows])}\n${text.join(' ')}\n`
}

/**
 * The generated parts by name, in Markdown.
 *
 * @param templateOf a stage with some settings changed
 */
export async function costParts(
  templateOf: (shown: ShownStage) => Promise<CloudFormation>,
): Promise<Readonly<Record<'cost-at-rest' | 'cost-by-rate', string>>> {
  const templates = await Promise.all(shown.map(templateOf))
  return { 'cost-at-rest': atRest(templates), 'cost-by-rate': byRate() }
}
