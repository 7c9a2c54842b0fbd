// The next step of a question, after each of its calls has ended.
import { nodeBusy, type WireError } from '../upstream/errors.ts'
import { type Answer, isAskedTooMuch, type Outcome } from './outcome.ts'

/** A call that has ended, as it looks now. */
export type Ended = Outcome & {
  /** Index of the node. */
  readonly node: number
  /** The answer lies before one that was given, or its tip is not believed. */
  readonly isBehind: boolean
  /** The answer's tip is old, and no other node was asked lately for a younger one. */
  readonly isStale: boolean
  /** It says nothing about the network: it was not sent, or its node is on another network or never answered. */
  readonly isUninformative: boolean
}

export type EndedAnswer = Extract<Ended, Answer>

export interface Progress {
  /** In the order in which they ended. */
  readonly ended: readonly Ended[]
  /** Calls that have not ended. */
  readonly running: number
  /** True if a node is left that may confirm or correct the answers so far. */
  isConfirmerLeft(): boolean
  /** True if a node is left that may be asked in place of one that failed. */
  mayFailOver(): boolean
}

export type Step =
  | { readonly do: 'answer'; readonly answer: EndedAnswer }
  | { readonly do: 'ask'; readonly why: 'failover' | 'confirm' | 'stale' }
  | { readonly do: 'wait' }
  | { readonly do: 'give-up' }

const maxCalls = 3
const maxRunning = 2

/** True if one more call may be sent. Uninformative ones do not count, or a healthy node might never be tried. */
function mayStart({ ended, running }: Progress): boolean {
  const informative = ended.filter(({ isUninformative }) => !isUninformative)
  return running < maxRunning && informative.length + running < maxCalls
}

/** True if a second call may be sent beside the first. */
export const mayHedge = (progress: Progress): boolean => progress.running === 1 && mayStart(progress)

const heightOf = ({ tip }: EndedAnswer): number => tip?.height ?? 0

/** The answer of the highest tip; of equal ones the first. */
const freshest = (answers: readonly EndedAnswer[]): EndedAnswer | undefined =>
  answers.toSorted((left, right) => heightOf(right) - heightOf(left))[0]

/** The fallback if nothing better comes: a thing that was found before one that was not. */
const bestOf = (answers: readonly EndedAnswer[]): EndedAnswer | undefined =>
  freshest(answers.filter(({ isBehind, isMissing }) => !isBehind && !isMissing)) ??
  freshest(answers.filter(({ isMissing }) => !isMissing)) ??
  freshest(answers)

/** An answer that needs no other call. */
function settled({ ended }: Progress, answers: readonly EndedAnswer[]): EndedAnswer | undefined {
  const good = answers.find(({ isMissing, isBehind, isStale }) => !isMissing && !isBehind && !isStale)
  if (good !== undefined) return good
  const missing = answers.filter(({ isMissing }) => isMissing)
  if (missing.length >= 2 && missing.some(({ isBehind }) => !isBehind)) return freshest(missing)
  // A younger tip is asked for once; if none comes, the old one has to do.
  const old = answers.find(({ isMissing, isBehind }) => !isMissing && !isBehind)
  const wasChecked = ended.at(-1) !== old
  return old !== undefined && wasChecked ? bestOf(answers) : undefined
}

/**
 * The next step of a question. The first good answer wins; a failure, a missing thing and an answer that lies behind wait
 * for calls that may still be better. A failure asks another node at once; a confirmation is free, since an empty budget must
 * not make an answer worse.
 */
export function decide(progress: Progress): Step {
  const { ended, running } = progress
  const answers = ended.filter((each) => each.kind === 'answer')
  const answer = settled(progress, answers)
  if (answer !== undefined) return { do: 'answer', answer }
  const canFailOver =
    answers.length === 0 && !ended.some(isAskedTooMuch) && progress.mayFailOver() && mayStart(progress)
  if (running > 0) return canFailOver && ended.length > 0 ? { do: 'ask', why: 'failover' } : { do: 'wait' }
  if (answers.length > 0 && progress.isConfirmerLeft() && mayStart(progress)) {
    const isOnlyOld = answers.every(({ isMissing, isBehind }) => !isMissing && !isBehind)
    return { do: 'ask', why: isOnlyOld ? 'stale' : 'confirm' }
  }
  if (canFailOver) return { do: 'ask', why: 'failover' }
  const best = bestOf(answers)
  return best === undefined ? { do: 'give-up' } : { do: 'answer', answer: best }
}

/**
 * The error for a question without an answer: an unreadable reply tells most, unless a node is busy. A single place's own
 * error stands.
 *
 * @param ended calls that have all failed
 * @param nameOf a node's name; undefined where there is only one place
 */
export function failureOfAll(
  ended: readonly (Outcome & { readonly node: number })[],
  nameOf: ((node: number) => string | undefined) | undefined,
): WireError {
  const failures = ended.filter((call) => call.kind === 'failure')
  const askedTooMuch = failures.find(isAskedTooMuch)
  if (askedTooMuch !== undefined) return askedTooMuch.error
  const busy = failures.find(({ error }) => error.fault === 'busy')
  const told = failures.find(({ reply }) => reply?.data !== undefined)
  if (busy === undefined && told !== undefined) return told.error
  const own = busy ?? failures[0]
  if (nameOf === undefined && own !== undefined) return own.error
  const reasons = failures.map(({ node, error }) => `${nameOf?.(node)}: ${error.fault}, ${error.message}`)
  return nodeBusy(`no node answers; ${reasons.join('; ')}`)
}
