// Runs one history: wallets, network and the code under test in virtual time. Every answer is judged when it is given.
import { longestAnswerMs } from '../../shared/agreements/limits.ts'
import type { Broadcaster } from './broadcaster.ts'
import { createClock } from './clock.ts'
import { type RequestRecord, startRecord } from './judgement/request-record.ts'
import { createTruth } from './judgement/truth.ts'
import {
  type BroadcastOutcome,
  faultOf,
  isReplacementLost,
  outcomeOf,
  reasonOfUnknown,
  type Untruth,
} from './judgement/verdict.ts'
import { createNetwork } from './network/network.ts'
import { oneAddress, type Places, randomOf, settingOf } from './setting.ts'
import { type HistoryCommand, senders } from './signed-command.ts'
import { createUpstream } from './upstream.ts'
import { useWallet } from './wallet.ts'

/** The service's deadline for a request. */
const deadlineMs = longestAnswerMs
/** How long blocks are made after the last answer. */
const epilogueMs = 60_000
/** When block production ends at the latest, if a request is never answered. */
const longestMs = 1_800_000

export interface JudgedRequest {
  readonly outcome: BroadcastOutcome | undefined
  /** The header `x-broadcast-code`, if present. */
  readonly code: string | undefined
  /** What explains an unknown outcome. */
  readonly reason: string | undefined
  readonly calls: number
  readonly durationMs: number
  readonly faults: readonly Untruth[]
}

export interface History {
  readonly seed: string
  readonly requests: readonly JudgedRequest[]
  /** Of the history as a whole. */
  readonly isReplacementLost: boolean
}

/**
 * @param log receives a line for each event
 * @param places how many nodes there are, and whether each has an address of its own
 */
export async function runHistory(
  seed: string,
  broadcaster: Broadcaster,
  log?: (line: string) => void,
  places: Places = oneAddress,
): Promise<History> {
  const random = randomOf(seed)
  const setting = settingOf(random, places)
  const clock = createClock()
  const trace = (line: () => string) => log?.(`${(clock.now() / 1000).toFixed(2).padStart(8)}  ${line()}`)
  const truth = createTruth(clock, () => network.nodes)
  const network = createNetwork(random, clock, setting, truth.observe, trace)
  const records: RequestRecord[] = []
  const faults = new Map<RequestRecord, Untruth[]>()
  const reasons = new Map<RequestRecord, string | undefined>()
  const resentOverReplacement = new Set<HistoryCommand>()
  trace(() => JSON.stringify(setting))

  const blame = (record: RequestRecord, fault: Untruth | undefined) => {
    if (fault === undefined) return
    faults.set(record, [...(faults.get(record) ?? []), fault])
    trace(() => `${record.number} ${fault.toUpperCase()}`)
  }

  /** Whether a command with the same nonce and a higher fee was answered as sent, and some node holds it. */
  const isReplaced = ({ from, nonce, fee }: HistoryCommand) =>
    records.some(
      ({ command, answer }) =>
        command.from === from &&
        command.nonce === nonce &&
        command.fee > fee &&
        answer?.status === 201 &&
        truth.isHeld(command),
    )

  function accepted(record: RequestRecord, place: string): void {
    const { command, mutationsTo } = record
    if (!truth.isHeld(command) || truth.heldSince(command) !== clock.now()) return
    record.submittedAt = clock.now()
    if ((mutationsTo.get(place) ?? 0) > 1 && isReplaced(command)) resentOverReplacement.add(command)
    // The node received the mutation late and accepted it after the answer.
    if (outcomeOf(record) === 'refused') blame(record, 'false failed')
  }

  const upstream = createUpstream(random, clock, setting, network, accepted, trace)

  async function broadcast(command: HistoryCommand): Promise<'sent' | 'refused' | 'unknown'> {
    const record = startRecord(records.length + 1, command, clock.now(), clock.now() + deadlineMs)
    records.push(record)
    truth.add(command)
    const { hash, from, nonce, fee, flaw } = command
    trace(
      () => `${record.number} posts ${hash.slice(0, 8)} of ${from.slice(-3)}: nonce ${nonce}, fee ${fee}, flaw ${flaw}`,
    )
    try {
      record.answer = await broadcaster(command, upstream.contextFor(record))
    } catch (error) {
      record.thrown = error
    }
    record.answeredAt = clock.now()
    const outcome = outcomeOf(record)
    trace(
      () =>
        `${record.number} gets ${outcome ?? 'no outcome'} ${record.answer?.headers?.['x-broadcast-code'] ?? record.thrown ?? ''}`,
    )
    blame(record, faultOf(record, truth))
    if (outcome === 'unknown') reasons.set(record, reasonOfUnknown(record, truth))
    return outcome === undefined || outcome === 'unknown' ? 'unknown' : outcome === 'refused' ? 'refused' : 'sent'
  }

  let endsAt = longestMs
  network.live(() => endsAt)
  const wallets = senders
    .slice(0, setting.senders)
    .map((key) => useWallet(random, clock, setting, network, key, broadcast))
  const done = Promise.all(wallets).then(() => {
    endsAt = clock.now() + epilogueMs
  })
  await clock.run()
  const unanswered = records.filter(({ answeredAt }) => answeredAt === undefined)
  for (const record of unanswered) blame(record, 'lost')
  if (unanswered.length === 0) await done

  return {
    seed,
    isReplacementLost: isReplacementLost(network, resentOverReplacement),
    requests: records.map((record) => ({
      outcome: outcomeOf(record),
      code: record.answer?.headers?.['x-broadcast-code'],
      reason: reasons.get(record),
      calls: record.mutations + record.searches,
      durationMs: (record.answeredAt ?? Number.POSITIVE_INFINITY) - record.startedAt,
      faults: faults.get(record) ?? [],
    })),
  }
}
