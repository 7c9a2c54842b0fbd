// What the judge needs to know of one request to the service.
import type { Answer } from '../../../../shared/endpoints/endpoint.ts'
import type { Call, Trouble } from '../../wire/place.ts'
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
  /** A call or its answer was lost, so that a node may hold the command though none has shown it. */
  hadTrouble: boolean
  /** The same, where the call was a mutation or a search. */
  hadLoss: boolean
  /** The places at which a mutation or its answer was lost. */
  readonly lostAt: Set<string>
  /** The places that refused a call before anything was taken, or did not say which network they are on. */
  readonly absentAt: Set<string>
  /** A mutation reached a node of another network. */
  wentElsewhere: boolean
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
  isCold: boolean
  answer?: Answer
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
  hadLoss: false,
  lostAt: new Set(),
  absentAt: new Set(),
  wentElsewhere: false,
  isCold: false,
  sawUsedNonce: false,
  sawNoRival: false,
  sawRivalLate: false,
  wasShown: false,
})

export const isSearch = ({ operation }: Call): boolean => operation.document.includes('pooledUserCommands')

/** Notes an operation that was sent to a place. */
export function recordCall(record: RequestRecord, call: Call): void {
  const { name } = call.place
  if (call.isMutation) record.mutationsTo.set(name, (record.mutationsTo.get(name) ?? 0) + 1)
  record.mutations += Number(call.isMutation)
  record.searches += Number(isSearch(call))
}

/**
 * Notes what went wrong with an operation. A node that is absent holds nothing; but behind a shared address another daemon
 * may hold what was not shown, and one that has gone down since the mutation cannot be searched any more.
 */
export function recordTrouble(record: RequestRecord, call: Call, trouble: Trouble): void {
  const { isMutation, place } = call
  const isDown = place.hosts.some(({ daemon }) => daemon.state === 'down')
  const wasSent = isSearch(call) && isDown && record.mutationsTo.has(place.name)
  const isCheck = !isMutation && !isSearch(call)
  record.hadTrouble ||= trouble !== 'absent' || wasSent || (place.sharedAddress && !isCheck)
  if (trouble === 'absent' || isCheck) record.absentAt.add(place.name)
  if (trouble !== 'lost' || isCheck || record.absentAt.has(place.name)) return
  record.hadLoss = true
  if (isMutation) record.lostAt.add(place.name)
}

/** Whether it is another command with the same nonce. */
export const isRival = (other: HistoryCommand, command: HistoryCommand): boolean =>
  other !== command && other.nonce === command.nonce

/** Notes whether an intact search result had a rival. */
export function recordRival(record: RequestRecord, isPresent: boolean): void {
  record.sawRivalLate ||= isPresent && record.sawNoRival
  record.sawNoRival ||= !isPresent
}
