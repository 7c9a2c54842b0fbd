import type { NamedInBlock } from '../../shared/contract/parameters.ts'
import type { Chain } from './chain.ts'

/**
 * Things that the chain holds: its tip, who made it, and the latest payment or delegation of the best chain.
 *
 * @throws Error for a chain without a command
 */
export function namedIn(chain: Chain): NamedInBlock {
  const { stateHash, creator, height } = chain.tip()
  const commands = chain.bestChain().flatMap(({ userCommands }) => userCommands)
  const latest = commands.at(-1)
  if (latest === undefined) throw new Error('The chain has no command')
  return { stateHash, creator, blockHeight: height, transactionHash: latest.command.hash }
}
