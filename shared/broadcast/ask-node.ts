// One node's part of a broadcast: submit, look for the command, and after a lost answer submit and look once more.
import type { Deadline, NodePort } from '../upstream/query.ts'
import {
  type Finding,
  isDuplicate,
  isPermanent,
  isSettled,
  isUnsent,
  type Look,
  mayBeGossip,
  wasRefusedForNonce,
} from './finding.ts'
import { hasTime, pollForCommand } from './poll-for-command.ts'
import { type Attempt, type Submission, submit } from './submit.ts'

/** What the last submission leaves for a look, in milliseconds. */
const timeToLookMs = 2500

interface Asking {
  readonly deadline: Deadline
  /** Whether another node has given a reason that holds for every node: then nothing is sent again. */
  readonly isDecided: () => boolean
  /** Numbers events in their order, for all nodes. */
  readonly turn: () => number
}

/**
 * Broadcasts to one node. At most two submissions and six looks, 10 requests with the repeats after broken connections.
 * Upstream trouble comes back as part of the finding.
 */
export async function askNode(
  submission: Submission,
  node: NodePort,
  { deadline, isDecided, turn }: Asking,
): Promise<Finding> {
  const { query, sharedAddress } = node
  const { command, kind } = submission
  const answersForItself = !sharedAddress

  const look = async (isPatient: boolean, refusedForNonce: boolean): Promise<Look> => {
    const startedAt = turn()
    const polling = { command, kind, isPatient, wasRefusedForNonce: refusedForNonce, answersForItself }
    return { sighting: await pollForCommand(polling, { query, deadline }), startedAt, endedAt: turn() }
  }
  const needsLook = (attempt: Attempt) =>
    attempt.state !== 'accepted' && !isPermanent(attempt) && !(answersForItself && isUnsent(attempt))

  // A node contradicts itself where it calls a command a duplicate that it does not show: a later look may explain it.
  const first = await submit(submission, query)
  const seen = needsLook(first)
    ? await look(answersForItself ? isDuplicate(first) : mayBeGossip(submission, first), wasRefusedForNonce(first))
    : undefined
  const afterFirst: Finding = { node, attempts: [first], looks: seen ? [seen] : [] }
  if (seen === undefined && !isUnsent(first)) return afterFirst
  if (isSettled(afterFirst) || isDecided() || !hasTime(deadline, answersForItself ? 2 * timeToLookMs : undefined))
    return afterFirst

  // A node that answers for itself is looked at whatever becomes of it.
  const limits = answersForItself ? { limitMs: deadline.timeLeftMs() - timeToLookMs } : undefined
  const second = await submit(submission, query, limits)
  const last = needsLook(second) ? [await look(sharedAddress || isDuplicate(second), false)] : []
  return { node, attempts: [first, second], looks: [...afterFirst.looks, ...last] }
}
