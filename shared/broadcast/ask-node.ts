// One node's part of a broadcast: submit, look for the command, and after a lost answer submit and look once more.
import type { Deadline, NodePort } from '../upstream/query.ts'
import { hasTime, pollForCommand } from './poll-for-command.ts'
import { type Attempt, type Submission, submit } from './submit.ts'
import { type Finding, isAnswer, isPermanent, isUnsent, mayBeGossip, wasRefusedForNonce } from './truth.ts'

interface Asking {
  readonly deadline: Deadline
  /** Whether another node has given a reason that holds for every node: then nothing is sent again. */
  readonly isDecided: () => boolean
}

/**
 * Broadcasts to one node. At most two submissions and six looks, 10 requests with the repeats after broken connections.
 * Upstream trouble comes back as part of the finding.
 */
export async function askNode(
  submission: Submission,
  node: NodePort,
  { deadline, isDecided }: Asking,
): Promise<Finding> {
  const { query, sharedAddress } = node
  const { command, kind } = submission
  const answersForItself = !sharedAddress

  const look = (isPatient: boolean, refusedForNonce: boolean) => {
    const polling = { command, kind, isPatient, wasRefusedForNonce: refusedForNonce, answersForItself }
    return pollForCommand(polling, { query, deadline })
  }
  const needsLook = (attempt: Attempt) =>
    attempt.state !== 'accepted' && !isPermanent(attempt) && !(answersForItself && isUnsent(attempt))

  const first = await submit(submission, query)
  const seen = needsLook(first) ? await look(mayBeGossip(submission, first), wasRefusedForNonce(first)) : undefined
  const afterFirst: Finding = { node, attempts: [first], ...(seen && { sighting: seen }) }
  if (seen === undefined && !isUnsent(first)) return afterFirst
  const isPast = seen?.state === 'not-held' && seen.nonceIsUsed
  const isOver = seen?.state === 'held' || isPast || isAnswer(first, seen)
  if (isOver || isDecided() || !hasTime(deadline)) return afterFirst

  const second = await submit(submission, query)
  const last = needsLook(second) ? await look(true, false) : seen
  return { node, attempts: [first, second], ...(last && { sighting: last }) }
}
