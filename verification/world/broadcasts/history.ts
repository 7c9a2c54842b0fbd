// Runs one history: wallets, the networks and the code under test in virtual time. Every answer is judged when it is given.
import { maxAnswerMs } from '../../../shared/deployment/limits.ts'
import { broadcastDelegation } from '../../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import type { StartService } from '../service/service.ts'
import { createTime } from '../time.ts'
import type { Caller, Place } from '../wire/place.ts'
import { createWorld } from '../world.ts'
import {
  isRival,
  isSearch,
  type RequestRecord,
  recordCall,
  recordRival,
  recordTrouble,
  startRecord,
} from './judgement/request-record.ts'
import { createTruth } from './judgement/truth.ts'
import {
  type BroadcastOutcome,
  faultOf,
  isReplacementLost,
  type Listed,
  outcomeOf,
  reasonOfUnknown,
  type Untruth,
} from './judgement/verdict.ts'
import { type Layout, randomOf, settingOf } from './setting.ts'
import { type HistoryCommand, requestBody, senders } from './signed-command.ts'
import { useWallet } from './wallet.ts'

/** How long blocks are made after the last answer. */
const epilogueMs = 60_000
/** When block production ends at the latest, if a request is never answered. */
const maxDurationMs = 1_800_000

export interface JudgedRequest {
  readonly outcome: BroadcastOutcome | undefined
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
 * @param layout which nodes the settings list
 * @param log receives a line for each event
 */
export async function runHistory(
  seed: string,
  start: StartService,
  layout: Layout,
  log?: (line: string) => void,
): Promise<History> {
  const random = randomOf(seed)
  const setting = settingOf(random, layout)
  const time = createTime()
  const begunAt = time.now()
  const trace = (line: () => string) => log?.(`${((time.now() - begunAt) / 1000).toFixed(2).padStart(8)}  ${line()}`)
  const truth = createTruth(time, () => home.daemons)
  const records: RequestRecord[] = []
  const faults = new Map<RequestRecord, Untruth[]>()
  const reasons = new Map<RequestRecord, string | undefined>()
  const resentOverReplacement = new Set<HistoryCommand>()
  trace(() => JSON.stringify(setting))

  const { home, networks, places, fleet } = createWorld(random, time, setting, start, () => truth.observe(), trace)
  const listed: Listed = {
    places,
    isPinned: setting.isPinned,
    isPlain: setting.whims === 0,
    isWell: ({ hosts }) =>
      setting.queryFaults === 0 &&
      hosts.every(({ network, daemon, script }) => {
        const { health = 'ok', hangsAt, refusedShare = 0 } = script(time.now() - begunAt, random)
        const isUsable = network.isHome && daemon.kind === 'daemon' && daemon.state === 'up'
        return isUsable && health === 'ok' && hangsAt === undefined && refusedShare === 0
      }),
  }

  const blame = (record: RequestRecord, fault: Untruth | undefined) => {
    if (fault === undefined || faults.get(record)?.includes(fault)) return
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

  function accepted(record: RequestRecord, place: Place): void {
    const { command, mutationsTo } = record
    if (!truth.isHeld(command) || truth.heldSince(command) !== time.now()) return
    record.submittedAt = time.now()
    if ((mutationsTo.get(place.name) ?? 0) > 1 && isReplaced(command)) resentOverReplacement.add(command)
    // The node received the mutation late and accepted it after the answer.
    if (outcomeOf(record) === 'refused') blame(record, 'false failed')
  }

  /** Blames a call to another network, unless the instance could not know: then the answer may be about that network. */
  function wentElsewhere(record: RequestRecord, isMutation: boolean): void {
    const couldNotKnow = !setting.isPinned && record.absentAt.has('n1')
    record.wentElsewhere ||= isMutation || couldNotKnow
    if (record.wentElsewhere)
      blame(record, couldNotKnow ? 'sent elsewhere, the first listed node silent' : 'sent elsewhere')
  }

  const callerOf = (record: RequestRecord): Caller => ({
    command: record.command,
    sent(call) {
      recordCall(record, call)
      trace(() => `  ${record.number} ${call.operation.name} to ${call.place.name}`)
      const isElsewhere = call.place.hosts.some(({ network }) => !network.isHome)
      if (isElsewhere && (call.isMutation || isSearch(call))) wentElsewhere(record, call.isMutation)
    },
    troubled(call, what, trouble) {
      recordTrouble(record, call, trouble)
      trace(() => `  ${record.number} ${call.operation.name} at ${call.place.name}: ${what}`)
    },
    executed(call, { network, daemon }, { data, errors }) {
      const { place, operation, isMutation } = call
      const { command } = record
      const said = errors.length > 0 ? errors.map((text) => text.replace(/\{.*\}/, '{…}')).join('; ') : 'answered'
      trace(() => `  ${record.number} ${operation.name} at ${place.name}, ${daemon.name}: ${said}`)
      if (network !== home) return () => undefined
      record.sawUsedNonce ||= (daemon.account(command.from)?.nonce ?? 0) > command.nonce
      if (isMutation && errors.length === 0) accepted(record, place)
      const isSeen = isSearch(call) && data !== null && daemon.state !== 'bootstrapping'
      const isShown = isSeen && daemon.holds(command)
      const showsRival = daemon.queued(command.from).some((one) => isRival(one, command))
      return () => {
        record.wasShown ||= isShown
        if (isSeen && place.sharedAddress) recordRival(record, showsRival)
      }
    },
  })

  async function broadcast(command: HistoryCommand): Promise<'sent' | 'refused' | 'unknown'> {
    const record = startRecord(records.length + 1, command, time.now(), time.now() + maxAnswerMs)
    records.push(record)
    truth.add(command)
    const { hash, from, nonce, fee, flaw } = command
    trace(
      () => `${record.number} posts ${hash.slice(0, 8)} of ${from.slice(-3)}: nonce ${nonce}, fee ${fee}, flaw ${flaw}`,
    )
    const endpoint = command.kind === 'PAYMENT' ? broadcastTransaction : broadcastDelegation
    const request = { path: {}, query: {}, body: requestBody(command) }
    const { answer, isCold } = await fleet(endpoint as Endpoint, request, callerOf(record))
    record.answer = answer
    record.answeredAt = time.now()
    record.isCold = isCold
    const outcome = outcomeOf(record)
    trace(() => `${record.number} gets ${outcome ?? 'no outcome'} ${answer.headers?.['x-broadcast-code'] ?? ''}`)
    if (!record.wentElsewhere) blame(record, faultOf(record, truth, listed))
    if (outcome === 'unknown') reasons.set(record, reasonOfUnknown(record, truth, listed))
    return outcome === undefined || outcome === 'unknown' ? 'unknown' : outcome === 'refused' ? 'refused' : 'sent'
  }

  let endsAt = begunAt + maxDurationMs
  for (const network of networks) network.live(() => endsAt)
  const wallets = senders.slice(0, setting.senders).map((key) => useWallet(random, time, setting, home, key, broadcast))
  const done = Promise.all(wallets).then(() => {
    endsAt = time.now() + epilogueMs
  })
  await time.run()
  const unanswered = records.filter(({ answeredAt }) => answeredAt === undefined)
  for (const record of unanswered) blame(record, 'lost')
  if (unanswered.length === 0) await done

  return {
    seed,
    isReplacementLost: isReplacementLost(home, resentOverReplacement),
    requests: records.map((record) => ({
      outcome: outcomeOf(record),
      reason: reasons.get(record),
      calls: record.mutations + record.searches,
      durationMs: (record.answeredAt ?? Number.POSITIVE_INFINITY) - record.startedAt,
      faults: faults.get(record) ?? [],
    })),
  }
}
