// Broadcasts a signed command and reports only what is true of it: sent when a node holds it, refused when the node does
// not, unknown when that cannot be known yet.
import { broadcastCodes } from '../contract/broadcast-codes.ts'
import type { Answer } from '../endpoints/endpoint.ts'
import type { EndpointContext } from '../upstream/query.ts'
import { type FailedAttempt, notFound, refused, sent } from './answers.ts'
import type { Sighting } from './find-command.ts'
import { hasTime, pollForCommand } from './poll-for-command.ts'
import { type Attempt, type Submission, submit } from './submit.ts'

/** Refused for a reason that no time, block or other node can change. */
const isPermanent = ({ code }: FailedAttempt): boolean => broadcastCodes[code] === 'permanent'

const wasRefusedForNonce = (attempt: Attempt): boolean => attempt.state === 'refused' && attempt.code === 'bad-nonce'

/**
 * Whether gossip between nodes, or a block that one of them has not seen, may explain a refusal: another node may hold the
 * command, its predecessor or the sender's account; a full pool says nothing about the command, and missing funds may be
 * held by the command itself. The minimum fee is the same everywhere, and a nonce below the ledger's stays below it.
 */
function mayBeGossip({ command }: Submission, attempt: Attempt): boolean {
  if (attempt.state !== 'refused' || attempt.code === 'fee-too-low') return false
  return attempt.nonces === undefined || BigInt(command.nonce) > attempt.nonces.ledger
}

const isSenderKnown = (sighting: Sighting): boolean => sighting.state === 'not-held' && sighting.senderIsKnown

/**
 * Broadcasts a signed command. After anything but a clean success it asks the node whether it holds the command; after a
 * lost answer it sends the same command once more, which the protocol makes safe. So a broadcast takes at most two
 * submissions and six looks, 10 requests with the repeats after broken connections.
 *
 * @returns 201 with the command as a node holds it; else 400: refused with the node's reason, or of unknown outcome
 */
export async function broadcast<Data, Body>(
  submission: Submission<Data, Body>,
  context: EndpointContext,
): Promise<Answer<Body>> {
  const { command, kind } = submission
  const poll = (isPatient: boolean, refusedForNonce: boolean) =>
    pollForCommand({ command, kind, isPatient, wasRefusedForNonce: refusedForNonce }, context)

  const first = await submit(submission, context.query)
  if (first.state === 'accepted') return sent(submission, 'accepted', first.command)
  if (isPermanent(first)) return refused(submission, first)

  const seen = await poll(mayBeGossip(submission, first), wasRefusedForNonce(first))
  if (seen.state === 'held') return sent(submission, 'already-known', seen.command)
  // A node without a ledger calls every sender unknown. If the ledger knows the sender, that was no answer.
  const wasAnswered = first.state === 'refused' && !(first.code === 'sender-unknown' && isSenderKnown(seen))
  if (wasAnswered) return notFound(submission, first, seen, false)
  const isPast = seen.state === 'not-held' && seen.nonceIsUsed
  if (isPast || !hasTime(context.deadline)) return notFound(submission, first, seen, true)

  const second = await submit(submission, context.query)
  if (second.state === 'accepted') return sent(submission, 'accepted', second.command)
  if (isPermanent(second)) return refused(submission, second)
  const last = await poll(true, false)
  if (last.state === 'held') return sent(submission, 'already-known', last.command)
  return notFound(submission, second, last, true)
}
