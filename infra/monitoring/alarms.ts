// The alarms. Each description ends with the section of the runbook that says what to do.
import { Alarm, ComparisonOperator, MathExpression, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { routeOf } from '../../shared/http/routes.ts'
import { accountConcurrency, type Concurrency, functionCapacity } from './capacity-alarms.ts'
import { frontAlarms, type Ingress } from './front/front-alarms.ts'
import { alarmsOnAny } from './metric-sum.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import type { PlannedAlarm, Urgency } from './planned-alarm.ts'
import { metricPeriod, type ServiceMetrics } from './service-metrics.ts'
import { lasting, maxFaultPercent, maxOriginRefusals, maxP99Ms, maxTipAgeSlots, minRequests } from './thresholds.ts'

interface AlarmsProps extends Ingress, Concurrency {
  readonly metrics: ServiceMetrics
  readonly functions: readonly MonitoredFunction[]
  readonly docs: LambdaFunction
  /** Posts broadcasts; absent on a stage without a heartbeat of broadcasts. */
  readonly broadcastPoster?: IFunction
}

function tipAge({ metrics }: AlarmsProps): PlannedAlarm {
  return {
    id: 'TipAge',
    what: `The best tip is more than ${maxTipAgeSlots} slots old, or its age is unknown.`,
    section: 'tip-age',
    urgency: 'page',
    condition: {
      metric: metrics.metric('TipAgeSlots', Stats.MAXIMUM),
      threshold: maxTipAgeSlots,
      // A heartbeat may fall on either side of a period's end, so that one period has none.
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.BREACHING,
    },
  }
}

function faults({ handler, endpoint }: MonitoredFunction, { metrics, broadcastPoster }: AlarmsProps): PlannedAlarm {
  const route = routeOf(endpoint)
  // The heartbeat's requests are not among the faults. Counted as requests, they would hide that all others fail.
  const withHeartbeat = broadcastPoster !== undefined && endpoint.name === 'broadcastTransaction'
  const asked = withHeartbeat ? '(invocations - FILL(heartbeats, 0))' : 'invocations'
  // A function that crashes writes no line, so Lambda's own error count is added.
  const failed = '(FILL(faults, 0) + FILL(errors, 0))'
  const metric = new MathExpression({
    // A few requests, perhaps only the heartbeat's, make an alarm only if all of them fail.
    expression: `IF((${asked} >= ${minRequests}) OR (${failed} >= ${asked}), 100 * ${failed} / ${asked}, 0)`,
    usingMetrics: {
      invocations: handler.metricInvocations({ period: metricPeriod }),
      errors: handler.metricErrors({ period: metricPeriod }),
      faults: metrics.sum('Faults', { route }),
      ...(withHeartbeat && { heartbeats: metrics.sum('BroadcastHeartbeats') }),
    },
    period: metricPeriod,
    label: `${route} failed, %`,
  })
  return {
    id: `${endpoint.name}Faults`,
    what: `${route}: more than ${maxFaultPercent} % of the requests failed, or all of a few.`,
    section: 'failing-requests',
    urgency: 'page',
    condition: { metric, ...lasting, threshold: maxFaultPercent },
  }
}

const bug = { section: 'bugs', urgency: 'ticket', rollsBack: true } as const

/** A release that fails shows here within minutes, even by night: the heartbeat asks every function of a GET. */
function crashes({ functions, docs }: AlarmsProps): readonly PlannedAlarm[] {
  const handlers = [...functions.map(({ handler }) => handler), docs]
  const errors = handlers.map((handler) => handler.metricErrors({ period: metricPeriod }))
  return alarmsOnAny({ ...bug, id: 'Crashes', what: 'A function ended without an answer.' }, errors, 'crashes')
}

function internalErrors({ metrics }: AlarmsProps): PlannedAlarm {
  return {
    ...bug,
    id: 'InternalErrors',
    what: 'A request ended in an error that the service does not foresee.',
    condition: { metric: metrics.sum('InternalErrors'), threshold: 0 },
  }
}

/** For all routes together: most failures are an upstream's, which fails them all. A crash shows at the API. */
function faultsOfService({ metrics }: AlarmsProps): PlannedAlarm {
  const metric = new MathExpression({
    expression: `IF((requests >= ${minRequests}) OR (faults >= requests), 100 * faults / requests, 0)`,
    usingMetrics: { requests: metrics.sum('Requests'), faults: metrics.sum('Faults') },
    period: metricPeriod,
    label: 'failed, %',
  })
  return {
    id: 'Faults',
    what: `More than ${maxFaultPercent} % of the requests failed, or all of a few.`,
    section: 'failing-requests',
    urgency: 'page',
    condition: { metric, ...lasting, threshold: maxFaultPercent },
  }
}

function latency(monitored: MonitoredFunction, { metrics }: AlarmsProps): PlannedAlarm {
  const route = routeOf(monitored.endpoint)
  const threshold = maxP99Ms(monitored)
  const metric = new MathExpression({
    expression: `IF(requests >= ${minRequests}, latency, 0)`,
    usingMetrics: {
      requests: metrics.sum('Requests', { route }),
      latency: metrics.metric('Latency', 'p99', { route }),
    },
    period: metricPeriod,
    label: `${route} p99, ms`,
  })
  return {
    id: `${monitored.endpoint.name}Latency`,
    what: `${route}: one request in a hundred takes more than ${threshold} ms.`,
    section: 'slow-requests',
    urgency: 'ticket',
    condition: { metric, ...lasting, threshold },
  }
}

function unknownOutcomes({ endpoint }: MonitoredFunction, { metrics }: AlarmsProps): PlannedAlarm {
  const route = routeOf(endpoint)
  return {
    id: `${endpoint.name}Unknown`,
    what: `${route}: the caller of a broadcast was told that its outcome is unknown.`,
    section: 'unknown-broadcasts',
    urgency: 'ticket',
    condition: { metric: metrics.sum('Requests', { route, outcome: 'unknown' }), threshold: 0 },
  }
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

function nodesOut({ metrics }: AlarmsProps): PlannedAlarm {
  return {
    id: 'NodesOut',
    what: 'One of several nodes has been out of use for 15 minutes; the others answer.',
    section: 'nodes-out',
    urgency: 'ticket',
    condition: { metric: metrics.metric('NodesOut', Stats.MAXIMUM), threshold: 0, evaluationPeriods: 3 },
  }
}

/** The heartbeat asks for things that no chain has, so that this is seen without traffic. */
function indexerFaults({ metrics }: AlarmsProps): PlannedAlarm {
  return {
    id: 'IndexerFaults',
    what: 'For 15 minutes requests have failed because the indexer does not show what only an indexer could; the nodes are well.',
    section: 'indexer-faults',
    urgency: 'ticket',
    condition: { metric: metrics.sum('IndexerFaults'), threshold: 0, evaluationPeriods: 3 },
  }
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
function hardFork({ metrics }: AlarmsProps): readonly PlannedAlarm[] {
  const section = 'the-day-of-a-hard-fork'
  return [
    {
      id: 'PinStale',
      what: 'The network in use is not the one that genesisStateHash names last.',
      section,
      urgency: 'ticket',
      condition: { metric: metrics.sum('PinStale'), threshold: 0, evaluationPeriods: 3 },
    },
    {
      id: 'OtherNetworkFresh',
      what: 'The chain that is served stands still, and a listed node of another network has a fresh tip.',
      section,
      urgency: 'page',
      condition: { metric: metrics.sum('OtherNetworkFresh'), threshold: 0 },
    },
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
  ...props.functions.map((monitored) => faults(monitored, props)),
  ...crashes(props),
  ...props.functions.map((monitored) => latency(monitored, props)),
  ...props.functions
    .filter(({ endpoint }) => endpoint.method === 'POST')
    .map((monitored) => unknownOutcomes(monitored, props)),
  ...functionCapacity(props),
]

/** All alarms of a stack. */
export class Alarms extends Construct {
  readonly all: readonly { readonly alarm: Alarm; readonly urgency: Urgency }[]
  /** The ARNs of those that a bad release causes. CloudFormation watches at most five while it deploys. */
  readonly rollbackArns: readonly string[]

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id)
    const planned = [
      tipAge(props),
      ...(props.metrics.ofRoutes ? ofRoutes(props) : [faultsOfService(props)]),
      internalErrors(props),
      ...frontAlarms(this, props),
      ...heartbeatOfBroadcasts(props),
      accountConcurrency(props),
      originRefusals(props),
      nodesOut(props),
      indexerFaults(props),
      clockBehind(props),
      ...hardFork(props),
    ]
    const made = planned.map((plan) => ({ ...plan, alarm: this.#alarm(plan) }))
    this.all = made
    this.rollbackArns = made.filter(({ rollsBack }) => rollsBack).map(({ alarm }) => alarm.alarmArn)
  }

  #alarm({ id, what, section, condition }: PlannedAlarm): Alarm {
    return new Alarm(this, id, {
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...condition,
      alarmDescription: `${what} What to do: docs/runbook.md#${section}`,
    })
  }
}
