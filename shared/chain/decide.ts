// Decides the next step of a question whenever one of its calls has ended.
import { nodeBusy, type WireError } from '../upstream/errors.ts'
import { type Answer, isAskedTooMuch, type Outcome } from './outcome.ts'

/** The state of a question to the nodes. Answers are judged by what is known now: a later one may show a higher tip. */
export interface Progress {
  /** The completed calls, in order of completion. */
  readonly ended: readonly Outcome[]
  /** The calls in progress, by node. */
  readonly running: ReadonlyMap<number, unknown>
  /** True if an earlier answer showed a greater height, or the answer's tip is not believed. */
  isBehind(answer: Answer): boolean
  /** True if an answer's tip is old, and no other node was recently asked for a younger one. */
  isStale(answer: Answer): boolean
  /** True if a call says nothing about the network: it was not sent, or its node is on another network or never answered. */
  isUninformative(call: Outcome): boolean
  /** True if another node may confirm or correct the answers so far. */
  isConfirmerLeft(): boolean
  /** True if another node may be asked in place of one that failed. */
  mayFailOver(): boolean
}

export type Step =
  | { readonly do: 'answer'; readonly answer: Answer }
  | { readonly do: 'ask'; readonly why: 'failover' | 'confirm' | 'stale' }
  | { readonly do: 'wait' }
  | { readonly do: 'give-up' }

const maxCalls = 3
const maxRunning = 2

/** True if one more call may be sent. Uninformative ones do not count, or a healthy node might never be tried. */
function mayStart(progress: Progress): boolean {
  const { ended, running } = progress
  const informative = ended.filter((call) => !progress.isUninformative(call))
  return running.size < maxRunning && informative.length + running.size < maxCalls
}

/** True if a second call may be sent beside the first. */
export const mayHedge = (progress: Progress): boolean => progress.running.size === 1 && mayStart(progress)

export const tipHeightOf = ({ tip }: Pick<Answer, 'tip'>): number => tip?.height ?? 0

/** The answer with the highest tip; of equal ones the first. */
const freshest = (answers: readonly Answer[]): Answer | undefined =>
  answers.toSorted((left, right) => tipHeightOf(right) - tipHeightOf(left))[0]

/** The fallback if nothing better comes: something found comes before "not found". */
function bestOf(progress: Progress, answers: readonly Answer[]): Answer | undefined {
  const found = answers.filter(({ isMissing }) => !isMissing)
  return freshest(found.filter((answer) => !progress.isBehind(answer))) ?? freshest(found) ?? freshest(answers)
}

/** An answer that needs no other call. */
function settled(progress: Progress, answers: readonly Answer[]): Answer | undefined {
  const current = answers.filter((answer) => !answer.isMissing && !progress.isBehind(answer))
  const good = current.find((answer) => !progress.isStale(answer))
  if (good !== undefined) return good
  const missing = answers.filter(({ isMissing }) => isMissing)
  if (missing.length >= 2 && missing.some((answer) => !progress.isBehind(answer))) return freshest(missing)
  // A younger tip is asked for once; if none comes, the old answer stands.
  const [old] = current
  const wasChecked = progress.ended.at(-1) !== old
  return old !== undefined && wasChecked ? bestOf(progress, answers) : undefined
}

/**
 * The next step of a question. The first good answer wins. After a failure, a "not found" or an outdated answer, it
 * waits for calls that may do better. A failure asks another node at once; a confirmation costs no budget, since an
 * empty one must not make an answer worse.
 */
export function decide(progress: Progress): Step {
  const { ended, running } = progress
  const answers = ended.filter((each) => each.kind === 'answer')
  const answer = settled(progress, answers)
  if (answer !== undefined) return { do: 'answer', answer }
  const canFailOver =
    answers.length === 0 && !ended.some(isAskedTooMuch) && progress.mayFailOver() && mayStart(progress)
  if (running.size > 0) return canFailOver && ended.length > 0 ? { do: 'ask', why: 'failover' } : { do: 'wait' }
  if (answers.length > 0 && progress.isConfirmerLeft() && mayStart(progress)) {
    const isOnlyOld = answers.every((answer) => !answer.isMissing && !progress.isBehind(answer))
    return { do: 'ask', why: isOnlyOld ? 'stale' : 'confirm' }
  }
  if (canFailOver) return { do: 'ask', why: 'failover' }
  const best = bestOf(progress, answers)
  return best === undefined ? { do: 'give-up' } : { do: 'answer', answer: best }
}

/**
 * The error for a question without an answer: an unreadable reply's, unless a node is busy. A single node's is passed
 * on.
 *
 * @param ended calls that have all failed
 * @param nameOf a node's name; undefined if there is only one
 */
export function failureOfAll(
  ended: readonly Outcome[],
  nameOf: ((node: number) => string | undefined) | undefined,
): WireError {
  const failures = ended.filter((call) => call.kind === 'failure')
  const askedTooMuch = failures.find(isAskedTooMuch)
  if (askedTooMuch !== undefined) return askedTooMuch.error
  const busy = failures.find(({ error }) => error.fault === 'busy')
  const unreadable = failures.find(({ reply }) => reply?.data !== undefined)
  if (busy === undefined && unreadable !== undefined) return unreadable.error
  const own = busy ?? failures[0]
  if (nameOf === undefined && own !== undefined) return own.error
  const reasons = failures.map(({ node, error }) => `${nameOf?.(node)}: ${error.fault}, ${error.message}`)
  return nodeBusy(`no node answers; ${reasons.join('; ')}`)
}
