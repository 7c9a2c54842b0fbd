// The part in a broadcast of a node that the command is not sent to: whether it holds it from before.
import type { Deadline, NodePort } from '../upstream/query.ts'
import { findCommand } from './find-command.ts'
import type { Witness } from './finding.ts'
import { hasTime } from './poll-for-command.ts'
import type { Submission } from './submit.ts'

/** What one look may take, in milliseconds. */
const lookMs = 2000

/**
 * Looks for the command at one node, and once more where an answer was lost. Upstream trouble comes back as part of the
 * sighting.
 */
export async function askWitness(
  { command, kind }: Submission,
  { query }: NodePort,
  deadline: Deadline,
): Promise<Witness> {
  if (!hasTime(deadline)) return { sighting: { state: 'unanswered', reason: 'no time left to look' } }
  const look = () => findCommand(command, kind, query, { limitMs: Math.min(lookMs, deadline.timeLeftMs()) })
  const first = await look()
  if (first.state !== 'unanswered' || first.isUnsent || !hasTime(deadline)) return { sighting: first }
  return { sighting: await look() }
}
