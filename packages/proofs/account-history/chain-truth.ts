// The commands of every account, from the embedded chain itself.
import type { ChainBlock } from '../../testnet/block.ts'
import type { Chain } from '../../testnet/chain.ts'
import type { ChainCommand } from './walk.ts'

/** By public key, then by hash. */
export type Truth = ReadonlyMap<string, ReadonlyMap<string, ChainCommand>>

type MutableTruth = Map<string, Map<string, ChainCommand>>

function relationOf(isSender: boolean, isOther: boolean, isZkapp: boolean): string {
  if (isSender && isOther) return isZkapp ? 'both' : 'self'
  if (isSender) return isZkapp ? 'payer' : 'sent'
  return isZkapp ? 'updated' : 'received'
}

/** @param others the receiver, or the accounts that a zkApp command updates */
function addCommand(
  truth: MutableTruth,
  place: Omit<ChainCommand, 'relation'>,
  sender: string,
  others: readonly string[],
  isZkapp: boolean,
): void {
  for (const key of new Set([sender, ...others])) {
    const relation = relationOf(key === sender, others.includes(key), isZkapp)
    const commands = truth.get(key) ?? new Map<string, ChainCommand>()
    truth.set(key, commands.set(place.hash, { ...place, relation }))
  }
}

/** The best chain, oldest block first, with what its hard forks have kept of the chains before them. */
export function wholeChain({ before, bestChain }: Pick<Chain, 'before' | 'bestChain'>): readonly ChainBlock[] {
  const kept = before && wholeChain(before.chain).filter(({ height }) => height <= before.parent.height)
  return [...(kept ?? []), ...bestChain()]
}

/** Every command in a block of the whole chain, by each account that it touches. */
export function truthOf(chain: Chain): Truth {
  const truth: MutableTruth = new Map()
  for (const { stateHash, height, userCommands, zkappCommands } of wholeChain(chain)) {
    for (const { command } of userCommands) {
      addCommand(truth, { hash: command.hash, stateHash, height }, command.from, [command.to], false)
    }
    for (const { hash, from, updates } of zkappCommands) {
      const updated = updates.map(({ publicKey }) => publicKey)
      addCommand(truth, { hash, stateHash, height }, from, updated, true)
    }
  }
  return truth
}
