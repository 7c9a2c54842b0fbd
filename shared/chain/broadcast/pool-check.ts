// Checks whether a node holds a command: its sender's pool and the latest blocks of the best chain, in one question,
// which is repeated until its answer is certain or time runs out.

import { expiringCommand, type NodeCommand } from '../../mapping/command.ts'
import { memberOf } from '../../mapping/exact-json.ts'
import { paidZkapp, payerOf } from '../../mapping/paid-zkapp.ts'
import { isSameCommand } from '../../mapping/signed-command.ts'
import { WireError } from '../../upstream/errors.ts'
import {
  dataOf,
  isBootstrapping,
  isRefusedUnread,
  nodeQuery,
  nonEmptyChain,
  tipBlockFields,
  tipOf,
} from '../../upstream/node-query.ts'
import type { CallLimits, Deadline, NodePort, QueryUpstream, Reply } from '../../upstream/query.ts'
import { listOf, shape, type Wire } from '../../upstream/wire.ts'
import {
  includedIn,
  pooledUserCommands,
  pooledZkappCommands,
  searchedChain,
  senderAccount,
  usesNonce,
} from '../actions/recent-commands.ts'
import { attemptsAt } from '../address.ts'
import type { Submission } from './submission.ts'

const checkedBlock = shape({
  ...tipBlockFields,
  transactions: shape({ userCommands: listOf(expiringCommand), zkappCommands: listOf(paidZkapp) }),
})

export const findCommandQuery = nodeQuery('findCommand', '$publicKey: PublicKey!', {
  pooledUserCommands: pooledUserCommands(expiringCommand),
  pooledZkappCommands: pooledZkappCommands(paidZkapp),
  account: senderAccount,
  bestChain: searchedChain(checkedBlock),
})

/**
 * A command as a node's pool and latest blocks show it. Behind a shared address another daemon may hold what this one
 * never had or has dropped, so a check there has no `takenAtDepth` and no `isAbsent`.
 */
export type PoolCheck =
  | { readonly state: 'held'; readonly command: NodeCommand }
  /** The pool shows it, but the ledger of the same answer is past its nonce, and the blocks do not have it. */
  | { readonly state: 'left-over' }
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

type Checked = Wire<typeof expiringCommand>

const readable = (commands: readonly unknown[]): readonly Checked[] =>
  commands.flatMap((shown) => {
    try {
      return [expiringCommand.read(shown, 'command')]
    } catch {
      return []
    }
  })

/** True if account and blocks of an answer can be read, whatever else it lacks, and the account has used the nonce. */
function isNonceUsedIn(data: unknown, { from, nonce }: Submission['command']): boolean {
  try {
    const account = senderAccount.read(memberOf(data, 'account'), 'account', { publicKey: from })
    const blocks = searchedChain(checkedBlock).read(memberOf(data, 'bestChain'), 'bestChain')
    return nonEmptyChain(blocks).length > 0 && BigInt(nonce) < BigInt(account?.nonce ?? 0)
  } catch {
    return false
  }
}

/**
 * What an answer, even a partial one, shows of a command. It is held if a block has it, or the pool while the ledger of
 * the same answer is not past its nonce: a pool may keep showing what an older block has, or what never will be in one.
 */
function shownBy(data: unknown, { command, kind }: Submission): PoolCheck | undefined {
  const isIt = (shown: Checked) =>
    isSameCommand(shown, command, kind) && String(shown.validUntil) === command.validUntil
  const inBlocks = listIn(data, 'bestChain').flatMap((block) => listIn(memberOf(block, 'transactions'), 'userCommands'))
  const included = readable(inBlocks).find(isIt)
  if (included !== undefined) return { state: 'held', command: included }
  const pooled = readable(listIn(data, 'pooledUserCommands')).find(isIt)
  if (pooled === undefined) return undefined
  return isNonceUsedIn(data, command) ? { state: 'left-over' } : { state: 'held', command: pooled }
}

/**
 * Looks for a command once. It is held if a part of the answer shows it; only a whole answer proves that it is not.
 * Upstream trouble comes back as a value.
 */
async function findCommand(
  submission: Submission,
  { query, sharedAddress }: NodePort,
  limits: CallLimits,
): Promise<PoolCheck> {
  const { command } = submission
  let reply: Reply | undefined
  try {
    const asked = { publicKey: command.from }
    reply = await query(findCommandQuery, asked, limits)
    const shown = shownBy(reply.data, submission)
    if (shown !== undefined) return shown
    const data = dataOf(findCommandQuery, asked, reply)
    const chain = nonEmptyChain(data.bestChain)
    const blocks = chain.map(({ transactions: { userCommands, zkappCommands } }) => ({
      commands: [...userCommands, ...zkappCommands.map(payerOf)],
    }))
    const isRival = usesNonce(command.from, command.nonce)
    const taken = includedIn({ blocks }, isRival)
    return {
      state: 'not-held',
      nonceIsUsed: BigInt(command.nonce) < BigInt(data.account?.nonce ?? 0),
      senderIsKnown: data.account !== null,
      nonceIsQueued: [...data.pooledUserCommands, ...data.pooledZkappCommands.map(payerOf)].some(isRival),
      takenAtDepth: sharedAddress ? undefined : taken?.depth,
      height: tipOf(chain).protocolState.consensusState.blockHeight,
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
 * Milliseconds until every daemon behind an address has a command that one of them took: the longest gossip in the
 * simulations.
 */
const gossipMs = 2500

/** Pauses between the questions to a node with its own address, in milliseconds: a rival may be on its way to it. */
const pausesMs = [1000, 2000]

/**
 * Maximum milliseconds of a question that may be followed by another, to a node with its own address. Most take a
 * fraction of a second, and a lost one should leave time for the next.
 */
const briefCheckMs = 2000

const outOfTime: PoolCheck = { state: 'unanswered', reason: 'no time left to look' }

interface Checking {
  /** Asks again whenever a node does not have the command: another one may. */
  readonly isPatient: boolean
  /** Repeats the question only once, without a pause, if its answer was lost. */
  readonly isBrief?: boolean
  readonly deadline: Deadline
}

/** True if asking again cannot add anything. */
function isCertain(shown: PoolCheck, { sharedAddress }: NodePort, isPatient: boolean): boolean {
  switch (shown.state) {
    case 'held':
    case 'left-over':
      return true
    case 'not-held':
      return !isPatient && !(sharedAddress && shown.nonceIsQueued)
    case 'unanswered':
      return shown.isAbsent === true
  }
}

/** Asks several times at once, until one answer shows the command. */
function lookAtOnce(times: number, look: () => Promise<PoolCheck>): Promise<readonly PoolCheck[]> {
  const found = Promise.withResolvers<readonly PoolCheck[]>()
  const one = async () => {
    const shown = await look()
    if (shown.state === 'held') found.resolve([shown])
    return shown
  }
  return Promise.race([found.promise, Promise.all(Array.from({ length: times }, one))])
}

/** Pauses before the questions after the first ones, in milliseconds. */
function pausesAfter(first: number, { sharedAddress }: NodePort, isBrief: boolean): readonly number[] {
  if (!sharedAddress) return isBrief ? [0] : pausesMs
  return first > 1 ? [gossipMs] : [1000, gossipMs - 1000]
}

/**
 * Asks again after no answer; with `isPatient`, while no node has the command; and behind a shared address, while a
 * rival for the nonce is on its way between nodes. It asks three times at most; with `isPatient` behind a shared
 * address, three times at once and once more when gossip has reached every daemon.
 *
 * Only the first questions are repeated when their connections break: a later one is a repeat already. So one call
 * sends at most four requests, seven behind a shared address.
 */
export async function checkPool(
  submission: Submission,
  node: NodePort,
  { isPatient, deadline, isBrief = false }: Checking,
): Promise<PoolCheck> {
  const answersForItself = !node.sharedAddress
  if (!hasTime(deadline)) return outOfTime
  const brief = () => (answersForItself ? { limitMs: Math.min(briefCheckMs, deadline.timeLeftMs()) } : {})
  const leftAtFirst = deadline.timeLeftMs()
  const times = isPatient ? attemptsAt(node) : 1
  const first = await lookAtOnce(times, () => findCommand(submission, node, brief()))
  const all = [...first]
  let last = first.find((shown) => isCertain(shown, node, isPatient)) ?? (first.at(-1) as PoolCheck)
  for (const [index, pauseMs] of pausesAfter(times, node, isBrief).entries()) {
    if (isCertain(last, node, isPatient)) break
    // Gossip went on while slow daemons answered.
    const spentMs = times > 1 ? leftAtFirst - deadline.timeLeftMs() : 0
    const waitMs = Math.max(0, pauseMs - spentMs)
    if (!hasTime(deadline, waitMs + minCallMs)) return answersForItself || last.state !== 'not-held' ? last : outOfTime
    await deadline.pause(waitMs)
    const isLast = index > 0
    last = await findCommand(submission, node, { ...(isLast ? {} : brief()), isRepeat: true })
    all.push(last)
  }
  if (answersForItself || last.state !== 'not-held') return last
  // The daemon that was asked last may lag.
  const used = all.find((shown) => shown.state === 'not-held' && shown.nonceIsUsed)
  if (used !== undefined || !last.nonceIsQueued) return used ?? last
  // Nodes that do not know a rival that appears only now may still hold the command.
  const cameLate = first.some((shown) => shown.state === 'not-held' && !shown.nonceIsQueued)
  const late: PoolCheck = { state: 'unanswered', reason: 'another command with the nonce came late' }
  return all.find(({ state }) => state === 'unanswered') ?? (cameLate ? late : last)
}

/**
 * Checks a node that the command was not sent to: once more if an answer was lost, and at a shared address until gossip
 * has reached every daemon.
 */
export function checkSkippedNode(submission: Submission, node: NodePort, deadline: Deadline): Promise<PoolCheck> {
  const query: QueryUpstream = (operation, variables, limits) =>
    node.query(operation, variables, { ...limits, limitMs: Math.min(briefCheckMs, deadline.timeLeftMs()) })
  const isPatient = node.sharedAddress
  return checkPool(submission, { ...node, query }, { isPatient, isBrief: true, deadline })
}
