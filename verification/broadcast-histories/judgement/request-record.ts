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
  searches: number
  /** A lost request, a broken answer, or a node that could not answer. */
  hadTrouble: boolean
  /** A mutation or its answer was lost. */
  lostMutation: boolean
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
  searches: 0,
  hadTrouble: false,
  lostMutation: false,
  sawUsedNonce: false,
  sawNoRival: false,
  sawRivalLate: false,
  wasShown: false,
})
