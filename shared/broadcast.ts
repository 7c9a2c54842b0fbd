// Broadcasting a signed command, and saying only what is true of it: sent when a node holds it, refused when none does,
// unknown when nobody can know yet.
import { lookForCommand, type Sighting } from './command-search.ts'
import type { Answer, Ask } from './endpoint.ts'
import type { NodeCommand } from './mapping/command.ts'
import type { RefusalCode } from './mapping/node-words.ts'
import { type Attempt, type Submission, submit } from './submission.ts'

type Outcome = 'accepted' | 'already-known' | 'refused' | 'unknown'

/** Every word of `x-broadcast-code`. */
type Code = RefusalCode | 'timeout' | 'node-unreachable'

/** Reasons that no time, block or other node can change. */
const permanent: ReadonlySet<Code> = new Set<Code>(['invalid-signature', 'memo-too-long', 'invalid-request'])

/** Where sending the same signed command once more, later, can succeed. */
const retriable: ReadonlySet<Code> = new Set<Code>([
  'bad-nonce',
  'insufficient-funds',
  'sender-unknown',
  'pool-overloaded',
  'duplicate',
  'timeout',
  'node-unreachable',
])

const unknownOutcome =
  'The outcome is unknown: the command may have been accepted. Sending the same signed command again is safe.'

const usedNonce =
  'The outcome is unknown: this nonce is used, by this command or by another. Look the command up before signing a new one.'

/** The shortest time in which a call to a node is worth starting. */
const leastCallMs = 1000

const hasTime = (ask: Ask, neededMs = leastCallMs): boolean =>
  (ask.timeLeftMs?.() ?? Number.POSITIVE_INFINITY) > neededMs

/**
 * Waits between looks, in milliseconds. Several nodes may stand behind one address, and what one of them took needs
 * some seconds to reach the others.
 */
const gossipPausesMs = [1000, 2000]

/**
 * Looks for the command, three times at most and with one repeat after a broken connection, until it is there or time runs out: again when nobody answered, when another command with its
 * nonce is on its way between nodes, and with `isPatient` whenever a node did not have it.
 *
 * @param isNonce whether the command was refused for its nonce, so that one who came late may have taken it
 */
async function look({ command, kind }: Submission, ask: Ask, isPatient: boolean, isNonce = false): Promise<Sighting> {
  const first = await lookForCommand(command, kind, ask)
  const sightings = [first]
  let last = first
  for (const pauseMs of gossipPausesMs) {
    const isSure = last.state === 'not-held' && !isPatient && !last.nonceIsQueued
    if (last.state === 'held' || isSure || !hasTime(ask, pauseMs + leastCallMs)) break
    await ask.pause?.(pauseMs)
    last = await lookForCommand(command, kind, ask, { isRepeat: true })
    sightings.push(last)
  }
  if (last.state !== 'not-held' || !last.nonceIsQueued) return last
  // A rival may have been seen too late for the nodes to have agreed on it.
  const cameLate = isNonce && first.state === 'not-held' && !first.nonceIsQueued
  const late: Sighting = { state: 'unanswered', reason: 'another command with the nonce came late' }
  return sightings.find(({ state }) => state === 'unanswered') ?? (cameLate ? late : last)
}

/**
 * A refusal that gossip between nodes, or a block that one of them lacks, explains: another one may hold the command, or
 * the predecessor or account that this one misses; a full pool says nothing of the command, and the funds that are short
 * may be held by the command itself. The least fee is the same everywhere, and a nonce below the ledger's stays so.
 */
function isGossip({ command }: Submission, attempt: Attempt): boolean {
  if (attempt.state !== 'refused' || attempt.code === 'fee-too-low') return false
  return attempt.nonces === undefined || BigInt(command.nonce) > attempt.nonces.ledger
}

const outOfTime: Sighting = { state: 'unanswered', reason: 'no time left to look' }

const isSenderKnown = (sighting: Sighting): boolean => sighting.state === 'not-held' && sighting.senderIsKnown

function sent({ success }: Submission, outcome: Outcome, command: NodeCommand): Answer {
  return {
    status: 201,
    body: success(command),
    maxAgeSeconds: 0,
    headers: { 'x-broadcast-outcome': outcome, 'x-transaction-hash': command.hash },
  }
}

interface Saying {
  readonly error?: string
  readonly note?: string
  readonly canRepeat?: boolean
}

type Failure = Exclude<Attempt, { readonly state: 'accepted' }>

function notSent(
  { failureMessage }: Submission,
  outcome: Outcome,
  attempt: Failure,
  { error = attempt.error, note, canRepeat = outcome === 'unknown' || retriable.has(attempt.code) }: Saying = {},
): Answer {
  const nonces = attempt.state === 'refused' ? attempt.nonces : undefined
  return {
    status: 400,
    body: { message: failureMessage, error },
    maxAgeSeconds: 0,
    headers: {
      'x-broadcast-outcome': outcome,
      'x-broadcast-code': attempt.code,
      'x-broadcast-retriable': String(canRepeat),
      ...(nonces && { 'x-expected-nonce': String(nonces.inferred) }),
    },
    note: [attempt.state === 'lost' ? attempt.note : 'refused', note].filter(Boolean).join('; '),
  }
}

/** What may be said when the command was seen nowhere. */
function unseen(submission: Submission, attempt: Failure, sighting: Sighting, answerWasLost: boolean): Answer {
  const note = sighting.state === 'unanswered' ? sighting.reason : ''
  const nonceIsUsed =
    (sighting.state === 'not-held' && sighting.nonceIsUsed) ||
    (attempt.state === 'refused' && BigInt(submission.command.nonce) < (attempt.nonces?.ledger ?? 0n))
  if (nonceIsUsed) {
    return notSent(submission, 'unknown', attempt, { error: `${attempt.error} ${usedNonce}`, note, canRepeat: false })
  }
  const isKnown = sighting.state === 'not-held' && attempt.state === 'refused' && attempt.code !== 'duplicate'
  if (isKnown && !answerWasLost) return notSent(submission, 'refused', attempt)
  return notSent(submission, 'unknown', attempt, { error: `${attempt.error} ${unknownOutcome}`, note })
}

/**
 * Broadcasts a signed command. After anything but a clean success the node is asked whether it holds the command; after
 * a lost answer the same command is sent once more, which the protocol makes safe.
 *
 * @returns 201 with the command as a node holds it; else 400: refused with the node's reason, or of unknown outcome
 */
export async function broadcast<Data>(submission: Submission<Data>, ask: Ask): Promise<Answer> {
  const first = await submit(submission, ask)
  if (first.state === 'accepted') return sent(submission, 'accepted', first.command)
  if (permanent.has(first.code)) return notSent(submission, 'refused', first)

  const isNonce = first.state === 'refused' && first.code === 'bad-nonce'
  const seen = hasTime(ask) ? await look(submission, ask, isGossip(submission, first), isNonce) : outOfTime
  if (seen.state === 'held') return sent(submission, 'already-known', seen.command)
  // A node without a ledger calls every sender unknown: where the ledger knows the sender, that was no answer.
  const wasAnswered = first.state === 'refused' && !(first.code === 'sender-unknown' && isSenderKnown(seen))
  if (wasAnswered) return unseen(submission, first, seen, false)
  const isPast = seen.state === 'not-held' && seen.nonceIsUsed
  if (isPast || !hasTime(ask)) return unseen(submission, first, seen, true)

  const second = await submit(submission, ask)
  if (second.state === 'accepted') return sent(submission, 'accepted', second.command)
  if (permanent.has(second.code)) return notSent(submission, 'refused', second)
  const last = hasTime(ask) ? await look(submission, ask, true) : outOfTime
  if (last.state === 'held') return sent(submission, 'already-known', last.command)
  return unseen(submission, second, last, true)
}
