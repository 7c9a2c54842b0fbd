// The alarms. Each description ends with the section of the runbook that says what to do.
import { Stack } from 'aws-cdk-lib'
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { blocksLeftBehind, maxEmptySlots, rareEmptySlots } from '../../shared/contract/tip-age.ts'
import { routeOf } from '../../shared/http/routes.ts'
import { maxBlocksBehind } from '../../shared/indexer/indexed.ts'
import type { StageSettings } from '../settings/schema.ts'
import { accountConcurrency, type Concurrency, functionCapacity } from './capacity-alarms.ts'
import { errorBudget } from './error-budget.ts'
import { frontAlarms, type Ingress, routeRefusalAlarms } from './front/front-alarms.ts'
import { alarmsOnAny } from './metric-sum.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import type { PlannedAlarm, PlannedPair, Urgency } from './planned-alarm.ts'
import { metricPeriod, type ServiceMetrics } from './service-metrics.ts'
import { lasting, maxOriginRefusals, maxP99Ms, maxRouteFailures } from './thresholds.ts'

/** What an alarm may be about. */
export type Upstreams = Pick<StageSettings, 'nodes' | 'indexerGraphqlUrl' | 'genesisStateHash'>

interface AlarmsProps extends Ingress, Concurrency, Upstreams {
  readonly metrics: ServiceMetrics
  readonly functions: readonly MonitoredFunction[]
  readonly docs: LambdaFunction
  /** Posts broadcasts; absent on a stage without a heartbeat of broadcasts. */
  readonly broadcastPoster?: IFunction
  /** The share of a route's calls that the API refuses; absent on a stage without metrics of routes. */
  readonly refusedOf?: (route: string) => IMetric
}

function tipAge({ metrics }: AlarmsProps): PlannedAlarm {
  return {
    id: 'TipAge',
    what: `The best tip is more than ${maxEmptySlots} slots old, or its age is unknown.`,
    section: 'tip-age',
    urgency: 'page',
    condition: {
      metric: metrics.metric('TipAgeSlots', Stats.MAXIMUM),
      threshold: maxEmptySlots,
      // A heartbeat may fall on either side of a period's end, so that one period has none.
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.BREACHING,
    },
  }
}

/** Of a node that lags, the only one above all: a node says of itself that it is well, and so does an indexer that follows it. */
function tipOld({ metrics }: AlarmsProps): PlannedAlarm {
  return {
    id: 'TipOld',
    what: `The best tip is more than ${rareEmptySlots} slots old.`,
    section: 'tip-age',
    urgency: 'ticket',
    // Within ten minutes: the heartbeat comes once in each period. Without a value the page above rings.
    condition: { metric: metrics.metric('TipAgeSlots', Stats.MAXIMUM), threshold: rareEmptySlots },
  }
}

/**
 * A route that fails alone can be a small share of all requests. A failed request on a quiet route is half of those in its five
 * minutes, beside the heartbeat's: only what lasts fires.
 */
function routeFaults({ functions, metrics }: AlarmsProps): readonly PlannedAlarm[] {
  // Each request writes 0 or 1, so that the average is a share.
  const shares = functions.map(({ endpoint }) => metrics.metric('Faults', Stats.AVERAGE, { route: routeOf(endpoint) }))
  const plan = {
    id: 'RouteFaults',
    what: 'A route has failed most of its requests for half an hour.',
    section: 'failing-requests',
    urgency: 'page',
    condition: { threshold: maxRouteFailures, evaluationPeriods: 6 },
  } as const
  return alarmsOnAny(plan, shares, 'failed of the worst route')
}

const bug = { section: 'bugs', urgency: 'ticket', rollsBack: true } as const

/** A release that fails shows here within minutes, even by night: the heartbeat asks every function of a GET. */
function crashes({ functions, docs }: AlarmsProps): readonly PlannedAlarm[] {
  const handlers = [...functions.map(({ handler }) => handler), docs]
  const errors = handlers.map((handler) => handler.metricErrors({ period: metricPeriod }))
  const plan = { ...bug, id: 'Crashes', what: 'A function ended without an answer.', condition: { threshold: 0 } }
  return alarmsOnAny(plan, errors, 'crashes')
}

function internalErrors({ metrics }: AlarmsProps): PlannedAlarm {
  return {
    ...bug,
    id: 'InternalErrors',
    what: 'A request ended in an error that the service does not foresee.',
    condition: { metric: metrics.sum('InternalErrors'), threshold: 0 },
  }
}

/** By the bounds that routes have. The log says which of them is slow. */
function latency({ functions, metrics }: AlarmsProps): readonly PlannedAlarm[] {
  return [...Map.groupBy(functions, maxP99Ms)].flatMap(([threshold, alike]) => {
    const plan = {
      id: `SlowerThan${threshold / 1000}s`,
      what: `${alike.map(({ endpoint }) => routeOf(endpoint)).join(', ')}: one request in a hundred takes more than ${threshold} ms.`,
      section: 'slow-requests',
      urgency: 'ticket',
      // A quiet route's slowest request is its p99, so that one alone must not fire.
      condition: { threshold, evaluationPeriods: 3 },
    } as const
    const slowest = alike.map(({ endpoint }) => metrics.metric('Latency', 'p99', { route: routeOf(endpoint) }))
    return alarmsOnAny(plan, slowest, 'p99 of the slowest route, ms')
  })
}

function unknownOutcomes({ functions, metrics }: AlarmsProps): readonly PlannedAlarm[] {
  const outcome = 'unknown'
  const posts = functions.filter(({ endpoint }) => endpoint.method === 'POST')
  const plan = {
    id: 'UnknownBroadcasts',
    what: 'The caller of a broadcast was told that its outcome is unknown.',
    section: 'unknown-broadcasts',
    urgency: 'ticket',
    condition: { threshold: 0 },
  } as const
  const counts = posts.map(({ endpoint }) => metrics.sum('Requests', { route: routeOf(endpoint), outcome }))
  return alarmsOnAny(plan, counts, 'unknown outcomes')
}

function heartbeatOfBroadcasts({ broadcastPoster }: AlarmsProps): readonly PlannedAlarm[] {
  if (broadcastPoster === undefined) return []
  return [
    {
      id: 'BroadcastHeartbeat',
      what: 'A broadcast at the public address was not answered as it should be, or nothing was posted. Before a hard fork: network-paused.',
      section: 'broadcast-heartbeat',
      urgency: 'page',
      condition: {
        metric: broadcastPoster.metricErrors({ period: metricPeriod }),
        threshold: 0,
        ...lasting,
        // Without a heartbeat nobody knows.
        treatMissingData: TreatMissingData.BREACHING,
      },
    },
  ]
}

function originRefusals({ metrics }: AlarmsProps): PlannedAlarm {
  return {
    id: 'OriginRefusals',
    what: `More than ${maxOriginRefusals} requests bypassed the CDN or carried a wrong secret.`,
    section: 'origin-refusals',
    urgency: 'ticket',
    condition: { metric: metrics.sum('OriginRefused'), threshold: maxOriginRefusals },
  }
}

const hasSeveralNodes = ({ nodes }: Upstreams): boolean => nodes !== null && nodes.length > 1

/** On a stage with several nodes. */
function spareNodes(props: AlarmsProps): readonly PlannedAlarm[] {
  if (!hasSeveralNodes(props)) return []
  const { metrics } = props
  return [
    {
      id: 'NodesOut',
      what: 'One of several nodes has been out of use for 15 minutes; the others answer.',
      section: 'nodes-out',
      urgency: 'ticket',
      condition: { metric: metrics.metric('NodesOut', Stats.MAXIMUM), threshold: 0, evaluationPeriods: 3 },
    },
    {
      id: 'NodeLag',
      what: `One of several nodes answers, and lacks the best one's last ${blocksLeftBehind} blocks or more: it is behind, or on another branch; the others answer.`,
      section: 'nodes-out',
      urgency: 'ticket',
      // A block comes to one node before another, so the least lag that anybody saw counts.
      condition: { metric: metrics.metric('NodeLag', Stats.MINIMUM), threshold: blocksLeftBehind - 1 },
    },
  ]
}

/** On a stage with an indexer. The heartbeat asks for things that no chain has, so that its faults are seen without traffic. */
function indexer({ metrics, indexerGraphqlUrl }: AlarmsProps): readonly PlannedAlarm[] {
  if (indexerGraphqlUrl === null) return []
  return [
    {
      id: 'IndexerFaults',
      what: 'For 15 minutes requests have failed because the indexer does not show what only an indexer could; the nodes are well.',
      section: 'indexer-faults',
      urgency: 'ticket',
      condition: { metric: metrics.sum('IndexerFaults'), threshold: 0, evaluationPeriods: 3 },
    },
    {
      id: 'IndexerLag',
      what: `The indexer lies more than ${maxBlocksBehind} blocks behind the nodes, so that accounts lack its fields.`,
      section: 'indexer-faults',
      urgency: 'ticket',
      condition: { metric: metrics.metric('IndexerLag', Stats.MINIMUM), threshold: maxBlocksBehind },
    },
  ]
}

function clockBehind({ metrics }: AlarmsProps): PlannedAlarm {
  return {
    id: 'ClockBehind',
    what: 'Every node shows a tip more than one slot ahead of the clock of a function; answers are given all the same.',
    section: 'clock-behind',
    urgency: 'ticket',
    condition: { metric: metrics.sum('ClockBehind'), threshold: 0 },
  }
}

/** The alarms of a hard fork: on the day, each says how far it has come. */
function hardFork(props: AlarmsProps): readonly PlannedAlarm[] {
  const { metrics, genesisStateHash } = props
  const section = 'the-day-of-a-hard-fork'
  const pinStale: PlannedAlarm = {
    id: 'PinStale',
    what: 'The network in use is not the one that genesisStateHash names last.',
    section,
    urgency: 'ticket',
    condition: { metric: metrics.sum('PinStale'), threshold: 0, evaluationPeriods: 3 },
  }
  const otherNetworkFresh: PlannedAlarm = {
    id: 'OtherNetworkFresh',
    what: 'The chain that is served stands still, and a listed node of another network has a fresh tip.',
    section,
    urgency: 'page',
    condition: { metric: metrics.sum('OtherNetworkFresh'), threshold: 0 },
  }
  return [
    ...(genesisStateHash === null ? [] : [pinStale]),
    ...(hasSeveralNodes(props) ? [otherNetworkFresh] : []),
    {
      id: 'TipAhead',
      what: 'The best tip lies more than a slot ahead of the clock: a chain that is yet to begin, or a wrong clock.',
      section,
      urgency: 'ticket',
      condition: {
        metric: metrics.metric('TipAgeSlots', Stats.MINIMUM),
        threshold: 0,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        evaluationPeriods: 2,
      },
    },
  ]
}

/** The alarms on single routes and functions. */
const ofRoutes = (props: AlarmsProps): readonly PlannedAlarm[] => [
  ...routeFaults(props),
  ...crashes(props),
  ...latency(props),
  ...unknownOutcomes(props),
  ...functionCapacity(props),
  ...(props.refusedOf ? routeRefusalAlarms(props.functions, props.refusedOf) : []),
]

const descriptionOf = (what: string, section: string): string => `${what} What to do: docs/runbook.md#${section}`

/** All alarms of a stack. */
export class Alarms extends Construct {
  /** Those that tell somebody. */
  readonly all: readonly { readonly alarm: AlarmBase; readonly urgency: Urgency }[]
  /** The ARNs of those that a bad release causes. CloudFormation watches at most five while it deploys. */
  readonly rollbackArns: readonly string[]

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id)
    const planned = [
      tipAge(props),
      tipOld(props),
      ...(props.metrics.ofRoutes ? ofRoutes(props) : []),
      internalErrors(props),
      ...frontAlarms(this, props),
      ...heartbeatOfBroadcasts(props),
      accountConcurrency(props),
      originRefusals(props),
      ...spareNodes(props),
      ...indexer(props),
      clockBehind(props),
      ...hardFork(props),
    ]
    const made = planned.map((plan) => ({ ...plan, alarm: this.#alarm(plan) }))
    const pairs = errorBudget(props.metrics).map((pair) => ({ ...pair, alarm: this.#pair(pair) }))
    this.all = [...pairs, ...made]
    this.rollbackArns = made.filter(({ rollsBack }) => rollsBack).map(({ alarm }) => alarm.alarmArn)
  }

  #pair({ id, what, section, both }: PlannedPair): CompositeAlarm {
    const parts = Object.entries(both).map(([name, condition]) =>
      this.#alarm({ id: `${id}${name}`, what: `Tells nobody: a part of ${id}.`, section, condition }),
    )
    return new CompositeAlarm(this, id, {
      // CloudFormation names the other alarms like this; the CDK's default name lacks the prefix by which the runbook mutes them all.
      compositeAlarmName: `${Stack.of(this).stackName}-WatchingAlarms${id}`,
      alarmRule: AlarmRule.allOf(...parts.map((part) => AlarmRule.fromAlarm(part, AlarmState.ALARM))),
      alarmDescription: descriptionOf(what, section),
    })
  }

  #alarm({ id, what, section, condition }: Omit<PlannedAlarm, 'urgency' | 'rollsBack'>): Alarm {
    return new Alarm(this, id, {
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...condition,
      alarmDescription: descriptionOf(what, section),
    })
  }
}
