// The networks that a stage pins by their genesis blocks and chain ids.
import { chainOf, nameOf } from './networks.ts'

/** A fork is announced with one pin more; nobody needs to name a chain before the last few. */
export const maxPins = 5

/** A chain id as a daemon gives it. */
export const chainIdForm = /^[0-9a-f]{64}$/i

/** @returns the network and the day, if the last pin is of a chain that has ended */
export function retiredPin(pins: readonly string[] | null): string | undefined {
  const chain = chainOf(pins?.at(-1) ?? '')
  return chain?.until === undefined ? undefined : nameOf(chain)
}
