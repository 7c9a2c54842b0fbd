// Answers that are right.
import type { Exchange } from '../../setting/fault-server.ts'
import { type Sent, sentIn } from '../sent/sent.ts'

export type Outcome = 'accepted' | 'already-known' | 'refused' | 'unknown'

/** One of the answers that would be right. */
export interface Right {
  readonly status: number
  /** Of a 200 or a 201, and of a 404 that says more than its text; every other body is a fixed text. */
  readonly body?: object
  /** The names in `x-missing-fields`. */
  readonly missing?: readonly string[]
  /** No later answer has the missing fields, so that caches keep this one like a complete one. */
  readonly isLasting?: boolean
  /** Caches keep it for a second only, even if it is complete. */
  readonly isBrief?: boolean
  /** Of a broadcast. */
  readonly outcome?: Outcome
  /** The longest time for which caches may keep it. */
  readonly maxSeconds?: number
}

/** The names of fields that a later answer may have, and of those that none has. */
export const named = (passing: readonly string[], lasting: readonly string[]) => ({
  missing: [...passing, ...lasting],
  isLasting: passing.length === 0,
})

export const statuses = (...all: readonly number[]): readonly Right[] => all.map((status) => ({ status }))

/** True if every upstream's answer came as it is. */
export const isUntouched = (exchanges: readonly Exchange[]): boolean =>
  exchanges.every(
    ({ delivered, text }) => delivered.state === 'answer' && delivered.status === 200 && delivered.text === text,
  )

/** The last answer to an operation. */
export function answerTo(exchanges: readonly Exchange[], operation: string) {
  const exchange = exchanges.findLast(({ name }) => name === operation)
  return exchange && sentIn(exchange)
}

/**
 * The right answers over an indexer of another chain: the node is asked for the hard fork that may join them. The chains of
 * the laboratory began without one.
 *
 * @param unknown what is right while the indexer's answer counts for nothing
 */
export function ofOtherChain(exchanges: readonly Exchange[], unknown: readonly Right[]): readonly Right[] {
  const sent = answerTo(exchanges, 'forkParent')
  if (sent === undefined) return []
  if (sent.state !== 'data') return statuses(...sent.statuses)
  const { broken, doubtful } = sent.findings
  if (broken.length > 0 && !lacksConstantsOnly(broken)) return statuses(502, 503)
  return [...unknown, ...(doubtful.length > 0 ? statuses(502, 503) : [])]
}

/** True if the only fault is that the network's constants are null. They serve metrics and cache times, no body. */
export const lacksConstantsOnly = (broken: readonly string[]): boolean =>
  broken.length === 1 && broken[0]?.endsWith('.consensusConfiguration is null') === true

/** True for an answer about the network that can be read: it may lack the constants. */
export const showsNetwork = (sent: Sent): boolean =>
  sent.state === 'data' && (sent.findings.broken.length === 0 || lacksConstantsOnly(sent.findings.broken))

/** The result of a task; undefined if it meets a value that the contract cannot show. */
export function shown<T>(task: () => T): T | undefined {
  try {
    return task()
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) return undefined
    throw error
  }
}
