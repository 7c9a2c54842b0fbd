// The policies of others for several nodes: our chain sees one address, behind which the policy decides.
import type { ChainOptions } from '../../../../shared/chain/port.ts'
import { WireError } from '../../../../shared/upstream/errors.ts'
import { missingBlock } from '../../../../shared/upstream/node-errors.ts'
import type { NodePort, QueryUpstream, Reply } from '../../../../shared/upstream/query.ts'
import type { Variant } from './variant.ts'

/** No node answers with a server error and no data, or that it has no blocks yet. */
async function asked({ query }: NodePort, ...question: Parameters<QueryUpstream>): Promise<Reply> {
  const reply = await query(...question)
  const isMissing = reply.errors.length > 0 && reply.errors.every((message) => missingBlock(message) !== undefined)
  if (reply.data === undefined || (reply.errors.length > 0 && !isMissing)) throw new WireError('unreadable', 'no data')
  return reply
}

const oneOf =
  (query: (options: ChainOptions) => QueryUpstream): Variant =>
  (make) =>
  (options) =>
    make({ ...options, nodes: [{ name: 'policy', sharedAddress: true, query: query(options) }] })

const at = (nodes: readonly NodePort[], index: number): NodePort => {
  const node = nodes[index % nodes.length]
  if (node === undefined) throw new RangeError('no nodes')
  return node
}

export const policies = {
  ours: (make) => make,
  'first only': oneOf(({ nodes }) => at(nodes, 0).query),
  'round robin': oneOf(({ nodes }) => {
    let turn = 0
    return (...question) => at(nodes, turn++).query(...question)
  }),
  fallback: oneOf(({ nodes }) => async (...question) => {
    for (const node of nodes.slice(0, -1)) {
      try {
        return await asked(node, ...question)
      } catch {
        // The next one may answer.
      }
    }
    return at(nodes, nodes.length - 1).query(...question)
  }),
  fastest: oneOf(({ nodes, clock }) => {
    const means = new Map<NodePort, number>()
    return async (...question) => {
      const [best = at(nodes, 0)] = nodes.toSorted((one, other) => (means.get(one) ?? 0) - (means.get(other) ?? 0))
      const begunAt = clock.now()
      try {
        return await best.query(...question)
      } finally {
        const took = clock.now() - begunAt
        means.set(best, 0.8 * (means.get(best) ?? took) + 0.2 * took)
      }
    }
  }),
  'ask all': oneOf(({ nodes }) => async (operation, variables, limits) => {
    const abort = new AbortController()
    const end = () => abort.abort()
    limits?.signal?.addEventListener('abort', end)
    const calls = nodes.map((node) => asked(node, operation, variables, { ...limits, signal: abort.signal }))
    return Promise.any(calls)
      .catch(() => {
        throw new WireError('busy', 'no node answers')
      })
      .finally(end)
  }),
} satisfies Record<string, Variant>
