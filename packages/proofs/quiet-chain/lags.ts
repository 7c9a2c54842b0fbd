// Tickets that a spare node or an indexer would cause which is well: blocks reach two programs at different times.
import type { Random } from '../../testnet/random.ts'

/** A block reaches a program so long after its slot begins. */
const gossip = { fromMs: 5000, toMs: 75_000 }
/** One in a hundred blocks is missed by gossip and comes with the next one. */
const missed = 0.01

/**
 * How often a lag above the alarm's threshold is seen by a heartbeat in years of a chain: with one datapoint in a period, each
 * sample above it is a ticket.
 */
export function lagTickets(
  density: number,
  slotMs: number,
  years: number,
  { maxLag, periodMs }: { readonly maxLag: number; readonly periodMs: number },
  random: Random,
): number {
  const untilMs = years * 365.25 * 86_400_000
  const arrival = (atMs: number) => atMs + gossip.fromMs + random() * (gossip.toMs - gossip.fromMs)
  const phaseMs = random() * periodMs
  let tickets = 0
  let lastSampleMs = -1
  /** When each of the latest blocks came to the first program; those that the second one lacks. */
  let lacked: number[] = []
  for (let atMs = nextSlot(0); atMs < untilMs; atMs = nextSlot(atMs)) {
    lacked.push(arrival(atMs))
    if (random() < missed) continue
    // The second one has all of them from now on.
    const caughtUpMs = arrival(atMs)
    const sinceMs = lacked.toSorted((left, right) => left - right)[maxLag]
    if (sinceMs !== undefined && sinceMs < caughtUpMs) {
      const sampleMs = phaseMs + Math.ceil((sinceMs - phaseMs) / periodMs) * periodMs
      if (sampleMs < caughtUpMs && sampleMs !== lastSampleMs) tickets++
      lastSampleMs = sampleMs
    }
    lacked = []
  }
  return tickets

  /** The next slot with a block. */
  function nextSlot(fromMs: number): number {
    return fromMs + slotMs * (1 + Math.floor(Math.log(1 - random()) / Math.log(1 - density)))
  }
}
