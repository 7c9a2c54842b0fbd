// Looks for a broadcast command until the answer is certain or time runs out.

import type { Deadline, QueryUpstream } from '../upstream/query.ts'
import { findCommand, type Sighting } from './find-command.ts'
import type { CommandKind, SignedCommand } from './signed-command.ts'

/** The shortest time in which a call to a node is worth starting. */
const leastCallMs = 1000

export const hasTime = (deadline: Deadline, neededMs = leastCallMs): boolean => deadline.timeLeftMs() > neededMs

/**
 * Pauses between looks, in milliseconds. Several nodes may hide behind one address, and a command that one of them took
 * needs some seconds to reach the others.
 */
const gossipPausesMs = [1000, 2000]

/**
 * The longest that a look but the last may take at a node that answers for itself, in milliseconds. A look mostly takes a
 * fraction of a second, and one that is lost should leave time for the next.
 */
const briefLookMs = 2000

const outOfTime: Sighting = { state: 'unanswered', reason: 'no time left to look' }

interface Polling {
  readonly command: SignedCommand
  readonly kind: CommandKind
  /** Looks again whenever a node does not have the command: another one may. */
  readonly isPatient: boolean
  /** The command was refused for its nonce: a rival may have used it meanwhile. */
  readonly wasRefusedForNonce: boolean
  /** One node answers, and for itself: what it does not show, it does not hold. */
  readonly answersForItself: boolean
}

interface PollContext {
  readonly query: QueryUpstream
  readonly deadline: Deadline
}

/**
 * Looks at most three times: again after no answer and, unless one node answers for itself, while a rival for the nonce is
 * on its way between nodes, and with `isPatient` while no node has the command.
 *
 * Only the first look is repeated when its connection breaks: the next look is a repeat already. So one call sends at most
 * four requests.
 */
export async function pollForCommand(polling: Polling, { query, deadline }: PollContext): Promise<Sighting> {
  const { command, kind, isPatient, wasRefusedForNonce, answersForItself } = polling
  if (!hasTime(deadline)) return outOfTime
  const brief = () => (answersForItself ? { limitMs: Math.min(briefLookMs, deadline.timeLeftMs()) } : {})
  const first = await findCommand(command, kind, query, brief())
  const sightings = [first]
  let last = first
  for (const [index, pauseMs] of gossipPausesMs.entries()) {
    const isCertain = last.state === 'not-held' && !isPatient && (answersForItself || !last.nonceIsQueued)
    if (last.state === 'held' || isCertain || !hasTime(deadline, pauseMs + leastCallMs)) break
    await deadline.pause(pauseMs)
    const isLast = index === gossipPausesMs.length - 1
    last = await findCommand(command, kind, query, { ...(isLast ? {} : brief()), isRepeat: true })
    sightings.push(last)
  }
  if (answersForItself || last.state !== 'not-held' || !last.nonceIsQueued) return last
  // A rival that shows only now may be unknown to other nodes, which may hold the command still.
  const cameLate = wasRefusedForNonce && first.state === 'not-held' && !first.nonceIsQueued
  const late: Sighting = { state: 'unanswered', reason: 'another command with the nonce came late' }
  return sightings.find(({ state }) => state === 'unanswered') ?? (cameLate ? late : last)
}
