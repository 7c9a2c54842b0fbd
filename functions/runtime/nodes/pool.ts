// Several nodes as one upstream. No endpoint learns how many there are.
import { WireError } from '../../../shared/upstream/errors.ts'
import type { CallLimits, NodePort, QueryUpstream } from '../../../shared/upstream/query.ts'
import { type Clock, systemClock } from './clock.ts'
import { learnNetwork } from './learn-network.ts'
import { callNode, learn } from './member.ts'
import { note, type Pool, portAt } from './pool-parts.ts'
import { askNodes } from './question.ts'
import { areBusy } from './rules/busy.ts'
import { failureOf, saysBusy } from './rules/judge.ts'
import { isOfOtherNetwork } from './rules/network.ts'
import { elected, ranked } from './rules/rank.ts'
import { initialState, nodeAt, withNode } from './rules/state.ts'

export interface NodePool {
  readonly query: QueryUpstream
  /** For broadcasts, best first. */
  portsForBroadcast(): readonly NodePort[]
  /** Whether reads are to spare the nodes now, since all say that they are busy. */
  areBusy(): boolean
}

const isMutation = (document: string): boolean => document.startsWith('mutation ')

/** So that a node that does not answer does not use up a broadcast's time. */
const networkPatienceMs = 2000

/** A mutation goes to a node of this network only: on another one the command could be valid as well. */
async function isSafe(pool: Pool, index: number, limits: CallLimits): Promise<boolean> {
  const limitMs = Math.min(networkPatienceMs, limits.limitMs ?? networkPatienceMs)
  await learnNetwork(pool, index, { ...limits, limitMs })
  return nodeAt(pool.state, index).genesis !== undefined && !isOfOtherNetwork(pool.state, index)
}

/** A mutation to one node; it may have happened whatever is thrown. */
async function mutate(pool: Pool, index: number, ...[operation, variables, limits = {}]: Parameters<QueryUpstream>) {
  const { clock } = pool
  const startedAt = clock.now()
  const noteOutcome = (outcome: number | string) =>
    note(
      pool,
      index,
      { operation: operation.name, why: undefined, outcome, durationMs: clock.now() - startedAt },
      limits.watch,
    )
  try {
    const reply = await portAt(pool, index).query(operation, variables, limits)
    noteOutcome(reply.status)
    return reply
  } catch (error) {
    const outcome = failureOf(error)
    learn(pool, index, outcome, clock.now() - startedAt, limits.watch)
    if (outcome.kind === 'failure') noteOutcome(outcome.error.fault)
    throw error
  }
}

/** Nothing was sent, so a broadcast may say so rather than look for a command that cannot be there. */
const noneIsSafe = () => new WireError('unreachable', 'no node has shown that it is on the network', { isUnsent: true })

/** One node of several, asked by itself; what it answers is learnt from. */
const broadcastPort = (pool: Pool, index: number): NodePort => ({
  ...portAt(pool, index),
  async query(operation, variables, limits = {}) {
    if (isMutation(operation.document)) {
      if (await isSafe(pool, index, limits)) return mutate(pool, index, operation, variables, limits)
      throw noneIsSafe()
    }
    const outcome = await callNode(pool, index, { operation, variables, limits })
    if (outcome.kind === 'answer') return outcome.reply
    if (outcome.reply === undefined) throw outcome.error
    return outcome.reply
  },
})

/** One address is asked as it is: nothing is known that could judge its answers, except whether it says that it is busy. */
function soleAddress(port: NodePort, clock: Clock): NodePool {
  let state = initialState(1, 0)
  return {
    async query(operation, variables, limits) {
      const reply = await port.query(operation, variables, limits)
      const busyAt = saysBusy(reply) ? clock.now() : undefined
      state = withNode(state, 0, (node) => ({ ...node, busyAt }))
      return reply
    },
    portsForBroadcast: () => [port],
    areBusy: () => areBusy(state, clock.now()),
  }
}

/**
 * The nodes as one.
 *
 * @param ports the nodes in the order of the settings, at least one
 * @param random from 0 to below 1, which node is asked first
 */
export function createPool(
  ports: readonly NodePort[],
  clock: Clock = systemClock,
  random: number = Math.random(),
): NodePool {
  const [only] = ports
  if (only !== undefined && ports.length === 1) return soleAddress(only, clock)
  const pool: Pool = { ports, clock, state: initialState(ports.length, random) }
  const best = () => {
    pool.state = elected(pool.state, clock.now())
    return ranked(pool.state, clock.now())
  }
  return {
    async query(operation, variables, limits = {}) {
      if (!isMutation(operation.document)) return askNodes(pool, { operation, variables, limits })
      for (const index of best()) {
        if (await isSafe(pool, index, limits)) return mutate(pool, index, operation, variables, limits)
      }
      throw noneIsSafe()
    },
    portsForBroadcast: () => best().map((index) => broadcastPort(pool, index)),
    areBusy: () => areBusy(pool.state, clock.now()),
  }
}
