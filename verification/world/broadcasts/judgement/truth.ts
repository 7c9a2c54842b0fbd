// What really happened: from when and until when some node held each command.
import type { Daemon } from '../../chain/daemon.ts'
import type { VirtualTime } from '../../time.ts'
import type { HistoryCommand } from '../signed-command.ts'

export interface Truth {
  /** Starts to observe a command, before it is first sent. */
  add(command: HistoryCommand): void
  /** Reads the nodes; called after every change to them. */
  observe(): void
  isHeld(command: HistoryCommand): boolean
  /** Whether it is in a block of the best chain of each node, at any depth. */
  isApplied(command: HistoryCommand): boolean
  /** The time since which there was always a node that held it. */
  heldSince(command: HistoryCommand): number
  /** Whether some node held it at that time or later. */
  wasHeldAfter(command: HistoryCommand, time: number): boolean
}

interface Holding {
  isHeld: boolean
  since: number
  until: number
}

export function createTruth(time: VirtualTime, daemons: () => readonly Daemon[]): Truth {
  const holdings = new Map<HistoryCommand, Holding>()
  const holdingOf = (command: HistoryCommand): Holding => {
    const known = holdings.get(command) ?? { isHeld: false, since: Number.POSITIVE_INFINITY, until: -1 }
    holdings.set(command, known)
    return known
  }
  return {
    add: holdingOf,
    observe() {
      for (const [command, holding] of holdings) {
        const isHeld = daemons().some((daemon) => daemon.holds(command))
        if (isHeld && !holding.isHeld) holding.since = time.now()
        if (!isHeld && holding.isHeld) holding.until = time.now()
        holding.isHeld = isHeld
      }
    },
    isHeld: (command) => holdingOf(command).isHeld,
    isApplied: (command) =>
      daemons().every((daemon) => daemon.chain().some(({ commands }) => commands.includes(command))),
    heldSince: (command) => holdingOf(command).since,
    wasHeldAfter: (command, time) => holdingOf(command).isHeld || holdingOf(command).until >= time,
  }
}
