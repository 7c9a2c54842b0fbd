// Counts the results of many histories.
import type { Broadcaster } from '../broadcaster.ts'
import { type History, runHistory } from '../history.ts'
import { oneAddress, type Places } from '../setting.ts'
import type { BroadcastOutcome, Untruth } from './verdict.ts'

export interface Tally {
  readonly histories: number
  readonly requests: number
  readonly outcomes: ReadonlyMap<BroadcastOutcome | 'none', number>
  readonly codes: ReadonlyMap<string, number>
  /** What explains the unknown outcomes. */
  readonly reasons: ReadonlyMap<string, number>
  readonly faults: Readonly<Record<Untruth, number>>
  /** The same, by fault and code. */
  readonly faultCodes: ReadonlyMap<string, number>
  /** For each fault, the history with the fewest requests in which it occurs. */
  readonly shortest: ReadonlyMap<Untruth, { readonly seed: string; readonly requests: number }>
  /** Answers by the number of their upstream calls. */
  readonly calls: ReadonlyMap<number, number>
  /** Of the slowest answer, in virtual milliseconds. */
  readonly slowestMs: number
}

const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1)

/**
 * Runs histories with seeds `first`, `first + 1` …
 *
 * @param progress called after each history with their number so far
 * @param places as of `runHistory`
 */
export async function runHistories(
  first: number,
  histories: number,
  broadcaster: Broadcaster,
  progress: (done: number) => void = () => undefined,
  places: Places = oneAddress,
): Promise<Tally> {
  const outcomes = new Map<BroadcastOutcome | 'none', number>()
  const codes = new Map<string, number>()
  const reasons = new Map<string, number>()
  const calls = new Map<number, number>()
  const faults = { 'false failed': 0, 'false sent': 0, 'unexplained unknown': 0, lost: 0, 'replacement lost': 0 }
  const faultCodes = new Map<string, number>()
  const shortest = new Map<Untruth, { readonly seed: string; readonly requests: number }>()
  let requests = 0
  let slowestMs = 0

  function blame(fault: Untruth, { seed, requests }: History): void {
    faults[fault] += 1
    if (requests.length < (shortest.get(fault)?.requests ?? Number.POSITIVE_INFINITY)) {
      shortest.set(fault, { seed, requests: requests.length })
    }
  }

  for (let index = 0; index < histories; index++) {
    const history = await runHistory(String(first + index), broadcaster, undefined, places)
    if (history.isReplacementLost) blame('replacement lost', history)
    for (const request of history.requests) {
      requests += 1
      slowestMs = Math.max(slowestMs, request.durationMs)
      count(outcomes, request.outcome ?? 'none')
      count(calls, request.calls)
      if (request.code !== undefined) count(codes, `${request.outcome} ${request.code}`)
      if (request.reason !== undefined) count(reasons, request.reason)
      for (const fault of request.faults) {
        blame(fault, history)
        count(faultCodes, `${fault}: ${request.code}`)
      }
    }
    progress(index + 1)
  }
  return { histories, requests, outcomes, codes, reasons, faults, faultCodes, shortest, calls, slowestMs }
}

/** The faults that must not occur. */
export const forbidden = ['false failed', 'false sent', 'unexplained unknown', 'lost'] as const satisfies Untruth[]

export const isTruthful = ({ faults }: Tally): boolean => forbidden.every((fault) => faults[fault] === 0)
