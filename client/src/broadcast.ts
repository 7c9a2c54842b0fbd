// One broadcast and its outcome.
import { typed } from './amounts.ts'
import { type Clock, stopIfAborted } from './clock.ts'
import { parseExact } from './exact-json.ts'
import type { PollOptions } from './polling.ts'
import type { CallOptions } from './reads.ts'
import { type BroadcastCode, type BroadcastResultCommand, broadcastResultCommandAmounts } from './schema.ts'
import { isOutlived, ServiceError } from './service-error.ts'
import { type DelegationToSend, factsOf, isSigned, type PaymentToSend } from './signed-command.ts'
import { type Answer, failureOf, movedWords, reasonOf, type Transport } from './transport.ts'

/** A node held the command when it was asked. */
export interface Sent {
  /** `already-known`: the node had it before, in its pool or in one of the latest blocks. */
  readonly outcome: 'accepted' | 'already-known'
  readonly hash: string
  readonly command: BroadcastResultCommand
  /** When it was sent, ms since 1970 by this machine's clock. */
  readonly sentAtMs: number
}

/**
 * `refused`: a node refused the command, and none that was asked holds it. `unknown`: an answer was lost, or the nonce is
 * used; never sign the same payment anew on `unknown`.
 */
export interface NotSent {
  readonly outcome: 'refused' | 'unknown'
  /**
   * `no-answer`: the service's answer did not arrive; a proxy may have sent another in its place. `redirected`: the address asks
   * to go to another one in a way under which a command does not arrive, so it was not sent.
   */
  readonly code: BroadcastCode | 'no-answer' | 'redirected'
  /** True if sending the same command again, later, can succeed. */
  readonly retriable: boolean
  /** With `bad-nonce`: the nonce that the node takes next from this sender. */
  readonly expectedNonce?: number | undefined
  /** For people. */
  readonly message: string
  /** HTTP status; 0 without an answer. */
  readonly status: number
  readonly retryAfterSeconds?: number | undefined
  readonly requestId?: string | undefined
  readonly sentAtMs: number
  /** Nothing has reached a node: the request was throttled, or the service's network could not be checked. */
  readonly neverLeft?: true | undefined
  readonly hash?: undefined
}

/** Refusals for the bytes alone: no node can ever have taken them. */
const refusedForever: readonly string[] = ['invalid-signature', 'memo-too-long', 'invalid-request']

/** True for a refusal that holds whatever became of earlier sendings of the same bytes. */
export const isRefusedForever = ({ outcome, code }: NotSent): boolean =>
  outcome === 'refused' && refusedForever.includes(code)

/** True where a node may hold the command after this sending: it was accepted, cut off, or left without an answer. */
export const mayHaveArrived = (outcome: Outcome): boolean =>
  outcome.outcome === 'unknown' ? !outcome.neverLeft : outcome.outcome !== 'refused'

export type Outcome = Sent | NotSent

/** The last part of a broadcast's path. */
export type Kind = 'transaction' | 'delegation'
type Signed = PaymentToSend | DelegationToSend

/** Always the same text for the same command. */
const bodyOf = (signed: Signed): string =>
  JSON.stringify(signed, (_key, value) => (typeof value === 'bigint' ? String(value) : value))

/**
 * Prepares a broadcast.
 *
 * @param checkNetwork rejects unless the service is on the caller's network
 * @returns a function that sends the command once. It rejects only before it has sent anything: with the reason of the
 *   signal, or where the check fails in a way that does not pass
 */
export function sender(
  { send, clock }: Transport,
  checkNetwork: (options: CallOptions) => Promise<void>,
  kind: Kind,
  signed: Signed,
  { signal, onTrouble }: PollOptions = {},
): () => Promise<Outcome> {
  const headers = { 'content-type': 'application/json' }
  const request = { headers, body: bodyOf(signed), signal, notesRedirects: true }

  async function outcomeOfOne(sentAtMs: number): Promise<Outcome> {
    const noAnswer = { outcome: 'unknown', code: 'no-answer', retriable: true, sentAtMs } as const
    try {
      await checkNetwork({ signal })
    } catch (error) {
      if (!isOutlived(error)) throw error
      const { message, status, retryAfterSeconds } = error
      return { ...noAnswer, message, status, retryAfterSeconds, neverLeft: true }
    }
    try {
      const answer = await send(`/broadcast/${kind}`, request)
      const command = commandIn(answer, signed)
      if (command === undefined) return { ...notSent(answer, clock), sentAtMs }
      const outcome = answer.header('x-broadcast-outcome') === 'already-known' ? 'already-known' : 'accepted'
      return { outcome, hash: command.hash, command, sentAtMs }
    } catch (error) {
      return { ...noAnswer, message: reasonOf(error), status: 0 }
    }
  }

  return async () => {
    stopIfAborted(signal)
    const outcome = await outcomeOfOne(clock.now())
    if ('code' in outcome && outcome.code === 'no-answer' && !signal?.aborted) {
      const { message, status, retryAfterSeconds, requestId } = outcome
      await onTrouble?.(new ServiceError(message, { status, retryAfterSeconds, requestId }))
    }
    return outcome
  }
}

/** The command in a 201; undefined if the answer cannot be read or names another command. */
function commandIn({ status, text }: Answer, signed: Signed): BroadcastResultCommand | undefined {
  if (status !== 201) return undefined
  try {
    const { payment, delegation } = Object(Object(parseExact(text)).result)
    const command = typed(payment ?? delegation, broadcastResultCommandAmounts) as BroadcastResultCommand
    return isSigned(command, factsOf(signed)) ? command : undefined
  } catch {
    return undefined
  }
}

function notSent(answer: Answer, clock: Clock): Omit<NotSent, 'sentAtMs'> {
  const { status, header, movedTo } = answer
  const { isFinal, ...failure } = failureOf(answer, clock)
  const outcome = header('x-broadcast-outcome')
  const expected = header('x-expected-nonce')
  if (status === 400 && (outcome === 'refused' || outcome === 'unknown')) {
    return {
      ...{ ...failure, outcome },
      code: (header('x-broadcast-code') ?? 'other') as BroadcastCode,
      retriable: header('x-broadcast-retriable') === 'true',
      expectedNonce: expected ? Number(expected) : undefined,
    }
  }
  if (movedTo !== undefined) {
    const message = movedWords(movedTo)
    if (status > 300 && status < 304) {
      return { ...failure, outcome: 'refused', code: 'redirected', retriable: false, message }
    }
    return { ...failure, outcome: 'unknown', code: 'no-answer', retriable: true, message }
  }
  // A proxy may have sent a 400: it does not have the service's headers.
  const retriable = status === 400 || !isFinal
  return { ...failure, outcome: 'unknown', code: 'no-answer', retriable, neverLeft: status === 429 || undefined }
}
