// One question to the nodes, until there is an answer.
import { WireError } from '../upstream/errors.ts'
import { Calls } from './calls.ts'
import { type Answer, decide, type Ended, failureOfAll } from './decide.ts'
import type { Driver } from './driver.ts'
import { isDemoted } from './member.ts'
import { credited, foundNothingFresher, isBehind, isBelievable, networkOf, nodeAt, stayedBelow } from './standing.ts'
import type { Asked } from './terms.ts'

/** An answer, and whether the instance has given one of a higher tip. */
export type Chosen = Answer & { readonly isBehind: boolean }

/** @throws WireError `busy` and unsent where no node is there to ask, or all that are up refuse load */
function firstOf(driver: Driver, { operation }: Asked, calls: Calls): number {
  const { clock, state } = driver.shared
  const left = calls.left()
  const isShed = calls.spared.size > 0 && left.every((index) => isDemoted(nodeAt(state, index), clock.now()))
  const [first] = left
  if (first !== undefined && !isShed) return first
  const reason = isShed ? 'the nodes refuse load' : `no node is on the network ${networkOf(state)}`
  driver.watch?.called({ operation: operation.name, durationMs: 0, outcome: 'shed', reason })
  throw new WireError('busy', `not asked: ${reason}`, { isUnsent: true })
}

/** @throws WireError `busy` for a thing that is not found below a height that was seen */
function accepted(
  driver: Driver,
  { operation }: Asked,
  calls: Calls,
  answer: Extract<Ended, { kind: 'answer' }>,
): Chosen {
  const { shared, watch } = driver
  const now = shared.clock.now()
  const { label, isMissing } = answer
  shared.state = credited(shared.state)
  if (answer.isStale && calls.askedFresher) shared.state = foundNothingFresher(shared.state, now)
  if (label !== undefined) watch?.rests(label, answer.isBehind)
  if (label === undefined || !isBehind(shared.state, label, now)) return answer
  if (calls.usableLeft().length === 0 && isBelievable(shared.state, label, now)) {
    const { greatestHeight } = shared.state
    shared.state = stayedBelow(shared.state, label.height, now)
    const isLower = shared.state.greatestHeight < greatestHeight
    if (isLower) watch?.noticed('reorganised', driver.portAt(answer.node).name)
  }
  if (isMissing && answer.isBehind && label.height < shared.state.greatestHeight) {
    throw new WireError('busy', `${operation.name}: not found, but no node is at a height that was seen`)
  }
  return answer
}

/**
 * Asks the nodes until one gives an answer that is neither behind nor doubtful, within three calls, two at a time.
 *
 * @returns the best answer that could be had; `isBehind` where every node that answers is below a tip seen before
 * @throws WireError `busy` when no node answers, and for a thing that is not found below a height that was seen
 */
export async function askNodes(driver: Driver, asked: Asked): Promise<Chosen> {
  const calls = new Calls(driver, asked)
  try {
    calls.start(firstOf(driver, asked, calls))
    for (;;) {
      await calls.next()
      const step = decide(calls.progress())
      if (step.do === 'give-up') throw failureOfAll(calls.finished, driver.nameOf)
      if (step.do === 'answer') return accepted(driver, asked, calls, step.answer)
      if (step.do === 'ask') calls.askAnother(step.why)
      else calls.hurry()
    }
  } finally {
    calls.finish()
  }
}
