// Metrics in CloudWatch's embedded metric format: no call, no permission, no library. Powertools would add 33 KB to
// every bundle and 7 ms to a cold start, for one JSON object. They ride on the request's own log line, since a
// separate line would repeat route and times, and logs are paid for by the byte.

import {
  type Dimension,
  keptUnder,
  type MetricName,
  metrics,
  metricsNamespace,
  type RequestOutcome,
} from '../../shared/deployment/metrics.ts'
import type { ChainObservation, UpstreamLags } from '../../shared/http/answer.ts'
import { compact, oneIf, trueIf } from './compact.ts'

/** Facts of a request, each present only if it is true. */
export interface RequestFlags {
  /** Every node shows a tip ahead of this machine's clock. */
  isClockBehind?: true
  /** The network in use is not the one that is pinned last. */
  isPinStale?: true
  /** The network in use has halted, while a listed node of another one has a fresh tip. */
  isOtherNetworkFresh?: true
  /** It failed with an unforeseen error. */
  isBug?: true
  /** A 503 that answers the question, as that of GET /health does. */
  isDown?: true
  /** It failed because the indexer did not show what only an indexer could: the nodes are well. */
  isIndexerFault?: true
  /** Only an indexer could have answered, and the stage has none: nothing failed. */
  needsIndexer?: true
}

/** The fields of a request from which its metrics are made. */
export interface MeasuredRequest extends Readonly<RequestFlags> {
  /** Method and path as in the contract. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly upstream: readonly MeasuredCall[]
  /** Of a broadcast, from its headers. An accepted one has no code. */
  readonly broadcast?: MeasuredBroadcast
  /** Fields that are missing from the answer. */
  readonly missingFields?: readonly string[]
  readonly observed?: ChainObservation | UpstreamLags
  /** If there are several nodes: how many are out of use, as far as this instance knows. */
  readonly nodesOut?: number
  readonly nodeEvents?: readonly string[]
  /** The broadcast of the heartbeat: not a user's, so counted separately. */
  readonly heartbeat?: true
}

interface MeasuredBroadcast {
  readonly outcome: string
  readonly code?: string
  /** True if the outcome is unknown, but the ledger is past the command's nonce. */
  readonly nonceIsUsed?: boolean
}

/** One call to an upstream; its outcome is an HTTP status, or a word for its absence. */
interface MeasuredCall {
  readonly durationMs: number
  readonly outcome: number | string
  readonly why?: string
}

/** The facts in an answer's headers that its log line and its metrics need. */
export function summariseHeaders(
  headers: Readonly<Record<string, string | number | boolean>> = {},
): Pick<MeasuredRequest, 'broadcast' | 'missingFields'> {
  const { 'x-broadcast-outcome': outcome, 'x-broadcast-code': code, 'x-missing-fields': missingFields } = headers
  // An unknown command is worth sending again unless its nonce is used.
  const nonceIsUsed = outcome === 'unknown' && headers['x-broadcast-retriable'] === 'false'
  const broadcast = compact({
    outcome: String(outcome),
    code: code ? String(code) : undefined,
    nonceIsUsed: trueIf(nonceIsUsed),
  })
  return compact({
    broadcast: outcome === undefined ? undefined : broadcast,
    missingFields: missingFields === undefined ? undefined : String(missingFields).split(','),
  })
}

type Values = { readonly [Name in MetricName]?: number | readonly number[] }

interface Directive {
  readonly Namespace: string
  readonly Dimensions: readonly (readonly Dimension[])[]
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[]
}

/** Every node answered, and only the nonce is wrong: the command was most likely sent long ago. */
const isReplay = ({ broadcast, upstream }: MeasuredRequest): boolean =>
  broadcast?.nonceIsUsed === true &&
  broadcast.code === 'bad-nonce' &&
  upstream.every((call) => typeof call.outcome === 'number' || isLost(call))

function outcomeOf(request: MeasuredRequest): string {
  const { status, broadcast } = request
  const replay: RequestOutcome = 'used-nonce'
  if (broadcast !== undefined) return isReplay(request) ? replay : broadcast.outcome
  if (request.needsIndexer) return 'refused' satisfies RequestOutcome
  return request.isDown ? 'success' : outcomeOfRead(status)
}

function outcomeOfRead(status: number): RequestOutcome {
  if (status < 400) return 'success'
  if (status === 404) return 'not-found'
  return status < 500 ? 'refused' : 'failed'
}

/** True if a call brought an answer of HTTP status 2xx. */
export const isAnswered = ({ outcome }: MeasuredCall): boolean => typeof outcome === 'number' && outcome < 300

/** A call that lost against a faster node neither failed nor shows a latency. */
export const isLost = ({ outcome }: MeasuredCall): boolean => outcome === 'cancelled'

/** A shed question was sent to no node, to spare busy ones. */
const isShed = ({ outcome }: MeasuredCall): boolean => outcome === 'shed'

/** Only if there are several nodes. */
function nodeValues({ upstream, nodesOut, nodeEvents = [] }: MeasuredRequest): Values {
  if (nodesOut === undefined) return {}
  return {
    Hedges: upstream.filter(({ why }) => why === 'hedge').length,
    Failovers: upstream.filter(({ why }) => why === 'failover').length,
    Demotions: nodeEvents.filter((event) => event.startsWith('demoted ')).length,
    NodesOut: nodesOut,
  }
}

const lagValues = ({ nodeLag, indexerLag }: UpstreamLags): Values =>
  compact({ NodeLag: nodeLag, IndexerLag: indexerLag })

/** To a clock behind the network's, new blocks lie in the future: their age is 0. */
function tipValues({ tipHeight, tipAtMs, slotDurationMs }: ChainObservation, now: number): Values {
  const age = slotDurationMs > 0 && { TipAgeSlots: Math.trunc((now - tipAtMs) / slotDurationMs) + 0 }
  return { TipHeight: tipHeight, ...age }
}

function valuesOf(request: MeasuredRequest, outcome: string, now: number): Values {
  const { durationMs, broadcast, missingFields, observed, status } = request
  const bugs = request.isBug && { InternalErrors: 1 }
  if (request.heartbeat) return { BroadcastHeartbeats: 1, ...bugs }
  const upstream = request.upstream.filter((call) => !isLost(call) && !isShed(call))
  const isAsked = upstream.length > 0
  return compact({
    Requests: 1,
    Latency: durationMs,
    Faults: isFault(request) || outcome === 'unknown' ? 1 : 0,
    IndexerFaults: oneIf(request.isIndexerFault),
    UpstreamLatency: isAsked ? upstream.map((call) => call.durationMs) : undefined,
    UpstreamErrors: isAsked ? upstream.filter((call) => !isAnswered(call)).length : undefined,
    BroadcastOutcome: oneIf(broadcast !== undefined),
    ...(observed && ('tipHeight' in observed ? tipValues(observed, now) : lagValues(observed))),
    MissingFields: missingFields?.length,
    Shed: oneIf(request.upstream.some(isShed)),
    ClockBehind: oneIf(request.isClockBehind),
    PinStale: oneIf(request.isPinStale),
    OtherNetworkFresh: oneIf(request.isOtherNetworkFresh),
    OriginRefused: oneIf(status === 403),
    ...bugs,
    ...nodeValues(request),
  })
}

const isFault = ({ status, isIndexerFault, needsIndexer, isDown }: MeasuredRequest): boolean =>
  status >= 500 && !isIndexerFault && !needsIndexer && !isDown

/** Metrics that are kept under the same dimensions share a directive. */
function directivesFor(values: Values, ofRoutes: boolean): readonly Directive[] {
  const present = (Object.keys(metrics) as MetricName[]).filter((name) => name in values)
  const groups = Map.groupBy(present, (name) => keptUnder(name, ofRoutes))
  return [...groups].map(([dimensions, group]) => ({
    Namespace: metricsNamespace,
    Dimensions: dimensions,
    Metrics: group.map((name) => ({ Name: name, Unit: metrics[name].unit })),
  }))
}

/**
 * A log line that is a metrics document as well. Call latencies are a list; the service's tip metrics are present only
 * if the answer showed the tip.
 *
 * @param service the stack, as the dimension `Service`
 * @param now milliseconds since 1970
 * @param ofRoutes false if the service has metrics only as a whole
 */
export function metricsLine<Line extends MeasuredRequest>(
  line: Line,
  service: string,
  now: number,
  ofRoutes = true,
): object {
  const outcome = outcomeOf(line)
  const values = valuesOf(line, outcome, now)
  return {
    ...line,
    _aws: { Timestamp: now, CloudWatchMetrics: directivesFor(values, ofRoutes) },
    Service: service,
    Route: line.route,
    Outcome: outcome,
    ...((line.broadcast || line.heartbeat) && { Code: line.broadcast?.code ?? line.broadcast?.outcome ?? outcome }),
    ...values,
  }
}
