// The networks that a stage pins by their genesis blocks and chain ids.
import { chainOf, chainWithId, nameOf } from './networks.ts'

/** Each announced fork adds a pin; chains before the last few never need one. */
export const maxPins = 5

/** A chain id as a daemon gives it. */
export const chainIdForm = /^[0-9a-f]{64}$/i

/** @returns the network and the day, if the last pin is of a retired chain */
export function retiredPin(pins: readonly string[] | null): string | undefined {
  const chain = chainOf(pins?.at(-1) ?? '')
  return chain?.until === undefined ? undefined : nameOf(chain)
}

/**
 * Chain ids that do not fit the genesis blocks would take every node out.
 *
 * @param pins state hashes of genesis blocks, the oldest first
 * @param chainIds of the same chains, in the same order
 * @returns what would fit, as it follows "wants"; undefined if they fit, as far as the chains are known
 */
export function chainIdsWanted(pins: readonly string[], chainIds: readonly string[]): string | undefined {
  if (pins.length !== chainIds.length) {
    return `as many chain ids as genesis blocks, in the same order: ${pins.length}, not ${chainIds.length}`
  }
  for (const [index, given] of chainIds.entries()) {
    const [chain, chainOfId] = [chainOf(pins[index] ?? ''), chainWithId(given)]
    if (chain === chainOfId) continue
    return chain === undefined
      ? `the chain id of ${pins[index]}, not that of ${chainOfId && nameOf(chainOfId)}`
      : `${chain.chainId} for ${nameOf(chain)}`
  }
  return undefined
}
