// Records of one request to the service all that its judge needs.
import type { Answer } from '../../../../shared/http/answer.ts'
import type { Network } from '../chain/network.ts'
import { wrongFates } from '../fates/judge.ts'
import { wrongInForks } from '../forks/wrongs.ts'
import { wrongPages } from '../pages/reader.ts'
import type { Call, Trouble } from '../wire/place.ts'
import type { HistoryCommand } from './signed-command.ts'

/** The faults of an answer; `replacement lost` is a fault of the history as a whole. */
export const untruths = [
  'false failed',
  'false sent',
  'lost',
  'unexplained unknown',
  'left out',
  'sent elsewhere',
  'sent elsewhere, the first listed node silent',
  'replacement lost',
  ...wrongFates,
  ...wrongInForks,
  ...wrongPages,
] as const
export type Untruth = (typeof untruths)[number]

/** The tally of a run in which every answer is true. */
export const nothingWrong = Object.fromEntries(untruths.map((untruth) => [untruth, 0]))

export const startRecord = (number: number, command: HistoryCommand, startedAt: number) => ({
  number,
  command,
  startedAt,
  /** Mutations by the place that they were sent to. */
  mutationsTo: new Map<string, number>(),
  searches: 0,
  /** A call or its answer was lost, so that a node may hold the command though none has shown it. */
  hadTrouble: false,
  /** The same, where the call was a mutation or a search. */
  hadLoss: false,
  /** A node refused a call because of its load. */
  wasBusy: false,
  /** The places at which a mutation or its answer was lost. */
  lostAt: new Set<string>(),
  /** The places that refused a call before anything was taken, or did not say which network they are on. */
  absentAt: new Set<string>(),
  /** A mutation reached a node of another network. */
  wentElsewhere: false,
  /** Each mutation and search that was executed reached a daemon that has stopped. */
  reachedStoppedAlone: undefined as boolean | undefined,
  /** The same of its searches. */
  searchedStoppedAlone: undefined as boolean | undefined,
  /** A daemon that has stopped refused it, since it has it in its pool: nobody else need ever have had it. */
  wasKnownToStopped: false,
  /** A node that it asked had a ledger past the nonce. */
  sawUsedNonce: false,
  /** An intact search result had no other command with the nonce, and a later one did. */
  sawNoRival: false,
  sawRivalLate: false,
  /** The networks of the nodes that held the command when their intact search result came. */
  shownBy: new Set<Network>(),
  /** The network that the answer rests on is one of them. */
  wasShown: false,
  /** The time at which one of its own mutations submitted the command while no node held it. */
  submittedAt: undefined as number | undefined,
  answeredAt: undefined as number | undefined,
  isCold: false,
  answer: undefined as Answer | undefined,
  /** Explains an unknown outcome. */
  reason: undefined as string | undefined,
  faults: new Set<Untruth>(),
  /** The networks of the nodes to which it was submitted, and of those that were searched for it. */
  mutatedAt: new Set<Network>(),
  searchedAt: new Set<Network>(),
  /** A node of the new chain has answered one of its questions. */
  sawNext: false,
  /** Answers of nodes to its mutations, and those among them that commands are stopped before a hard fork. */
  told: 0,
  toldPaused: 0,
})

export type RequestRecord = ReturnType<typeof startRecord>

export const isSearch = ({ operation }: Call): boolean => operation.document.includes('pooledUserCommands')

/** Notes an operation that was sent to a place. */
export function recordCall(record: RequestRecord, call: Call): void {
  const { name } = call.place
  if (call.isMutation) record.mutationsTo.set(name, (record.mutationsTo.get(name) ?? 0) + 1)
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
  record.wasBusy ||= trouble === 'busy'
  if (trouble === 'absent' || isCheck) record.absentAt.add(place.name)
  if (trouble !== 'lost' || isCheck || record.absentAt.has(place.name)) return
  record.hadLoss = true
  if (isMutation) record.lostAt.add(place.name)
}

/** Notes whether an intact search result had another command with the nonce. */
export function recordRival(record: RequestRecord, queued: readonly HistoryCommand[]): void {
  const { command } = record
  const hasRival = queued.some((other) => other !== command && other.nonce === command.nonce)
  record.sawRivalLate ||= hasRival && record.sawNoRival
  record.sawNoRival ||= !hasRival
}
