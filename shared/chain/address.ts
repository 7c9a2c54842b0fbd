// What is known of a node's address. Behind a shared address each answer may come from another daemon, so a question that decides
// something is asked up to three times there.
import type { NodePort } from '../upstream/query.ts'
import type { CallTerms, ChainView } from './port.ts'

/** Three answers sample a shared address well enough. */
export const sampleSize = 3

/** @throws RangeError for an index without a node */
export function portAt({ nodes }: Pick<ChainView, 'nodes'>, node: number): NodePort {
  const port = nodes[node]
  if (port === undefined) throw new RangeError(`node index ${node} is out of range`)
  return port
}

/** How often one question may be asked at the address of a node. */
export const attemptsAt = (node: NodePort | undefined): number => (node?.sharedAddress ? sampleSize : 1)

/**
 * How often each address may be asked one question whose first answer does not settle it. Several listed nodes are asked once each,
 * and the best answer is chosen.
 */
export const attemptsPerAddress = ({ nodes }: ChainView): number => (nodes.length === 1 ? attemptsAt(nodes[0]) : 1)

/** The terms of an additional call. A listed node gets two seconds, because it may be down. */
export const termsBeside = (chain: ChainView): CallTerms =>
  attemptsPerAddress(chain) > 1 ? { why: 'confirm' } : { why: 'confirm', limitMs: 2000 }
