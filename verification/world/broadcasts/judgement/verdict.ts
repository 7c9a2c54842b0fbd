// Compares the answer to a request with what really happened.
import type { Network } from '../../chain/network.ts'
import type { Place } from '../../wire/place.ts'
import type { HistoryCommand } from '../signed-command.ts'
import type { RequestRecord } from './request-record.ts'
import type { Truth } from './truth.ts'

/** What can be wrong with an answer, or with a history. */
export const untruths = [
  'false failed',
  'false sent',
  'lost',
  'unexplained unknown',
  'left out',
  'sent elsewhere',
  'sent elsewhere, the first listed node silent',
  'replacement lost',
] as const
export type Untruth = (typeof untruths)[number]

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

/** Which nodes the settings list, and what is known of them. */
export interface Listed {
  readonly places: readonly Place[]
  readonly isPinned: boolean
  /** Whether every command is good, and one node is well. */
  readonly isPlain: boolean
  /** Whether nothing is wrong with any daemon of the network there, and no call is lost by chance. */
  isWell(place: Place): boolean
}

/** More copies of a command would not make it safer. */
const maxSentTo = 3

/** Whether a node that is well got no copy, though no other one got it in its stead, and none before it was waited for. */
const isLeftOut = ({ mutationsTo, absentAt, isCold }: RequestRecord, { places, isPinned, isWell }: Listed): boolean =>
  // Without a pin a warm instance may have taken another network for its own, while the first listed node was down.
  (isPinned || isCold) &&
  mutationsTo.size < maxSentTo &&
  places.some((place, index) => {
    const waitedFor = isPinned ? [place] : places.slice(0, index + 1)
    return isWell(place) && !mutationsTo.has(place.name) && !waitedFor.some(({ name }) => absentAt.has(name))
  })

/** Whether no node could take the command: each was absent, of another network, or stood behind an absent one. */
function hadNoNode({ absentAt }: RequestRecord, { places, isPinned }: Listed): boolean {
  const reachable = places.filter(
    ({ name, hosts }) =>
      !absentAt.has(name) && hosts.every(({ daemon, network }) => daemon.kind === 'daemon' && network.isHome),
  )
  const [first] = places
  return reachable.length === 0 || (!isPinned && first !== undefined && absentAt.has(first.name))
}

/**
 * What explains an unknown outcome.
 *
 * @returns undefined where nothing does, so that the service could have known better
 */
export function reasonOfUnknown(record: RequestRecord, truth: Truth, listed: Listed) {
  const { hadTrouble, sawUsedNonce, sawRivalLate, command, startedAt } = record
  if (listed.isPlain) return undefined
  if (hadTrouble) return 'lost or broken answer'
  if (hadNoNode(record, listed)) return 'no node of the network answered'
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
export function faultOf(record: RequestRecord, truth: Truth, listed: Listed): Untruth | undefined {
  const { command, startedAt, answeredAt, deadline, answer } = record
  const outcome = outcomeOf(record)
  if (outcome === undefined || answeredAt === undefined || answeredAt > deadline) return 'lost'
  if (outcome === 'refused') return isFailedFalsely(record, truth) ? 'false failed' : undefined
  if (isLeftOut(record, listed)) return 'left out'
  if (outcome === 'unknown') {
    const { mutationsTo, searches, lostAt, hadLoss, sawUsedNonce } = record
    const isTriedOnce = [...mutationsTo].some(([place, count]) => count === 1 && (lostAt.has(place) || searches <= 1))
    const gaveUp = isTriedOnce && hadLoss && !sawUsedNonce
    if (gaveUp && deadline - answeredAt > oneTryMs) return 'lost'
    if (record.wasShown) return 'unexplained unknown'
    return reasonOfUnknown(record, truth, listed) === undefined ? 'unexplained unknown' : undefined
  }
  return truth.wasHeldAfter(command, startedAt) && namesCommand(answer?.body, command) ? undefined : 'false sent'
}

/** Whether the chain applied a command twice, or one that the service sent again over its replacement. */
export function isReplacementLost(network: Network, resentOverReplacement: ReadonlySet<HistoryCommand>): boolean {
  const applied = network.bestChain().flatMap(({ commands }) => commands)
  return new Set(applied).size < applied.length || applied.some((command) => resentOverReplacement.has(command))
}
