// When a command that a pool has is sent again: a daemon stops telling others of it some 50 minutes after it came, and goes on
// when the same bytes come again (MinaProtocol/mina#15721).
import { type Clock, minuteMs } from './clock.ts'

const staleMs = 15 * minuteMs

/** The firewall lets 30 broadcasts through, and new commands need most of them. */
const maxInMinute = 6

/**
 * To be called with each look at a command, whether a pool has it.
 *
 * @returns true if it is to be sent again now: it was pending for 15 minutes, or has been for another 15 since
 */
export type Resending = (hash: string, isPending: boolean) => boolean

export function resendingOf({ now }: Clock): Resending {
  const pendingSinceMs = new Map<string, number>()
  let latestMs: readonly number[] = []
  const passedMs = (sinceMs: number) => Math.abs(now() - sinceMs)
  return (hash, isPending) => {
    const sinceMs = pendingSinceMs.get(hash) ?? now()
    pendingSinceMs.delete(hash)
    if (!isPending) return false
    latestMs = latestMs.filter((ms) => passedMs(ms) < minuteMs)
    const isDue = passedMs(sinceMs) >= staleMs && latestMs.length < maxInMinute
    pendingSinceMs.set(hash, isDue ? now() : sinceMs)
    if (isDue) latestMs = [...latestMs, now()]
    return isDue
  }
}
