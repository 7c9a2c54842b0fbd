// Compares the answer to a request with what really happened.
import { maxAnswerMs } from '../../../../shared/deployment/settings.ts'
import { memberOf } from '../../../../shared/mapping/exact-json.ts'
import type { Place } from '../wire/place.ts'
import type { RequestRecord, Untruth } from './record.ts'
import type { HistoryCommand } from './signed-command.ts'
import type { Truth } from './truth.ts'

const outcomes = ['accepted', 'already-known', 'refused', 'unknown'] as const

/** The outcome in the headers; undefined if it is missing or contradicts the status. */
export function outcomeOf({ answer }: RequestRecord): (typeof outcomes)[number] | undefined {
  const outcome = outcomes.find((one) => one === answer?.headers?.['x-broadcast-outcome'])
  const isSent = outcome === 'accepted' || outcome === 'already-known'
  return answer?.status === (isSent ? 201 : 400) ? outcome : undefined
}

/** Time enough for another try. */
const oneTryMs = 8000
/** More copies of a command would not make it safer. */
const maxSentTo = 3

/** The nodes in the settings, and the known facts about them. */
export interface ListedNodes {
  readonly places: readonly Place[]
  readonly isPinned: boolean
  /** True if every command is good, and one node is well. */
  readonly isPlain: boolean
  /** True if all daemons there are of the network that counts. */
  isOfNetwork(place: Place): boolean
  /** True if no listed node can show which of the pinned networks counts. */
  readonly isInDoubt: boolean
  /** True if all daemons there are of the network and well, and no call is lost by chance. */
  isWell(place: Place): boolean
}

/** True if a node that is well got no copy, no other one got it in its stead, and none before it was waited for. */
const isLeftOut = (
  { mutationsTo, absentAt, isCold }: RequestRecord,
  { places, isPinned, isWell }: ListedNodes,
): boolean =>
  // Without a pin a warm instance may have taken another network for its own, while the first listed node was down.
  (isPinned || isCold) &&
  mutationsTo.size < maxSentTo &&
  places.some((place, index) => {
    const waitedFor = isPinned ? [place] : places.slice(0, index + 1)
    return isWell(place) && !mutationsTo.has(place.name) && !waitedFor.some(({ name }) => absentAt.has(name))
  })

/** True if a node of another network may have been taken for the network: no pin, and the first listed node was absent. */
const isNetworkOpen = ({ absentAt }: RequestRecord, { places, isPinned }: ListedNodes): boolean =>
  !isPinned && absentAt.has(places[0]?.name ?? '')

/** True if no node could take the command: each was absent, of another network, or stood behind an absent one. */
function hadNoNode(record: RequestRecord, listed: ListedNodes): boolean {
  const { absentAt } = record
  const { places, isOfNetwork } = listed
  const reachable = places.filter(
    (place) =>
      !absentAt.has(place.name) && place.hosts.every(({ daemon }) => daemon.kind === 'daemon') && isOfNetwork(place),
  )
  return reachable.length === 0 || isNetworkOpen(record, listed)
}

/** The worst that happened to the calls of a request: a lost answer to a submission leaves open what the node took. */
function troubleIn({ lostAt, hadLoss, wasBusy }: RequestRecord): string {
  if (lostAt.size > 0) return 'the answer to a submission was lost or broken'
  if (hadLoss) return 'the answer to a search was lost or broken'
  return wasBusy ? 'a node was busy' : 'a node was gone, or named no network'
}

/**
 * Explains an unknown outcome.
 *
 * @returns undefined without an explanation: the service could have known better
 */
export function reasonOfUnknown(record: RequestRecord, truth: Truth, listed: ListedNodes): string | undefined {
  const { hadTrouble, sawUsedNonce, sawRivalLate, wasKnownToStopped, searchedStoppedAlone, command, startedAt } = record
  if (listed.isPlain) return undefined
  if (hadTrouble) return troubleIn(record)
  if (hadNoNode(record, listed)) return 'no node of the network answered'
  if (listed.isInDoubt) return 'nobody could know which network counts'
  if (sawUsedNonce) return 'used nonce'
  if (sawRivalLate) return 'a rival that came late'
  // The searches may all come to the other daemons of its address.
  if (wasKnownToStopped) return 'a daemon that has stopped has it in its pool'
  if (searchedStoppedAlone === true) return 'every search came to a daemon that has stopped'
  // It was in a pool when a node called it a duplicate, and was replaced before a search could find it.
  return !truth.isHeld(command) && truth.wasHeldAfter(command, startedAt) ? 'replaced meanwhile' : undefined
}

/** True if the body of a 201 is about this command. */
const namesCommand = (body: unknown, { hash }: HistoryCommand): boolean =>
  Object.values(Object(memberOf(body, 'result'))).some((result) => memberOf(result, 'hash') === hash)

/** True if another request submitted the command in the meantime, which this one cannot know. */
const isOvertaken = ({ command, startedAt, submittedAt }: RequestRecord, truth: Truth): boolean =>
  truth.heldSince(command) > startedAt && truth.heldSince(command) !== submittedAt

const isFailedFalsely = (record: RequestRecord, truth: Truth): boolean =>
  record.wasShown ||
  // An address that gives all calls of a request to the daemon that has stopped shows nothing of the others.
  (record.reachedStoppedAlone !== true &&
    (truth.isApplied(record.command) || (truth.isHeldAtTip(record.command) && !isOvertaken(record, truth))))

/** True if the service gave up although it had tried a node only once and had time for more. */
function gaveUp({ mutationsTo, searches, lostAt, hadLoss, sawUsedNonce }: RequestRecord, leftMs: number): boolean {
  const isTriedOnce = [...mutationsTo].some(([place, count]) => count === 1 && (lostAt.has(place) || searches <= 1))
  return isTriedOnce && hadLoss && !sawUsedNonce && leftMs > oneTryMs
}

/**
 * The fault of an answer at the moment when it is given.
 *
 * @returns undefined for a true answer
 */
export function faultOf(record: RequestRecord, truth: Truth, listed: ListedNodes): Untruth | undefined {
  const { command, startedAt, answeredAt = Number.POSITIVE_INFINITY, answer, wasShown } = record
  const outcome = outcomeOf(record)
  const leftMs = startedAt + maxAnswerMs - answeredAt
  if (outcome === undefined || leftMs < 0) return 'lost'
  if (outcome === 'refused') return isFailedFalsely(record, truth) ? 'false failed' : undefined
  if (isLeftOut(record, listed)) return 'left out'
  if (outcome === 'unknown') {
    if (gaveUp(record, leftMs)) return 'lost'
    // What a node showed counts only if it is of the network that was taken.
    const isIgnored = wasShown && !isNetworkOpen(record, listed)
    return isIgnored || reasonOfUnknown(record, truth, listed) === undefined ? 'unexplained unknown' : undefined
  }
  return truth.wasHeldAfter(command, startedAt) && namesCommand(answer?.body, command) ? undefined : 'false sent'
}
