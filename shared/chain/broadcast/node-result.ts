// One node's part of a broadcast: submit, look for the command, and after a lost answer submit and look once more.
import { broadcastCodes, type RefusalCode } from '../../contract/broadcast-codes.ts'
import type { CallLimits, Deadline, NodePort } from '../../upstream/query.ts'
import type { Submission } from '../port.ts'
import { type Attempt, submit } from './attempt.ts'
import { hasTime, pollForCommand, type Sighting } from './pool-check.ts'

/** The looks after one submission, and their place among the events at all nodes. */
export interface Look {
  readonly sighting: Sighting
  readonly startedAt: number
  readonly endedAt: number
}

/** The actions of one node and what it showed. */
export interface Finding {
  readonly node: NodePort
  /** One or two. */
  readonly attempts: readonly Attempt[]
  /** At most one after each attempt. */
  readonly looks: readonly Look[]
}

export const lastSighting = ({ looks }: Finding): Sighting | undefined => looks.at(-1)?.sighting

/** Refused for a reason that no time, block or other node can change. */
export const isPermanent = (attempt: Attempt): boolean =>
  attempt.state === 'refused' && broadcastCodes[attempt.code] === 'permanent'

export const isRefusedAs = (attempt: Attempt, code: RefusalCode): boolean =>
  attempt.state === 'refused' && attempt.code === code

/** True if the command never reached the node's pool: the connection failed, or the node rejected the request first. */
export const tookNothing = (attempt: Attempt): boolean =>
  attempt.state === 'lost' && (attempt.reach === 'unsent' || attempt.reach === 'untaken')

/** True if the node took nothing and holds nothing, so that another one may have the command in its place. */
export function isAbsent(finding: Finding): boolean {
  const sighting = lastSighting(finding)
  const isGone = sighting?.state === 'unanswered' && sighting.isAbsent === true
  return finding.attempts.every((attempt) => tookNothing(attempt) || (isGone && attempt.state === 'refused'))
}

/**
 * True if gossip between nodes, or a block that one of them has not seen, may explain a refusal: another node may hold the
 * command, its predecessor or the sender's account; a full pool says nothing about the command, and missing funds may be
 * held by the command itself. The minimum fee is the same everywhere, and a nonce below the ledger's stays below it.
 */
export function mayBeGossip({ command }: Submission, attempt: Attempt): boolean {
  if (attempt.state !== 'refused' || attempt.code === 'fee-too-low') return false
  return attempt.nonces === undefined || BigInt(command.nonce) > attempt.nonces.ledger
}

/** True if a refusal is genuine: a node without a ledger calls every sender unknown, even one that the ledger knows. */
export function isAnswer(attempt: Attempt, sighting: Sighting | undefined): boolean {
  if (attempt.state !== 'refused') return false
  return !(attempt.code === 'sender-unknown' && sighting?.state === 'not-held' && sighting.senderIsKnown)
}

/** True if sending the command to the node again gains nothing. */
export function isSettled(finding: Finding): boolean {
  const { node, attempts } = finding
  const sighting = lastSighting(finding)
  if (sighting?.state === 'held' || (sighting?.state === 'not-held' && sighting.nonceIsUsed)) return true
  // A node that refused may hold the command from before. Only its own look can show that, behind a shared address none can.
  const isSeen = node.sharedAddress || sighting?.state === 'not-held'
  return isSeen && attempts.some((attempt) => isAnswer(attempt, sighting))
}

export const holds = (finding: Finding): boolean =>
  finding.attempts.at(-1)?.state === 'accepted' || lastSighting(finding)?.state === 'held'

/** True if the finding has a reason for which every node refuses the command, at any time. */
export const isDecisive = ({ attempts }: Finding): boolean => attempts.some(isPermanent)

/** Milliseconds that the last submission leaves for a look. */
const timeToLookMs = 2500

interface Asking {
  readonly deadline: Deadline
  /** True if another node has refused for all: the command is not sent again. */
  readonly isDecided: () => boolean
  /** Numbers the events at all nodes. */
  readonly turn: () => number
}

/**
 * Broadcasts to one node. At most two submissions and six looks, 10 requests with the repeats after broken connections, and
 * one more submission where a raw signature can be read in both byte orders.
 * Upstream trouble comes back as part of the finding.
 */
export async function askNode(
  submission: Submission,
  node: NodePort,
  { deadline, isDecided, turn }: Asking,
): Promise<Finding> {
  const { query, sharedAddress } = node
  const answersForItself = !sharedAddress

  const look = async (isPatient: boolean, wasRefusedForNonce: boolean): Promise<Look> => {
    const startedAt = turn()
    const sighting = await pollForCommand(submission, node, { isPatient, wasRefusedForNonce, deadline })
    return { sighting, startedAt, endedAt: turn() }
  }
  const needsLook = (attempt: Attempt) =>
    attempt.state !== 'accepted' && !isPermanent(attempt) && !(answersForItself && tookNothing(attempt))

  let { variables, otherVariables } = submission
  /** Once a byte order is found wrong, only the other one is sent. */
  const send = async (limits?: CallLimits): Promise<Attempt> => {
    const attempt = await submit({ ...submission, variables }, query, limits)
    if (otherVariables === undefined || !isRefusedAs(attempt, 'invalid-signature')) return attempt
    variables = otherVariables
    otherVariables = undefined
    return submit({ ...submission, variables }, query, limits)
  }

  // A node contradicts itself where it calls a command a duplicate that it does not show: a later look may explain it.
  const first = await send()
  const seen = needsLook(first)
    ? await look(
        answersForItself ? isRefusedAs(first, 'duplicate') : mayBeGossip(submission, first),
        isRefusedAs(first, 'bad-nonce'),
      )
    : undefined
  const afterFirst: Finding = { node, attempts: [first], looks: seen ? [seen] : [] }
  const isUnsent = first.state === 'lost' && first.reach === 'unsent'
  if (seen === undefined && !isUnsent) return afterFirst
  if (isSettled(afterFirst) || isDecided() || !hasTime(deadline, answersForItself ? 2 * timeToLookMs : undefined))
    return afterFirst

  // A node that answers for itself is looked at whatever becomes of it.
  const limits = answersForItself ? { limitMs: deadline.timeLeftMs() - timeToLookMs } : undefined
  const second = await send(limits)
  const last = needsLook(second) ? [await look(sharedAddress || isRefusedAs(second, 'duplicate'), false)] : []
  return { node, attempts: [first, second], looks: [...afterFirst.looks, ...last] }
}
