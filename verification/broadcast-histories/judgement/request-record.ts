// What the checker needs to know of one request to the service.
import type { Answer } from '../../../shared/endpoints/endpoint.ts'
import type { HistoryCommand } from '../signed-command.ts'

export interface RequestRecord {
  readonly number: number
  readonly command: HistoryCommand
  readonly startedAt: number
  readonly deadline: number
  /** Operations that the service sent for it. */
  mutations: number
  /** Mutations by the place that they were sent to. */
  readonly mutationsTo: Map<string, number>
  searches: number
  /** A lost request, a broken answer, or a node that could not answer. */
  hadTrouble: boolean
  /** The places at which a mutation or its answer was lost. */
  readonly lostAt: Set<string>
  /** A node that it asked had a ledger past the nonce. */
  sawUsedNonce: boolean
  /** An intact search result had no other command with the nonce, and a later one did. */
  sawNoRival: boolean
  sawRivalLate: boolean
  /** An intact search result came from a node that held the command. */
  wasShown: boolean
  /** When one of its own mutations submitted the command while no node held it. */
  submittedAt?: number
  answeredAt?: number
  answer?: Answer
  thrown?: unknown
}

export const startRecord = (
  number: number,
  command: HistoryCommand,
  startedAt: number,
  deadline: number,
): RequestRecord => ({
  number,
  command,
  startedAt,
  deadline,
  mutations: 0,
  mutationsTo: new Map(),
  searches: 0,
  hadTrouble: false,
  lostAt: new Set(),
  sawUsedNonce: false,
  sawNoRival: false,
  sawRivalLate: false,
  wasShown: false,
})

/** Notes an operation that was sent to a place. */
export function recordCall(record: RequestRecord, place: string, isMutation: boolean): void {
  if (!isMutation) {
    record.searches += 1
    return
  }
  record.mutations += 1
  record.mutationsTo.set(place, (record.mutationsTo.get(place) ?? 0) + 1)
}

/** Whether it is another command with the same nonce. */
export const isRival = (other: HistoryCommand, command: HistoryCommand): boolean =>
  other !== command && other.nonce === command.nonce

/** Notes whether an intact search result had a rival. */
export function recordRival(record: RequestRecord, isPresent: boolean): void {
  record.sawRivalLate ||= isPresent && record.sawNoRival
  record.sawNoRival ||= !isPresent
}
