// The answers to a broadcast: the contract's bodies, and the outcome for machines in headers.
import { broadcastCodes } from '../contract/broadcast-codes.ts'
import type { Failure, Success } from '../endpoints/endpoint.ts'
import type { NodeCommand } from '../mapping/command.ts'
import type { Sighting } from './find-command.ts'
import type { Attempt, Submission } from './submit.ts'

/** The words of `x-broadcast-outcome`. */
type BroadcastOutcome = 'accepted' | 'already-known' | 'refused' | 'unknown'

const unknownOutcome =
  'The outcome is unknown: the command may have been accepted. Sending the same signed command again is safe.'

const usedNonce =
  'The outcome is unknown: this nonce is used, by this command or by another. Look the command up before signing a new one.'

export type FailedAttempt = Exclude<Attempt, { readonly state: 'accepted' }>

/** 201 with the command as a node holds it. */
export function sent<Body>(
  { success }: Submission<unknown, Body>,
  outcome: Extract<BroadcastOutcome, 'accepted' | 'already-known'>,
  command: NodeCommand,
): Success<Body> {
  return {
    status: 201,
    body: success(command),
    headers: { 'x-broadcast-outcome': outcome, 'x-transaction-hash': command.hash },
  }
}

interface Details {
  readonly error?: string
  readonly note?: string
  readonly canRepeat?: boolean
}

function notSent(
  { failureMessage }: Submission,
  outcome: Extract<BroadcastOutcome, 'refused' | 'unknown'>,
  attempt: FailedAttempt,
  {
    error = attempt.error,
    note,
    canRepeat = outcome === 'unknown' || broadcastCodes[attempt.code] === 'retriable',
  }: Details = {},
): Failure {
  const nonces = attempt.state === 'refused' ? attempt.nonces : undefined
  return {
    status: 400,
    body: { message: failureMessage, error },
    headers: {
      'x-broadcast-outcome': outcome,
      'x-broadcast-code': attempt.code,
      'x-broadcast-retriable': String(canRepeat),
      ...(nonces && { 'x-expected-nonce': String(nonces.inferred) }),
    },
    note: [attempt.state === 'lost' ? attempt.note : 'refused', note].filter(Boolean).join('; '),
  }
}

/** 400 with the node's reason: the node refused the command and does not hold it. */
export const refused = (submission: Submission, attempt: FailedAttempt): Failure =>
  notSent(submission, 'refused', attempt)

/**
 * The answer when no look found the command.
 *
 * @param answerWasLost whether any submission's answer was lost, so that a node may have taken the command
 */
export function notFound(
  submission: Submission,
  attempt: FailedAttempt,
  sighting: Sighting,
  answerWasLost: boolean,
): Failure {
  const note = sighting.state === 'unanswered' ? sighting.reason : ''
  const nonceIsUsed =
    (sighting.state === 'not-held' && sighting.nonceIsUsed) ||
    (attempt.state === 'refused' && BigInt(submission.command.nonce) < (attempt.nonces?.ledger ?? 0n))
  if (nonceIsUsed) {
    return notSent(submission, 'unknown', attempt, { error: `${attempt.error} ${usedNonce}`, note, canRepeat: false })
  }
  const isCertain = sighting.state === 'not-held' && attempt.state === 'refused' && attempt.code !== 'duplicate'
  if (isCertain && !answerWasLost) return refused(submission, attempt)
  return notSent(submission, 'unknown', attempt, { error: `${attempt.error} ${unknownOutcome}`, note })
}
