// Interprets the reply to one call.
import { memberOf } from '../mapping/exact-json.ts'
import { nodeBusy, WireError } from '../upstream/errors.ts'
import { isUnknownQuery, missingBlock, missingHeight } from '../upstream/node-errors.ts'
import { dataOf, saysOnly, tipIn, tipOfReply } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Reply, Tip } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'

/** An answer of a node, as endpoints and actions have it. */
export interface Answered<Data> {
  /** Read by the operation; undefined if the node says that it does not have what was asked for. */
  readonly data: Data
  /** The node's tip when it answered; undefined if the question asks for none. */
  readonly tip: Tip | undefined
  /** Index of the node. */
  readonly node: number
}

/** An answer that shows the tip of its node. */
export type AnsweredAtTip<Data> = Answered<Data> & { readonly tip: Tip }

/** A reply that answers its question, and what it is judged by. */
interface ReadReply extends Omit<Answered<unknown>, 'node'> {
  readonly kind: 'answer'
  readonly reply: Reply
  /** The node does not have what was asked for. */
  readonly isMissing: boolean
}

interface CallFailure {
  readonly kind: 'failure'
  readonly error: WireError
  /** Undefined if none came. */
  readonly reply: Reply | undefined
}

/** The end of one call, to a node or to an indexer. */
export type CallEnd = ReadReply | CallFailure

/** The end of one call to a node, by its index. */
export type Outcome = CallEnd & { readonly node: number }

export type Answer = Extract<Outcome, { readonly kind: 'answer' }>

/** A list of the call's answer, if that shows a tip. The operation has read its data. */
export const answersAtTip = <Data>(call: Outcome): readonly AnsweredAtTip<Data>[] =>
  call.kind === 'answer' && call.tip !== undefined ? [call as AnsweredAtTip<Data>] : []

/** True if the reply says that the node does not have what was asked for, and nothing else. */
function saysMissing(reply: Reply, variables: Variables): boolean {
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
export function failureOf(error: unknown, reply?: Reply): CallFailure {
  if (!(error instanceof WireError)) throw error
  return { kind: 'failure', error, reply }
}

/** The error of a call, with public text if its answer is too long to be read. */
export const withPublicText = ({ name, tooLong }: Operation, error: unknown): unknown =>
  error instanceof WireError && error.isTooLong && tooLong !== undefined
    ? nodeBusy(`${name}: ${error.message}`, { publicText: tooLong, cause: error })
    : error

/** True if what was asked for cannot be given at all: no other node is asked, and none is to blame. */
export const isAskedTooMuch = (call: CallEnd): boolean => call.kind === 'failure' && call.error.publicText !== undefined

/**
 * True if the same node, or another daemon behind its address, may answer. An answer that is not HTTP does not come from a
 * daemon, and a node that says for how long it refuses calls is left alone until then.
 */
export function isRepeatable(call: CallEnd): boolean {
  if (call.kind === 'answer' || call.reply?.retryAfterMs !== undefined) return false
  const { error, reply } = call
  return error.fault === 'busy' || error.fault === 'mismatched' || (error.fault === 'unreadable' && reply !== undefined)
}

export const isMutation = ({ document }: Operation): boolean => document.startsWith('mutation ')

/** True for a mina-indexer's empty answer to a request that waited five seconds for a walk over a ledger. */
export const isTurnedAway = ({ status, data }: Reply): boolean => status === 408 && data === undefined

/**
 * The outcome of a reply: one that the endpoint could not read, or that answers something else, does not count. A mutation's
 * is judged by the broadcast.
 */
export function outcomeOf(operation: Operation, variables: Variables, reply: Reply): CallEnd {
  const answer = (data: unknown, tip: Tip | undefined, isMissing: boolean): ReadReply => {
    return { kind: 'answer', reply, data, tip, isMissing }
  }
  if (isMutation(operation)) return answer(undefined, undefined, false)
  if (operation.upstream === 'indexer' && isTurnedAway(reply)) {
    return failureOf(nodeBusy(`${operation.name}: turned away twice, HTTP 408`), reply)
  }
  const isUnknown = operation.mayBeUnknown === true && saysOnly(reply, isUnknownQuery)
  const isMissing = isUnknown || (operation.upstream === 'node' && saysMissing(reply, variables))
  if (isMissing) return answer(undefined, tipOfReply(reply), true)
  try {
    const data = dataOf(operation, variables, reply)
    const tip = reply.tip ?? tipIn(data)
    if (operation.needsNoTip || !hasNoFrontier(data)) return answer(data, tip, operation.lacks?.(data) === true)
    return failureOf(nodeBusy(`${operation.name}: bestChain lists no block`), reply)
  } catch (error) {
    return failureOf(error, reply)
  }
}

/** The end of a call for its record, with the upstream's full message: only the log may cut it. */
export function endOf(outcome: CallEnd): { readonly outcome: number | string; readonly reason?: string } {
  if (outcome.kind === 'answer') return { outcome: outcome.reply.status }
  const { error, reply } = outcome
  if (reply === undefined) return { outcome: error.fault }
  return { outcome: reply.status < 300 ? error.fault : reply.status, reason: error.message }
}
