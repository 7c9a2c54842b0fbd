// What a request's log line says of several nodes.
import type { CallWatch } from '../../shared/upstream/query.ts'
import type { RequestLine, UpstreamCall } from './log.ts'

/** Gathered while a request is answered. */
export interface NodeNotes {
  /** What was noticed, with the node's name: `demoted node.example`. */
  readonly events: string[]
  /** Nodes that are out of use; absent where there is only one address. */
  outOfUse?: number
  /** The answer lies before one that this instance has given. */
  isBehind?: boolean
}

export const newNodeNotes = (): NodeNotes => ({ events: [] })

interface Exchange {
  readonly upstream: UpstreamCall[]
  readonly nodes: NodeNotes
}

/** Puts the calls of one question, and what was noticed, into the line. `hasCalls` is false where the pool notes none. */
export function watchingNodes({ upstream, nodes }: Exchange): CallWatch & { readonly hasCalls: boolean } {
  let hasCalls = false
  return {
    get hasCalls() {
      return hasCalls
    },
    called(call) {
      hasCalls = true
      upstream.push({ ...call, durationMs: Math.round(call.durationMs * 10) / 10 })
    },
    noticed: (event, node) => void nodes.events.push(`${event} ${node}`),
    outOfUse(count) {
      nodes.outOfUse = count
    },
  }
}

/** The fields of the line; none where there is only one address. */
export const summariseNodes = ({ events, outOfUse }: NodeNotes): Pick<RequestLine, 'nodeEvents' | 'nodesOut'> => ({
  ...(events.length > 0 && { nodeEvents: events }),
  ...(outOfUse !== undefined && { nodesOut: outOfUse }),
})
