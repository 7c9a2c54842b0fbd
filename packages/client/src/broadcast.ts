// One broadcast and its outcome.
import { typed } from './amounts.ts'
import { type Clock, stopIfAborted } from './clock.ts'
import { parseExact } from './exact-json.ts'
import { NetworkMismatchError } from './network-mismatch-error.ts'
import type { PollOptions } from './polling.ts'
import type { CallOptions } from './reads.ts'
import { type BroadcastCode, type BroadcastResultCommand, broadcastAdvice } from './schema.ts'
import { isOutlived, reasonOf, ServiceError, shortened } from './service-error.ts'
import { type DelegationToSend, dataOf, factsOf, isSigned, type PaymentToSend } from './signed-command.ts'
import { type Answer, failureOf, movedWords, type Transport } from './transport.ts'

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
  /** The node's words, or the service's, and nothing else, as one line. */
  readonly reason: string
  /** For people: the reason and what to do, as one line under 240 characters. */
  readonly message: string
  /** The whole text in which a node's refusal came: an echo of the command, and what the service knows of the signature. */
  readonly details?: string | undefined
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
 * @throws TypeError for anything else than a signed command
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
  // Throws before anything is sent.
  dataOf(signed)
  const headers = { 'content-type': 'application/json' }
  const request = { headers, body: bodyOf(signed), signal, notesRedirects: true }

  async function outcomeOfOne(sentAtMs: number): Promise<Outcome> {
    const noAnswer = { outcome: 'unknown', code: 'no-answer', retriable: true, sentAtMs } as const
    try {
      await checkNetwork({ signal })
    } catch (error) {
      if (!isOutlived(error)) throw error
      const { message, status, retryAfterSeconds } = error
      return { ...noAnswer, reason: message, message, status, retryAfterSeconds, neverLeft: true }
    }
    try {
      const answer = await send(`/broadcast/${kind}`, request)
      const command = commandIn(answer, signed)
      if (command === undefined) return { ...notSent(answer, clock, signed), sentAtMs }
      const outcome = answer.header('x-broadcast-outcome') === 'already-known' ? 'already-known' : 'accepted'
      return { outcome, hash: command.hash, command, sentAtMs }
    } catch (error) {
      if (error instanceof NetworkMismatchError) throw error
      const message = reasonOf(error)
      return { ...noAnswer, reason: message, message, status: 0 }
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
    const command = typed(payment ?? delegation) as BroadcastResultCommand
    return isSigned(command, factsOf(signed)) ? command : undefined
  } catch {
    return undefined
  }
}

/** Of a refused command the daemon quotes every term before it says why. */
const echo = /^Couldn't send user command: (?:Error creating user command: \{.*\} Error: )?/s

/** The node's words in the contract's text of a failed broadcast, which ends with a list of them; else the text. */
function wordsIn(text: string): string {
  const [, list] = /\| (\[\{"message":.*\}\])/s.exec(text) ?? []
  try {
    const messages: readonly { readonly message: string }[] = JSON.parse(list ?? '')
    // The pool's errors come as lists of one word.
    return messages.map(({ message }) => message.replace(echo, '').replace(/^\["(\w+)"\]$/, '$1')).join('; ')
  } catch {
    return text
  }
}

/** What to do about a nonce that the node does not take next. */
const nonceAdvice = (signed: Signed, expected: number): string =>
  factsOf(signed).nonce > expected
    ? `send its predecessor, or if never sent sign with nonce ${expected}`
    : 'the nonce is used, perhaps by this command: ask for its state, and sign nothing'

function notSent(answer: Answer, clock: Clock, signed: Signed): Omit<NotSent, 'sentAtMs'> {
  const { status, header, movedTo } = answer
  const { isFinal, chain: _, message, ...failure } = failureOf(answer, clock)
  const outcome = header('x-broadcast-outcome')
  const expected = header('x-expected-nonce')
  if (status === 400 && (outcome === 'refused' || outcome === 'unknown')) {
    const code = (header('x-broadcast-code') ?? 'other') as BroadcastCode
    const reason = shortened(wordsIn(message))
    // A later service may have more codes.
    const usual = broadcastAdvice[code] ?? broadcastAdvice.other
    const advice = expected ? nonceAdvice(signed, Number(expected)) : usual
    return {
      ...{ ...failure, outcome, code, reason },
      message: `${shortened(reason.replace(/\.$/, ''), 237 - advice.length)}: ${advice}`,
      details: message,
      retriable: header('x-broadcast-retriable') === 'true',
      expectedNonce: expected ? Number(expected) : undefined,
    }
  }
  const isRedirected = movedTo !== undefined && status > 300 && status < 304
  const reason = movedTo === undefined ? message : movedWords(movedTo)
  return {
    ...{ ...failure, reason, message: reason },
    outcome: isRedirected ? 'refused' : 'unknown',
    code: isRedirected ? 'redirected' : 'no-answer',
    // A proxy may have sent a 400: it does not have the service's headers.
    retriable: !isRedirected && (movedTo !== undefined || status === 400 || !isFinal),
    neverLeft: status === 429 || undefined,
  }
}
