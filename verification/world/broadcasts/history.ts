// Runs one history: wallets, the networks and the code under test in virtual time. Every answer is judged when it is given.
import { createRandom, pick } from '../../../local/chain/random.ts'
import { broadcastDelegation } from '../../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { useProber } from '../fates/prober.ts'
import type { StartService } from '../service/service.ts'
import { createTime } from '../time.ts'
import { type Caller, isUsable, type Place } from '../wire/place.ts'
import { createWorld } from '../world.ts'
import {
  isSearch,
  type RequestRecord,
  recordCall,
  recordRival,
  recordTrouble,
  startRecord,
  type Untruth,
} from './record.ts'
import { type Layout, settingOf } from './setting.ts'
import { type HistoryCommand, requestBody, senders } from './signed-command.ts'
import { createTruth } from './truth.ts'
import { faultOf, type Listed, outcomeOf, reasonOfUnknown } from './verdict.ts'
import { type Result, useWallet } from './wallet.ts'

/** Blocks are made for so long after the last answer. */
const epilogueMs = 60_000
/** When block production ends at the latest, if a request is never answered. */
const maxDurationMs = 1_800_000

/** The spans in which fates are asked for. */
const probingMs = [60_000, 200_000, 600_000] as const

interface Options {
  /** The number of moments at which the fate of a command is asked for. */
  readonly fates?: number
  /** Receives a line for each event. */
  readonly log?: ((line: string) => void) | undefined
}

/**
 * @param seed determines everything
 * @param layout which nodes the settings list
 */
export async function runHistory(
  seed: string,
  start: StartService,
  layout: Layout,
  { fates: fatesAsked = 0, log }: Options = {},
) {
  const random = createRandom(`broadcast history ${seed}`)
  const setting = settingOf(random, layout)
  const time = createTime()
  const begunAt = time.now()
  const trace = (line: () => string) => log?.(`${((time.now() - begunAt) / 1000).toFixed(2).padStart(8)}  ${line()}`)
  const truth = createTruth(time, () => home.daemons)
  const records: RequestRecord[] = []
  const resentOverReplacement = new Set<HistoryCommand>()
  trace(() => JSON.stringify(setting))

  const world = createWorld(random, time, setting, start, truth.observe, trace)
  const { home, networks, places, fleet } = world
  const listed: Listed = {
    places,
    isPinned: setting.isPinned,
    isPlain: setting.whims === 0,
    isWell: ({ hosts }) =>
      setting.queryFaults === 0 && hosts.every((host) => isUsable(host, time.now() - begunAt, random)),
  }

  const blame = (record: RequestRecord, fault: Untruth | undefined) => {
    if (fault === undefined || record.faults.has(fault)) return
    record.faults.add(fault)
    trace(() => `${record.number} ${fault.toUpperCase()}`)
  }

  /** True if a command with the same nonce and a higher fee was answered as sent, and some node holds it. */
  const isReplaced = ({ from, nonce, fee }: HistoryCommand) =>
    records.some(({ command, answer }) => {
      const isBetter = command.from === from && command.nonce === nonce && command.fee > fee
      return isBetter && answer?.status === 201 && truth.isHeld(command)
    })

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
      const said = errors.map((text) => text.replace(/\{.*\}/, '{…}')).join('; ') || 'answered'
      trace(() => `  ${record.number} ${operation.name} at ${place.name}, ${daemon.name}: ${said}`)
      if (network !== home) return () => undefined
      record.sawUsedNonce ||= (daemon.account(command.from)?.nonce ?? 0) > command.nonce
      if (isMutation && errors.length === 0) accepted(record, place)
      const isSeen = isSearch(call) && data !== null && daemon.state !== 'bootstrapping'
      const isShown = isSeen && daemon.holds(command)
      const queued = daemon.queued(command.from)
      return () => {
        record.wasShown ||= isShown
        if (isSeen && place.sharedAddress) recordRival(record, queued)
      }
    },
  })

  async function broadcast(command: HistoryCommand): Promise<Result> {
    const record = startRecord(records.length + 1, command, time.now())
    records.push(record)
    truth.add(command)
    const { hash, from, nonce, fee, flaw, kind } = command
    trace(
      () => `${record.number} posts ${hash.slice(0, 8)} of ${from.slice(-3)}: nonce ${nonce}, fee ${fee}, flaw ${flaw}`,
    )
    const endpoint = kind === 'PAYMENT' ? broadcastTransaction : broadcastDelegation
    const request = { path: {}, query: {}, body: requestBody(command) }
    const { answer, isCold } = await fleet(endpoint as Endpoint, request, callerOf(record))
    Object.assign(record, { answer, isCold, answeredAt: time.now() })
    const outcome = outcomeOf(record)
    trace(() => `${record.number} gets ${outcome ?? 'no outcome'} ${answer.headers?.['x-broadcast-code'] ?? ''}`)
    if (!record.wentElsewhere) blame(record, faultOf(record, truth, listed))
    if (outcome === 'unknown') record.reason = reasonOfUnknown(record, truth, listed)
    return outcome === undefined || outcome === 'unknown' ? 'unknown' : outcome === 'refused' ? 'refused' : 'sent'
  }

  let endsAt = begunAt + maxDurationMs
  for (const network of networks) network.live(() => endsAt)
  const wallets = senders.slice(0, setting.senders).map((key) => useWallet(random, time, setting, home, key, broadcast))
  const ofFates = createRandom(`fates of ${seed}`)
  const commands = () => records.map(({ command }) => command)
  const prober = useProber(ofFates, time, world, { ...setting, ...listed }, commands, trace)
  const probing = prober.ask(fatesAsked, pick(ofFates, probingMs))
  const done = Promise.all([...wallets, probing]).then(() => {
    endsAt = time.now() + epilogueMs
  })
  await time.run()
  const unanswered = records.filter(({ answeredAt }) => answeredAt === undefined)
  for (const record of unanswered) blame(record, 'lost')
  if (unanswered.length === 0) await done

  const faults = records.flatMap((record) => [...record.faults])
  const applied = home.bestChain().flatMap(({ commands }) => commands)
  const isTwice = new Set(applied).size < applied.length
  if (isTwice || applied.some((command) => resentOverReplacement.has(command))) faults.push('replacement lost')
  const fates = prober.finish()
  faults.push(...fates.flatMap(({ wrong = [] }) => wrong))
  /** The faults of all answers, and of the history as a whole. */
  return { records, fates, faults }
}
