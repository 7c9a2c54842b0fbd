// Judges one call's answer, and decides what to do with a question after each of its calls has ended.
import { memberOf } from '../mapping/exact-json.ts'
import { WireError } from '../upstream/errors.ts'
import { missingBlock, missingHeight } from '../upstream/node-errors.ts'
import { dataOf, labelIn, labelOfReply, saysOnly } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { NodeLabel, Reply } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'

export type Outcome =
  | {
      readonly kind: 'answer'
      readonly reply: Reply
      /** As the operation reads it; undefined where the node says that it does not have the block. */
      readonly data: unknown
      readonly label: NodeLabel | undefined
      /** The node does not have what was asked for. */
      readonly isMissing: boolean
    }
  /** With a reply where one came. */
  | { readonly kind: 'failure'; readonly error: WireError; readonly reply?: Reply }

/** True if the reply says that the node does not have what was asked for, and nothing else. */
const saysMissing = (reply: Reply, { stateHash, height }: Variables): boolean =>
  reply.errors.length === 0
    ? memberOf(reply.data, 'account') === null
    : (stateHash !== undefined && saysOnly(reply, (message) => missingBlock(message) === stateHash)) ||
      (height !== undefined && saysOnly(reply, (message) => missingHeight(message) === height))

/** A node without a frontier lists no block. */
function hasNoFrontier(data: unknown): boolean {
  const chain = memberOf(data, 'bestChain')
  return chain === null || (Array.isArray(chain) && chain.length === 0)
}

/** The failure of a call. @throws any other error than a WireError, since that is our own fault */
export function failureOf(error: unknown, reply?: Reply): Outcome {
  if (!(error instanceof WireError)) throw error
  return { kind: 'failure', error, ...(reply !== undefined && { reply }) }
}

export const isMutation = ({ document }: Operation): boolean => document.startsWith('mutation ')

/** True for the answer, without a body, to a request that waited at a mina-indexer for a walk over a ledger for five seconds. */
export const isTurnedAway = ({ status, data }: Reply): boolean => status === 408 && data === undefined

/**
 * Judges a reply: one that the endpoint could not read, or that answers something else, does not count. A mutation's is
 * judged by the broadcast.
 */
export function outcomeOf(operation: Operation, variables: Variables, reply: Reply): Outcome {
  if (isMutation(operation)) return { kind: 'answer', reply, data: undefined, label: undefined, isMissing: false }
  if (operation.upstream === 'indexer' && isTurnedAway(reply)) {
    return failureOf(new WireError('busy', `${operation.name}: turned away twice, HTTP 408`), reply)
  }
  const isMissing = operation.upstream === 'node' && saysMissing(reply, variables)
  if (isMissing && reply.errors.length > 0) {
    return { kind: 'answer', reply, data: undefined, label: labelOfReply(reply), isMissing }
  }
  try {
    const data = dataOf(operation, variables, reply)
    const label = reply.label ?? labelIn(data)
    if (operation.needsNoTip || !hasNoFrontier(data)) return { kind: 'answer', reply, data, label, isMissing }
    return failureOf(new WireError('busy', `${operation.name}: bestChain lists no block`), reply)
  } catch (error) {
    return failureOf(error, reply)
  }
}

/** Refused before anything ran, as a Rust node refuses what it does not have: a daemon answers 200 even then. */
export const isRefusedUnread = ({ status, data, errors }: Reply): boolean =>
  status === 400 && errors.length > 0 && data === undefined

export type Ended = Outcome & {
  /** Index of the node. */
  readonly node: number
  /** The answer lies before one that was given, or its tip is not believed. */
  readonly isBehind: boolean
  /** The answer's tip is old, and it was not checked lately whether that is so everywhere. */
  readonly isStale: boolean
  /** It shows nothing of the network: it was not sent, or its node is on another network or never answered. */
  readonly isVain: boolean
}

export type EndedAnswer = Extract<Ended, { kind: 'answer' }>

export interface Progress {
  /** In the order in which they ended. */
  readonly ended: readonly Ended[]
  /** Calls that have not ended. */
  readonly running: number
  /** True if a node is left that may confirm or correct an answer. */
  isUsableLeft(): boolean
  /** True if a node is left that may be asked in place of one that failed. */
  mayFailOver(): boolean
}

export type Step =
  | { readonly do: 'answer'; readonly answer: EndedAnswer }
  | { readonly do: 'ask'; readonly why: 'failover' | 'confirm' | 'stale' }
  | { readonly do: 'wait' }
  | { readonly do: 'give-up' }

const maxCalls = 3
const maxRunning = 2

/** True if one more call may be sent. Vain ones do not count, or a healthy node might never be tried. */
const mayStart = ({ ended, running }: Progress): boolean =>
  ended.filter(({ isVain }) => !isVain).length + running < maxCalls && running < maxRunning

/** True if a second call may be sent beside the first. */
export const mayHedge = (progress: Progress): boolean => progress.running === 1 && mayStart(progress)

const heightOf = ({ label }: EndedAnswer): number => label?.height ?? 0

/** The answer of the highest tip; of equal ones the first. */
const freshest = (answers: readonly EndedAnswer[]): EndedAnswer | undefined =>
  answers.toSorted((left, right) => heightOf(right) - heightOf(left))[0]

/** The fallback if nothing better comes: a thing that was found before one that was not. */
const bestOf = (answers: readonly EndedAnswer[]): EndedAnswer | undefined =>
  freshest(answers.filter(({ isBehind, isMissing }) => !isBehind && !isMissing)) ??
  freshest(answers.filter(({ isMissing }) => !isMissing)) ??
  freshest(answers)

/** An answer that needs no other call. */
function settled({ ended }: Progress, answers: readonly EndedAnswer[]): EndedAnswer | undefined {
  const good = answers.find(({ isMissing, isBehind, isStale }) => !isMissing && !isBehind && !isStale)
  if (good !== undefined) return good
  const missing = answers.filter(({ isMissing }) => isMissing)
  if (missing.length >= 2 && missing.some(({ isBehind }) => !isBehind)) return freshest(missing)
  // A younger tip is asked for once; if none comes, the old one has to do.
  const old = answers.find(({ isMissing, isBehind }) => !isMissing && !isBehind)
  return old !== undefined && ended.at(-1) !== old ? bestOf(answers) : undefined
}

/**
 * The next step of a question. The first good answer wins; a failure, a missing thing and an answer that lies behind wait
 * for calls that may still be better. A failure asks another node at once; a confirmation is free, since an empty budget must
 * not make an answer worse.
 */
export function decide(progress: Progress): Step {
  const { ended, running } = progress
  const answers = ended.filter((each) => each.kind === 'answer')
  const answer = settled(progress, answers)
  if (answer !== undefined) return { do: 'answer', answer }
  const failover: Step | undefined =
    answers.length === 0 && progress.mayFailOver() && mayStart(progress) ? { do: 'ask', why: 'failover' } : undefined
  if (running > 0) return ended.length > 0 && failover ? failover : { do: 'wait' }
  if (answers.length > 0 && progress.isUsableLeft() && mayStart(progress)) {
    const isOnlyOld = answers.every(({ isMissing, isBehind }) => !isMissing && !isBehind)
    return { do: 'ask', why: isOnlyOld ? 'stale' : 'confirm' }
  }
  if (failover) return failover
  const best = bestOf(answers)
  return best === undefined ? { do: 'give-up' } : { do: 'answer', answer: best }
}

type Failed = Extract<Outcome, { kind: 'failure' }> & { readonly node: number }

/**
 * The reason for a missing answer: an unreadable one tells most, unless a node is busy; the failure of the only place stands.
 *
 * @param ended calls that have all failed
 * @param nameOf a node's name; undefined where there is only one place
 */
export function failureOfAll(
  ended: readonly (Outcome & { readonly node: number })[],
  nameOf: ((node: number) => string) | undefined,
): WireError {
  const failures = ended.filter((call): call is Failed => call.kind === 'failure')
  const busy = failures.find(({ error }) => error.fault === 'busy')
  const told = failures.find(({ reply }) => reply?.data !== undefined)
  if (busy === undefined && told !== undefined) return told.error
  const own = busy ?? failures[0]
  if (nameOf === undefined && own !== undefined) return own.error
  const reasons = failures.map(({ node, error }) => `${nameOf?.(node)}: ${error.fault}, ${error.message}`)
  return new WireError('busy', `no node answers; ${reasons.join('; ')}`)
}

/** The end of a call, as its record has it: in the upstream's whole words, which only the log may cut. */
export function endOf(outcome: Outcome): { readonly outcome: number | string; readonly reason?: string } {
  if (outcome.kind === 'answer') return { outcome: outcome.reply.status }
  const { error, reply } = outcome
  if (reply === undefined) return { outcome: error.fault }
  return { outcome: reply.status < 300 ? error.fault : reply.status, reason: error.message }
}
