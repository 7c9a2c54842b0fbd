// Runs one history of a client: its owner, its machine, the service and the chain, in virtual time. What the client has told is
// judged by the chain at the end.
import { createClient, type Inclusion, type QueueStore, type Update } from '../../../client/src/client.ts'
import { settle } from '../../../docs/recipes/settle.ts'
import { minimumFee } from '../../../local/chain/pool/refusals.ts'
import { createRandom, integerBetween, pick } from '../../../local/chain/random.ts'
import { broadcastCodes } from '../../../shared/contract/broadcast-codes.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { signCommand } from '../broadcasts/signed-command.ts'
import { indexerOf } from '../chain/indexer.ts'
import { service } from '../service/service.ts'
import { createTime } from '../time.ts'
import type { ClientVariant } from '../variants/clients.ts'
import { createWorld } from '../world.ts'
import { baseUrl, createEdge } from './edge.ts'
import { createProgram, createWallClock, type Program } from './machine.ts'
import { createOwner, type Kept, type Told, wallet } from './owner.ts'
import { hour, isIndexerWell, settingOf } from './setting.ts'

const network = 'testnet' as const
const day = 24 * hour
/** Where nothing new has been told for so long, the rest of a day brings nothing new either: all pauses are shorter. */
const quietMs = 4 * hour
/** Long enough for a command that some pool still holds to come into a block. */
const epilogueMs = 2 * hour

/** Requests in an hour for each open command. A search of older blocks reads 300 of them. */
const maxInHour = 800

export const wrongs = ['paid twice', 'told not paid', 'told paid', 'stays open', 'not told', 'asks too often'] as const
export type WrongClient = (typeof wrongs)[number]

interface Options {
  readonly variant?: ClientVariant
  readonly log?: (line: string) => void
}

export async function runHistory(seed: string, { variant = (make) => make, log }: Options = {}) {
  const random = createRandom(`client history ${seed}`)
  const setting = settingOf(random)
  const time = createTime()
  const begunAt = time.now()
  const sinceMs = () => time.now() - begunAt
  const trace = (line: () => string) => log?.(`${(sinceMs() / 60_000).toFixed(2).padStart(8)}  ${line()}`)
  trace(() => JSON.stringify(setting))
  const { follower, indexerAs } = setting
  const world = createWorld(random, time, setting, service, undefined, trace)
  const { home } = world
  const fleet = world.fleetOf(random, indexerAs && indexerOf(home, () => home, indexerAs, random))
  const now = createWallClock(time, setting)
  let changedAtMs = 0
  const changed = () => {
    changedAtMs = sinceMs()
  }
  const owner = createOwner(random, setting, home.slot, now, changed, trace)
  let requests = 0
  /** For each open command, by the hour since the history began. */
  const perHour = new Map<number, number>()
  const mostInHour = () => Math.max(0, ...perHour.values())
  const edge = createEdge(random, time, fleet, setting.losses, owner.commandOf, (path, status, told) => {
    const at = Math.floor(sinceMs() / hour)
    requests += 1
    perHour.set(at, (perHour.get(at) ?? 0) + 1 / Math.max(1, owner.open.size))
    trace(() => `  ${path.slice(0, 40)}: ${status} ${told}`)
  })
  const deadlineMs = Math.max(0, ...setting.absences.map(({ untilMs }) => untilMs)) + day

  function clientOf(program: Program) {
    const { clock, fetch } = program
    return variant(createClient)({ baseUrl, network, clock, fetch })
  }

  /** What an unanswered question says is not what an owner can act on. */
  function note(kept: Kept, told: object, isAnswered: boolean): void {
    const text = JSON.stringify(told)
    if (kept.told === text || (!isAnswered && kept.told !== 'kept')) return
    kept.told = text
    changed()
  }

  const listen = ({ hash, ...update }: Update) => {
    const kept = owner.open.get(hash)
    if (kept) note(kept, update, update.because !== 'no-answer')
    trace(() => `${hash.slice(0, 8)} is ${JSON.stringify(update)}`)
  }

  async function useQueue(program: Program): Promise<void> {
    const { alive, clock } = program
    const keptOf = ({ hash }: { readonly hash: string }) => owner.open.get(hash)
    const store: QueueStore = {
      commands: () => alive([...owner.open.values()]),
      async settle(command, end) {
        await alive(undefined)
        const kept = keptOf(command)
        if (kept) owner.ended(kept, end)
      },
      fillGap: async (nonce) => owner.fill(await alive(nonce)),
    }
    const sending: QueueStore['sending'] = async (command) => {
      const kept = keptOf(await alive(command))
      if (kept) kept.maySent = true
    }
    const noting = setting.notesSendings ? { ...store, sending } : store
    const { pollMs, confirmations } = setting
    for (;;) {
      await clientOf(program)
        .sendQueue(noting, { pollMs, confirmations, onUpdate: listen })
        .catch((error) => trace(() => `the queue throws ${error}`))
      await clock.wait(60_000)
    }
  }

  async function follow(program: Program, kept: Kept): Promise<void> {
    const { clock, alive } = program
    const { signed, hash, sentAtMs, sentAtTip } = kept
    const client = clientOf(program)
    const isFirst = kept.maySent !== true
    kept.maySent = true
    const neverSent = isFirst && random() < 0.5
    if (isFirst && !neverSent) await client.sendUntilKnown(signed).catch(() => undefined)
    for (let run = 0; owner.open.has(hash); run++) {
      const others = owner.signed.filter((other) => other !== kept && other.command.nonce === kept.command.nonce)
      const options = {
        ...setting,
        sentAtMs,
        sentAtTip,
        neverSent: neverSent && run === 0,
        rivals: others,
        onUpdate: listen,
      }
      const end = await alive(client.waitForInclusion(signed, hash, options)).catch((error) => {
        trace(() => `waitForInclusion throws ${error}`)
      })
      const isEnd = end && !['unconfirmed', 'undecided', 'no-account'].includes(end.state)
      if (isEnd) owner.ended(kept, end)
      else await clock.wait(setting.pollMs)
    }
  }

  async function useRecipe({ clock, alive }: Program, kept: Kept): Promise<void> {
    const { command, hash, body } = kept
    const { from, to, memo } = command
    const numbers = { nonce: `${command.nonce}`, fee: `${command.fee}`, amount: `${command.amount}` }
    const terms = { from, to, ...numbers, valid_until: `${command.validUntil}`, memo: memoFromText(memo) }
    const wait = (seconds: number) => clock.wait((seconds * setting.pollMs) / 10)
    while (owner.open.has(hash)) {
      const neverSent = kept.maySent !== true
      kept.maySent = true
      const payment = { network, hash, terms, body, neverSent }
      const end = await alive(settle(baseUrl, payment, 30, wait))
      note(kept, end, !('because' in end) || end.because !== 'unknown')
      const isOpen = ['unconfirmed', 'undecided', 'no-account'].includes(end.state)
      const isKnown = ['included', 'replaced', 'expired', 'refused'].includes(end.state)
      if (!isOpen) owner.ended(kept, (isKnown ? end : { state: 'refused', code: end.state }) as Inclusion)
    }
  }

  /** From a start of the program until it ends. */
  async function run(program: Program): Promise<void> {
    const { clock, isRunning } = program
    const { account } = clientOf(program)
    const followed = new Set<Kept>()
    if (follower === 'sendQueue') void useQueue(program)
    while (isRunning()) {
      await owner.sign((...asked) => program.alive(account(...asked)), sinceMs()).catch(() => undefined)
      for (const kept of owner.open.values()) {
        if (follower === 'sendQueue' || followed.has(kept)) continue
        followed.add(kept)
        void (follower === 'settle' ? useRecipe(program, kept) : follow(program, kept))
      }
      await clock.wait(120_000)
    }
  }

  /** Another program of the wallet sends something else. */
  async function disturb(): Promise<void> {
    await time.wait(integerBetween(random, 0, 2 * hour))
    const daemon = pick(random, home.daemons)
    const queued = random() < 0.5 ? daemon.queued(wallet).at(-1) : undefined
    const nonce = queued?.nonce ?? daemon.inferredNonce(wallet)
    const fee = (queued?.fee ?? 10n ** 7n) + 60_000_000n
    const rival = signCommand(random, {
      kind: 'PAYMENT',
      from: wallet,
      to: wallet,
      amount: 5n,
      fee,
      nonce,
      memo: 'other',
    })
    const reason = daemon.state === 'up' ? home.submit(daemon, rival) : 'not sent'
    trace(() => `a rival ${rival.hash.slice(0, 8)} of nonce ${nonce}: ${reason ?? 'queued'}`)
  }

  const listed = home.daemons.slice(0, -1)
  for (const daemon of listed) {
    const { submit } = daemon
    daemon.submit = (...given) => {
      const spell = setting.refusals.find(({ fromMs, untilMs }) => fromMs <= sinceMs() && sinceMs() < untilMs)
      return spell?.words ?? submit(...given)
    }
    for (const atMs of setting.evictionsAtMs) {
      time.quietly(atMs, () => {
        trace(() => `${daemon.name} loses its pool`)
        daemon.losePool()
      })
    }
  }
  let endsAt = Infinity
  world.live(() => endsAt)
  for (let count = 0; count < setting.rivals; count++) void disturb()

  /** The program runs, but for its absences, until all is settled, or a day after the last of them. */
  async function live(): Promise<void> {
    const starts = [0, ...setting.absences.map(({ untilMs }) => untilMs)]
    for (const [index, startMs] of starts.entries()) {
      await time.wait(startMs - sinceMs())
      const stopMs = setting.absences[index]?.fromMs ?? deadlineMs
      const program = createProgram(random, time, now, edge)
      globalThis.fetch = program.fetch as typeof globalThis.fetch
      trace(() => 'the program starts')
      void run(program)
      const isQuiet = () => index === starts.length - 1 && sinceMs() - Math.max(changedAtMs, startMs) > quietMs
      while (sinceMs() < stopMs && !owner.isDone() && !isQuiet() && mostInHour() < maxInHour)
        await time.wait(Math.min(600_000, stopMs - sinceMs()))
      program.end()
      if (owner.isDone() || mostInHour() >= maxInHour) break
    }
    endsAt = time.now() + epilogueMs
  }
  const { fetch } = globalThis
  try {
    const done = live()
    await time.run()
    await done
  } finally {
    globalThis.fetch = fetch
  }
  return { ...judged(), requests, mostInHour: mostInHour(), setting, ends: owner.ends }

  function judged() {
    const paid = new Set(home.bestChain().flatMap(({ commands }) => commands))
    const faults: WrongClient[] = []
    const blame = (fault: WrongClient, why: () => string) => {
      faults.push(fault)
      trace(() => `${fault.toUpperCase()}: ${why()}`)
    }
    for (const { commands, to } of owner.purposes) {
      if (commands.filter((command) => paid.has(command)).length > 1) blame('paid twice', () => to)
    }
    for (const { kept, state } of owner.ends) {
      const isPaid = paid.has(kept.command)
      if (isPaid && state !== 'included') blame('told not paid', () => `${kept.command.hash.slice(0, 8)} ${state}`)
      if (!isPaid && state === 'included') blame('told paid', () => kept.command.hash.slice(0, 8))
    }
    if (mostInHour() >= maxInHour) blame('asks too often', () => `${mostInHour()} requests in an hour`)
    else for (const kept of owner.open.values()) judgeOpen(kept)
    return { faults, open: [...owner.open.values()].map(({ told }) => told) }

    /** What is open after a day must be such as only the owner or an indexer can end, and the owner must know. */
    function judgeOpen(kept: Kept): void {
      const { command, told } = kept
      const what = () => `${command.hash.slice(0, 8)}, paid ${paid.has(command)}: ${told}`
      if (told === 'kept') {
        blame('not told', what)
        return
      }
      const { because } = JSON.parse(told)
      const isRival = ({ kept: { command: other }, state }: Told) =>
        other.nonce === command.nonce && state === 'included'
      // A rival that leaves the store after fewer blocks cannot prove anything when it is deeper.
      const knowsRivals = follower === 'waitForInclusion' || (follower === 'sendQueue' && setting.confirmations >= 15)
      const isSettledByRival = knowsRivals && owner.ends.some(isRival)
      const isForIndexer =
        because === 'nonce-used' || (because === 'unknown' && (follower === 'settle' || setting.indexerAs))
      // The recipe names the code.
      const isUnanswered = follower === 'settle' && because === 'possible' && command.fee < minimumFee
      const isRefused = because === 'refused' || Object.hasOwn(broadcastCodes, because) || isUnanswered
      const isForOwner = isRefused || because === 'waits-for-nonce' || (isForIndexer && !isIndexerWell(setting))
      if (isSettledByRival || !isForOwner) blame('stays open', what)
    }
  }
}
