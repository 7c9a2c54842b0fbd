// One network: daemons with their gossip, blocks, small reorganisations and restarts.
import { newAccount } from '../../../testnet/ledger/ledger.ts'
import { integerBetween, pick, type Random } from '../../../testnet/random.ts'
import { type HistoryCommand, senders } from '../broadcasts/signed-command.ts'
import type { VirtualTime } from '../time.ts'
import { type Block, type Chain, forkGenesisBlock, genesisBlock, nextBlock } from './block.ts'
import { createDaemon, type Daemon, type Kind } from './daemon.ts'

/** The name of the stage's network, and of that after its hard fork. */
export const homeName = 'home'
export const nextName = 'home after the fork'

/** The end of a chain before a hard fork, in milliseconds since the world began. */
export interface ChainEnd {
  /** The beginning of a slot: commands are refused, and blocks are empty. */
  readonly commandsAtMs: number
  /** From then on the chain makes no blocks. */
  readonly blocksAtMs: number
}

/** The beginning of a chain after a hard fork. */
export interface ChainOrigin {
  /** The blocks that the fork keeps; the last one is the genesis block's parent. */
  readonly kept: Chain
  readonly worldBegunAt: number
  /** The time of the genesis block. */
  readonly beginsAt: number
}

export interface NetworkSetting {
  /** No other network has it. */
  readonly name: string
  readonly daemons: readonly Kind[]
  /** Of every sender, in nanomina. */
  readonly balance: bigint
  /** A sender that has no account at first. */
  readonly newcomer?: string | undefined
  readonly slotMs: number
  /** Blocks that there are already. */
  readonly height: number
  /** The number of blocks that its daemons hold. */
  readonly frontierBlocks: number
  readonly acceptsDuplicates: boolean
  readonly gossipMs: readonly [min: number, max: number]
  /** The longest time after which another daemon sees a block. */
  readonly blockLagMs: number
  readonly blockEveryMs: readonly [min: number, max: number]
  /** The probability of a reorganisation, per block. */
  readonly reorganisations: number
  /** The most blocks that one of them takes back, 2 by default. */
  readonly deepest?: number
  /** The number of restarts. */
  readonly restarts: number
  readonly end?: ChainEnd | undefined
  readonly origin?: ChainOrigin | undefined
}

export type Network = ReturnType<typeof createNetwork>

/** The states of a restart, and how long each lasts. */
const restarting = [
  ['down', 1_000, 20_000],
  ['bootstrapping', 1_000, 10_000],
  ['without-ledger', 0, 4_000],
  ['up', 0, 0],
] as const

/**
 * @param changed called after every change to what the daemons hold
 * @param trace receives the lines of the history
 */
export function createNetwork(
  random: Random,
  time: VirtualTime,
  setting: NetworkSetting,
  changed: () => void = () => undefined,
  trace: (line: () => string) => void = () => undefined,
) {
  const { slotMs, end, origin } = setting
  const startedAt = origin?.worldBegunAt ?? time.now()
  const accounts = new Map(
    senders.filter((key) => key !== setting.newcomer).map((key) => [key, newAccount(key, setting.balance)]),
  )
  const slot = () => Math.floor((time.now() - startedAt) / slotMs)
  const isPaused = () => end !== undefined && time.now() - startedAt >= end.commandsAtMs
  const hasEnded = () => end !== undefined && time.now() - startedAt >= end.blocksAtMs
  const parent = origin?.kept.at(-1)
  const genesis =
    origin === undefined || parent === undefined
      ? genesisBlock(setting.name, startedAt - (setting.height - 1) * slotMs, accounts)
      : forkGenesisBlock(setting.name, parent, Math.floor((origin.beginsAt - startedAt) / slotMs), origin.beginsAt)
  let bestChain: Chain = [...(origin?.kept ?? []), genesis]
  let blocks = 0
  const failedOnce = new Set<HistoryCommand>()
  const fails = (command: HistoryCommand): boolean => {
    const isFirst = command.failsFirst === true && !failedOnce.has(command)
    if (isFirst) failedOnce.add(command)
    return isFirst
  }
  /** By the state hash of its last block: every best chain that any daemon has had. */
  const chains = new Map<string, Chain>()
  const extended = (chain: Chain, wanted: readonly HistoryCommand[], atMs: number, atSlot = slot()): Chain => {
    const block = nextBlock(chain.at(-1) ?? genesis, `${setting.name} ${blocks++}`, wanted, atSlot, atMs, fails)
    const longer = [...chain, block]
    chains.set(block.stateHash, longer)
    return longer
  }
  const append = (wanted: readonly HistoryCommand[], atMs: number, atSlot = slot()) => {
    bestChain = extended(bestChain, wanted, atMs, atSlot)
  }
  while (bestChain.length < setting.height) append([], genesis.date + bestChain.length * slotMs)
  /** As they followed each other: a daemon that lags is at an earlier one. */
  const versions = [bestChain]
  let abandonedChain: Chain | undefined
  const reorganised: { readonly keptHeight: number; readonly depth: number; readonly atMs: number }[] = []

  const daemons = setting.daemons.map((kind, index) =>
    createDaemon(`${setting.name}${index + 1}`, kind, index, setting.acceptsDuplicates, bestChain),
  )
  const othersOf = (one: Daemon): readonly Daemon[] => daemons.filter((other) => other !== one)
  const between = ([min, max]: readonly [number, number]) => integerBetween(random, min, max)
  /** Best chains that daemons have given up, in that order. */
  const past: { readonly chain: Chain; readonly untilMs: number }[] = []
  /** When the last gossip to a daemon arrives; gossip does not overtake gossip. */
  const gossipArrives = new Map<Daemon, number>()

  function gossip(to: Daemon, command: HistoryCommand): void {
    if (to.kind === 'rust') return
    const at = Math.max(gossipArrives.get(to) ?? 0, time.now() + between(setting.gossipMs))
    gossipArrives.set(to, at)
    time.quietly(at - time.now(), () => {
      if (to.isCutOff || to.state !== 'up' || to.queued(command.from).includes(command)) return
      const reason = to.submit(command, slot(), isPaused())
      trace(() => `${to.name} receives ${command.hash.slice(0, 8)}: ${reason ?? 'queued'}`)
      changed()
    })
  }

  /** Gossips the pool again to a daemon that came back or got a new chain, as a daemon does. */
  function catchUp(to: Daemon): void {
    for (const from of othersOf(to)) {
      if (from.isCutOff) continue
      for (const command of from.allQueued()) if (!to.queued(command.from).includes(command)) gossip(to, command)
    }
  }

  function adopt(to: Daemon, chain: Chain): void {
    const isBlind = to.state === 'down' || to.state === 'bootstrapping'
    if (isBlind || to.isCutOff || to.chain().length > chain.length || to.chain() === chain) return
    past.push({ chain: to.chain(), untilMs: time.now() })
    to.adopt(chain, slot())
    changed()
    catchUp(to)
  }

  function spread(maker: Daemon): void {
    versions.push(bestChain)
    for (const daemon of daemons) {
      const seen = versions[versions.length - 1 - daemon.lag(time.now())]
      if (seen === undefined) continue
      if (daemon === maker || setting.blockLagMs === 0) adopt(daemon, seen)
      else time.quietly(integerBetween(random, 10, setting.blockLagMs), () => adopt(daemon, seen))
    }
  }

  /** @returns the commands of the blocks that are taken back */
  function takeBack(depth: number): readonly HistoryCommand[] {
    if (depth === 0) return []
    abandonedChain = bestChain
    const abandoned = bestChain.slice(-depth).flatMap(({ commands }) => commands)
    bestChain = bestChain.slice(0, -depth)
    reorganised.push({ keptHeight: bestChain.length, depth, atMs: time.now() })
    trace(() => `reorganisation of ${depth}`)
    return abandoned
  }

  function makeBlock(): void {
    if (hasEnded() || time.now() < genesis.date) return
    const maker = pick(
      random,
      daemons.filter(({ isCutOff }) => !isCutOff),
    )
    const slotAt = startedAt + slot() * slotMs
    // Some blocks come from other producers and hold none of these commands, some have no room for all of them.
    const room = random() < 0.2 || isPaused() ? 0 : integerBetween(random, 1, 8)
    const depth = random() < setting.reorganisations ? integerBetween(random, 1, setting.deepest ?? 2) : 0
    if (depth > 0 && bestChain.length - genesis.height >= depth) {
      const abandoned = takeBack(depth)
      for (let made = 0; made < depth; made++) append(random() < 0.5 && !isPaused() ? abandoned : [], slotAt)
    }
    append(maker.state === 'up' ? maker.allQueued().slice(0, room) : [], slotAt)
    const { height, commands } = bestChain.at(-1) ?? genesis
    trace(() => `block ${height}: ${commands.map(({ hash }) => hash.slice(0, 8)).join(' ') || 'empty'}`)
    spread(maker)
  }

  function restart(one: Daemon): void {
    if (one.isCutOff || daemons.some(({ state }) => state !== 'up')) return
    let atMs = 0
    for (const [state, min, max] of restarting) {
      time.quietly(atMs, () => {
        trace(() => `${one.name} is ${state}`)
        one.state = state
        if (state === 'down') one.losePool()
        changed()
        adopt(one, bestChain)
        catchUp(one)
      })
      atMs += integerBetween(random, min, max)
    }
  }

  return {
    /** The stage's. */
    isHome: setting.name === homeName || setting.name === nextName,
    genesis,
    genesisStateHash: genesis.stateHash,
    slotMs,
    frontierBlocks: setting.frontierBlocks,
    daemons,
    slot,
    bestChain: () => bestChain,
    /** The best chain as it was so many blocks ago; since then a part of it may have been abandoned. */
    earlierChain: (blocksAgo: number): Chain => versions.at(-1 - blocksAgo) ?? [...(origin?.kept ?? []), genesis],
    /** The best chain before the latest reorganisation; undefined without one. */
    abandonedChain: () => abandonedChain,
    /** The height of the last block that each reorganisation kept, and how many blocks it took back. */
    reorganised: reorganised as readonly {
      readonly keptHeight: number
      readonly depth: number
      readonly atMs: number
    }[],
    /** The best chains of its daemons at a time and since. */
    shownSince(timeMs: number): readonly Chain[] {
      const first = past.findLastIndex(({ untilMs }) => untilMs < timeMs) + 1
      return [...daemons.map((daemon) => daemon.chain()), ...past.slice(first).map(({ chain }) => chain)]
    },
    /**
     * Lets a block come late: it was made so many blocks below the tip in an earlier slot, and there are enough blocks on top
     * of it to make its branch the best chain.
     */
    lateBlock(commands: readonly HistoryCommand[], depth: number, atSlot: number): void {
      takeBack(depth)
      append(commands, startedAt + atSlot * slotMs, atSlot)
      for (let made = 0; made < depth; made++) append([], startedAt + slot() * slotMs)
      trace(
        () =>
          `late block ${bestChain.length - depth} of slot ${atSlot}: ${commands.map(({ hash }) => hash.slice(0, 8))}`,
      )
      versions.push(bestChain)
      for (const daemon of daemons) adopt(daemon, bestChain)
    },
    /** Submits a command to a daemon, which gossips it to the others. */
    submit(to: Daemon, command: HistoryCommand): string | undefined {
      const reason = to.submit(command, slot(), isPaused())
      if (reason !== undefined) return reason
      changed()
      if (to.isCutOff) return undefined
      for (const other of othersOf(to)) gossip(other, command)
      return undefined
    },
    /** The best chain that a daemon had with this last block; undefined where none had such a one. */
    chainTo: (stateHash: string): Chain | undefined => chains.get(stateHash),
    /** True if some daemon had a best chain on which so many blocks were on top of this one. */
    wasUnder: ({ height, stateHash }: Pick<Block, 'height' | 'stateHash'>, confirmations: number): boolean =>
      [...chains.values()].some(
        (chain) => chain.length - height >= confirmations && chain[height - 1]?.stateHash === stateHash,
      ),
    /** True if some daemon had a best chain on which so many blocks were on top of another one in its place. */
    wasOff: ({ height, stateHash }: Pick<Block, 'height' | 'stateHash'>, confirmations: number): boolean =>
      [...chains.values()].some((chain) => {
        const there = chain[height - 1]
        return there !== undefined && there.stateHash !== stateHash && chain.length - height >= confirmations
      }),
    /**
     * Cuts a daemon off: whatever it has then, it shows for good.
     *
     * @param orphans its last so many blocks are on no other daemon's best chain; the highest is one above the network's tip
     */
    cutOff(one: Daemon, orphans: number): void {
      if (one.state !== 'up') return
      if (orphans > 0) {
        let own: Chain = bestChain.slice(0, bestChain.length - orphans + 1)
        const wanted = one.allQueued()
        for (let made = 0; made < orphans; made++) own = extended(own, made === 0 ? wanted : [], time.now())
        adopt(one, own)
      }
      one.isCutOff = true
      one.lag = () => Number.POSITIVE_INFINITY
      trace(() => `${one.name} is cut off at ${one.chain().length}, ${orphans} of them orphans`)
    },
    /** It hears of its network again. */
    rejoin(one: Daemon): void {
      if (!one.isCutOff) return
      one.isCutOff = false
      one.lag = () => 0
      trace(() => `${one.name} hears of the others again`)
      adopt(one, bestChain)
      catchUp(one)
    },
    /** Starts a daemon that was stopped: it follows the chain at once. */
    startDaemon(one: Daemon): void {
      one.state = 'up'
      changed()
      adopt(one, bestChain)
      catchUp(one)
    },
    stopDaemon(one: Daemon): void {
      one.state = 'down'
      one.losePool()
      changed()
    },
    /** Makes blocks, reorganises and restarts daemons until that time. */
    live(untilMs: () => number): void {
      const repeatedly = (waitMs: () => number, action: () => void): void =>
        time.quietly(waitMs(), () => {
          if (time.now() > untilMs()) return
          action()
          repeatedly(waitMs, action)
        })
      repeatedly(() => between(setting.blockEveryMs), makeBlock)
      // A daemon drops an expired command at the next block. No block can include it, so here it is dropped at once.
      const everySlot = () => {
        for (const one of daemons) if (!one.isCutOff) one.dropUnfit(slot())
        changed()
      }
      repeatedly(() => slotMs, everySlot)
      for (let count = 0; count < setting.restarts; count++) {
        time.quietly(integerBetween(random, 1_000, 90_000), () => restart(pick(random, daemons)))
      }
    },
  }
}
