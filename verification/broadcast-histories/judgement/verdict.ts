// Compares the answer to a request with what really happened.
import type { Network } from '../network/network.ts'
import type { HistoryCommand } from '../signed-command.ts'
import type { RequestRecord } from './request-record.ts'
import type { Truth } from './truth.ts'

/** What can be wrong with an answer, or with a history. */
export type Untruth = 'false failed' | 'false sent' | 'unexplained unknown' | 'lost' | 'replacement lost'

export const outcomes = ['accepted', 'already-known', 'refused', 'unknown'] as const
export type BroadcastOutcome = (typeof outcomes)[number]

/** The outcome in the headers; undefined where there is none or it contradicts the status. */
export function outcomeOf({ answer }: RequestRecord): BroadcastOutcome | undefined {
  const header = answer?.headers?.['x-broadcast-outcome']
  const outcome = outcomes.find((one) => one === header)
  const isSent = outcome === 'accepted' || outcome === 'already-known'
  return answer?.status === (isSent ? 201 : 400) ? outcome : undefined
}

/** Time enough for another try. */
const oneTryMs = 8000

/** Whether the body of a 201 is about this command. */
function namesCommand(body: unknown, { hash }: HistoryCommand): boolean {
  if (typeof body !== 'object' || body === null || !('result' in body)) return false
  return Object.values(Object(body.result)).some((result) => Object(result).hash === hash)
}

/**
 * What explains an unknown outcome.
 *
 * @returns undefined where nothing does, so that the service could have known better
 */
export function reasonOfUnknown(record: RequestRecord, truth: Truth) {
  const { hadTrouble, sawUsedNonce, sawRivalLate, command, startedAt } = record
  if (hadTrouble) return 'lost or broken answer'
  if (sawUsedNonce) return 'used nonce'
  if (sawRivalLate) return 'a rival that came late'
  // It was in a pool when a node called it a duplicate, and was replaced before a search could find it.
  return !truth.isHeld(command) && truth.wasHeldAfter(command, startedAt) ? 'replaced meanwhile' : undefined
}

/** Whether another request submitted the command in the meantime, which this one cannot know. */
const isOvertaken = ({ command, startedAt, submittedAt }: RequestRecord, truth: Truth): boolean =>
  truth.heldSince(command) > startedAt && truth.heldSince(command) !== submittedAt

const isFailedFalsely = (record: RequestRecord, truth: Truth): boolean =>
  record.wasShown || truth.isApplied(record.command) || (truth.isHeld(record.command) && !isOvertaken(record, truth))

/**
 * What is wrong with an answer at the moment when it is given.
 *
 * @returns undefined for a true answer
 */
export function faultOf(record: RequestRecord, truth: Truth): Untruth | undefined {
  const { command, startedAt, answeredAt, deadline, answer } = record
  const outcome = outcomeOf(record)
  if (outcome === undefined || answeredAt === undefined || answeredAt > deadline) return 'lost'
  if (outcome === 'refused') return isFailedFalsely(record, truth) ? 'false failed' : undefined
  if (outcome === 'unknown') {
    const { mutationsTo, searches, lostAt, hadTrouble, sawUsedNonce } = record
    const isTriedOnce = [...mutationsTo].some(([place, count]) => count === 1 && (lostAt.has(place) || searches <= 1))
    const gaveUp = isTriedOnce && hadTrouble && !sawUsedNonce
    if (gaveUp && deadline - answeredAt > oneTryMs) return 'lost'
    if (record.wasShown) return 'unexplained unknown'
    return reasonOfUnknown(record, truth) === undefined ? 'unexplained unknown' : undefined
  }
  return truth.wasHeldAfter(command, startedAt) && namesCommand(answer?.body, command) ? undefined : 'false sent'
}

/** Whether the chain applied a command twice, or one that the service sent again over its replacement. */
export function isReplacementLost(network: Network, resentOverReplacement: ReadonlySet<HistoryCommand>): boolean {
  const applied = network.bestChain().flatMap(({ commands }) => commands)
  return new Set(applied).size < applied.length || applied.some((command) => resentOverReplacement.has(command))
}
