// Submits a signed command to the node once, and reads what its answer says.
import type { RefusalCode } from '../../contract/broadcast-codes.ts'
import type { NodeCommand } from '../../mapping/command.ts'
import { WireError } from '../../upstream/errors.ts'
import { classifyNodeError, type ExpectedNonces, type NodeError } from '../../upstream/node-errors.ts'
import { isRefusedLoad, isRefusedUnread } from '../../upstream/node-query.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { CallLimits, QueryUpstream, Reply } from '../../upstream/query.ts'
import type { Submission } from './submission.ts'

/**
 * How far a submission without a clear answer may have got:
 * - `unsent`: there was no connection
 * - `untaken`: the node rejected the request before it looked at the command, for example because it has no ledger
 * - `redirected`: the address redirects, so no node was asked
 * - `ended`: the exchange is over, so whatever the node did, it has done
 * - `pending`: the node, or a gateway before it, may still be at work
 */
export type Reach = 'unsent' | 'untaken' | 'redirected' | 'ended' | 'pending'

export type Attempt =
  | { readonly state: 'accepted'; readonly command: NodeCommand }
  | {
      readonly state: 'refused'
      readonly code: RefusalCode
      readonly nonces?: ExpectedNonces
      /** The contract's text of it. */
      readonly error: string
    }
  /** The command may or may not have been accepted. */
  | {
      readonly state: 'lost'
      readonly code: 'timeout' | 'node-unreachable' | 'other'
      readonly reach: Reach
      readonly error: string
      /** For the log only. */
      readonly note: string
    }

const internalError = 'the node reported an internal error'

/** Substitutes for an HTTP status and a message that never came. */
const noAnswer = {
  timeout: { status: 504, text: 'the node did not answer in time' },
  unreachable: { status: 502, text: 'the connection to the node failed' },
  unreadable: { status: 502, text: 'the node gave no readable answer' },
  mismatched: { status: 502, text: 'the node answered something else' },
  busy: { status: 503, text: 'the node cannot answer now' },
} as const

/** A daemon sends one message, of about 1,500 characters with the command in it. */
const maxMessages = 10
const maxMessageLength = 4000

/**
 * The contract's text of a failed broadcast: code, mutation, and those of the node's messages that are known.
 *
 * @param status of the upstream, or its substitute
 */
const failedQuery = (status: number, mutation: Operation, messages: readonly string[]): string =>
  `Query failed to run by returning code of ${status}. ${mutation.document} | ` +
  JSON.stringify(messages.slice(0, maxMessages).map((message) => ({ message: message.slice(0, maxMessageLength) })))

function reachOf({ fault, isUnsent, status = 0 }: WireError): Reach {
  if (isUnsent) return 'unsent'
  // The address redirects: no node was asked. A 304 leads nowhere else.
  if (status >= 300 && status < 400 && status !== 304) return 'redirected'
  return fault === 'timeout' ? 'pending' : 'ended'
}

/** The node did not answer. */
function unanswered(mutation: Operation, error: WireError): Attempt {
  const { fault, message } = error
  const { status, text } = noAnswer[fault]
  return {
    state: 'lost',
    code: fault === 'timeout' ? 'timeout' : 'node-unreachable',
    reach: reachOf(error),
    error: failedQuery(status, mutation, [text]),
    note: message,
  }
}

/** The node answered, but the answer does not show the command: `mismatch` says why. */
function unaccepted(mutation: Operation, reply: Reply, mismatch: WireError): Attempt {
  const { status, errors } = reply
  const meanings = errors.map(classifyNodeError)
  const [first] = meanings
  if (first?.kind === 'refused' && meanings.every((meaning) => meaning?.kind === 'refused')) {
    const { code, nonces } = first
    return { state: 'refused', code, ...(nonces && { nonces }), error: failedQuery(status, mutation, errors) }
  }
  const isShown = (meaning: NodeError | undefined) => meaning !== undefined && meaning.kind !== 'not-taken'
  const shown = errors.map((message, index) => (isShown(meanings[index]) ? message : internalError))
  const saysUntaken = (meaning: NodeError | undefined) =>
    meaning?.kind === 'bootstrapping' || meaning?.kind === 'not-taken'
  const isUntaken = isRefusedUnread(reply) || meanings.some(saysUntaken)
  const isGatewayTimeout = status === 504
  // A gateway may refuse load after the node has taken the command.
  const isLoad = isRefusedLoad(reply) && meanings.every((meaning) => meaning === undefined)
  return {
    state: 'lost',
    code: errors.length === 0 || isUntaken || isLoad ? 'node-unreachable' : 'other',
    reach: isUntaken ? 'untaken' : isGatewayTimeout ? 'pending' : 'ended',
    error: failedQuery(status, mutation, shown.length > 0 ? shown : [noAnswer[mismatch.fault].text]),
    note: errors.join(' | ') || mismatch.message,
  }
}

/** Submits once. Upstream trouble comes back as a value. */
export async function submit<Data>(
  { mutation, variables, commandOf }: Submission<Data>,
  query: QueryUpstream,
  limits?: CallLimits,
): Promise<Attempt> {
  let reply: Reply | undefined
  try {
    reply = await query(mutation, variables, limits)
    return { state: 'accepted', command: commandOf(mutation.data.read(reply.data, mutation.name, variables)) }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return reply === undefined ? unanswered(mutation, error) : unaccepted(mutation, reply, error)
  }
}
