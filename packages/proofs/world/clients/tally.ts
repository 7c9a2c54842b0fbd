// Counts the results of many histories of clients.
import type { ClientVariant } from '../variants/clients.ts'
import { runHistory } from './history.ts'
import { type WrongClient, wrongs } from './verdict.ts'

/** Runs histories with seeds `first`, `first + 1` … */
export async function runHistories(first: number, histories: number, variant?: ClientVariant) {
  const faults = Object.fromEntries(wrongs.map((wrong) => [wrong, 0])) as Record<WrongClient, number>
  /** For each fault, the seed of the first history in which it occurs. */
  const examples = new Map<WrongClient, string>()
  /** By what follows the command: how commands end, and what was told last of those that stay open. */
  const ends = new Map<string, number>()
  const count = (name: string) => ends.set(name, (ends.get(name) ?? 0) + 1)
  let requests = 0
  let mostInHour = 0
  let mostVainInHour = 0
  let mostSentInHour = 0
  let undone = 0
  for (let index = 0; index < histories; index++) {
    const seed = String(first + index)
    const history = await runHistory(seed, variant && { variant })
    for (const fault of new Set(history.faults)) {
      faults[fault] += 1
      if (!examples.has(fault)) examples.set(fault, seed)
    }
    const { follower } = history.setting
    for (const { state } of history.ends) count(`${follower}: ${state}`)
    for (const { state } of history.again) count(`asked again: ${state}`)
    for (const told of history.open) count(`${follower}, open: ${told}`)
    requests += history.requests
    mostInHour = Math.max(mostInHour, history.mostInHour)
    mostVainInHour = Math.max(mostVainInHour, history.mostVainInHour)
    if (follower !== 'settle') mostSentInHour = Math.max(mostSentInHour, history.mostSentInHour)
    undone += history.undone
  }
  return { histories, requests, mostInHour, mostVainInHour, mostSentInHour, undone, ends, faults, examples }
}

export type Tally = Awaited<ReturnType<typeof runHistories>>

export const isFaultless = ({ faults }: Tally): boolean => wrongs.every((wrong) => faults[wrong] === 0)

export function report(tally: Tally): string {
  const { histories, requests, mostInHour, mostVainInHour, mostSentInHour, undone, ends, faults, examples } = tally
  const line = (name: string, count: number, rest = '') => `  ${name.padEnd(46)} ${String(count).padStart(7)}  ${rest}`
  return [
    `histories ${histories}, requests ${requests}`,
    `in an hour for an open command at most ${Math.round(mostInHour)} requests; later at most ${mostVainInHour.toFixed(1)} in vain`,
    `broadcasts of the client in an hour for an open command at most ${Math.round(mostSentInHour)}`,
    `ends that a reorganisation deeper than their confirmations undid: ${undone}`,
    'ends',
    ...[...ends].sort().map(([name, count]) => line(name, count)),
    'wrong',
    ...wrongs.map((wrong) => line(wrong, faults[wrong], examples.has(wrong) ? `--replay ${examples.get(wrong)}` : '')),
  ].join('\n')
}
