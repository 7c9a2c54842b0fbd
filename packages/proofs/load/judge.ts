// Compares an answer of the service with the right ones.
import { bodyOf, keptSeconds, missingIn } from '../upstream-faults/judge/answer-form.ts'
import { compared } from '../upstream-faults/judge/comparison.ts'
import { partFaults } from '../upstream-faults/judge/judge.ts'
import type { Received } from '../upstream-faults/setting/service.ts'

/**
 * `incomplete`: correct, and `x-missing-fields` names every field that is missing. `unknowable`: a 503 for a block that
 * only the indexer has, asked for during an outage.
 */
export type Verdict = 'complete' | 'incomplete' | 'unknowable' | '5xx' | 'wrong'

export interface Judgement {
  readonly verdict: Verdict
  /** Of `5xx` and `wrong`. */
  readonly reason?: string
}

const isSame = (right: Received, given: Received): boolean => {
  const { absent, others } = compared(bodyOf(right), bodyOf(given))
  return absent.length + others.length === 0 && missingIn(right).join() === missingIn(given).join()
}

/**
 * @param rights the complete answers that would be right, one for each state in which the chain may have been read
 * @param mayBeUnknowable whether a 503 is right too
 * @param isBehind whether the answer is older than one that was given before, so that it may be kept for a second only
 */
export function judge(
  given: Received,
  rights: readonly Received[],
  mayBeUnknowable: boolean,
  isBehind = false,
): Judgement {
  const { status, text } = given
  const wrong = (reason: string): Judgement => ({ verdict: 'wrong', reason })
  if (status === 503 && mayBeUnknowable) return { verdict: 'unknowable' }
  if (status >= 500) return { verdict: '5xx', reason: `${status} ${text}` }
  if (status !== 200) return wrong(`${status} ${text}`)
  if (rights.some((right) => isSame(right, given))) {
    const isBrief = keptSeconds(given) === 1
    return isBrief && !isBehind
      ? wrong(`kept for a second: ${given.headers['cache-control']}`)
      : { verdict: 'complete' }
  }
  const faults = rights.map((right) => partFaults(right, given))
  const [fewest = ['no answer would be right']] = faults.toSorted((left, right) => left.length - right.length)
  return fewest.length === 0 ? { verdict: 'incomplete' } : wrong(fewest.slice(0, 2).join('; '))
}
