// The answers to a broadcast: the contract's bodies, and the outcome for machines in headers.
import { broadcastCodes } from '../contract/broadcast-codes.ts'
import type { Failure, Success } from '../endpoints/endpoint.ts'
import type { NodeCommand } from '../mapping/command.ts'
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

function notSent(
  { failureMessage }: Submission,
  outcome: Extract<BroadcastOutcome, 'refused' | 'unknown'>,
  attempt: FailedAttempt,
  error: string,
  canRepeat: boolean,
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
  }
}

/**
 * 400 with a node's reason: no node that was asked holds the command.
 *
 * @param nonceIsUsed another command with the nonce was included, so that sending this one again is no use
 */
export const refused = (submission: Submission, attempt: FailedAttempt, nonceIsUsed: boolean): Failure =>
  notSent(submission, 'refused', attempt, attempt.error, broadcastCodes[attempt.code] === 'retriable' && !nonceIsUsed)

/**
 * 400 that leaves open whether a node holds the command.
 *
 * @param nonceIsUsed the ledger is past the command's nonce, so that sending it again is no use
 */
export const unknown = (submission: Submission, attempt: FailedAttempt, nonceIsUsed: boolean): Failure =>
  notSent(submission, 'unknown', attempt, `${attempt.error} ${nonceIsUsed ? usedNonce : unknownOutcome}`, !nonceIsUsed)
