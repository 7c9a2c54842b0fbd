// Runs one history of a client: its owner, its machine, the service and the chain, in virtual time. What the client has told is
// judged by the chain at the end.
import { createClient, type Inclusion, type QueueStore, type Update } from '../../../client/src/client.ts'
import { settle } from '../../../docs/recipes/settle.ts'
import { minimumFee } from '../../../local/chain/pool/refusals.ts'
import { createRandom, integerBetween, pick } from '../../../local/chain/random.ts'
import { broadcastCodes } from '../../../shared/contract/broadcast-codes.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { type HistoryCommand, signCommand } from '../broadcasts/signed-command.ts'
import { indexerOf } from '../chain/indexer.ts'
import { service } from '../service/service.ts'
import { createTime } from '../time.ts'
import type { ClientVariant } from '../variants/clients.ts'
import { createWorld } from '../world.ts'
import { createAdversary } from './adversary.ts'
import { baseUrl, createEdge } from './edge.ts'
import { createProgram, createWallClock, type Program } from './machine.ts'
import { createOwner, type Kept, type Told, wallet } from './owner.ts'
import { canContradict, type Heard, hour, isIndexerWell, settingOf } from './setting.ts'

const network = 'testnet' as const
/** Of chain time: what is open after it, since the program was started or anything was done to it, stays so. */
const day = 24 * hour
/** Long enough for a command that some pool still holds to come into a block. */
const epilogueMs = 2 * hour

/** Blocks read in an hour for each open command. A search of older blocks reads 300 of them, and may have to begin anew. */
const maxBlocksInHour = 800

/**
 * Sendings that are refused, and searches that come to nothing, in an hour for each open command, once the program has run, and
 * the command has been refused, for an hour: pauses have grown to half an hour by then. They begin anew where a node takes the
 * command in between. A clock that jumps ends one early, and none ends while it stands still.
 */
const maxVainInHour = 3

/** Blocks on top of a rival that prove that a command is in no block. */
const minProof = 15

/**
 * Broadcasts in an hour for each open command: several in its first minute, and after that one in a minute. They are not
 * counted while the clock stands still, since the patience of a call does not end then.
 */
const maxSentInHour = 150

/** Said of a command that a node has. */
const isTaken = new Set(['accepted', 'already-known', 'pending'])

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
  const wallClock = createWallClock(time, setting)
  const { now } = wallClock
  const owner = createOwner(random, setting, home, time, now, trace)
  let requests = 0
  /** For each open command, by the hour since the history began: requests, blocks of a search, what was in vain, broadcasts. */
  const perHour = new Map<number, number>()
  const blocksPerHour = new Map<number, number>()
  const vainPerHour = new Map<number, number>()
  const sentPerHour = new Map<number, number>()
  const refusedSinceMs = new Map<HistoryCommand, number>()
  const most = (counts: ReadonlyMap<number, number>) => Math.max(0, ...counts.values())
  let program: Program | undefined
  let startedAtMs = 0
  let awayMs: number | undefined
  const adversary = createAdversary(
    time,
    home,
    setting,
    (command) => owner.purposes.some(({ commands }) => commands.indexOf(command) > 0),
    {
      setClock: wallClock.setError,
      end(ms) {
        if (!program?.isRunning()) return
        awayMs = ms
        program.end()
      },
    },
    trace,
  )
  /** When the program was started, something was signed or ended, or the adversary struck, whichever was last. */
  const lastStirMs = () => {
    // Pauses go on where they were when a clock goes on.
    const wentOnAtMs = setting.clockStandsStill.map(({ untilMs }) => untilMs).filter((ms) => ms <= sinceMs())
    return Math.max(startedAtMs, owner.changedAtMs(), adversary.struckAt() - begunAt, ...wentOnAtMs)
  }
  const add = (counts: Map<number, number>) => {
    const at = Math.floor(sinceMs() / hour)
    counts.set(at, (counts.get(at) ?? 0) + 1 / Math.max(1, owner.open.size))
  }
  const edge = createEdge(random, time, fleet, setting.losses, owner.commandOf, (path, status, told, body) => {
    requests += 1
    add(perHour)
    if (path.startsWith('GET /blocks/')) add(blocksPerHour)
    if (body !== null && !wallClock.standsStill()) add(sentPerHour)
    const words = told.split(' ')
    trace(() => `  ${path.slice(0, 40)}: ${status} ${told}`)
    const hash = path.split('/transactions/')[1]
    const command = body === null ? owner.signed.find((kept) => kept.hash === hash)?.command : owner.commandOf(body)
    const isRefused = words[0] === 'refused'
    if (command && isRefused) refusedSinceMs.set(command, refusedSinceMs.get(command) ?? sinceMs())
    if (command && words.some((word) => isTaken.has(word))) refusedSinceMs.delete(command)
    const isVain = isRefused || (path.startsWith('GET /blocks/height/') && status === 404)
    const sameSinceMs = Math.max(lastStirMs(), (command && refusedSinceMs.get(command)) ?? 0)
    const hourBegunAtMs = Math.floor(sinceMs() / hour) * hour
    if (isVain && hourBegunAtMs - sameSinceMs > hour && !wallClock.standsStill()) add(vainPerHour)
    if (command && status > 0) for (const word of words) adversary.hears(command, word as Heard)
  })

  /** A program has one, as the README's examples do. */
  const clients = new WeakMap<Program, ReturnType<typeof createClient>>()
  function clientOf(one: Program) {
    const { clock, fetch } = one
    const client = clients.get(one) ?? variant(createClient)({ baseUrl, network, clock, fetch })
    clients.set(one, client)
    return client
  }

  /** Notes what the owner was told; it cannot act on an unanswered question. */
  function note(kept: Kept, told: object, isAnswered: boolean): void {
    const text = JSON.stringify(told)
    kept.isUnanswered = !isAnswered
    if (kept.told === text || (!isAnswered && kept.told !== 'kept')) return
    kept.told = text
  }

  const listen = ({ hash, ...update }: Update) => {
    const kept = owner.open.get(hash)
    if (kept) note(kept, update, ![update.because, update.code].includes('no-answer'))
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
      // The recipe says it of a lost answer too. As the service's own answer it lasts only where an indexer contradicts the nodes.
      const isAnswered = !('because' in end) || end.because !== 'unknown' || canContradict(setting)
      note(kept, end, isAnswered)
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

  let endsAt = Infinity
  world.live(() => endsAt)
  for (let count = 0; count < setting.rivals; count++) void disturb()

  const isOver = () =>
    owner.isDone() ||
    time.now() - Math.max(begunAt + startedAtMs, adversary.struckAt()) > day ||
    most(blocksPerHour) >= maxBlocksInHour

  /** The program runs, but for its absences, until all is settled, or for a day. */
  async function live(): Promise<void> {
    for (;;) {
      startedAtMs = sinceMs()
      const idleMs = () => sinceMs() - lastStirMs()
      const started = createProgram(random, time, now, idleMs, edge)
      program = started
      globalThis.fetch = started.fetch as typeof globalThis.fetch
      trace(() => 'the program starts')
      void run(started)
      while (started.isRunning() && !isOver()) await time.wait(300_000)
      started.end()
      if (isOver()) break
      trace(() => 'the program has ended')
      await time.wait(awayMs ?? 0)
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
  return {
    ...judged(),
    requests,
    mostInHour: most(perHour),
    mostBlocksInHour: most(blocksPerHour),
    mostVainInHour: most(vainPerHour),
    mostSentInHour: most(sentPerHour),
    setting,
    ends: owner.ends,
  }

  function judged() {
    const paid = new Set(home.bestChain().flatMap(({ commands }) => commands))
    const faults: WrongClient[] = []
    const blame = (fault: WrongClient, why: () => string) => {
      faults.push(fault)
      trace(() => `${fault.toUpperCase()}: ${why()}`)
    }
    /** A reorganisation, of which no node had heard, has taken back more blocks than the client was asked to wait for. */
    const isUndone = ({ confirmations, tipHeight, atMs }: Told) =>
      confirmations !== undefined &&
      home.reorganised.some(
        (each) => each.atMs >= atMs - setting.blockLagMs && each.keptHeight < tipHeight - confirmations,
      )
    const undone = new Set(owner.ends.filter(isUndone).map(({ kept }) => kept))
    for (const { commands, to } of owner.purposes) {
      if (commands.filter((command) => paid.has(command)).length < 2) continue
      if (![...undone].some(({ command }) => commands.includes(command))) blame('paid twice', () => to)
    }
    for (const { kept, state } of owner.ends) {
      const isPaid = paid.has(kept.command)
      if (isPaid === (state === 'included') || undone.has(kept)) continue
      const fault = isPaid ? 'told not paid' : 'told paid'
      blame(fault, () => `${kept.command.hash.slice(0, 8)} ${state}`)
    }
    if (most(blocksPerHour) >= maxBlocksInHour)
      blame('asks too often', () => `${most(blocksPerHour)} blocks in an hour`)
    else if (follower !== 'settle' && most(vainPerHour) > maxVainInHour)
      blame('asks too often', () => `${most(vainPerHour)} in vain in an hour`)
    else if (follower !== 'settle' && most(sentPerHour) > maxSentInHour)
      blame('asks too often', () => `${most(sentPerHour)} broadcasts in an hour`)
    else for (const kept of owner.open.values()) judgeOpen(kept)
    return { faults, open: [...owner.open.values()].map(({ told }) => told), undone: undone.size }

    /** What is open after a day must be such as only the owner or an indexer can end, and the owner must know. */
    function judgeOpen(kept: Kept): void {
      const { command, told } = kept
      const { nonce } = command
      const what = () => `${command.hash.slice(0, 8)}, paid ${paid.has(command)}: ${told}`
      if (told === 'kept') {
        blame('not told', what)
        return
      }
      const { because } = JSON.parse(told)
      // Below fewer blocks a rival is no proof, and later only an indexer may have its block.
      const isRival = ({ kept: { command: other }, state, confirmations = minProof }: Told) =>
        other.nonce === nonce && state === 'included' && confirmations >= minProof
      // A client that has been started since knows it no more.
      const isRemembered = follower === 'sendQueue' || isIndexerWell(setting)
      const rival = owner.ends.find(isRival)
      const isSettledByRival =
        follower !== 'settle' && rival !== undefined && (isRemembered || rival.atMs - begunAt > startedAtMs)
      const nextNonce = home.bestChain().at(-1)?.ledger.get(wallet)?.nonce ?? 0
      const isUsed = nonce < nextNonce
      // An indexer that cannot prove its chain leaves it unknown whether a block holds the command.
      const isForIndexer =
        !isIndexerWell(setting) &&
        // The service answers with a 503 where its indexer contradicts the nodes.
        ((canContradict(setting) && (kept.isUnanswered || because === 'unknown')) ||
          (because === 'nonce-used' && isUsed))
      // The recipe names the code.
      const isUnanswered = follower === 'settle' && because === 'possible' && command.fee < minimumFee
      const isRefused = because === 'refused' || Object.hasOwn(broadcastCodes, because) || isUnanswered
      // The command before it, of which its owner was told too, or one that the owner never signed.
      const before = [...owner.open.values()].find(({ command: other }) => other.nonce === nonce - 1)
      const isWaiting = because === 'waits-for-nonce' && nonce > nextNonce && before?.told !== 'kept'
      const isForOwner = (isRefused && !isUsed) || isWaiting || isForIndexer
      if (isSettledByRival || !isForOwner) blame('stays open', what)
    }
  }
}
