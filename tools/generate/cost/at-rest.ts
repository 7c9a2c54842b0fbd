// The resources of a stage and their cost without a single user, counted from its template.
import { keptUnder, type MetricName } from '../../../shared/deployment/metrics.ts'
import type { CloudFormation } from '../../synthesise.ts'
import { freeDashboardMetrics, perMonth } from './prices.ts'
import { type Answer, edgeDollars, functionDollars, originDollars, secondsPerMonth } from './requests.ts'

/** The parts of a stage that cost, or show its size. */
export interface Counts {
  readonly resources: number
  readonly functions: number
  readonly alarms: number
  /** Alarms on other alarms. */
  readonly alarmPairs: number
  /** Paid for: an alarm on an expression has several. */
  readonly alarmMetrics: number
  /** Metrics of the service that the heartbeats keep alive, and those that the log's filters count. */
  readonly metrics: number
  readonly dashboardMetrics: number
  readonly secrets: number
  /** Undefined without a firewall. */
  readonly firewallRules?: number
  readonly healthChecks: number
  /** Calls a month past CloudFront. */
  readonly heartbeats: number
  /** Requests a month at the public address, by the heartbeat of broadcasts. */
  readonly broadcastHeartbeats: number
}

/** Every request of a read that asks its node has these; further ones only if something is wrong, or of broadcasts. */
const ofEveryRead: readonly MetricName[] = ['Requests', 'Latency', 'Faults', 'UpstreamLatency', 'UpstreamErrors']
const ofTheTip: readonly MetricName[] = ['TipHeight', 'TipAgeSlots']

/**
 * The metrics of the service that exist while nobody asks it but the heartbeat. Its requests for one route end alike.
 *
 * @param routes those that the heartbeat asks
 * @param ofRoutes false on a stage without metrics of routes
 * @returns each with its dimensions, the route itself in place of its name
 */
export function metricsAtRest(routes: readonly string[], ofRoutes: boolean): ReadonlySet<string> {
  const kept = (name: MetricName, route: string) =>
    keptUnder(name, ofRoutes).map((set) => `${name} ${set.map((key) => (key === 'Route' ? route : key)).join()}`)
  return new Set([
    ...routes.flatMap((route) => ofEveryRead.flatMap((name) => kept(name, route))),
    ...ofTheTip.flatMap((name) => kept(name, '')),
  ])
}

type Properties = Readonly<Record<string, unknown>>

/** A text of a template; references are their logical ids. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const join = Object(value)['Fn::Join']
  return Array.isArray(join) ? join[1].map(textOf).join('') : Object.values(value).flat().join('.')
}

function* dashboardMetricsIn(body: string): Generator<unknown> {
  for (const { properties } of JSON.parse(body).widgets) for (const metric of properties.metrics ?? []) yield metric
}

const fiveMinutes = 'rate(5 minutes)'

/**
 * Counts a template.
 *
 * @throws Error for a schedule that is not the heartbeat's
 */
export function countsOf({ Resources }: CloudFormation): Counts {
  const all = Object.entries(Resources)
  const of = (type: string) =>
    all.flatMap(([id, { Type, Properties }]) =>
      Type === type ? [{ id, properties: Object(Properties) as Properties }] : [],
    )
  const alarms = of('AWS::CloudWatch::Alarm')
  const functions = of('AWS::Lambda::Function')
  const targets = of('AWS::Events::Rule').flatMap(({ id, properties: { ScheduleExpression, Targets } }) => {
    if (ScheduleExpression !== fiveMinutes) throw new Error(`${id} is not a heartbeat`)
    return Targets as readonly Properties[]
  })
  const routes = targets.flatMap(({ Input }) => (Input === undefined ? [] : [JSON.parse(textOf(Input)).routeKey]))
  const broadcasts = targets.length - routes.length
  // Well nodes answer its payment with the same code each time.
  const ofPoster = broadcasts > 0 ? keptUnder('BroadcastHeartbeats', true).length : 0
  const ofRoutes = !JSON.stringify(functions).includes('"ROUTE_METRICS":"false"')
  const filters = of('AWS::Logs::MetricFilter').flatMap(
    ({ properties: { MetricTransformations = [{}] } }) => MetricTransformations as readonly Properties[],
  )
  const counted = filters.filter(({ Dimensions }) => Dimensions === undefined)
  const hasRouteFilters = counted.length < filters.length
  const healthChecks = of('AWS::Route53::HealthCheck').length
  // The routes that are called through the API.
  const probed = healthChecks + broadcasts
  const beatsPerMonth = secondsPerMonth / 300
  const rules = of('AWS::WAFv2::WebACL').flatMap(({ properties: { Rules } }) => Rules as readonly unknown[])
  return {
    resources: all.length,
    functions: functions.length,
    alarms: alarms.length,
    alarmPairs: of('AWS::CloudWatch::CompositeAlarm').length,
    alarmMetrics: alarms.reduce((sum, { properties: { Metrics = [{ MetricStat: {} }] } }) => {
      const read = (Metrics as readonly Properties[]).filter(({ MetricStat }) => MetricStat !== undefined)
      return sum + read.length
    }, 0),
    metrics: metricsAtRest(routes, ofRoutes).size + counted.length + ofPoster + (hasRouteFilters ? probed : 0),
    dashboardMetrics: of('AWS::CloudWatch::Dashboard').flatMap(({ properties }) => [
      ...dashboardMetricsIn(textOf(properties.DashboardBody)),
    ]).length,
    secrets: of('AWS::SecretsManager::Secret').length,
    ...(rules.length > 0 && { firewallRules: rules.length }),
    healthChecks,
    heartbeats: routes.length * beatsPerMonth,
    broadcastHeartbeats: broadcasts * beatsPerMonth,
  }
}

/** Of the checkers of three regions, each every 30 seconds. Most of these find no fresh copy. */
const checksPerMonth = 10 * (secondsPerMonth / 60)

/** @returns dollars a month, by what they pay for */
export function dollarsAtRest(counts: Counts, read: Answer): Readonly<Record<string, number>> {
  const { firewallRules, healthChecks, broadcastHeartbeats } = counts
  const hasFirewall = firewallRules !== undefined
  const throughEdge = (requests: number) => edgeDollars(requests, hasFirewall) + originDollars(requests, read)
  return {
    metrics: counts.metrics * perMonth.metric,
    alarms: counts.alarmMetrics * perMonth.alarmMetric + counts.alarmPairs * perMonth.alarmPair,
    dashboard: counts.dashboardMetrics > freeDashboardMetrics ? perMonth.dashboard : 0,
    secrets: counts.secrets * perMonth.secret,
    firewall: hasFirewall ? perMonth.firewall + firewallRules * perMonth.firewallRule : 0,
    'health check': healthChecks * (perMonth.healthCheck + throughEdge(checksPerMonth)),
    heartbeats:
      functionDollars(counts.heartbeats, read.functionMs) +
      throughEdge(broadcastHeartbeats) +
      functionDollars(broadcastHeartbeats, read.functionMs),
  }
}
