// The truth about each command: from when and until when some node held it.
import type { Daemon } from '../chain/daemon.ts'
import type { VirtualTime } from '../time.ts'
import type { HistoryCommand } from './signed-command.ts'

export type Truth = ReturnType<typeof createTruth>

export function createTruth(time: VirtualTime, daemons: () => readonly Daemon[]) {
  const holdings = new Map<HistoryCommand, { isHeld: boolean; since: number; until: number }>()
  const holdingOf = (command: HistoryCommand) => {
    const known = holdings.get(command) ?? { isHeld: false, since: Number.POSITIVE_INFINITY, until: -1 }
    holdings.set(command, known)
    return known
  }
  return {
    /** Starts to observe a command, before it is first sent. */
    add: holdingOf,
    /** Reads the nodes; called after every change to them. */
    observe() {
      for (const [command, holding] of holdings) {
        const isHeld = daemons().some((daemon) => daemon.holds(command))
        if (isHeld && !holding.isHeld) holding.since = time.now()
        if (!isHeld && holding.isHeld) holding.until = time.now()
        holding.isHeld = isHeld
      }
    },
    isHeld: (command: HistoryCommand) => holdingOf(command).isHeld,
    /** The same, of a node that shows the latest chain: what another one knows of an abandoned block tells nothing. */
    isHeldAtTip: (command: HistoryCommand) =>
      daemons().some(
        ({ state, lag, holds }) =>
          state !== 'down' && state !== 'bootstrapping' && lag(time.now()) === 0 && holds(command),
      ),
    /** True if it is in a block of the best chain of each node that follows its network, at any depth. */
    isApplied: (command: HistoryCommand) =>
      daemons().every((daemon) => daemon.isCutOff || daemon.chain().some(({ commands }) => commands.includes(command))),
    /** The time since which there was always a node that held it. */
    heldSince: (command: HistoryCommand) => holdingOf(command).since,
    /** True if some node held it at that time or later. */
    wasHeldAfter: (command: HistoryCommand, timeMs: number) =>
      holdingOf(command).isHeld || holdingOf(command).until >= timeMs,
  }
}
