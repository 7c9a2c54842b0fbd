// Hears what a client hears, and strikes when that can hurt most. It does only what chain, nodes and machines may do.
import type { HistoryCommand } from '../broadcasts/signed-command.ts'
import type { Network } from '../chain/network.ts'
import type { VirtualTime } from '../time.ts'
import { type Heard, hour, refusalWords, type Setting, type Strike } from './setting.ts'

export interface Victim {
  /** From now on the machine's clock is wrong by so much. */
  setClock(errorMs: number): void
  /** Ends the program, and starts it again after so long. */
  end(awayMs: number): void
}

/** Then nothing strikes: an owner who signs anew after each blow would never be done. */
const maxStrikingMs = 48 * hour

/** @param isRaise whether a command takes the place of another one */
export function createAdversary(
  time: VirtualTime,
  home: Network,
  { strikes, deepest }: Setting,
  isRaise: (command: HistoryCommand) => boolean,
  victim: Victim,
  trace: (line: () => string) => void,
) {
  /** Commands that a node has taken: any producer may have got them from it. */
  const taken = new Set<HistoryCommand>()
  const heard = new Map<Strike, Map<HistoryCommand, number>>(strikes.map((strike) => [strike, new Map()]))
  const spent = new Set<Strike>()
  let refusal: { readonly words: (command: HistoryCommand) => string; readonly until: number } | undefined
  const begunAt = time.now()
  let struckAt = begunAt
  const listed = home.daemons.slice(0, -1)
  for (const daemon of home.daemons) {
    const { submit } = daemon
    daemon.submit = (command, ...rest) => {
      if (refusal && time.now() < refusal.until && listed.includes(daemon)) return refusal.words(command)
      const reason = submit(command, ...rest)
      if (reason === undefined) taken.add(command)
      return reason
    }
  }

  /** So many blocks have to go for a block with the command to come; undefined where that is beyond what a chain does. */
  function depthOf({ from, nonce, validUntil }: HistoryCommand, deepest: number): number | undefined {
    const chain = home.bestChain()
    const depth = chain.toReversed().findIndex(({ ledger, slot }) => {
      const isUnused = (ledger.get(from)?.nonce ?? 0) <= nonce
      return isUnused && slot <= validUntil
    })
    const parent = chain.at(-1 - depth)
    const isNext = parent?.ledger.get(from)?.nonce === nonce
    const isPossible = depth >= 0 && depth <= deepest && isNext && parent.height >= home.genesis.height + 2
    return isPossible ? depth : undefined
  }

  function bringBlock(command: HistoryCommand, deepest: number): void {
    const depth = taken.has(command) ? depthOf(command, deepest) : undefined
    const isThere = home.bestChain().some(({ commands, failed }) => commands.includes(command) && !failed.has(command))
    if (depth === undefined || isThere) return
    home.lateBlock([command], depth, Math.min(home.slot(), command.validUntil))
  }

  function rivalsOf(command: HistoryCommand): readonly HistoryCommand[] {
    const isRival = ({ from, nonce }: HistoryCommand) => from === command.from && nonce === command.nonce
    return [...taken].filter((other) => other !== command && isRival(other))
  }

  function strike({ blow, at }: Strike, command: HistoryCommand): void {
    struckAt = time.now()
    trace(() => `strikes at ${command.hash.slice(0, 8)}: ${JSON.stringify(blow)}`)
    switch (blow.does) {
      case 'lose':
        for (const daemon of blow.where === 'everywhere' ? home.daemons : listed) daemon.losePool()
        if (blow.refusal) refusal = { words: refusalWords[blow.refusal], until: time.now() + blow.forMs }
        break
      case 'late block': {
        for (const one of at === 'included' ? rivalsOf(command).slice(0, 1) : [command]) bringBlock(one, deepest)
        break
      }
      case 'set the clock':
        victim.setClock(blow.errorMs)
        break
      case 'end the program':
        victim.end(blow.awayMs)
    }
  }

  return {
    /** When it has last done anything. */
    struckAt: () => struckAt,
    /** Brings a block with a rival of a command, if a reorganisation of at most so many blocks lets it come. */
    bringRival(command: HistoryCommand, deepest: number): void {
      for (const one of rivalsOf(command).slice(0, 1)) bringBlock(one, deepest)
    },
    hears(command: HistoryCommand, what: Heard): void {
      if (time.now() - begunAt > maxStrikingMs) return
      for (const [plan, counts] of heard) {
        if (plan.at !== what || spent.has(plan) || (plan.isOfRaise && !isRaise(command))) continue
        const count = (counts.get(command) ?? 0) + 1
        counts.set(command, count)
        if (count !== plan.times) continue
        // Programs and clocks once in a history, commands each.
        if (plan.blow.does === 'end the program' || plan.blow.does === 'set the clock') spent.add(plan)
        if (plan.afterMs === 0) strike(plan, command)
        else time.quietly(plan.afterMs, () => strike(plan, command))
      }
    },
  }
}
