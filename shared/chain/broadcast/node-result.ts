// One node's part of a broadcast: submit, check its pool and blocks, and after a lost answer submit and check once more.
import { broadcastCodes, type RefusalCode } from '../../contract/broadcast-codes.ts'
import type { CallLimits, Deadline, NodePort } from '../../upstream/query.ts'
import { type Attempt, submit } from './attempt.ts'
import { checkPool, hasTime, type PoolCheck } from './pool-check.ts'
import type { Submission } from './submission.ts'

/** The check after one submission, and its place among the events at all nodes. */
export interface TimedCheck {
  readonly check: PoolCheck
  readonly startedAt: number
  readonly endedAt: number
}

/** One node's part in a broadcast: its answers to submissions, and what its pool and blocks showed after each. */
export interface NodeResult {
  readonly node: NodePort
  /** One or two. */
  readonly attempts: readonly Attempt[]
  /** At most one after each attempt. */
  readonly checks: readonly TimedCheck[]
}

export const lastCheck = ({ checks }: NodeResult): PoolCheck | undefined => checks.at(-1)?.check

/** Refused for a reason that no time, block or other node can change. */
export const isPermanent = (attempt: Attempt): boolean =>
  attempt.state === 'refused' && broadcastCodes[attempt.code] === 'permanent'

export const isRefusedAs = (attempt: Attempt, code: RefusalCode): boolean =>
  attempt.state === 'refused' && attempt.code === code

/**
 * Refusals that stay true. A node may still hold the command from an earlier submission. A nonce used recently is not
 * among them: a reorganisation can free it, and what was still on its way is then taken.
 */
const lastingCodes: ReadonlySet<string> = new Set(['fee-too-low', 'expired'])

/** True for a refusal whose reason will not change. */
export const isLasting = (attempt: Attempt): boolean => attempt.state === 'refused' && lastingCodes.has(attempt.code)

const isRedirected = (attempt: Attempt): boolean => attempt.state === 'lost' && attempt.reach === 'redirected'

/**
 * True if the command never reached the node's pool: the connection failed, the node rejected the request first, or its
 * address redirects.
 */
export const tookNothing = (attempt: Attempt): boolean =>
  isRedirected(attempt) || (attempt.state === 'lost' && (attempt.reach === 'unsent' || attempt.reach === 'untaken'))

/** True if the node took nothing and holds nothing, so that another one may have the command in its place. */
export function isAbsent(result: NodeResult): boolean {
  const check = lastCheck(result)
  const isGone = check?.state === 'unanswered' && check.isAbsent === true
  return result.attempts.every((attempt) => tookNothing(attempt) || (isGone && attempt.state === 'refused'))
}

/** True if the node cannot hold the command. Behind a shared address another daemon may still hold an earlier submission. */
export const cannotHold = (result: NodeResult): boolean => isAbsent(result) && !result.node.sharedAddress

/**
 * True if gossip between nodes, or a block that one of them has not seen, may explain a refusal: another node may hold the
 * command, its predecessor or the sender's account; a full pool says nothing about the command, and missing funds may be
 * held by the command itself. The minimum fee is the same everywhere, and a nonce below the ledger's stays below it.
 */
function mayBeGossip({ command }: Submission, attempt: Attempt): boolean {
  if (attempt.state !== 'refused' || attempt.code === 'fee-too-low') return false
  return attempt.nonces === undefined || BigInt(command.nonce) > attempt.nonces.ledger
}

/** True if a refusal is genuine: a node without a ledger calls every sender unknown, even one that the ledger knows. */
export function isAnswer(attempt: Attempt, check: PoolCheck | undefined): boolean {
  if (attempt.state !== 'refused') return false
  return !(attempt.code === 'sender-unknown' && check?.state === 'not-held' && check.senderIsKnown)
}

/** True if something that was sent may still be taken. Behind a shared address, any node may have taken what was lost. */
export function mayStillArrive(result: NodeResult): boolean {
  const attempts = result.attempts.filter((attempt) => !tookNothing(attempt))
  if (result.node.sharedAddress) {
    return attempts.length > 1 || attempts.some((attempt) => !isAnswer(attempt, lastCheck(result)))
  }
  const isPending = attempts.some((attempt) => attempt.state === 'lost' && attempt.reach === 'pending')
  return isPending && !result.attempts.slice(-1).some(isLasting)
}

/** True if sending the command to the node again gains nothing. */
export function isSettled(result: NodeResult): boolean {
  const { node, attempts } = result
  const check = lastCheck(result)
  if (check?.state === 'held' || check?.state === 'left-over') return true
  if (check?.state === 'not-held' && check.nonceIsUsed) return true
  // A node that refused may already hold the command. Its own check shows that; behind a shared address, none does.
  const isSeen = node.sharedAddress || check?.state === 'not-held'
  return isSeen && attempts.some((attempt) => isAnswer(attempt, check))
}

export const holds = (result: NodeResult): boolean =>
  result.attempts.at(-1)?.state === 'accepted' || lastCheck(result)?.state === 'held'

/** True if the result has a reason for which every node refuses the command, at any time. */
export const isDecisive = ({ attempts }: NodeResult): boolean => attempts.some(isPermanent)

/** Milliseconds that the last submission leaves for a check. */
const timeToCheckMs = 2500

interface Asking {
  readonly deadline: Deadline
  /** True if another node has refused for all: the command is not sent again. */
  readonly isDecided: () => boolean
  /** Numbers the events at all nodes. */
  readonly turn: () => number
  /** Called if the first try gets no connection: another node need not wait for the second one. */
  readonly onUnsent: () => void
}

/**
 * Broadcasts to one node. At most two submissions and six checks, 10 requests with the repeats after broken
 * connections; behind a shared address seven checks, 13 requests. One more submission if a raw signature fits both byte
 * orders. Upstream trouble comes back as part of the result.
 */
export async function broadcastTo(
  node: NodePort,
  submission: Submission,
  { deadline, isDecided, turn, onUnsent }: Asking,
): Promise<NodeResult> {
  const { query, sharedAddress } = node

  const check = async (isPatient: boolean): Promise<TimedCheck> => {
    const startedAt = turn()
    const shown = await checkPool(submission, node, { isPatient, deadline })
    return { check: shown, startedAt, endedAt: turn() }
  }
  const needsCheck = (attempt: Attempt) => {
    if (attempt.state === 'accepted' || isPermanent(attempt) || isRedirected(attempt)) return false
    return sharedAddress || !tookNothing(attempt)
  }

  let { variables, otherVariables } = submission
  /** Once a byte order is found wrong, only the other one is sent. */
  const send = async (limits?: CallLimits): Promise<Attempt> => {
    const attempt = await submit({ ...submission, variables }, query, limits)
    if (otherVariables === undefined || !isRefusedAs(attempt, 'invalid-signature')) return attempt
    variables = otherVariables
    otherVariables = undefined
    return submit({ ...submission, variables }, query, limits)
  }

  const first = await send()
  // A node that calls a command a duplicate without showing it contradicts itself: a later check may explain it.
  const isPatient = sharedAddress ? mayBeGossip(submission, first) : isRefusedAs(first, 'duplicate')
  const checked = needsCheck(first) ? await check(isPatient) : undefined
  const afterFirst: NodeResult = { node, attempts: [first], checks: checked ? [checked] : [] }
  const isUnsent = first.state === 'lost' && first.reach === 'unsent'
  if (isUnsent) onUnsent()
  if (checked === undefined && !isUnsent) return afterFirst
  const hasTimeForMore = hasTime(deadline, sharedAddress ? undefined : 2 * timeToCheckMs)
  if (isSettled(afterFirst) || isDecided() || !hasTimeForMore) return afterFirst

  // At a node's own address, time is kept for a check, whatever becomes of the submission.
  const limits = sharedAddress ? undefined : { limitMs: deadline.timeLeftMs() - timeToCheckMs }
  const second = await send(limits)
  const last = needsCheck(second) ? [await check(sharedAddress || isRefusedAs(second, 'duplicate'))] : []
  return { node, attempts: [first, second], checks: [...afterFirst.checks, ...last] }
}
