// Counts the results of many histories.
import type { StartService } from '../../service/service.ts'
import { type History, runHistory } from '../history.ts'
import type { Layout } from '../setting.ts'
import { type Untruth, untruths } from './verdict.ts'

type Counts = ReadonlyMap<string, number>

export interface Tally {
  readonly histories: number
  readonly requests: number
  readonly calls: number
  readonly outcomes: Counts
  /** What explains the unknown outcomes. */
  readonly reasons: Counts
  readonly faults: Readonly<Record<Untruth, number>>
  /** For each fault, the history with the fewest requests in which it occurs. */
  readonly shortest: ReadonlyMap<Untruth, History>
  /** Of the slowest answer, in virtual milliseconds. */
  readonly slowestMs: number
}

/**
 * Runs histories with seeds `first`, `first + 1` …
 *
 * @param layout as of `runHistory`
 * @param progress called after each history with their number so far
 */
export async function runHistories(
  first: number,
  histories: number,
  start: StartService,
  layout: Layout,
  progress: (done: number) => void = () => undefined,
): Promise<Tally> {
  const outcomes = new Map<string, number>()
  const reasons = new Map<string, number>()
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const faults = Object.fromEntries(untruths.map((fault) => [fault, 0])) as Record<Untruth, number>
  const shortest = new Map<Untruth, History>()
  let [requests, calls, slowestMs] = [0, 0, 0]

  for (let index = 0; index < histories; index++) {
    const history = await runHistory(String(first + index), start, layout)
    const found = history.requests.flatMap((request) => request.faults)
    for (const fault of history.isReplacementLost ? [...found, 'replacement lost' as const] : found) {
      faults[fault] += 1
      const known = shortest.get(fault)
      if (known === undefined || history.requests.length < known.requests.length) shortest.set(fault, history)
    }
    for (const request of history.requests) {
      requests += 1
      calls += request.calls
      slowestMs = Math.max(slowestMs, request.durationMs)
      count(outcomes, request.outcome ?? 'none')
      if (request.reason !== undefined) count(reasons, request.reason)
    }
    progress(index + 1)
  }
  return { histories, requests, calls, outcomes, reasons, faults, shortest, slowestMs }
}

/** Whether nothing is wrong but what nobody could have known. */
export const isTruthful = ({ faults }: Tally): boolean =>
  untruths.every((fault) => faults[fault] === 0 || fault.endsWith('node silent') || fault === 'replacement lost')

/**
 * The tally as text.
 *
 * @param tookMs real time
 */
export function report({ histories, requests, shortest, ...tally }: Tally, tookMs: number): string {
  const line = (name: string, count: number, rest: string) =>
    `  ${name.padEnd(46)} ${String(count).padStart(7)}  ${rest}`
  const shares = (counts: Counts) =>
    [...counts].map(([name, count]) => line(name, count, `${((100 * count) / requests).toFixed(2)} %`))
  const faults = untruths.map((fault) => {
    const { seed, requests } = shortest.get(fault) ?? {}
    return line(fault, tally.faults[fault], seed === undefined ? '' : `--replay ${seed} (${requests?.length} requests)`)
  })
  return [
    `histories ${histories}, requests ${requests}, ${(tookMs / 1000).toFixed(1)} s`,
    'outcomes',
    ...shares(tally.outcomes),
    'what explains the unknown ones',
    ...shares(tally.reasons),
    `${(tally.calls / requests).toFixed(2)} calls an answer; the slowest took ${(tally.slowestMs / 1000).toFixed(1)} s of virtual time`,
    'wrong',
    ...faults,
  ].join('\n')
}
