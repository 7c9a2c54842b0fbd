// The recovery of complete answers after an outage, counted in answers because milliseconds vary by machine.
import type { Outage } from './faulty-server.ts'
import type { Sample } from './samples.ts'

export interface Recoveries {
  /** For each return of the indexer; `never` where no complete answer followed. */
  readonly answersUntilComplete: readonly (number | 'never')[]
  /**
   * Incomplete answers after that. Those during which a block came do not count: the indexer may not have had it yet.
   */
  readonly incompleteLater: number
  /** True if all answers were complete again after each return. */
  readonly isComplete: boolean
}

export function recoveries(samples: readonly Sample[], outages: readonly Outage[]): Recoveries {
  // The summary asks the node alone.
  const enriched = samples.filter(({ kind, wasUp }) => kind !== 'summary' && wasUp)
  const phases = outages.map(({ until }, index) => {
    const next = outages[index + 1]?.from ?? Number.POSITIVE_INFINITY
    const answers = enriched
      .filter(({ sentAt }) => sentAt > until && sentAt < next)
      .toSorted((left, right) => left.sentAt - right.sentAt)
    const first = answers.findIndex(({ verdict }) => verdict === 'complete')
    const later = first === -1 ? [] : answers.slice(first)
    return {
      first,
      incompleteLater: later.filter(({ verdict, states }) => verdict === 'incomplete' && states === 1).length,
    }
  })
  const incompleteLater = phases.reduce((sum, phase) => sum + phase.incompleteLater, 0)
  return {
    answersUntilComplete: phases.map(({ first }) => (first === -1 ? 'never' : first)),
    incompleteLater,
    isComplete: incompleteLater === 0 && phases.every(({ first }) => first !== -1),
  }
}
