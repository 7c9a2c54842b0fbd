// What really happened: since when, and until when, some node held each command.
import type { Clock } from '../clock.ts'
import type { Node } from '../network/node.ts'
import type { HistoryCommand } from '../signed-command.ts'

export interface Truth {
  /** Makes a command known, before it is first sent. */
  watch(command: HistoryCommand): void
  /** Looks at the nodes; called after whatever may have changed them. */
  observe(): void
  isHeld(command: HistoryCommand): boolean
  /** Whether it is in a block of the best chain of each node, however deep. */
  isApplied(command: HistoryCommand): boolean
  /** Since when some node has held it without a gap. */
  heldSince(command: HistoryCommand): number
  /** Whether some node held it at a moment from then on. */
  wasHeldAfter(command: HistoryCommand, time: number): boolean
}

interface Holding {
  isHeld: boolean
  since: number
  until: number
}

export function createTruth(clock: Clock, nodes: () => readonly Node[]): Truth {
  const holdings = new Map<HistoryCommand, Holding>()
  const holdingOf = (command: HistoryCommand): Holding => {
    const known = holdings.get(command) ?? { isHeld: false, since: Number.POSITIVE_INFINITY, until: -1 }
    holdings.set(command, known)
    return known
  }
  return {
    watch: holdingOf,
    observe() {
      for (const [command, holding] of holdings) {
        const isHeld = nodes().some((node) => node.holds(command))
        if (isHeld && !holding.isHeld) holding.since = clock.now()
        if (!isHeld && holding.isHeld) holding.until = clock.now()
        holding.isHeld = isHeld
      }
    },
    isHeld: (command) => holdingOf(command).isHeld,
    isApplied: (command) => nodes().every((node) => node.chain().some(({ commands }) => commands.includes(command))),
    heldSince: (command) => holdingOf(command).since,
    wasHeldAfter: (command, time) => holdingOf(command).isHeld || holdingOf(command).until >= time,
  }
}
