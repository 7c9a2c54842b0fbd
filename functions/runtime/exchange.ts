// What is noted of one request while it is served: the calls that it cost, and the tip that its answer rests on.
import { labelHeaders } from '../../shared/agreements/names.ts'
import type { ChainObservation } from '../../shared/endpoints/endpoint.ts'
import { WireError } from '../../shared/upstream/errors.ts'
import type { NodeLabel } from '../../shared/upstream/node-label.ts'
import type { QueryUpstream } from '../../shared/upstream/query.ts'
import { labelOfReply } from '../../shared/upstream/reply.ts'
import type { UpstreamCall } from './log.ts'
import { type NodeNotes, watchingNodes } from './node-notes.ts'

export interface Exchange {
  readonly startedAt: number
  /** On the clock of `startedAt`: the caller must have its answer by then. */
  readonly deadline: number
  readonly upstream: UpstreamCall[]
  readonly nodes: NodeNotes
  /** The lowest tip of the nodes' answers: nothing in the answer is older than this. */
  label?: NodeLabel | undefined
  note?: string
  observed?: ChainObservation
}

export const timeLeftMs = ({ deadline }: Exchange): number => deadline - performance.now()

export const millisecondsSince = (startedAt: number): number => Math.round((performance.now() - startedAt) * 10) / 10

function noteLabel(exchange: Exchange, label: NodeLabel | undefined): void {
  if (label !== undefined && label.height <= (exchange.label?.height ?? label.height)) exchange.label = label
}

/** How a question without an answer ended. What was never sent can only be called busy to spare the nodes. */
function faultOf(error: unknown): string {
  if (!(error instanceof WireError)) return 'failed'
  return error.fault === 'busy' && error.isUnsent ? 'shed' : error.fault
}

/** The same questions, each noted in the exchange and held to its deadline. */
export const notingCalls =
  (query: QueryUpstream, exchange: Exchange, hasSeveralNodes: boolean): QueryUpstream =>
  async (operation, variables, { limitMs = timeLeftMs(exchange), ...limits } = {}) => {
    const startedAt = performance.now()
    const watch = watchingNodes(exchange)
    const note = (outcome: number | string) => {
      if (watch.hasCalls) return
      exchange.upstream.push({ operation: operation.name, durationMs: millisecondsSince(startedAt), outcome })
    }
    try {
      const watched = hasSeveralNodes && { watch }
      const reply = await query(operation, variables, { ...limits, limitMs: Math.max(1, limitMs), ...watched })
      note(reply.status)
      if (reply.isBehind) exchange.nodes.isBehind = true
      if (operation.upstream === 'node') noteLabel(exchange, labelOfReply(reply))
      return reply
    } catch (error) {
      note(faultOf(error))
      throw error
    }
  }

/** The headers that show the tip on which an answer rests; none for an answer that was given without a node. */
export const chainHeadersOf = ({ label }: Exchange): Readonly<Record<string, string>> =>
  label === undefined
    ? {}
    : {
        [labelHeaders.height]: String(label.height),
        [labelHeaders.stateHash]: label.stateHash,
        [labelHeaders.time]: new Date(label.atMs).toISOString(),
        [labelHeaders.syncStatus]: label.syncStatus,
      }
