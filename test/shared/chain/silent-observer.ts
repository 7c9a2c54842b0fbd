import type { Observer } from '../../../shared/chain/port.ts'

/** Notes nothing; tests replace what they look at. */
export const silentObserver: Observer = {
  called: () => undefined,
  noticed: () => undefined,
  outOfUse: () => undefined,
  refusedFor: () => undefined,
  doubted: () => undefined,
  answeredAt: () => undefined,
}
