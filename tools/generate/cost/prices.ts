// List prices of AWS in us-east-1, in US dollars: what the tables of cost in docs/operations.md are computed from.

interface Price {
  readonly dollars: number
  /** What they pay for. */
  readonly unit: string
  readonly source: string
}

const page = (service: string) => `https://aws.amazon.com/${service}/pricing/`

/** Prices of what a request causes. */
export const perRequest = {
  edgeRequest: { dollars: 1, unit: 'a million HTTPS requests at CloudFront', source: page('cloudfront') },
  edgeFunction: { dollars: 0.1, unit: 'a million runs of the viewer function', source: page('cloudfront') },
  firewallRequest: { dollars: 0.6, unit: 'a million requests through the firewall', source: page('waf') },
  functionRequest: { dollars: 0.2, unit: 'a million runs of functions', source: page('lambda') },
  functionTime: { dollars: 13.3334, unit: 'a million GB-seconds of functions on arm64', source: page('lambda') },
  log: { dollars: 0.5, unit: 'a GB of log lines', source: page('cloudwatch') },
} as const satisfies Readonly<Record<string, Price>>

/** Prices of what is there, for a month. */
export const perMonth = {
  metric: { dollars: 0.3, unit: 'a metric of the service, a month', source: page('cloudwatch') },
  alarmMetric: { dollars: 0.1, unit: 'a metric in an alarm, a month', source: page('cloudwatch') },
  dashboard: {
    dollars: 3,
    unit: 'a dashboard, a month; an account has three of at most 50 metrics free',
    source: page('cloudwatch'),
  },
  secret: { dollars: 0.4, unit: 'a secret, a month', source: page('secrets-manager') },
  firewall: { dollars: 5, unit: 'a firewall, a month', source: page('waf') },
  firewallRule: { dollars: 1, unit: 'a rule of a firewall, a month', source: page('waf') },
  healthCheck: {
    dollars: 2.75,
    unit: "a health check by HTTPS, a month; 1.50 if AWS counts the address as the account's own",
    source: page('route53'),
  },
} as const satisfies Readonly<Record<string, Price>>

/** A dashboard with no more metrics is free, for three dashboards of an account. */
export const freeDashboardMetrics = 50

/** A price that falls with the amount in a month. */
export interface Tier {
  /** Up to this amount; the last tier has no end. */
  readonly upTo: number
  readonly dollars: number
}

/** A million units of 512 KB at the HTTP API, by millions. */
export const apiTiers: readonly Tier[] = [
  { upTo: 300, dollars: 1 },
  { upTo: Number.POSITIVE_INFINITY, dollars: 0.9 },
]

/** A GB out of CloudFront to North America and Europe, by GB. */
export const trafficTiers: readonly Tier[] = [
  { upTo: 10_000, dollars: 0.085 },
  { upTo: 50_000, dollars: 0.08 },
  { upTo: 150_000, dollars: 0.06 },
  { upTo: 500_000, dollars: 0.04 },
  { upTo: 1_024_000, dollars: 0.03 },
  { upTo: 5_120_000, dollars: 0.025 },
  { upTo: Number.POSITIVE_INFINITY, dollars: 0.02 },
]

/** @returns dollars for an amount of a month */
export function tiered(amount: number, tiers: readonly Tier[]): number {
  let from = 0
  let sum = 0
  for (const { upTo, dollars } of tiers) {
    sum += dollars * Math.max(0, Math.min(amount, upTo) - from)
    from = upTo
  }
  return sum
}

const exact = (dollars: number): string =>
  Number(dollars.toFixed(2)) === dollars ? dollars.toFixed(2) : String(dollars)

const row = (price: string, unit: string, source: string): string => `| ${price} | ${unit} | <${source}> |\n`

const steps = (tiers: readonly Tier[]): string =>
  tiers
    .map(
      ({ upTo, dollars }) =>
        `${exact(dollars)} ${Number.isFinite(upTo) ? `up to ${upTo.toLocaleString('en')}` : 'beyond'}`,
    )
    .join(', ')

const rows = (prices: Readonly<Record<string, Price>>): string =>
  Object.values(prices)
    .map(({ dollars, unit, source }) => row(exact(dollars), unit, source))
    .join('')

/** Every price with its unit and source, as a table in Markdown. */
export const pricesTable = (): string =>
  [
    '| Dollars | For | Source |\n|---|---|---|\n',
    rows(perRequest),
    row(steps(apiTiers), 'a million units of 512 KB at the HTTP API, by the millions of a month', page('api-gateway')),
    row(
      steps(trafficTiers),
      'a GB out of CloudFront to North America or Europe, by the GB of a month',
      page('cloudfront'),
    ),
    rows(perMonth),
  ].join('')
