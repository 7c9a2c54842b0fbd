// List prices of AWS in us-east-1, in US dollars: what the tables of cost in docs/operations.md are computed from.

/** Prices of what a request causes. */
export const perRequest = {
  // https://aws.amazon.com/cloudfront/pricing/
  /** A million HTTPS requests at CloudFront. */
  edgeRequest: 1,
  /** A million runs of the viewer function. */
  edgeFunction: 0.1,
  // https://aws.amazon.com/waf/pricing/
  /** A million requests through the firewall. */
  firewallRequest: 0.6,
  // https://aws.amazon.com/lambda/pricing/
  /** A million runs of functions. */
  functionRequest: 0.2,
  /** A million GB-seconds of functions on arm64. */
  functionTime: 13.3334,
  // https://aws.amazon.com/cloudwatch/pricing/
  /** A GB of log lines. */
  log: 0.5,
} as const

/** Prices of what is there, for a month. */
export const perMonth = {
  // https://aws.amazon.com/cloudwatch/pricing/
  /** A metric of the service. */
  metric: 0.3,
  /** A metric in an alarm. */
  alarmMetric: 0.1,
  /** An alarm on other alarms. */
  alarmPair: 0.5,
  dashboard: 3,
  // https://aws.amazon.com/secrets-manager/pricing/
  secret: 0.4,
  // https://aws.amazon.com/waf/pricing/
  firewall: 5,
  firewallRule: 1,
  // https://aws.amazon.com/route53/pricing/
  /** By HTTPS, which the page does not price: from memory. 1.50 if AWS counts the address as the account's own. */
  healthCheck: 2.75,
} as const

/** A dashboard with no more metrics is free, for three dashboards of an account. */
export const freeDashboardMetrics = 50

/** A price that falls with the amount in a month. */
export interface Tier {
  /** Up to this amount; the last tier has no end. */
  readonly upTo: number
  readonly dollars: number
}

/** A million units of 512 KB at the HTTP API, by the millions of a month: https://aws.amazon.com/api-gateway/pricing/ */
export const apiTiers: readonly Tier[] = [
  { upTo: 300, dollars: 1 },
  { upTo: Number.POSITIVE_INFINITY, dollars: 0.9 },
]

/** A GB out of CloudFront to North America or Europe, by the GB of a month: https://aws.amazon.com/cloudfront/pricing/ */
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
