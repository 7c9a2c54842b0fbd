// Asks for the fate of commands at random moments of a history, and judges every answer.

import type { Transaction } from '../../../../shared/contract/transaction.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { getTransaction } from '../../../../shared/endpoints/get-transaction.ts'
import { encodeBase58Check } from '../../../../shared/mapping/base58check.ts'
import { memoFromText } from '../../../../shared/mapping/command.ts'
import { payerNonces } from '../../../../shared/transactions/best-tip.ts'
import { fieldBytes, zkappCommandHash } from '../../../testnet/hashes.ts'
import { minimumFee } from '../../../testnet/pool/refusals.ts'
import { integerBetween, pick, type Random } from '../../../testnet/random.ts'
import { isSearch } from '../broadcasts/record.ts'
import { type HistoryCommand, senders, signCommand } from '../broadcasts/signed-command.ts'
import { type IndexerSetting, indexerOf } from '../chain/indexer.ts'
import type { Network } from '../chain/network.ts'
import type { ForkJudge } from '../forks/judge.ts'
import type { Answered } from '../service/fleet.ts'
import type { VirtualTime } from '../time.ts'
import type { Caller, Place } from '../wire/place.ts'
import type { World, WorldSetting } from '../world.ts'
import { type Inquiry, type Sight, type Terms, type WrongFate, wrongAfterwards, wrongIn } from './judge.ts'
import { causeOfUsedNonce } from './used-nonces.ts'

/** Over the only address, when several daemons may share it, so many questions show an absence. */
const sharedQuestions = 3

const none: ReadonlySet<Network> = new Set()

/** An answer, and the wrong in it. */
export interface ToldFate {
  /** The result of `nameOf` for a 200, otherwise the status. */
  readonly told: string
  /** Of `nonce-used`, where the answer can be judged. */
  cause?: string
  wrong: WrongFate | 'of a dead chain' | undefined
}

/** A hash of before the Berkeley fork, which no node uses any more. */
const oldHash = ({ hash }: HistoryCommand): string =>
  encodeBase58Check(Uint8Array.from([0x12, 0x01, 0x20, ...fieldBytes(hash)]))

/**
 * The hashes that wallets compute: with mina-signer 1, with two later versions as they hash by default, and as nodes do,
 * with 2.1.1 and later when they are asked for that.
 */
export const dialects: readonly ((command: HistoryCommand) => string)[] = [
  oldHash,
  ({ hash }) => zkappCommandHash(`of version 2, ${hash}`),
  ({ hash }) => zkappCommandHash(`of version 3, ${hash}`),
  ({ hash }) => hash,
  ({ hash }) => hash,
]

function queryOf({ command, isFull, omitsAmount }: Terms): Readonly<Record<string, string>> {
  const { from, nonce, validUntil, to, fee, memo, kind, amount } = command
  const first = { from, nonce: `${nonce}`, valid_until: `${validUntil}` }
  if (!isFull) return first
  const further = { ...first, to, fee: `${fee}`, memo: memoFromText(memo) }
  return kind === 'PAYMENT' && !omitsAmount ? { ...further, amount: `${amount}` } : further
}

function indexerSetting(random: Random): IndexerSetting {
  const blocksBehind = pick(random, [0, 0, 1, 1, 3, 30])
  const isAtOrphan = random() < 0.3
  const dice = random()
  const kind = { hasWrongHashes: dice < 0.2, isOnDeadBranch: dice > 0.9 }
  return { ...kind, blocksBehind, isAtOrphan, refusedShare: pick(random, [0, 0, 0.2]) }
}

/** The state, for an absence with its reason, for an inclusion with the place where it was found. */
function nameOf({ state, sending, final, searched }: Transaction): string {
  const place = final ? 'final' : searched.indexer && state !== 'absent' ? 'at the indexer' : undefined
  return [state, sending ?? place].filter(Boolean).join(' ')
}

/**
 * @param isPinned the settings name the network
 * @param fork of the network, with its judge; undefined in most histories
 * @param isPlain nobody sends anything that could stand in the way of a command
 */
export function useProber(
  random: Random,
  time: VirtualTime,
  { home, next, places, fleetOf }: World,
  {
    isPinned,
    isPlain,
    fork,
    forkJudge,
  }: Pick<WorldSetting, 'isPinned' | 'fork'> & {
    readonly isPlain: boolean
    readonly forkJudge: ForkJudge | undefined
  },
  commands: () => readonly HistoryCommand[],
  trace: (line: () => string) => void,
) {
  const indexer = random() < 0.5 ? indexerSetting(random) : undefined
  const followed = () => (fork?.indexerFollows && forkJudge?.hasBegun() && next()) || home
  const fleet = fleetOf(random, indexer && indexerOf(home, followed, indexer, random))
  const zkapps: HistoryCommand[] = []
  const fates: ToldFate[] = []
  /** Checks of answers that only the end of the history can judge. */
  const later: (() => void)[] = []
  /** By instance: the greatest height that it was shown, and the places that have answered. */
  const known = new Map<object, { height: number; readonly heard: Set<string>; readonly network: Network }>()

  const sign = (terms: Partial<HistoryCommand>) =>
    signCommand(random, {
      kind: 'PAYMENT',
      from: pick(random, senders),
      to: pick(random, senders),
      amount: 0n,
      fee: minimumFee + BigInt(integerBetween(random, 0, 99_000_000)),
      nonce: 0,
      ...terms,
    })

  /** Another program of a sender sends a zkApp command to a node: a new one, or one that takes the place of a queued one. */
  function sendZkapp(): void {
    const current = (forkJudge?.hasBegun() && next()) || home
    const node = pick(random, current.daemons)
    const { from, fee, nonce } = pick(random, [...node.allQueued(), sign({ nonce: -1 })])
    const terms = nonce < 0 ? { nonce: node.inferredNonce(from) } : { nonce, fee: fee + 50_000_000n }
    const command = sign({ ...terms, from, isZkapp: true })
    zkapps.push(command)
    const reason = node.state === 'up' && node.kind === 'daemon' ? current.submit(node, command) : 'not sent'
    trace(() => `zkApp command ${command.hash.slice(0, 8)} of nonce ${command.nonce}: ${reason ?? 'queued'}`)
  }

  function termsFor(command: HistoryCommand): Terms | undefined {
    const dice = random()
    if (dice < 0.4) return undefined
    const named = dice < 0.9 ? command : pick(random, [...commands(), ...zkapps, command])
    // A zkApp command pays nobody, so that its wallet cannot say what it does.
    const content = random()
    return { command: named, isFull: !named.isZkapp && content < 0.6, omitsAmount: content < 0.06 }
  }

  /** The stage's network, and that after its hard fork. */
  const stages = (): readonly Network[] => [home, ...[next() ?? []].flat()]
  const networksOf = ({ networks }: Answered): ReadonlySet<Network> =>
    new Set(stages().filter(({ genesisStateHash }) => networks.has(genesisStateHash)))

  const poolsWith = (command: HistoryCommand, ofNetwork: Network): readonly Place[] =>
    places.filter(({ hosts }) =>
      hosts.some(({ network, daemon }) => network === ofNetwork && daemon.queued(command.from).includes(command)),
    )

  async function ask(command: HistoryCommand): Promise<void> {
    const terms = termsFor(command)
    const dialect = pick(random, dialects)
    const hash = command.isZkapp ? command.hash : dialect(command)
    const askedAt = time.now()
    const allSights: (Sight & { readonly network: Network })[] = []
    const searches = new Map<string, number>()
    const shown = new Map<Network, number>()
    const heardNow = new Set<string>()
    let wentElsewhere = false
    const caller: Caller = {
      sent(call) {
        const { name, hosts } = call.place
        if (isSearch(call)) searches.set(name, (searches.get(name) ?? 0) + 1)
        wentElsewhere ||= hosts.some(({ network }) => !network.isHome)
      },
      troubled: () => undefined,
      executed(call, { network, daemon }) {
        const { place, operation } = call
        const chain = daemon.chain()
        const pooled = daemon.allQueued()
        const isBlind = daemon.state === 'bootstrapping'
        const isSight = network.isHome && operation.document.includes('bestChain')
        const isRead = operation.document.includes('bestChain(maxLength: $maxLength)')
        trace(() => `  ${operation.name} at ${place.name}, ${daemon.name}: height ${chain.length}`)
        return () => {
          if (isBlind) return
          heardNow.add(place.name)
          if (!isSight) return
          shown.set(network, Math.max(shown.get(network) ?? 0, chain.length))
          if (isRead || isSearch(call) || operation === payerNonces)
            allSights.push({ network, chain, isRead, pooled: isSearch(call) ? pooled : [] })
        }
      },
    }
    const query = terms === undefined ? {} : queryOf(terms)
    const before = forkJudge?.look()
    const holdersOn = new Map(stages().map((each) => [each, poolsWith(command, each)]))
    const request = { path: { hash }, query, body: undefined }
    const answered = await fleet(getTransaction as unknown as Endpoint, request, caller)
    const { answer, by } = answered
    for (const each of shown.keys()) if (each !== home) forkJudge?.shown(by)
    const standing =
      before && forkJudge?.standingOf('read', before, answered, answer.status < 500 ? networksOf(answered) : none)
    const { network = home, isOfDeadChain = false, isCounted = false, isUnsure = false } = standing ?? {}
    const sights = allSights.filter((sight) => sight.network === network)
    const knownBefore = known.get(by)
    const earlier =
      knownBefore?.network === network ? knownBefore : { height: 0, heard: knownBefore?.heard ?? new Set<string>() }
    const greatestHeight = Math.max(earlier.height, ...sights.map(({ chain }) => chain.length))
    const heard = new Set([...earlier.heard, ...heardNow])
    // Before an instance knows its network, it may learn heights that it later forgets.
    const isSure = isPinned || heard.has('n1')
    known.set(by, { network, height: isSure ? Math.max(earlier.height, shown.get(network) ?? 0) : 0, heard })

    const body = answer.body as { readonly transaction?: Transaction } & Pick<Transaction, 'searched'>
    const { transaction: told = { hash, state: 'absent', searched: body.searched } } = body
    const name = answer.status === 200 ? nameOf(told) : String(answer.status)
    const fate: ToldFate = { told: name, wrong: undefined }
    fates.push(fate)
    const isOfNetwork = (isSure || !wentElsewhere) && !isCounted && !isUnsure
    const isTold = answer.status === 200 || answer.status === 404
    if (isTold && isOfDeadChain) fate.wrong = 'of a dead chain'
    if (!isTold && ![502, 503, 504].includes(answer.status)) fate.wrong = 'fate failed'
    if (isTold && isOfNetwork && !isOfDeadChain) {
      const needed = places.length === 1 && places[0]?.sharedAddress ? sharedQuestions : 1
      const stillHolding = poolsWith(command, network)
      const isLeftOut = (holdersOn.get(network) ?? []).some(
        (place) => stillHolding.includes(place) && (searches.get(place.name) ?? 0) < needed,
      )
      const inquiry: Inquiry = {
        command,
        hasChainHash: hash === command.hash,
        terms,
        sights,
        greatestHeight,
        hidesStopped: places.some(
          ({ sharedAddress, hosts }) => sharedAddress && hosts.some(({ daemon }) => daemon.isCutOff),
        ),
        chains: network.shownSince(askedAt),
        isLeftOut,
        finalDepth: home.frontierBlocks - 1,
        indexerStays: forkJudge?.hasBegun() === true && fork?.indexerFollows === false,
        indexer: indexer === undefined ? 'none' : indexer.hasWrongHashes ? 'wrong hashes' : 'right hashes',
      }
      fate.wrong = wrongIn(told, inquiry)
      if (told.sending === 'nonce-used') fate.cause = causeOfUsedNonce(told, inquiry)
      later.push(() => {
        fate.wrong ??= wrongAfterwards(told, inquiry, (next() ?? home).bestChain())
      })
    }
    trace(
      () =>
        `fate of ${command.hash.slice(0, 8)} as ${hash.slice(0, 8)}, ${terms && `nonce ${terms.command.nonce}`} ${terms?.isFull ?? ''}: ${name} ${fate.wrong?.toUpperCase() ?? ''}`,
    )
  }

  return {
    /** Asks so many times within a span, one command each, now and then one that nobody has sent. */
    async ask(times: number, spanMs: number): Promise<void> {
      const asking: Promise<void>[] = []
      for (let count = 0; count < times; count++) {
        await time.wait((random() * 2 * spanMs) / times)
        if (random() < 0.1 && !isPlain) sendZkapp()
        const sent = [...commands(), ...zkapps]
        asking.push(ask(random() < 0.05 || sent.length === 0 ? sign({}) : pick(random, sent)))
      }
      await Promise.all(asking)
    },
    /** @returns all answers, judged by the whole history */
    finish(): readonly ToldFate[] {
      for (const judge of later) judge()
      return fates
    },
  }
}
