// What an upstream's reply means to an endpoint that reads.

import { WireError } from './errors.ts'
import { frontierError } from './node-errors.ts'
import { labelOf, type NodeLabel } from './node-label.ts'
import type { Operation } from './operation.ts'
import type { QueryUpstream, Reply } from './query.ts'
import type { Variables } from './wire.ts'

/** Whether a node, or what stands in front of it, says that it has no capacity. */
export const isRefusedLoad = ({ status, data, errors }: Reply): boolean =>
  (status === 429 || status === 503) && errors.length === 0 && (data === undefined || data === null)

/** Whether a node says that it is not ready yet. */
export const isBootstrapping = ({ errors }: Reply): boolean =>
  errors.some((message) => frontierError(message) === 'bootstrapping')

/**
 * The data of a clean answer to a query.
 *
 * @param asked the variables of the question
 * @throws WireError `busy` for a node that bootstraps or refuses load, `unreadable` for any other error, for an answer
 * without data and for data without something that was promised, `mismatched` for the answer to another question
 */
export function dataOf<Data>(operation: Operation<Data>, asked: Variables, reply: Reply): Data {
  if (isBootstrapping(reply)) {
    throw new WireError('busy', `${operation.name}: the node is bootstrapping`)
  }
  if (reply.errors.length > 0) throw new WireError('unreadable', `${operation.name}: ${reply.errors.join(' | ')}`)
  if (reply.data === undefined || reply.data === null) {
    throw new WireError(
      isRefusedLoad(reply) ? 'busy' : 'unreadable',
      `${operation.name}: no data, HTTP ${reply.status}`,
    )
  }
  return operation.data.read(reply.data, operation.name, asked)
}

/**
 * Asks, and reads the data of a clean answer.
 *
 * @throws WireError as `QueryUpstream` and `dataOf`
 */
export const queryData = async <Data>(
  query: QueryUpstream,
  operation: Operation<Data>,
  variables: Variables,
): Promise<Data> => dataOf(operation, variables, await query(operation, variables))

/**
 * The blocks of a `bestChain` answer; the tip is the last one.
 *
 * @throws WireError `busy` for none: only a node that has no frontier yet can list no block
 */
export function nonEmptyChain<Block>(bestChain: readonly Block[] | null): readonly [...Block[], Block] {
  const tip = bestChain?.at(-1)
  if (tip === undefined || bestChain === null) throw new WireError('busy', 'bestChain lists no block')
  return [...bestChain.slice(0, -1), tip]
}

/** The tip, which a best chain lists last. */
export const tipOf = <Block>(bestChain: readonly [...Block[], Block]): Block => bestChain[bestChain.length - 1] as Block

/** Whether the errors of a reply say one thing only, and no data beside them says another. */
export const saysOnly = ({ data, errors }: Reply, says: (message: string) => boolean): boolean =>
  errors.length > 0 && errors.every(says) && Object.values(Object(data)).every((value) => value === null)

/** The label of a node's reply: what was asked beside the question, or what its own data says. */
export const labelOfReply = ({ data, label }: Reply): NodeLabel | undefined => label ?? labelOf(data)
