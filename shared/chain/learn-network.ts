// Learns which network nodes are on, for those who must know before they use one.
import type { Driver } from './driver.ts'
import { needsCheck } from './member.ts'
import { isForeign, nodeAt, unknownBefore } from './standing.ts'

/**
 * Learns which network a node is on, where that is not known. Who needs what is being asked waits for that answer; when
 * it ended with the request that asked, it is asked again.
 */
export async function learnNetwork(driver: Driver, index: number, patienceMs: number): Promise<void> {
  const { checks, clock, state } = driver.shared
  if (!needsCheck(nodeAt(state, index), clock.now(), isForeign(state, index))) return
  const until = clock.now() + Math.min(patienceMs, driver.timeLeftMs())
  for (let isGivenUp: boolean | undefined = true; isGivenUp && until > clock.now(); ) {
    const running = checks.get(index) ?? driver.check(index).finally(() => checks.delete(index))
    checks.set(index, running)
    isGivenUp = await driver.within(running, until - clock.now())
  }
}

/** Learns the network where a node listed before this one decides which it is. */
export async function learnEarlier(driver: Driver, index: number, patienceMs: number): Promise<void> {
  const { shared } = driver
  const until = shared.clock.now() + patienceMs
  for (const at of unknownBefore(shared.state, index)) {
    await learnNetwork(driver, at, until - shared.clock.now())
    if (nodeAt(shared.state, at).genesis !== undefined) return
  }
}
