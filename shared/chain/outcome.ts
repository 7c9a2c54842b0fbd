// The meaning of one call's reply.
import { memberOf } from '../mapping/exact-json.ts'
import { nodeBusy, WireError } from '../upstream/errors.ts'
import { isUnknownQuery, missingBlock, missingHeight } from '../upstream/node-errors.ts'
import { dataOf, saysOnly, tipIn, tipOfReply } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Reply, Tip } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'

export type Outcome =
  | {
      readonly kind: 'answer'
      readonly reply: Reply
      /** Read by the operation; undefined if the node says that it does not have the block. */
      readonly data: unknown
      /** The node's tip when it answered. */
      readonly tip: Tip | undefined
      /** The node does not have what was asked for. */
      readonly isMissing: boolean
    }
  /** With a reply where one came. */
  | { readonly kind: 'failure'; readonly error: WireError; readonly reply?: Reply }

export type Answer = Extract<Outcome, { readonly kind: 'answer' }>
export type Failure = Extract<Outcome, { readonly kind: 'failure' }>

/** True if the reply says that the node does not have what was asked for, and nothing else. */
function saysMissing(reply: Reply, variables: Variables): boolean {
  if (reply.errors.length === 0) return memberOf(reply.data, 'account') === null
  const asked = new Set(Object.values(variables))
  return saysOnly(reply, (message) => {
    const missing = missingBlock(message) ?? missingHeight(message)
    return missing !== undefined && asked.has(missing)
  })
}

/** A node without a frontier lists no block. */
function hasNoFrontier(data: unknown): boolean {
  const chain = memberOf(data, 'bestChain')
  return chain === null || (Array.isArray(chain) && chain.length === 0)
}

/** The failure of a call. @throws any other error than a WireError, since that is our own fault */
export function failureOf(error: unknown, reply?: Reply): Failure {
  if (!(error instanceof WireError)) throw error
  return { kind: 'failure', error, ...(reply !== undefined && { reply }) }
}

/** The error of a call, with public words if its answer is too long to be read. */
export const toldOf = ({ name, tooLong }: Operation, error: unknown): unknown =>
  error instanceof WireError && error.isTooLong && tooLong !== undefined
    ? nodeBusy(`${name}: ${error.message}`, { publicText: tooLong, cause: error })
    : error

/** True if what was asked for cannot be given at all: no other node is asked, and none is to blame. */
export const isAskedTooMuch = (call: Outcome): boolean => call.kind === 'failure' && call.error.publicText !== undefined

/**
 * True if the same node, or another daemon behind its address, may answer. An answer that is not HTTP does not come from a
 * daemon, and a node that says for how long it refuses calls is left alone until then.
 */
export function isRepeatable(call: Outcome): boolean {
  if (call.kind === 'answer' || call.reply?.retryAfterMs !== undefined) return false
  const { error, reply } = call
  return error.fault === 'busy' || error.fault === 'mismatched' || (error.fault === 'unreadable' && reply !== undefined)
}

export const isMutation = ({ document }: Operation): boolean => document.startsWith('mutation ')

/** True for the answer, without a body, to a request that waited at a mina-indexer for a walk over a ledger for five seconds. */
export const isTurnedAway = ({ status, data }: Reply): boolean => status === 408 && data === undefined

/**
 * The outcome of a reply: one that the endpoint could not read, or that answers something else, does not count. A mutation's
 * is judged by the broadcast.
 */
export function outcomeOf(operation: Operation, variables: Variables, reply: Reply): Outcome {
  if (isMutation(operation)) return { kind: 'answer', reply, data: undefined, tip: undefined, isMissing: false }
  if (operation.upstream === 'indexer' && isTurnedAway(reply)) {
    return failureOf(nodeBusy(`${operation.name}: turned away twice, HTTP 408`), reply)
  }
  const isUnknown = operation.mayBeUnknown === true && saysOnly(reply, isUnknownQuery)
  const isMissing = isUnknown || (operation.upstream === 'node' && saysMissing(reply, variables))
  if (isMissing && reply.errors.length > 0) {
    return { kind: 'answer', reply, data: undefined, tip: tipOfReply(reply), isMissing }
  }
  try {
    const data = dataOf(operation, variables, reply)
    const tip = reply.tip ?? tipIn(data)
    if (operation.needsNoTip || !hasNoFrontier(data)) return { kind: 'answer', reply, data, tip, isMissing }
    return failureOf(nodeBusy(`${operation.name}: bestChain lists no block`), reply)
  } catch (error) {
    return failureOf(error, reply)
  }
}

/** The end of a call, as its record has it: in the upstream's whole words, which only the log may cut. */
export function endOf(outcome: Outcome): { readonly outcome: number | string; readonly reason?: string } {
  if (outcome.kind === 'answer') return { outcome: outcome.reply.status }
  const { error, reply } = outcome
  if (reply === undefined) return { outcome: error.fault }
  return { outcome: reply.status < 300 ? error.fault : reply.status, reason: error.message }
}
