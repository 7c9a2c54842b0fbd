// How calls and questions to several nodes end.
import { WireError } from '../../../shared/upstream/errors.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import { type Pool, portAt } from './pool-parts.ts'
import type { Ended } from './rules/decide.ts'
import { isBehind, needsFresher } from './rules/heights.ts'
import type { Outcome } from './rules/judge.ts'
import { isOfOtherNetwork } from './rules/network.ts'

/** A call that has ended, with what could be judged then. */
export type Finished = Outcome & Pick<Ended, 'node' | 'isStale'>

/** A node of another network has not answered, whatever it said. */
export function finished(pool: Pool, node: number, outcome: Outcome): Finished {
  if (outcome.kind === 'failure') return { ...outcome, node, isStale: false }
  if (isOfOtherNetwork(pool.state, node)) {
    return { kind: 'failure', error: new WireError('mismatched', 'is on another network'), node, isStale: false }
  }
  const { label } = outcome
  const isStale = label !== undefined && needsFresher(pool.state, node, label, pool.clock.now())
  return { ...outcome, node, isStale }
}

/** A call as it is now: an answer falls behind when a later one shows a higher tip. */
export function endedNow(pool: Pool, call: Finished): Ended {
  const label = call.kind === 'answer' ? call.label : undefined
  return { ...call, isBehind: label !== undefined && isBehind(pool.state, call.node, label, pool.clock.now()) }
}

/**
 * The reply that says most of why there is no answer.
 *
 * @throws WireError `busy` where no reply says anything, or a node says that it is busy
 */
export function failureOfAll(pool: Pool, ended: readonly Ended[]): Reply {
  const failures = ended.filter((each) => each.kind === 'failure')
  const isBusy = failures.some(({ error }) => error.fault === 'busy')
  const reply = failures.find((failure) => failure.reply !== undefined)?.reply
  if (reply !== undefined && !isBusy) return reply
  const reasons = failures.map(({ node, error }) => `${portAt(pool, node).name}: ${error.fault}, ${error.message}`)
  throw new WireError('busy', `no node answers; ${reasons.join('; ')}`)
}
