// What one request to the service did and was answered, noted for the checker.
import type { Answer } from '../../../shared/endpoint.ts'
import type { HistoryCommand } from '../signed-command.ts'

export interface RequestRecord {
  readonly number: number
  readonly command: HistoryCommand
  readonly startedAt: number
  readonly deadline: number
  /** Mutations and looks that were put to the upstream. */
  mutations: number
  looks: number
  /** A lost request, a broken answer, or a node that could not answer. */
  hadTrouble: boolean
  /** A mutation was lost, or its answer. */
  lostMutation: boolean
  /** It was told that the ledger is past the nonce. */
  sawUsedNonce: boolean
  /** A look that was answered well showed no other command with the nonce; then a later one did. */
  sawNoRival: boolean
  sawRivalLate: boolean
  /** A node that held the command answered a look, and well. */
  wasShown: boolean
  /** When one of its own mutations brought the command to nodes none of which held it. */
  broughtAt?: number
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
  looks: 0,
  hadTrouble: false,
  lostMutation: false,
  sawUsedNonce: false,
  sawNoRival: false,
  sawRivalLate: false,
  wasShown: false,
})
