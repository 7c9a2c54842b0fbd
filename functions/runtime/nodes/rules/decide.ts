// What to do with a question after each of its calls has ended.
import type { Outcome } from './judge.ts'

/** A call that has ended. */
export type Ended = Outcome & {
  /** Index of the node. */
  readonly node: number
  /** The answer lies before one that was given, or its tip is not believed. */
  readonly isBehind: boolean
  /** The answer's tip is old, and it was not checked lately whether that is so everywhere. */
  readonly isStale: boolean
}

type Answered = Extract<Ended, { kind: 'answer' }>

/** Where a question is. */
export interface Progress {
  /** In the order in which they ended. */
  readonly ended: readonly Ended[]
  /** Calls that have not ended. */
  readonly running: number
  /** Whether a node is left that may confirm or correct an answer. */
  readonly isUsableLeft: boolean
  /** Whether a node is left that may be asked in place of one that failed. */
  readonly mayFailOver: boolean
  /** Whether a hedge is affordable. */
  readonly hasBudget: boolean
}

export type Step =
  | { readonly do: 'answer'; readonly answer: Answered }
  | { readonly do: 'ask'; readonly why: 'failover' | 'confirm' | 'stale' }
  | { readonly do: 'wait' }
  | { readonly do: 'give-up' }

const mostCalls = 3
const mostRunning = 2

const mayStart = ({ ended, running }: Progress): boolean => ended.length + running < mostCalls && running < mostRunning

/** Whether one more call, to hedge, is allowed. */
export const mayHedge = (progress: Progress): boolean =>
  progress.running === 1 && progress.hasBudget && mayStart(progress)

const heightOf = ({ label }: Answered): number => label?.height ?? 0

/** The answer of the highest tip; of equal ones the first. */
const freshest = (answers: readonly Answered[]): Answered | undefined =>
  answers.toSorted((left, right) => heightOf(right) - heightOf(left))[0]

/** What is given where nothing better can be had: a thing that was found before one that was not. */
const bestOf = (answers: readonly Answered[]): Answered | undefined =>
  freshest(answers.filter(({ isBehind, isMissing }) => !isBehind && !isMissing)) ??
  freshest(answers.filter(({ isMissing }) => !isMissing)) ??
  freshest(answers)

/** An answer that needs no other call. */
function settled({ ended }: Progress, answers: readonly Answered[]): Answered | undefined {
  const good = answers.find(({ isMissing, isBehind, isStale }) => !isMissing && !isBehind && !isStale)
  if (good !== undefined) return good
  const missing = answers.filter(({ isMissing }) => isMissing)
  if (missing.length >= 2 && missing.some(({ isBehind }) => !isBehind)) return freshest(missing)
  // Whether there is a younger tip is asked once; when that brought nothing, the old one is what there is.
  const old = answers.find(({ isMissing, isBehind }) => !isMissing && !isBehind)
  return old !== undefined && ended.at(-1) !== old ? bestOf(answers) : undefined
}

/**
 * The next step of a question. The first good answer wins; a failure, a missing thing and an answer that lies behind wait
 * for calls that may still be better. A failure asks another node at once; a confirmation is free, since an empty budget must
 * not make an answer worse.
 */
export function decide(progress: Progress): Step {
  const { ended, running, isUsableLeft, mayFailOver } = progress
  const answers = ended.filter((each) => each.kind === 'answer')
  const answer = settled(progress, answers)
  if (answer !== undefined) return { do: 'answer', answer }
  const failover: Step | undefined =
    answers.length === 0 && mayFailOver && mayStart(progress) ? { do: 'ask', why: 'failover' } : undefined
  if (running > 0) return ended.length > 0 && failover ? failover : { do: 'wait' }
  if (answers.length > 0 && isUsableLeft && mayStart(progress)) {
    const isOnlyOld = answers.every(({ isMissing, isBehind }) => !isMissing && !isBehind)
    return { do: 'ask', why: isOnlyOld ? 'stale' : 'confirm' }
  }
  if (failover) return failover
  const best = bestOf(answers)
  return best === undefined ? { do: 'give-up' } : { do: 'answer', answer: best }
}
