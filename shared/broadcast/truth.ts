// What is true of a broadcast, from what each node said: sent when a node holds the command, refused when none does and
// none will for what was sent, unknown when that cannot be known yet. Every rule about that is here.
import { broadcastCodes } from '../contract/broadcast-codes.ts'
import type { Answer } from '../endpoints/endpoint.ts'
import type { NodeCommand } from '../mapping/command.ts'
import type { NodePort } from '../upstream/query.ts'
import { type FailedAttempt, refused, sent, unknown } from './answers.ts'
import type { Sighting } from './find-command.ts'
import type { Attempt, Submission } from './submit.ts'

/** What one node did and showed. */
export interface Finding {
  readonly node: NodePort
  /** In their order, one or two. */
  readonly attempts: readonly Attempt[]
  /** What the looks after the last attempt came to; absent where none was needed or possible. */
  readonly sighting?: Sighting
}

/** Refused for a reason that no time, block or other node can change. */
export const isPermanent = (attempt: Attempt): boolean =>
  attempt.state === 'refused' && broadcastCodes[attempt.code] === 'permanent'

export const wasRefusedForNonce = (attempt: Attempt): boolean =>
  attempt.state === 'refused' && attempt.code === 'bad-nonce'

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

/** Reasons for which no node takes the command later either; but one may hold it from before. */
const lastingCodes: ReadonlySet<string> = new Set(['fee-too-low', 'expired'])

/** Reasons that follow from a ledger and its pool: a node that lags gives them wrongly. */
const ledgerCodes: ReadonlySet<string> = new Set([
  'bad-nonce',
  'insufficient-funds',
  'sender-unknown',
  'replace-fee-too-low',
])

type Verdict =
  | { readonly state: 'held'; readonly outcome: 'accepted' | 'already-known'; readonly command: NodeCommand }
  /** It does not hold the command, and nothing that was sent can change that. */
  | {
      readonly state: 'without'
      readonly attempt: FailedAttempt
      /** Whether the attempt gives a reason. */
      readonly isReason: boolean
      readonly nonceIsUsed: boolean
      /** Of its tip; undefined where no look was needed. */
      readonly height: number | undefined
    }
  /** There was no connection to it, twice. */
  | { readonly state: 'absent'; readonly attempt: FailedAttempt }
  | {
      readonly state: 'open'
      readonly attempt: FailedAttempt
      readonly nonceIsUsed: boolean
      /** It did not hold the command when it was last asked. */
      readonly isNotHeld: boolean
    }

/** Whether something that was sent may still be taken. Behind a shared address, any node may have taken what was lost. */
function mayStillArrive({ node, attempts, sighting }: Finding): boolean {
  if (!node.sharedAddress) return attempts.some((attempt) => attempt.state === 'lost' && attempt.reach === 'pending')
  return attempts.length > 1 || attempts.some((attempt) => !isAnswer(attempt, sighting))
}

function verdictOf({ command }: Submission, finding: Finding): Verdict {
  const { node, attempts, sighting } = finding
  const attempt = attempts.at(-1)
  if (attempt === undefined) throw new TypeError('a finding without an attempt')
  if (attempt.state === 'accepted') return { state: 'held', outcome: 'accepted', command: attempt.command }
  if (sighting?.state === 'held') return { state: 'held', outcome: 'already-known', command: sighting.command }
  if (isPermanent(attempt)) return { state: 'without', attempt, isReason: true, nonceIsUsed: false, height: undefined }
  if (!node.sharedAddress && attempts.every(isUnsent)) return { state: 'absent', attempt }

  const isBelowLedger = attempt.state === 'refused' && BigInt(command.nonce) < (attempt.nonces?.ledger ?? 0n)
  const nonceIsUsed = isBelowLedger || (sighting?.state === 'not-held' && sighting.nonceIsUsed)
  if (sighting?.state !== 'not-held') return { state: 'open', attempt, nonceIsUsed, isNotHeld: false }
  // A node asked directly shows in its blocks that another command used the nonce, so this one cannot be in an older one.
  const isTaken = !node.sharedAddress && sighting.nonceIsTaken
  const open: Verdict = { state: 'open', attempt, nonceIsUsed, isNotHeld: !nonceIsUsed || isTaken }
  if (nonceIsUsed && !isTaken) return open
  if (attempt.state === 'refused' && attempt.code === 'duplicate') return open
  const isLasting = isTaken || (!node.sharedAddress && lastingCodes.has(attempt.code))
  if (mayStillArrive(finding) && !isLasting) return open
  return { state: 'without', attempt, isReason: isAnswer(attempt, sighting), nonceIsUsed, height: sighting.height }
}

/** Whether the finding shows that its node holds the command. */
export const holds = ({ attempts, sighting }: Finding): boolean =>
  attempts.at(-1)?.state === 'accepted' || sighting?.state === 'held'

/** Whether the finding has a reason for which every node refuses the command, at any time. */
export const isDecisive = ({ attempts }: Finding): boolean => attempts.some(isPermanent)

/** How much a reason says: that the nonce is used, then what a node said, then why none did. */
function weight(verdict: Verdict): number {
  if (verdict.state === 'held') return -1
  if (verdict.state !== 'absent' && verdict.nonceIsUsed) return 3
  if (verdict.attempt.state === 'refused') return verdict.attempt.code === 'duplicate' ? 1 : 2
  return verdict.attempt.reach === 'unsent' ? 0 : 0.5
}

/** Why no node was found to hold the command, for the log. */
const noteOf = ({ node, attempts, sighting }: Finding, isOneOfSeveral: boolean): string => {
  const last = attempts.at(-1)
  const said = last?.state === 'lost' ? last.note : last?.state
  const looked = sighting?.state === 'unanswered' ? sighting.reason : undefined
  return [isOneOfSeveral ? `${node.name}: ${said}` : said, looked].filter(Boolean).join('; ')
}

type Without = Extract<Verdict, { readonly state: 'without' }>

/**
 * The refusal that is true of all nodes, if there is one.
 *
 * A permanent reason is one. Others need every node to be without the command. A reason that follows from the ledger counts
 * only from a node that no other one is ahead of, and the freshest node's is given.
 */
function commonRefusal(verdicts: readonly Verdict[]): FailedAttempt | undefined {
  const without = verdicts.filter((verdict): verdict is Without => verdict.state === 'without')
  const permanent = without.find(({ attempt }) => isPermanent(attempt))
  if (permanent !== undefined) return permanent.attempt
  const reasons = without.filter(({ isReason }) => isReason)
  const isWithoutIt = verdicts.every((verdict) => verdict.state !== 'open' || verdict.isNotHeld)
  const lasting = reasons.find(({ attempt }) => lastingCodes.has(attempt.code))
  if (lasting !== undefined && isWithoutIt) return lasting.attempt
  if (verdicts.some(({ state }) => state === 'open')) return undefined
  const greatest = Math.max(...without.map(({ height = 0 }) => height))
  return reasons
    .filter(({ attempt, height = 0 }) => height >= greatest || !ledgerCodes.has(attempt.code))
    .toSorted((one, other) => (other.height ?? 0) - (one.height ?? 0))[0]?.attempt
}

/** The answer to a broadcast, from what is known of each node, best node first. */
export function answerOf<Body>(submission: Submission<unknown, Body>, findings: readonly Finding[]): Answer<Body> {
  const verdicts = findings.map((finding) => verdictOf(submission, finding))
  const held = verdicts
    .filter((verdict) => verdict.state === 'held')
    .toSorted((one, other) => Number(other.outcome === 'accepted') - Number(one.outcome === 'accepted'))[0]
  if (held !== undefined) return sent(submission, held.outcome, held.command)

  const note = findings.map((finding) => noteOf(finding, findings.length > 1)).join(' | ')
  const reason = commonRefusal(verdicts)
  if (reason !== undefined) return { ...refused(submission, reason), note }
  const [best] = verdicts.toSorted((one, other) => weight(other) - weight(one))
  if (best === undefined || best.state === 'held') throw new TypeError('a broadcast to no node')
  return { ...unknown(submission, best.attempt, best.state !== 'absent' && best.nonceIsUsed), note }
}
