// Decides the outcome of a broadcast from every node's evidence: sent when a node holds the command, refused when none does and
// none will for what was sent, unknown when that cannot be known yet. Every rule about that is here.
import type { FateOfCommand, Submission } from '../port.ts'
import type { Attempt } from './attempt.ts'
import {
  type Finding,
  isAbsent,
  isAnswer,
  isPermanent,
  isRefusedAs,
  type Look,
  lastSighting,
  tookNothing,
} from './node-result.ts'
import type { Sighting } from './pool-check.ts'

type FailedAttempt = Exclude<Attempt, { readonly state: 'accepted' }>

/**
 * Refusals that stay true. A node may still hold the command from an earlier submission. A nonce used lately is not among
 * them: a reorganisation can free it, and what was still on its way is taken then.
 */
const lastingCodes: ReadonlySet<string> = new Set(['fee-too-low', 'expired'])

/** Reasons that follow from a ledger and its pool: a node that lags gives them wrongly. */
const ledgerCodes: ReadonlySet<string> = new Set([
  'bad-nonce',
  'insufficient-funds',
  'sender-unknown',
  'replace-fee-too-low',
])

/** Reasons that say nothing about the command. */
const nodeCodes: ReadonlySet<string> = new Set(['pool-overloaded', 'other'])

/** No reorganisation is expected to reach a block under so many others. */
const settledDepth = 10

/** The evidence of one node about a command that it does not hold. */
interface Verdict {
  /** It may hold the command, or still take what was sent. */
  readonly isOpen: boolean
  readonly attempt: FailedAttempt
  /** True if the attempt gives a reason that counts. */
  readonly isReason: boolean
  readonly nonceIsUsed: boolean
  /** It did not hold the command when it was last asked. */
  readonly isNotHeld: boolean
  readonly looks: readonly Look[]
}

/** True if something that was sent may still be taken. Behind a shared address, any node may have taken what was lost. */
function mayStillArrive(finding: Finding): boolean {
  const attempts = finding.attempts.filter((attempt) => !tookNothing(attempt))
  if (!finding.node.sharedAddress)
    return attempts.some((attempt) => attempt.state === 'lost' && attempt.reach === 'pending')
  return attempts.length > 1 || attempts.some((attempt) => !isAnswer(attempt, lastSighting(finding)))
}

function verdictOf({ command }: Submission, finding: Finding): Verdict {
  const { node, attempts, looks } = finding
  const sighting = lastSighting(finding)
  const attempt = attempts.at(-1) as FailedAttempt
  const open: Verdict = { isOpen: true, attempt, isReason: false, nonceIsUsed: false, isNotHeld: false, looks }
  if (isPermanent(attempt)) return { ...open, isOpen: false, isReason: true }
  if (isAbsent(finding) && !node.sharedAddress) return { ...open, isOpen: false }

  const isBelowLedger = attempt.state === 'refused' && BigInt(command.nonce) < (attempt.nonces?.ledger ?? 0n)
  const nonceIsUsed = isBelowLedger || (sighting?.state === 'not-held' && sighting.nonceIsUsed)
  if (sighting?.state !== 'not-held') return { ...open, nonceIsUsed }
  // A node asked directly shows in its blocks that another command used the nonce, so this one cannot be in an older one.
  const isNotHeld = !nonceIsUsed || sighting.takenAtDepth !== undefined
  const isSettled = (sighting.takenAtDepth ?? -1) >= settledDepth
  const isLasting = isSettled || (lastingCodes.has(attempt.code) && !node.sharedAddress)
  // It may have been taken, passed on, and replaced here by the rival that waits now: others may hold it still.
  const wasTaken = sighting.nonceIsQueued && attempts.some((each) => each.state === 'lost' && !tookNothing(each))
  if (!isNotHeld || isRefusedAs(attempt, 'duplicate') || wasTaken || (mayStillArrive(finding) && !isLasting)) {
    return { ...open, nonceIsUsed, isNotHeld }
  }
  return { ...open, isOpen: false, isReason: isAnswer(attempt, sighting), nonceIsUsed }
}

/** The weight of a reason: that the nonce is used, then what a node said, then why none did. */
function weight({ attempt, nonceIsUsed }: Verdict): number {
  if (nonceIsUsed) return 3
  if (attempt.state === 'refused') return attempt.code === 'duplicate' ? 1 : 2
  return tookNothing(attempt) ? 0 : 0.5
}

/** Why no node was found to hold the command, for the log. */
const noteOf = (finding: Finding, isOneOfSeveral: boolean): string => {
  const { node, attempts } = finding
  const last = attempts.at(-1)
  const sighting = lastSighting(finding)
  const said = last?.state === 'lost' ? last.note : last?.state
  const looked = sighting?.state === 'unanswered' ? sighting.reason : undefined
  return [isOneOfSeveral ? `${node.name}: ${said}` : said, looked].filter(Boolean).join('; ')
}

const isAboutNode = ({ attempt }: Verdict): boolean => nodeCodes.has(attempt.code)

const heightOf = (look: Look | undefined): number => (look?.sighting.state === 'not-held' ? look.sighting.height : 0)

/** True if another node was ahead when this one was looked at: a later look may show a block that was not there yet. */
function isBehind({ looks }: Verdict, all: readonly Verdict[]): boolean {
  const own = looks.at(-1)
  return all
    .flatMap((other) => other.looks)
    .some((look) => heightOf(look) > heightOf(own) && look.startedAt < (own?.endedAt ?? 0))
}

/** True if a node that the command was not sent to may hold it from before. */
function mayHold(sighting: Sighting): boolean {
  if (sighting.state === 'unanswered') return sighting.isAbsent !== true
  return sighting.state === 'held' || (sighting.nonceIsUsed && sighting.takenAtDepth === undefined)
}

/**
 * The refusal that is true of all nodes, if there is one.
 *
 * A permanent reason is one. Others need every node to be without the command, also those that it was not sent to. A reason
 * that follows from the ledger counts only from a node that no other one was ahead of. A reason about the command is better
 * than one about a node, and of equal ones the freshest node's is given.
 */
function commonRefusal(verdicts: readonly Verdict[], witnesses: readonly Sighting[]): Verdict | undefined {
  const permanent = verdicts.find(({ attempt }) => isPermanent(attempt))
  if (permanent !== undefined) return permanent
  if (witnesses.some(mayHold)) return undefined
  const reasons = verdicts.filter(({ isReason }) => isReason)
  const isWithoutIt = verdicts.every(({ isOpen, isNotHeld }) => !isOpen || isNotHeld)
  const lasting = reasons.find(({ attempt }) => lastingCodes.has(attempt.code))
  if (lasting !== undefined && isWithoutIt) return lasting
  if (verdicts.some(({ isOpen }) => isOpen)) return undefined
  return reasons
    .filter((reason) => !ledgerCodes.has(reason.attempt.code) || !isBehind(reason, verdicts))
    .toSorted(
      (one, other) =>
        Number(isAboutNode(one)) - Number(isAboutNode(other)) ||
        heightOf(other.looks.at(-1)) - heightOf(one.looks.at(-1)),
    )[0]
}

/**
 * The outcome of a command, from the evidence of each node, best node first.
 *
 * @param witnesses what nodes that it was not sent to show of it
 */
export function fateOf(
  submission: Submission,
  findings: readonly Finding[],
  witnesses: readonly Sighting[],
): FateOfCommand & { readonly note?: string } {
  const accepted = findings.map(({ attempts }) => attempts.at(-1)).find((attempt) => attempt?.state === 'accepted')
  if (accepted !== undefined) return { state: 'sent', outcome: 'accepted', command: accepted.command }
  const seen = [...findings.map(lastSighting), ...witnesses].find((sighting) => sighting?.state === 'held')
  if (seen !== undefined) return { state: 'sent', outcome: 'already-known', command: seen.command }

  const verdicts = findings.map((finding) => verdictOf(submission, finding))
  const note = findings.map((finding) => noteOf(finding, findings.length > 1)).join(' | ')
  const reason = commonRefusal(verdicts, witnesses)
  if (reason !== undefined) return { ...reason.attempt, state: 'refused', nonceIsUsed: reason.nonceIsUsed, note }
  const [best] = verdicts.toSorted((one, other) => weight(other) - weight(one))
  if (best === undefined) throw new TypeError('a broadcast to no node')
  return {
    ...best.attempt,
    state: 'unknown',
    nonceIsUsed: best.nonceIsUsed,
    wasSent: findings.some((finding) => !isAbsent(finding)),
    note,
  }
}
