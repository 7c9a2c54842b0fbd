// Counts the results of many histories.
import type { StartService } from '../service/service.ts'
import { runHistory } from './history.ts'
import { type Untruth, untruths } from './record.ts'
import type { Layout } from './setting.ts'
import { outcomeOf } from './verdict.ts'

type Counts = ReadonlyMap<string, number>

export type Tally = Awaited<ReturnType<typeof runHistories>>

/**
 * Runs histories with seeds `first`, `first + 1` …
 *
 * @param fatesAsked in each
 * @param forks the share of histories in which the network has a hard fork
 * @param stops the share of the other ones in which a daemon stops and goes on answering
 */
export async function runHistories(
  first: number,
  histories: number,
  start: StartService,
  layout: Layout,
  fatesAsked = 0,
  forks = 0,
  stops = 0,
) {
  const outcomes = new Map<string, number>()
  /** Explanations of the unknown outcomes. */
  const reasons = new Map<string, number>()
  const fates = new Map<string, number>()
  /** Explanations of the fates that leave open which command used the nonce. */
  const usedNonces = new Map<string, number>()
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const faults = Object.fromEntries(untruths.map((fault) => [fault, 0])) as Record<Untruth, number>
  /** For each fault, the seed of the first history in which it occurs. */
  const examples = new Map<Untruth, string>()
  /** Answers of the old and of the new chain, and reads, in histories with a hard fork. */
  const ofForks = new Map<string, number>()
  let requests = 0
  for (let index = 0; index < histories; index++) {
    const seed = String(first + index)
    const history = await runHistory(seed, start, layout, { fates: fatesAsked, forks, stops })
    for (const fault of history.faults) {
      faults[fault] += 1
      if (!examples.has(fault)) examples.set(fault, seed)
    }
    for (const { told, cause } of history.fates) {
      count(fates, told)
      if (cause !== undefined) count(usedNonces, cause)
    }
    for (const told of history.reads) count(ofForks, told)
    for (const [what, answers] of history.ofFork) ofForks.set(what, (ofForks.get(what) ?? 0) + answers)
    for (const record of history.records) {
      requests += 1
      count(outcomes, outcomeOf(record) ?? 'none')
      if (record.reason !== undefined) count(reasons, record.reason)
    }
  }
  return { histories, requests, outcomes, reasons, fates, usedNonces, ofForks, faults, examples }
}

/** True if every answer is right, apart from the allowed cases that no service could have known. */
export const isTruthful = ({ faults }: Tally): boolean =>
  untruths.every((fault) => faults[fault] === 0 || fault.endsWith('node silent') || fault === 'replacement lost')

export function report(tally: Tally): string {
  const { histories, requests, outcomes, reasons, fates, usedNonces, ofForks, faults, examples } = tally
  const line = (name: string, count: number, rest: string) =>
    `  ${name.padEnd(46)} ${String(count).padStart(7)}  ${rest}`
  const shares = (counts: Counts, all: number) =>
    [...counts].map(([name, count]) => line(name, count, `${((100 * count) / all).toFixed(2)} %`))
  const total = (counts: Counts) => [...counts.values()].reduce((sum, count) => sum + count, 0)
  const fatesAsked = total(fates)
  return [
    `histories ${histories}, requests ${requests}`,
    'outcomes',
    ...shares(outcomes, requests),
    `what explains the ${total(reasons)} unknown ones`,
    ...shares(reasons, requests),
    `fates asked for ${fatesAsked}`,
    ...shares(fates, fatesAsked),
    `what leaves open which command used the nonce, in ${total(usedNonces)} of them`,
    ...shares(usedNonces, fatesAsked),
    ...(ofForks.size === 0 ? [] : ['in histories with a hard fork, or with a daemon that stops']),
    ...[...ofForks].sort().map(([name, count]) => line(name, count, '')),
    'wrong',
    ...untruths.map((fault) =>
      line(fault, faults[fault], examples.has(fault) ? `--replay ${examples.get(fault)}` : ''),
    ),
  ].join('\n')
}
