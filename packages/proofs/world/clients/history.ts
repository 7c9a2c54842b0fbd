// Runs one history of a client: its owner, its machine, the service and the chain, in virtual time. What the client has told is
// judged by the chain at the end.
// biome-ignore-all lint/style/noExcessiveLinesPerFile: one history, whose followers share its owner, programs and notes

import { AsyncLocalStorage } from 'node:async_hooks'
import { settle } from '../../../../docs/recipes/settle.ts'
import { memoFromText } from '../../../../shared/mapping/command.ts'
import { resume } from '../../../client/examples/resume.ts'
import {
  createClient,
  type Fetch,
  type Inclusion,
  type QueueStore,
  type Replaced,
  type Update,
} from '../../../client/src/client.ts'
import { createRandom, integerBetween, pick } from '../../../testnet/random.ts'
import { type HistoryCommand, signCommand } from '../broadcasts/signed-command.ts'
import { indexerOf } from '../chain/indexer.ts'
import { service } from '../service/service.ts'
import { createTime } from '../time.ts'
import type { ClientVariant } from '../variants/clients.ts'
import { createWorld } from '../world.ts'
import { createAdversary } from './adversary.ts'
import { askAgain } from './again.ts'
import { baseUrl, createEdge } from './edge.ts'
import { createProgram, createWallClock, type Program } from './machine.ts'
import { hasAccount, payFirstDeposit } from './newcomer.ts'
import { createOwner, type Kept, type Told } from './owner.ts'
import { canContradict, type Heard, hour, settingOf, wallet } from './setting.ts'
import { createShop } from './shop.ts'
import { vainAnswers } from './vain.ts'
import { judge, maxBlocksInHour, type WrongClient } from './verdict.ts'

const network = 'testnet' as const
/** The way of the shop to the service: recipes ask by the global `fetch`, and the shop is another machine. */
const ofShop = new AsyncLocalStorage<Fetch>()
/** What is asked again once all is settled is counted in no rate, and the adversary does not hear it. */
const ofAgain = new AsyncLocalStorage<true>()
/** Of chain time: what is open after it, since the program was started or anything was done to it, stays so. */
const day = 24 * hour
/** Long enough for a command that some pool still holds to come into a block. */
const epilogueMs = 2 * hour
const settlingMs = 6 * hour

/** Said of a command that a node has. */
const isTaken = new Set(['accepted', 'already-known', 'pending'])

/** True of a replacement that does the same as a command, or is not shown. */
const paysTheSame = ({ command: shown }: Replaced, { command: { to, amount } }: Kept): boolean =>
  shown === undefined || ('to' in shown && shown.to === to && BigInt(shown.amount) === amount)

interface Options {
  readonly variant?: ClientVariant
  readonly log?: (line: string) => void
}

export async function runHistory(seed: string, { variant = (make) => make, log }: Options = {}) {
  const random = createRandom(`client history ${seed}`)
  const setting = settingOf(random, seed)
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
  const faults: WrongClient[] = []
  const blame = (fault: WrongClient, why: () => string) => {
    faults.push(fault)
    trace(() => `${fault.toUpperCase()}: ${why()}`)
  }
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
  const isInVain = vainAnswers(() => owner.open.size)
  const edge = createEdge(random, time, fleet, setting.losses, owner.commandOf, (path, status, told, body) => {
    requests += 1
    if (ofAgain.getStore()) {
      trace(() => `  again ${path.slice(0, 40)}: ${status} ${told}`)
      return
    }
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
    const isVain = isInVain(path, status, words)
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
    if (text.includes('nonce-used')) kept.usedToldAtHeight ??= home.bestChain().length
  }

  /** A failed look is told as trouble: an update of the command says what is known of it. */
  const leaveUnanswered = (kept: Kept) => {
    kept.isUnanswered = true
  }

  const listen = ({ hash, ...update }: Update) => {
    const kept = owner.open.get(hash)
    if (kept) note(kept, update, ![update.because, update.code].includes('no-answer'))
    trace(() => `${hash.slice(0, 8)} is ${JSON.stringify(update)}`)
  }

  const endsQueue = (error: unknown) => {
    trace(() => `the queue throws ${error}`)
    if (Object(error).code === 'not-found' && hasAccount(home)) blame('queue ended by a 404', () => `${error}`)
  }
  const hears = (state: string, hash: string) => {
    if (state === 'no-account' && hasAccount(home)) blame('told no account', () => hash.slice(0, 8))
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
      // It does not say which command was asked about.
      const onTrouble = () => owner.open.forEach(leaveUnanswered)
      await clientOf(program).sendQueue(noting, { pollMs, confirmations, onUpdate: listen, onTrouble }).catch(endsQueue)
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
      const rivals = () => owner.signed.filter((other) => other !== kept && other.command.nonce === kept.command.nonce)
      const others = rivals()
      const options = {
        ...setting,
        sentAtMs,
        sentAtTip,
        neverSent: neverSent && run === 0,
        rivals: others,
        onUpdate: listen,
        onTrouble: () => leaveUnanswered(kept),
      }
      const end = await alive(client.waitForInclusion(signed, hash, options)).catch((error) => {
        trace(() => `waitForInclusion throws ${error}`)
      })
      if (end) hears(end.state, hash)
      const isEnd = end && !['unconfirmed', 'undecided', 'no-account'].includes(end.state)
      // The client cannot name what was signed since: then the README tells to compare the command.
      const isOwn = rivals().length > others.length && isEnd && end.state === 'replaced' && paysTheSame(end, kept)
      if (isEnd) owner.ended(kept, end, isOwn || undefined)
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
      hears(end.state, hash)
      const isOpen = ['unconfirmed', 'undecided', 'no-account'].includes(end.state)
      const isKnown = ['included', 'replaced', 'expired', 'failed', 'refused'].includes(end.state)
      const hasFailed = end.state === 'included' && 'failureReason' in end
      const known = hasFailed ? { ...end, state: 'failed' } : end
      const isToldOwn = 'paysTheSame' in end ? end.paysTheSame !== false : undefined
      if (!isOpen) owner.ended(kept, (isKnown ? known : { state: 'refused', code: end.state }) as Inclusion, isToldOwn)
    }
  }

  /** The client's example, whose sentence says what to do. */
  async function useExample(program: Program, kept: Kept): Promise<void> {
    const { clock, alive } = program
    const { signed, hash, purpose, command } = kept
    const client = clientOf(program)
    if (kept.maySent !== true) {
      kept.maySent = true
      await client.sendUntilKnown(signed).catch(() => undefined)
    }
    let seen: Inclusion | undefined
    const waitForInclusion: typeof client.waitForInclusion = async (given, by, options) => {
      seen = await alive(client.waitForInclusion(given, by, { ...options, patienceMs: 60_000 }))
      return seen
    }
    while (owner.open.has(hash)) {
      const isOther = (other: Kept) =>
        other !== kept && other.purpose === purpose && other.command.nonce === command.nonce
      const others = owner.signed.filter(isOther)
      const example = { ...client, waitForInclusion }
      const said = await alive(resume(example, { ...kept, network } as never, others)).catch((error) => {
        trace(() => `resume throws ${error}`)
      })
      hears(seen?.state ?? '', hash)
      if (!said || !seen || !['included', 'failed', 'replaced', 'expired'].includes(seen.state)) {
        const { state, because, code } = (seen ?? {}) as Partial<Update>
        if (state) note(kept, { state, because, code }, because !== 'no-answer' && code !== 'no-answer')
        await clock.wait(setting.pollMs)
        continue
      }
      trace(() => `resume of ${hash.slice(0, 8)}: ${said}`)
      owner.ended(kept, seen, seen.state === 'replaced' && !said.includes('safe to sign another'))
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
        const use = { settle: useRecipe, resume: useExample, waitForInclusion: follow, sendQueue: follow }[follower]
        void use(program, kept)
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

  const again: Told[] = []
  let endsAt = Infinity
  world.live(() => endsAt)
  if (setting.newcomer && setting.stop) payFirstDeposit(seed, home, time, setting.stop, () => endsAt)
  for (let count = 0; count < setting.rivals; count++) void disturb()
  const shopRandom = createRandom(`shop of ${seed}`)
  const shopEdge = createEdge(
    shopRandom,
    time,
    fleet,
    setting.losses,
    () => undefined,
    () => undefined,
  )
  const shop =
    setting.shop &&
    createShop(
      setting,
      home,
      time,
      (clock) => variant(createClient)({ baseUrl, network, clock: { ...clock, random: shopRandom }, fetch: shopEdge }),
      blame,
      trace,
    )

  /** A command that is signed when the day ends still has the time to get a proof. */
  function isOver(): boolean {
    const livedMs = time.now() - Math.max(begunAt + startedAtMs, adversary.struckAt())
    const isSettling = sinceMs() - lastStirMs() < settlingMs && livedMs <= day + settlingMs
    return owner.isDone() || (livedMs > day && !isSettling) || most(blocksPerHour) >= maxBlocksInHour
  }

  /** The program runs, but for its absences, until all is settled, or for about a day. */
  async function live(): Promise<void> {
    for (;;) {
      startedAtMs = sinceMs()
      const idleMs = () => sinceMs() - lastStirMs()
      const started = createProgram(random, time, now, idleMs, edge)
      program = started
      trace(() => 'the program starts')
      void run(started)
      while (started.isRunning() && !isOver()) await time.wait(300_000)
      const isLast = isOver()
      if (isLast) {
        shop?.close()
        const asking = { setting, owner, client: clientOf(started), program: started, adversary, endsQueue, trace }
        if (started.isRunning() && owner.open.size === 0) {
          await ofAgain.run(true, () => askAgain(asking, time, (told) => again.push(told)))
        }
      }
      started.end()
      if (isLast) break
      trace(() => 'the program has ended')
      await time.wait(awayMs ?? 0)
    }
    endsAt = time.now() + epilogueMs
  }
  const { fetch } = globalThis
  const onTheWay: Fetch = (...asked) => (ofShop.getStore() ?? program?.fetch ?? edge)(...asked)
  try {
    globalThis.fetch = onTheWay as typeof globalThis.fetch
    if (shop) void ofShop.run(shopEdge, shop.run)
    const done = live()
    await time.run()
    await done
  } finally {
    globalThis.fetch = fetch
  }
  const rates = { blocks: most(blocksPerHour), vain: most(vainPerHour), sent: most(sentPerHour) }
  return {
    ...judge(setting, owner, again, home, rates, begunAt, startedAtMs, blame),
    faults,
    requests,
    mostInHour: most(perHour),
    mostBlocksInHour: most(blocksPerHour),
    mostVainInHour: most(vainPerHour),
    mostSentInHour: most(sentPerHour),
    setting,
    ends: owner.ends,
    again,
  }
}
