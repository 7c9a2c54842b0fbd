import { setTimeout as wait } from 'node:timers/promises'
import type { Deadline } from '../../shared/upstream/query.ts'

/** Lets time pass. A pause that its signal ends early is over all the same. */
export const pauseFor: Deadline['pause'] = async (milliseconds, signal) => {
  await wait(milliseconds, undefined, signal && { signal }).catch(() => undefined)
}
