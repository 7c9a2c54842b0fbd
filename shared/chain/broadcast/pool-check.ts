// Looks for a command at a node: its sender's pool and the latest blocks of the best chain, in one question, which is
// repeated until its answer is certain or time runs out.
import { isSameCommand } from '../../broadcast/signed-command.ts'
import { type NodeCommand, type ShownCommand, shownCommand } from '../../mapping/command.ts'
import { memberOf } from '../../mapping/exact-json.ts'
import { WireError } from '../../upstream/errors.ts'
import { dataOf, isBootstrapping, nodeQuery, tipOf } from '../../upstream/node-query.ts'
import type { CallLimits, Deadline, NodePort, QueryUpstream, Reply } from '../../upstream/query.ts'
import { includedIn, recentChain, recentOf, senderFields, usesNonce } from '../actions/recent-commands.ts'
import { isRefusedUnread } from '../decide.ts'
import type { Submission } from '../port.ts'

export const findCommandQuery = nodeQuery('findCommand', '$publicKey: PublicKey!', { ...senderFields, ...recentChain })

/**
 * A command as a node's pool and latest blocks show it. Behind a shared address another daemon may hold what this one
 * never had or had to give up, so there a sighting has neither `takenAtDepth` nor `isAbsent`.
 */
export type Sighting =
  | { readonly state: 'held'; readonly command: NodeCommand }
  | {
      readonly state: 'not-held'
      /** The ledger is past the command's nonce: a command with that nonce was included before. */
      readonly nonceIsUsed: boolean
      /** The depth of the block that holds a rival, another command of the sender with that nonce, zkApp or not; the tip is at 0. */
      readonly takenAtDepth: number | undefined
      /** A rival waits in the pool; other nodes may not have heard of it yet. */
      readonly nonceIsQueued: boolean
      /** The ledger has an account of the sender. */
      readonly senderIsKnown: boolean
      /** Height of the node's best tip. */
      readonly height: number
    }
  | {
      readonly state: 'unanswered'
      readonly reason: string
      /** True if the node cannot hold the command: it is unreachable, or has no ledger yet. */
      readonly isAbsent?: boolean
    }

const listIn = (value: unknown, key: string): readonly unknown[] => {
  const list = memberOf(value, key)
  return Array.isArray(list) ? list : []
}

/** Each command in pool and blocks that can be read, even from a partial answer: what a node shows, it holds. */
const shownCommands = (data: unknown): readonly ShownCommand[] =>
  [
    ...listIn(data, 'pooledUserCommands'),
    ...listIn(data, 'bestChain').flatMap((block) => listIn(memberOf(block, 'transactions'), 'userCommands')),
  ].flatMap((shown) => {
    try {
      return [shownCommand.read(shown, 'command')]
    } catch {
      return []
    }
  })

/**
 * Looks for a command once. It is held if any part of the answer shows it; only a whole answer proves that it is not.
 * Upstream trouble comes back as a value.
 */
async function findCommand(
  { command, kind }: Submission,
  { query, sharedAddress }: NodePort,
  limits: CallLimits,
): Promise<Sighting> {
  let reply: Reply | undefined
  try {
    const asked = { publicKey: command.from }
    reply = await query(findCommandQuery, asked, limits)
    const found = shownCommands(reply.data).find(
      (shown) => isSameCommand(shown, command, kind) && String(shown.validUntil) === command.validUntil,
    )
    if (found !== undefined) return { state: 'held', command: found }
    const data = dataOf(findCommandQuery, asked, reply)
    const recent = recentOf(data)
    const isRival = usesNonce(command.from, command.nonce)
    const taken = includedIn(recent, isRival)
    return {
      state: 'not-held',
      nonceIsUsed: BigInt(command.nonce) < BigInt(data.account?.nonce ?? 0),
      senderIsKnown: data.account !== null,
      nonceIsQueued: recent.pooled.some(isRival),
      takenAtDepth: sharedAddress ? undefined : taken?.depth,
      height: tipOf(recent.blocks).height,
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    const isBare = error.isUnsent || (reply !== undefined && (isBootstrapping(reply) || isRefusedUnread(reply)))
    return { state: 'unanswered', reason: error.message, isAbsent: isBare && !sharedAddress }
  }
}

/** The shortest time in which a call to a node is worth starting. */
const minCallMs = 1000

export const hasTime = (deadline: Deadline, neededMs = minCallMs): boolean => deadline.timeLeftMs() > neededMs

/**
 * Pauses between looks, in milliseconds. Several nodes may hide behind one address, and a command that one of them took
 * needs some seconds to reach the others.
 */
const gossipPausesMs = [1000, 2000]

/**
 * Maximum time of a look that another may follow, at a node that answers for itself, in milliseconds. Most looks take a
 * fraction of a second, and one that is lost should leave time for the next.
 */
const briefLookMs = 2000

const outOfTime: Sighting = { state: 'unanswered', reason: 'no time left to look' }

interface Polling {
  /** Looks again whenever a node does not have the command: another one may. */
  readonly isPatient: boolean
  /** The command was refused for its nonce: a rival may have used it meanwhile. */
  readonly wasRefusedForNonce: boolean
  /** Between looks, in milliseconds. */
  readonly pausesMs?: readonly number[]
  readonly deadline: Deadline
}

/**
 * Looks at most three times: again after no answer and, unless one node answers for itself, while a rival for the nonce is
 * on its way between nodes, and with `isPatient` while no node has the command.
 *
 * Only the first look is repeated when its connection breaks: the next look is a repeat already. So one call sends at most
 * four requests.
 */
export async function pollForCommand(
  submission: Submission,
  node: NodePort,
  { isPatient, wasRefusedForNonce, deadline, pausesMs = gossipPausesMs }: Polling,
): Promise<Sighting> {
  const answersForItself = !node.sharedAddress
  if (!hasTime(deadline)) return outOfTime
  const brief = () => (answersForItself ? { limitMs: Math.min(briefLookMs, deadline.timeLeftMs()) } : {})
  const first = await findCommand(submission, node, brief())
  const sightings = [first]
  let last = first
  for (const [index, pauseMs] of pausesMs.entries()) {
    const isCertain = last.state === 'not-held' && !isPatient && (answersForItself || !last.nonceIsQueued)
    if (last.state === 'held' || isCertain || (last.state === 'unanswered' && last.isAbsent)) break
    if (!hasTime(deadline, pauseMs + minCallMs)) return answersForItself || last.state !== 'not-held' ? last : outOfTime
    await deadline.pause(pauseMs)
    const isLast = index === pausesMs.length - 1
    last = await findCommand(submission, node, { ...(isLast ? {} : brief()), isRepeat: true })
    sightings.push(last)
  }
  if (answersForItself || last.state !== 'not-held' || !last.nonceIsQueued) return last
  // A rival that shows only now may be unknown to other nodes, which may hold the command still.
  const cameLate = wasRefusedForNonce && first.state === 'not-held' && !first.nonceIsQueued
  const late: Sighting = { state: 'unanswered', reason: 'another command with the nonce came late' }
  return sightings.find(({ state }) => state === 'unanswered') ?? (cameLate ? late : last)
}

/**
 * Looks for a command at a node that it was not sent to: once more where an answer was lost, and at a shared address until
 * gossip has reached every daemon.
 */
export function lookAround(submission: Submission, node: NodePort, deadline: Deadline): Promise<Sighting> {
  const query: QueryUpstream = (operation, variables, limits) =>
    node.query(operation, variables, { ...limits, limitMs: Math.min(briefLookMs, deadline.timeLeftMs()) })
  const isPatient = node.sharedAddress
  const pausesMs = isPatient ? gossipPausesMs : [0]
  const polling = { isPatient, wasRefusedForNonce: isPatient, pausesMs, deadline }
  return pollForCommand(submission, { ...node, query }, polling)
}
