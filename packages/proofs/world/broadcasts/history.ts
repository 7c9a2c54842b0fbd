// Runs one history: wallets, the networks and the code under test in virtual time. Every answer is judged when it is given.

import { broadcastDelegation } from '../../../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../../../shared/endpoints/broadcast-transaction.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import type { Answer } from '../../../../shared/http/answer.ts'
import { createRandom, integerBetween, pick } from '../../../testnet/random.ts'
import type { Network } from '../chain/network.ts'
import { useProber } from '../fates/prober.ts'
import { createForkJudge } from '../forks/judge.ts'
import { dayMsOf, forkOf, settingOfFork } from '../forks/plan.ts'
import { useReader } from '../forks/reader.ts'
import { settingOfStop } from '../hosts.ts'
import { usePageReader } from '../pages/reader.ts'
import type { StartService } from '../service/service.ts'
import { stopOf } from '../stops.ts'
import { createTime } from '../time.ts'
import { type Caller, type Host, isUsable, type Place } from '../wire/place.ts'
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
import { type Layout, type Setting, settingOf } from './setting.ts'
import { type HistoryCommand, requestBody, senders } from './signed-command.ts'
import { createTruth, type Truth } from './truth.ts'
import { faultOf, type ListedNodes, outcomeOf, reasonOfUnknown } from './verdict.ts'
import { type Result, useWallet } from './wallet.ts'

/** Blocks are made for so long after the last answer. */
const epilogueMs = 60_000
/** When block production ends at the latest, if a request is never answered. */
const maxDurationMs = 1_800_000

/** A daemon stops within so long. */
const maxStopMs = 120_000

/** The spans in which fates are asked for. */
const probingMs = [60_000, 200_000, 600_000] as const

interface Options {
  /** The number of moments at which the fate of a command is asked for. */
  readonly fates?: number
  /** The share of histories in which the network has a hard fork. */
  readonly forks?: number
  /** The share of the other ones in which a daemon stops and goes on answering. */
  readonly stops?: number
  /** Receives a line for each event. */
  readonly log?: ((line: string) => void) | undefined
}

/** True of a refusal by a code after which the same bytes may be accepted. */
const isTold = ({ headers = {} }: Answer, code: string): boolean =>
  headers['x-broadcast-code'] === code && headers['x-broadcast-retriable'] === 'true'

/**
 * @param seed determines everything
 * @param layout which nodes the settings list
 */
export async function runHistory(
  seed: string,
  start: StartService,
  layout: Layout,
  { fates: fatesAsked = 0, forks = 0, stops = 0, log }: Options = {},
) {
  const random = createRandom(`broadcast history ${seed}`)
  const usual = settingOf(random, layout)
  const fork = layout === 'mixed' ? forkOf(seed, forks, usual.slotMs) : undefined
  const stop = layout === 'mixed' && fork === undefined ? stopOf(seed, stops, maxStopMs) : undefined
  const ofFork = fork && settingOfFork(fork, usual, (source) => integerBetween(source, 4, 300))
  const setting: Setting = { ...usual, ...ofFork, ...(stop && settingOfStop(stop, usual)) }
  const time = createTime()
  const begunAt = time.now()
  const trace = (line: () => string) => log?.(`${((time.now() - begunAt) / 1000).toFixed(2).padStart(8)}  ${line()}`)
  // What a node has that settings do not list, nobody can be asked for.
  const listedHere = () => home.daemons.slice(0, home.daemons.length - (setting.unlisted ?? 0))
  const truthOfHome = createTruth(time, listedHere)
  const truthOfNext = createTruth(time, () => world.next()?.daemons ?? [])
  const truthOf = (network: Network) => (network === home ? truthOfHome : truthOfNext)
  const observe = () => {
    truthOfHome.observe()
    truthOfNext.observe()
  }
  const records: RequestRecord[] = []
  const resentOverReplacement = new Set<HistoryCommand>()
  trace(() => JSON.stringify(setting))

  const world = createWorld(random, time, setting, start, observe, trace)
  const { home, places, fleet } = world
  const forkJudge = fork && createForkJudge(time, world, fork, setting.queryFaults)
  /** A warm instance that has heard a node on another network asks it again after ten minutes. */
  const isNoticed = ({ since }: Host, isCold: boolean) => since === undefined || isCold || time.now() - since > 610_000
  const listedOn = (network: Network, isUnsure: boolean, isCold: boolean): ListedNodes => {
    const isOfNetwork = ({ hosts }: Place) => hosts.every((host) => host.network === network)
    return {
      places,
      isPinned: setting.isPinned,
      isPlain: setting.whims === 0,
      isOfNetwork,
      // A pinned network counts once its chain has begun: until then nothing is sent to it.
      isInDoubt: isUnsure || (network !== home && forkJudge?.hasBegun() === false),
      isWell: (place) =>
        setting.queryFaults === 0 &&
        place.hosts.every((host) => isUsable(host, time.now() - begunAt, random) && isNoticed(host, isCold)) &&
        isOfNetwork(place),
    }
  }

  const blame = (record: RequestRecord, fault: Untruth | undefined) => {
    if (fault === undefined || record.faults.has(fault)) return
    record.faults.add(fault)
    trace(() => `${record.number} ${fault.toUpperCase()}`)
  }

  /** True if a command with the same nonce and a higher fee was answered as sent, and some node holds it. */
  const isReplaced = ({ from, nonce, fee }: HistoryCommand, truth: Truth) =>
    records.some(({ command, answer }) => {
      const isBetter = command.from === from && command.nonce === nonce && command.fee > fee
      return isBetter && answer?.status === 201 && truth.isHeld(command)
    })

  function accepted(record: RequestRecord, place: Place, truth: Truth): void {
    const { command, mutationsTo } = record
    if (!truth.isHeld(command) || truth.heldSince(command) !== time.now()) return
    record.submittedAt = time.now()
    if ((mutationsTo.get(place.name) ?? 0) > 1 && isReplaced(command, truth)) resentOverReplacement.add(command)
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
      for (const { network } of call.isMutation ? call.place.hosts : []) record.mutatedAt.add(network)
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
      if (!network.isHome) return () => undefined
      // A check of the network shows nothing of commands.
      const isTelling = isMutation || isSearch(call)
      if (isTelling) record.reachedStoppedAlone = daemon.isCutOff && record.reachedStoppedAlone !== false
      if (isSearch(call)) record.searchedStoppedAlone = daemon.isCutOff && record.searchedStoppedAlone !== false
      record.wasKnownToStopped ||= isMutation && errors.length > 0 && daemon.isCutOff && daemon.holds(command)
      record.sawUsedNonce ||= (daemon.account(command.from)?.nonce ?? 0) > command.nonce
      if (isMutation && errors.length === 0) accepted(record, place, truthOf(network))
      if (isSearch(call)) record.searchedAt.add(network)
      const isSeen = isSearch(call) && data !== null && daemon.state !== 'bootstrapping'
      const isShown = isSeen && daemon.holds(command)
      const queued = daemon.queued(command.from)
      return () => {
        // The answer to a mutation names no network.
        record.sawNext ||= network !== home && !isMutation
        record.told += Number(isMutation)
        record.toldPaused += Number(isMutation && errors.some((text) => text.includes('After_slot_tx_end')))
        if (isShown) record.shownBy.add(network)
        if (isSeen && place.sharedAddress) recordRival(record, queued)
      }
    },
  })

  async function broadcast(command: HistoryCommand): Promise<Result> {
    const record = startRecord(records.length + 1, command, time.now())
    records.push(record)
    truthOfHome.add(command)
    truthOfNext.add(command)
    const { hash, from, nonce, fee, flaw, kind } = command
    trace(
      () => `${record.number} posts ${hash.slice(0, 8)} of ${from.slice(-3)}: nonce ${nonce}, fee ${fee}, flaw ${flaw}`,
    )
    const endpoint = kind === 'PAYMENT' ? broadcastTransaction : broadcastDelegation
    const request = { path: {}, query: {}, body: requestBody(command) }
    const sight = forkJudge?.look()
    const answered = await fleet(endpoint as Endpoint, request, callerOf(record))
    const { answer, isCold, by } = answered
    Object.assign(record, { answer, isCold, answeredAt: time.now() })
    const outcome = outcomeOf(record)
    trace(() => `${record.number} gets ${outcome ?? 'no outcome'} ${answer.headers?.['x-broadcast-code'] ?? ''}`)
    if (record.sawNext) forkJudge?.shown(by)
    const standing = sight && forkJudge?.standingOf('broadcast', sight, answered, record.mutatedAt)
    const { network = home, isOfDeadChain = false, isCounted = false, isUnsure = false } = standing ?? {}
    const truth = truthOf(network)
    // A pool of the dead chain shows nothing of the living one.
    record.wasShown = record.shownBy.has(network)
    const listed = listedOn(network, isUnsure, isCold)
    if (isOfDeadChain) blame(record, 'of a dead chain')
    if (!record.wentElsewhere && !isCounted && !isUnsure) blame(record, faultOf(record, truth, listed))
    const isPaused = outcome === 'refused' && record.told > 0 && record.told === record.toldPaused
    if (isPaused && !isTold(answer, 'network-paused')) blame(record, 'pause not told')
    if (outcome === 'unknown') {
      record.reason = isCounted ? 'before the end of a fork, too few pins' : reasonOfUnknown(record, truth, listed)
    }
    if (outcome === undefined || outcome === 'unknown') return 'unknown'
    return isPaused ? 'paused' : outcome === 'refused' ? 'refused' : 'sent'
  }

  let endsAt = begunAt + maxDurationMs
  world.live(() => endsAt)
  /** Where wallets look for their next nonces. */
  const shownToWallets = {
    get daemons() {
      return (forkJudge?.hasBegun() && world.next()?.daemons) || home.daemons
    },
    slot: home.slot,
  }
  const wallets = senders
    .slice(0, setting.senders)
    .map((key) => useWallet(random, time, setting, shownToWallets, key, broadcast))
  const ofFates = createRandom(`fates of ${seed}`)
  const commands = () => records.map(({ command }) => command)
  const isPlain = setting.whims === 0
  const prober = useProber(
    ofFates,
    time,
    world,
    { isPinned: setting.isPinned, fork, isPlain, forkJudge },
    commands,
    trace,
  )
  const spanMs = pick(ofFates, probingMs)
  const probing = prober.ask(fatesAsked, fork === undefined ? spanMs : dayMsOf(fork))
  const reader = fork && forkJudge && useReader(`reads of ${seed}`, time, world, fork, forkJudge, setting, trace)
  const pages = stop && usePageReader(seed, time, world, setting, trace)
  const reading = [reader?.read(fatesAsked), pages?.read(fatesAsked, 2 * maxStopMs)]
  const done = Promise.all([...wallets, probing, ...reading]).then(() => {
    endsAt = time.now() + epilogueMs
  })
  await time.run()
  const unanswered = records.filter(({ answeredAt }) => answeredAt === undefined)
  for (const record of unanswered) blame(record, 'lost')
  if (unanswered.length === 0) await done

  const faults = records.flatMap((record) => [...record.faults])
  const applied = (world.next() ?? home).bestChain().flatMap(({ commands }) => commands)
  const isTwice = new Set(applied).size < applied.length
  if (isTwice || applied.some((command) => resentOverReplacement.has(command))) faults.push('replacement lost')
  const fates = prober.finish()
  faults.push(...fates.flatMap(({ wrong = [] }) => wrong), ...(reader?.wrongs() ?? []), ...(pages?.wrongs() ?? []))
  /** The faults of all answers, and of the history as a whole. */
  return {
    records,
    fates,
    faults,
    reads: [reader, pages].flatMap((each) => each?.told() ?? []),
    ofFork: forkJudge?.counts ?? new Map<string, number>(),
  }
}
