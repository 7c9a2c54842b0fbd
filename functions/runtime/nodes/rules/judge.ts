// What one call's answer is worth.
import { memberOf } from '../../../../shared/mapping/json.ts'
import { WireError } from '../../../../shared/upstream/errors.ts'
import { missingBlock } from '../../../../shared/upstream/node-errors.ts'
import type { NodeLabel } from '../../../../shared/upstream/node-label.ts'
import type { Operation } from '../../../../shared/upstream/operation.ts'
import type { Reply } from '../../../../shared/upstream/query.ts'
import { dataOf, isBootstrapping, isRefusedLoad, labelOfReply } from '../../../../shared/upstream/reply.ts'
import type { Variables } from '../../../../shared/upstream/wire.ts'

/** How a call ended. */
export type Outcome =
  | {
      readonly kind: 'answer'
      readonly reply: Reply
      readonly label: NodeLabel | undefined
      /** The node does not have what was asked for. */
      readonly isMissing: boolean
    }
  /** With a reply where the node answered with GraphQL errors, or with data that is not what was promised. */
  | { readonly kind: 'failure'; readonly error: WireError; readonly reply?: Reply }

const saysMissing = ({ data, errors }: Reply): boolean =>
  errors.length > 0
    ? errors.every((message) => missingBlock(message) !== undefined)
    : memberOf(data, 'account') === null

/** A node without a frontier lists no block. */
function hasNoFrontier(data: unknown): boolean {
  const chain = memberOf(data, 'bestChain')
  return chain === null || (Array.isArray(chain) && chain.length === 0)
}

/** What went wrong instead of an answer. @throws what is no WireError: that is our own fault */
export function failureOf(error: unknown, reply?: Reply): Outcome {
  if (!(error instanceof WireError)) throw error
  return { kind: 'failure', error, ...(reply !== undefined && { reply }) }
}

/** Whether the reply says that its node cannot answer now. For an address that is asked as it is, so at little cost. */
export const saysBusy = (reply: Reply): boolean =>
  isRefusedLoad(reply) || isBootstrapping(reply) || hasNoFrontier(reply.data)

/** Judges a reply as the endpoint will: an answer that it could not read is no answer. */
export function outcomeOf(operation: Operation, variables: Variables, reply: Reply): Outcome {
  const label = labelOfReply(reply)
  const isMissing = saysMissing(reply)
  if (isMissing && reply.errors.length > 0) return { kind: 'answer', reply, label, isMissing }
  try {
    dataOf(operation, variables, reply)
  } catch (error) {
    return failureOf(error, reply.data === undefined ? undefined : reply)
  }
  if (hasNoFrontier(reply.data)) return failureOf(new WireError('busy', `${operation.name}: bestChain lists no block`))
  return { kind: 'answer', reply, label, isMissing }
}
