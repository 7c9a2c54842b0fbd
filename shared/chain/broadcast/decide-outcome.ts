// Decides the outcome of a broadcast from every node's evidence: sent if any node holds the command; refused if none does and
// nothing in flight can change that; otherwise unknown. Every rule about that is here.
import { settledDepth } from '../limits.ts'
import type { Attempt } from './attempt.ts'
import {
  cannotHold,
  isAbsent,
  isAnswer,
  isLasting,
  isPermanent,
  isRefusedAs,
  lastCheck,
  mayStillArrive,
  type NodeResult,
  type TimedCheck,
  tookNothing,
} from './node-result.ts'
import type { PoolCheck } from './pool-check.ts'
import type { CommandOutcome, Submission } from './submission.ts'

type FailedAttempt = Exclude<Attempt, { readonly state: 'accepted' }>

/** Reasons that depend on ledger and pool: a lagging node gives them wrongly. */
const ledgerCodes: ReadonlySet<string> = new Set([
  'bad-nonce',
  'insufficient-funds',
  'sender-unknown',
  'sender-not-permitted',
  'replace-fee-too-low',
  'overflow',
])

/** Reasons that say nothing about the command. */
const nodeCodes: ReadonlySet<string> = new Set(['pool-overloaded', 'network-paused', 'unwanted-fee-token', 'other'])

/**
 * The standing of a command at a node that does not show it:
 * - `refused-everywhere`: the node's reason is true of every node, at any time
 * - `took-nothing`: the node cannot have it
 * - `may-hold`: nothing shows whether the node holds it
 * - `may-take`: the node did not hold it when it was last asked, but what was sent may still be taken
 * - `not-held`: the node does not hold it, and never will
 */
type Status = 'refused-everywhere' | 'took-nothing' | 'may-hold' | 'may-take' | 'not-held'

/** The evidence of one node about a command that it does not show. */
interface Verdict {
  readonly status: Status
  readonly attempt: FailedAttempt
  /** True if the attempt gives a reason that counts. */
  readonly isReason: boolean
  readonly nonceIsUsed: boolean
  readonly checks: readonly TimedCheck[]
}

/** The last attempt of a result without a 201. */
const lastAttempt = ({ attempts }: NodeResult): FailedAttempt => attempts.at(-1) as FailedAttempt

/** True if the ledger is past the command's nonce, by the refusal or by the account. */
function isNonceUsed({ command }: Submission, result: NodeResult): boolean {
  const attempt = lastAttempt(result)
  const check = lastCheck(result)
  if (attempt.state === 'refused' && BigInt(command.nonce) < (attempt.nonces?.ledger ?? 0n)) return true
  return check?.state === 'left-over' || (check?.state === 'not-held' && check.nonceIsUsed)
}

/** True if the node may take, or have taken and passed on, what its last check does not show. */
function mayTake(result: NodeResult, check: Extract<PoolCheck, { readonly state: 'not-held' }>): boolean {
  if (isRefusedAs(lastAttempt(result), 'duplicate')) return true
  // It may have been taken, passed on, and replaced here by the rival that waits now: others may still hold it.
  const wasLost = result.attempts.some((each) => each.state === 'lost' && !tookNothing(each))
  if (check.nonceIsQueued && wasLost) return true
  const isNonceTakenForLong = (check.takenAtDepth ?? -1) >= settledDepth
  return mayStillArrive(result) && !isNonceTakenForLong
}

function statusOf(submission: Submission, result: NodeResult): Status {
  const check = lastCheck(result)
  if (isPermanent(lastAttempt(result))) return 'refused-everywhere'
  if (cannotHold(result)) return 'took-nothing'
  if (check?.state !== 'not-held') return 'may-hold'
  // Only a node asked directly shows which command used the nonce; otherwise this one may be in an older block.
  if (isNonceUsed(submission, result) && check.takenAtDepth === undefined) return 'may-hold'
  return mayTake(result, check) ? 'may-take' : 'not-held'
}

function verdictOf(submission: Submission, result: NodeResult): Verdict {
  const attempt = lastAttempt(result)
  const status = statusOf(submission, result)
  const evidence = { status, attempt, checks: result.checks }
  switch (status) {
    case 'refused-everywhere':
      return { ...evidence, isReason: true, nonceIsUsed: false }
    case 'took-nothing':
      return { ...evidence, isReason: false, nonceIsUsed: false }
    case 'may-hold':
    case 'may-take':
      return { ...evidence, isReason: false, nonceIsUsed: isNonceUsed(submission, result) }
    case 'not-held':
      return {
        ...evidence,
        isReason: isAnswer(attempt, lastCheck(result)),
        nonceIsUsed: isNonceUsed(submission, result),
      }
  }
}

const isOpen = ({ status }: Verdict): boolean => status === 'may-hold' || status === 'may-take'

/** The weight of a reason: a used nonce, then a node's refusal, then the lack of one. */
function weight({ attempt, nonceIsUsed }: Verdict): number {
  if (nonceIsUsed) return 3
  if (attempt.state === 'refused') return attempt.code === 'duplicate' ? 1 : 2
  return tookNothing(attempt) ? 0 : 0.5
}

/** The reason for the log: the node's last answer, and what its pool showed. */
function noteOf(result: NodeResult, isOneOfSeveral: boolean): string {
  const last = result.attempts.at(-1)
  const check = lastCheck(result)
  const said = last?.state === 'lost' ? last.note : last?.state
  const shown = check?.state === 'unanswered' ? check.reason : undefined
  return [isOneOfSeveral ? `${result.node.name}: ${said}` : said, shown].filter(Boolean).join('; ')
}

const isAboutNode = ({ attempt }: Verdict): boolean => nodeCodes.has(attempt.code)

const heightOf = (timed: TimedCheck | undefined): number => (timed?.check.state === 'not-held' ? timed.check.height : 0)

/** True if another node was ahead when this one was checked: a later check may show a block that was not there yet. */
function isBehind({ checks }: Verdict, all: readonly Verdict[]): boolean {
  const own = checks.at(-1)
  return all
    .flatMap((other) => other.checks)
    .some((other) => heightOf(other) > heightOf(own) && other.startedAt < (own?.endedAt ?? 0))
}

/** True if a node that the command was not sent to may hold it from an earlier request. */
function mayHold(check: PoolCheck): boolean {
  switch (check.state) {
    case 'held':
    case 'left-over':
      return true
    case 'unanswered':
      return check.isAbsent !== true
    case 'not-held':
      return check.nonceIsUsed && check.takenAtDepth === undefined
  }
}

/**
 * The refusal that holds for all nodes, if there is one.
 *
 * A permanent reason always holds. Others hold only if no node has the command, including those that it was not sent
 * to. A reason that depends on the ledger counts only from a node that no other was ahead of. A reason about the
 * command beats one about a node, and of equal ones the freshest node's is given.
 */
function commonRefusal(verdicts: readonly Verdict[], skipped: readonly PoolCheck[]): Verdict | undefined {
  const permanent = verdicts.find(({ attempt }) => isPermanent(attempt))
  if (permanent !== undefined) return permanent
  if (skipped.some(mayHold)) return undefined
  const reasons = verdicts.filter(({ isReason }) => isReason)
  const isNowhere = verdicts.every(({ status }) => status !== 'may-hold')
  const lasting = reasons.find(({ attempt }) => isLasting(attempt))
  if (lasting !== undefined && isNowhere) return lasting
  if (verdicts.some(isOpen)) return undefined
  return reasons
    .filter((reason) => !ledgerCodes.has(reason.attempt.code) || !isBehind(reason, verdicts))
    .toSorted(
      (one, other) =>
        Number(isAboutNode(one)) - Number(isAboutNode(other)) ||
        heightOf(other.checks.at(-1)) - heightOf(one.checks.at(-1)),
    )[0]
}

/**
 * The outcome of a command, from the evidence of each node, best node first.
 *
 * @param skipped the checks of nodes that it was not sent to
 */
export function decideOutcome(
  submission: Submission,
  results: readonly NodeResult[],
  skipped: readonly PoolCheck[],
): CommandOutcome & { readonly note?: string } {
  const accepted = results.map(({ attempts }) => attempts.at(-1)).find((attempt) => attempt?.state === 'accepted')
  if (accepted !== undefined) return { state: 'sent', outcome: 'accepted', command: accepted.command }
  const held = [...results.map(lastCheck), ...skipped].find((check) => check?.state === 'held')
  if (held !== undefined) return { state: 'sent', outcome: 'already-known', command: held.command }

  const verdicts = results.map((result) => verdictOf(submission, result))
  const note = results.map((result) => noteOf(result, results.length > 1)).join(' | ')
  // A pool took it, so it was valid once, whatever other nodes say, and may be in a block.
  const isLeftOver = [...results.map(lastCheck), ...skipped].some((check) => check?.state === 'left-over')
  const reason = isLeftOver ? undefined : commonRefusal(verdicts, skipped)
  if (reason !== undefined) return { ...reason.attempt, state: 'refused', nonceIsUsed: reason.nonceIsUsed, note }
  const [best] = verdicts.toSorted((one, other) => weight(other) - weight(one))
  if (best === undefined) throw new TypeError('a broadcast to no node')
  return {
    ...best.attempt,
    state: 'unknown',
    nonceIsUsed: best.nonceIsUsed,
    wasSent: results.some((result) => !isAbsent(result)),
    note,
  }
}
