// One node of the pool: a call to it, and what the pool learns from the call.
import { labelling } from '../../../shared/upstream/node-query.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { CallLimits, CallWatch, ExtraCall } from '../../../shared/upstream/query.ts'
import type { Variables } from '../../../shared/upstream/wire.ts'
import { learnNetwork } from './learn-network.ts'
import { note, type Pool, portAt } from './pool-parts.ts'
import { cancelled, failed, isDemoted, succeeded } from './rules/health.ts'
import { hedgeDelayMs } from './rules/hedge.ts'
import { withHeight } from './rules/heights.ts'
import { failureOf, type Outcome, outcomeOf } from './rules/judge.ts'
import { isOfOtherNetwork, withSeenGenesis } from './rules/network.ts'
import { nodeAt, withNode } from './rules/state.ts'

/** What a node is asked, and why. */
export interface Call {
  readonly operation: Operation
  readonly variables: Variables
  readonly limits: CallLimits
  /** Undefined for the first call of a question. */
  readonly why?: ExtraCall | undefined
  /** Called when the node has answered, while the question for its network may still be on its way. */
  readonly onReply?: () => void
}

function noticeDemotion(pool: Pool, index: number, wasDemoted: boolean, watch: CallWatch | undefined): void {
  const isNow = isDemoted(nodeAt(pool.state, index), pool.clock.now())
  if (isNow && !wasDemoted) watch?.noticed('demoted', portAt(pool, index).name)
}

/** The pool after a call has ended. */
export function learn(
  pool: Pool,
  index: number,
  outcome: Outcome,
  latencyMs: number,
  watch: CallWatch | undefined,
): void {
  const now = pool.clock.now()
  const wasDemoted = isDemoted(nodeAt(pool.state, index), now)
  pool.state = withNode(pool.state, index, (node) =>
    outcome.kind === 'answer' ? succeeded(node, latencyMs, now) : failed(node, outcome.error.fault, now),
  )
  if (outcome.kind === 'answer') {
    pool.state = withSeenGenesis(pool.state, index, outcome.reply.data)
    const { label } = outcome
    if (label !== undefined && !isOfOtherNetwork(pool.state, index)) {
      pool.state = withHeight(pool.state, index, label, now)
    }
  }
  noticeDemotion(pool, index, wasDemoted, watch)
}

/**
 * Asks one node, and learns from how that ends, unless the call was cancelled meanwhile. The question which network the
 * node is on goes beside, where it is due, and the answer waits for it.
 *
 * @throws what is no WireError: that is our own fault
 */
export async function callNode(pool: Pool, index: number, call: Call): Promise<Outcome> {
  const { operation, variables, limits, why } = call
  const { clock } = pool
  const startedAt = clock.now()
  const learning = learnNetwork(pool, index, limits)
  let outcome: Outcome
  try {
    outcome = outcomeOf(operation, variables, await labelling(portAt(pool, index).query)(operation, variables, limits))
  } catch (error) {
    outcome = failureOf(error)
  }
  const latencyMs = clock.now() - startedAt
  call.onReply?.()
  await learning
  if (limits.signal?.aborted) return outcome
  learn(pool, index, outcome, latencyMs, limits.watch)
  const word = outcome.kind === 'answer' ? outcome.reply.status : (outcome.reply?.status ?? outcome.error.fault)
  note(pool, index, { operation: operation.name, why, outcome: word, durationMs: latencyMs }, limits.watch)
  return outcome
}

/** Learns from a call that was cancelled, because another node's answer came first. */
export function cancelledCall(pool: Pool, index: number, { operation, limits, why }: Call, startedAt: number): void {
  const now = pool.clock.now()
  const node = nodeAt(pool.state, index)
  const durationMs = now - startedAt
  pool.state = withNode(pool.state, index, (each) => cancelled(each, durationMs >= hedgeDelayMs(each), now))
  noticeDemotion(pool, index, isDemoted(node, now), limits.watch)
  note(pool, index, { operation: operation.name, why, outcome: 'cancelled', durationMs }, limits.watch)
}
