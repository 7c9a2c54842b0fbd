// Compares what a request was answered with what really happened.
import type { Network } from '../network/network.ts'
import type { HistoryCommand } from '../signed-command.ts'
import type { RequestRecord } from './request-record.ts'
import type { Truth } from './truth.ts'

/** What can be wrong with an answer, or with a history. */
export type Fault = 'false failed' | 'false sent' | 'unexplained unknown' | 'lost' | 'replacement lost'

export const outcomes = ['accepted', 'already-known', 'refused', 'unknown'] as const
export type Outcome = (typeof outcomes)[number]

/** The outcome that the headers tell; undefined for an answer that tells none. */
export function outcomeOf({ answer }: RequestRecord): Outcome | undefined {
  const told = answer?.headers?.['x-broadcast-outcome']
  const outcome = outcomes.find((one) => one === told)
  const isSent = outcome === 'accepted' || outcome === 'already-known'
  return answer?.status === (isSent ? 201 : 400) ? outcome : undefined
}

/** A time in which another try would have been worth while. */
const oneTryMs = 8000

/** Whether the body of a 201 tells of this very command. */
function namesCommand(body: unknown, { hash }: HistoryCommand): boolean {
  if (typeof body !== 'object' || body === null || !('result' in body)) return false
  return Object.values(Object(body.result)).some((told) => Object(told).hash === hash)
}

/**
 * What is behind an unknown outcome.
 *
 * @returns undefined where nothing is, and the service could have known
 */
export function reasonOfUnknown(record: RequestRecord, truth: Truth) {
  const { hadTrouble, sawUsedNonce, sawRivalLate, command, startedAt } = record
  if (hadTrouble) return 'lost or broken answer'
  if (sawUsedNonce) return 'used nonce'
  if (sawRivalLate) return 'a rival that came late'
  // It was there when a node called it a duplicate, and was replaced before it could be seen.
  return !truth.isHeld(command) && truth.wasHeldAfter(command, startedAt) ? 'replaced meanwhile' : undefined
}

/** What another request brings to a node while this one is answered, this one need not know. */
const isOvertaken = ({ command, startedAt, broughtAt }: RequestRecord, truth: Truth): boolean =>
  truth.heldSince(command) > startedAt && truth.heldSince(command) !== broughtAt

const isFailedFalsely = (record: RequestRecord, truth: Truth): boolean =>
  record.wasShown || truth.isApplied(record.command) || (truth.isHeld(record.command) && !isOvertaken(record, truth))

/**
 * What is wrong with an answer, judged at the moment when it is given.
 *
 * @returns undefined for a true answer
 */
export function faultOf(record: RequestRecord, truth: Truth): Fault | undefined {
  const { command, startedAt, answeredAt, deadline, answer } = record
  const outcome = outcomeOf(record)
  if (outcome === undefined || answeredAt === undefined || answeredAt > deadline) return 'lost'
  if (outcome === 'refused') return isFailedFalsely(record, truth) ? 'false failed' : undefined
  if (outcome === 'unknown') {
    const { mutations, looks, lostMutation, hadTrouble, sawUsedNonce } = record
    const gaveUp = mutations === 1 && (lostMutation || looks <= 1) && hadTrouble && !sawUsedNonce
    if (gaveUp && deadline - answeredAt > oneTryMs) return 'lost'
    if (record.wasShown) return 'unexplained unknown'
    return reasonOfUnknown(record, truth) === undefined ? 'unexplained unknown' : undefined
  }
  return truth.wasHeldAfter(command, startedAt) && namesCommand(answer?.body, command) ? undefined : 'false sent'
}

/** What the chain says in the end: no command applied twice, no higher fee lost to a second sending of ours. */
export function isReplacementLost(network: Network, resentOverReplacement: ReadonlySet<HistoryCommand>): boolean {
  const applied = network.bestChain().flatMap(({ commands }) => commands)
  return new Set(applied).size < applied.length || applied.some((command) => resentOverReplacement.has(command))
}
