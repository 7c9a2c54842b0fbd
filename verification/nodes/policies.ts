// Our pool, and simpler policies of others, over the same nodes.
import { createPool } from '../../functions/runtime/nodes/pool.ts'
import { shedding } from '../../functions/runtime/nodes/shed.ts'
import { WireError } from '../../shared/upstream/errors.ts'
import { missingBlock } from '../../shared/upstream/node-errors.ts'
import { labelling } from '../../shared/upstream/node-query.ts'
import type { NodePort, QueryUpstream, Reply } from '../../shared/upstream/query.ts'
import type { VirtualTime } from './virtual-time.ts'

/** @param random from 0 to below 1, for a random start */
export type Policy = (ports: readonly NodePort[], time: VirtualTime, random: number) => QueryUpstream

/** No node answers with a server error and no data, or that it has no blocks yet. */
function usable(reply: Reply): Reply {
  const isMissing = reply.errors.length > 0 && reply.errors.every((message) => missingBlock(message) !== undefined)
  if (reply.data === undefined || (reply.errors.length > 0 && !isMissing)) throw new WireError('unreadable', 'no data')
  return reply
}

const asked = async ({ query }: NodePort, ...question: Parameters<QueryUpstream>): Promise<Reply> =>
  usable(await labelling(query)(...question))

const portAt = (ports: readonly NodePort[], index: number): NodePort => {
  const port = ports[index % ports.length]
  if (port === undefined) throw new RangeError('no nodes')
  return port
}

/** One after the other, from an index on, until one answers. */
async function inOrder(ports: readonly NodePort[], from: number, ...question: Parameters<QueryUpstream>) {
  for (let index = from; index < from + ports.length - 1; index++) {
    try {
      return await asked(portAt(ports, index), ...question)
    } catch {
      // The next one may answer.
    }
  }
  return asked(portAt(ports, from + ports.length - 1), ...question)
}

export const policies: Readonly<Record<string, Policy>> = {
  ours(ports, time, random) {
    const pool = createPool(ports, time, random)
    return shedding(pool.query, pool.areBusy)
  },

  'first only':
    (ports) =>
    (...question) =>
      asked(portAt(ports, 0), ...question),

  'round robin': (ports) => {
    let turn = 0
    return (...question) => asked(portAt(ports, turn++), ...question)
  },

  fallback:
    (ports) =>
    (...question) =>
      inOrder(ports, 0, ...question),

  fastest: (ports, time) => {
    const means = new Map<NodePort, number>()
    return async (...question) => {
      const [best = portAt(ports, 0)] = ports.toSorted(
        (left, right) => (means.get(left) ?? 0) - (means.get(right) ?? 0),
      )
      const begunAt = time.now()
      try {
        return await asked(best, ...question)
      } finally {
        const took = time.now() - begunAt
        means.set(best, 0.8 * (means.get(best) ?? took) + 0.2 * took)
      }
    }
  },

  'ask all': (ports) => async (operation, variables, limits) => {
    const abort = new AbortController()
    const calls = ports.map((port) => asked(port, operation, variables, { ...limits, signal: abort.signal }))
    try {
      return await Promise.any(calls)
    } catch {
      throw new WireError('busy', 'no node answers')
    } finally {
      abort.abort()
    }
  },
}
