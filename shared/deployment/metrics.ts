// The metrics that a request's log line carries: the functions write them, alarms and dashboard watch them.

/** The CloudWatch namespace. The dimension `Service` separates the stages of one account. */
export const metricsNamespace = 'ChainExplorer'

/**
 * The dimensions of a metric: `Service` is the stack, `Route` the method and path, `Outcome` one word for the request's
 * result, `Code` the reason of a broadcast's answer. Each combination that occurs is paid for, so only these exist.
 */
export type Dimension = 'Service' | 'Route' | 'Outcome' | 'Code'

interface Metric {
  readonly unit: 'Count' | 'Milliseconds' | 'None'
  /** The combinations of dimensions under which CloudWatch keeps it. */
  readonly dimensions: readonly (readonly Dimension[])[]
}

const ofService = [['Service']] as const
const ofRoute = [['Service', 'Route']] as const
const ofOutcome = [...ofRoute, ['Service', 'Route', 'Outcome']] as const

const countOfService = { unit: 'Count', dimensions: ofService } as const
const valueOfService = { unit: 'None', dimensions: ofService } as const

export const metrics = {
  Requests: { unit: 'Count', dimensions: [...ofService, ...ofOutcome] },
  Latency: { unit: 'Milliseconds', dimensions: ofOutcome },
  /**
   * 1 for a 5xx and for the outcome `unknown`, else 0, so that a rate needs no guess about missing data. A 5xx of the
   * indexer is counted separately: the nodes are well, and nobody need be woken. The 503 of GET /health is an answer.
   */
  Faults: { unit: 'Count', dimensions: [...ofService, ...ofRoute] },
  /** GETs that failed because the indexer did not show what only an indexer could. */
  IndexerFaults: countOfService,
  UpstreamLatency: { unit: 'Milliseconds', dimensions: ofRoute },
  /** Calls of one request that brought no answer of HTTP status 2xx. */
  UpstreamErrors: { unit: 'Count', dimensions: ofRoute },
  BroadcastOutcome: { unit: 'Count', dimensions: [['Service', 'Code']] },
  /** Blockchain length of the best tip. */
  TipHeight: valueOfService,
  /** Whole slots since the best tip, by the node's own slot duration; negative for a tip ahead of our clock. */
  TipAgeSlots: valueOfService,
  /** The most blocks of the best branch that any node lacks, by GET /health; only with several nodes. */
  NodeLag: countOfService,
  /** How many blocks the indexer is behind the nodes, by GET /health; only with an indexer that answers. */
  IndexerLag: countOfService,
  /** Fields that are missing from an incomplete answer. */
  MissingFields: { unit: 'Count', dimensions: ofRoute },
  /** Nodes asked beside a slow one, or after a failed one. Like the two below, only with several nodes. */
  Hedges: countOfService,
  Failovers: countOfService,
  /** Nodes that became the last resort for a while. */
  Demotions: countOfService,
  /** Nodes that are out of use: of another network, or without an answer since they were demoted. */
  NodesOut: valueOfService,
  /** Reads that were answered "busy" without asking, to spare nodes that were all busy. */
  Shed: countOfService,
  /** Requests for which every node showed a tip more than a slot ahead of our clock. */
  ClockBehind: countOfService,
  /** Requests answered from another network than the one that is pinned last. */
  PinStale: countOfService,
  /** Requests answered from a halted network, while a listed node of another one has a fresh tip. */
  OtherNetworkFresh: countOfService,
  /** Broadcasts of the heartbeat, which count in no other metric. The code says that a hard fork has paused the network. */
  BroadcastHeartbeats: { unit: 'Count', dimensions: [...ofService, ['Service', 'Code']] },
  /** Bugs: GETs that were answered 500, and broadcasts that would have been. 502, 503 and 504 are trouble of an upstream. */
  InternalErrors: countOfService,
  /** Requests that did not come through the CDN. */
  OriginRefused: countOfService,
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof metrics

/**
 * The combinations of dimensions under which a stage keeps a metric.
 *
 * @param ofRoutes false on a stage without metrics by route: they are then kept for the service as a whole
 */
export const keptUnder = (name: MetricName, ofRoutes: boolean): readonly (readonly Dimension[])[] => {
  const { dimensions } = metrics[name]
  return ofRoutes || !dimensions.some((set: readonly Dimension[]) => set.includes('Route')) ? dimensions : ofService
}

/**
 * The values of the dimension `Outcome`: those of reads, and those of `x-broadcast-outcome`. `used-nonce` is an unknown
 * outcome without a lost answer, of a command whose nonce the ledger is past. Anyone can cause it by sending a command
 * from an old block again, so it is kept apart from outcomes that are unknown because something failed.
 */
export type RequestOutcome =
  | 'success'
  | 'not-found'
  | 'refused'
  | 'failed'
  | 'accepted'
  | 'already-known'
  | 'unknown'
  | 'used-nonce'
