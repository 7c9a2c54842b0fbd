// What one node did and showed of a broadcast, and whether that calls for more.
import { broadcastCodes } from '../contract/broadcast-codes.ts'
import type { NodePort } from '../upstream/query.ts'
import type { Sighting } from './find-command.ts'
import type { Attempt, Submission } from './submit.ts'

/** What the looks after one submission came to, and when among those at all nodes. */
export interface Look {
  readonly sighting: Sighting
  readonly startedAt: number
  readonly endedAt: number
}

/** What one node did and showed. */
export interface Finding {
  readonly node: NodePort
  /** In their order, one or two. */
  readonly attempts: readonly Attempt[]
  /** In their order; none after an attempt that needs none. */
  readonly looks: readonly Look[]
}

/** What a node showed that the command was not sent to. */
export interface Witness {
  readonly sighting: Sighting
}

export const lastSighting = ({ looks }: Finding): Sighting | undefined => looks.at(-1)?.sighting

/** Refused for a reason that no time, block or other node can change. */
export const isPermanent = (attempt: Attempt): boolean =>
  attempt.state === 'refused' && broadcastCodes[attempt.code] === 'permanent'

export const wasRefusedForNonce = (attempt: Attempt): boolean =>
  attempt.state === 'refused' && attempt.code === 'bad-nonce'

export const isDuplicate = (attempt: Attempt): boolean => attempt.state === 'refused' && attempt.code === 'duplicate'

export const isUnsent = (attempt: Attempt): boolean => attempt.state === 'lost' && attempt.reach === 'unsent'

/**
 * Whether gossip between nodes, or a block that one of them has not seen, may explain a refusal: another node may hold the
 * command, its predecessor or the sender's account; a full pool says nothing about the command, and missing funds may be
 * held by the command itself. The minimum fee is the same everywhere, and a nonce below the ledger's stays below it.
 */
export function mayBeGossip({ command }: Submission, attempt: Attempt): boolean {
  if (attempt.state !== 'refused' || attempt.code === 'fee-too-low') return false
  return attempt.nonces === undefined || BigInt(command.nonce) > attempt.nonces.ledger
}

/** Whether a refusal is one: a node without a ledger calls every sender unknown, even one that the ledger knows. */
export function isAnswer(attempt: Attempt, sighting: Sighting | undefined): boolean {
  if (attempt.state !== 'refused') return false
  return !(attempt.code === 'sender-unknown' && sighting?.state === 'not-held' && sighting.senderIsKnown)
}

/** Whether nothing is gained from sending the command to the node again. */
export function isSettled(finding: Finding): boolean {
  const { node, attempts } = finding
  const sighting = lastSighting(finding)
  if (sighting?.state === 'held' || (sighting?.state === 'not-held' && sighting.nonceIsUsed)) return true
  // A node that refused may hold the command from before. Only its own look can show that, behind a shared address none can.
  const isSeen = node.sharedAddress || sighting?.state === 'not-held'
  return isSeen && attempts.some((attempt) => isAnswer(attempt, sighting))
}

/** Whether the finding shows that its node holds the command. */
export const holds = (finding: Finding): boolean =>
  finding.attempts.at(-1)?.state === 'accepted' || lastSighting(finding)?.state === 'held'

/** Whether the finding has a reason for which every node refuses the command, at any time. */
export const isDecisive = ({ attempts }: Finding): boolean => attempts.some(isPermanent)
