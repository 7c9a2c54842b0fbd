import { heldValues, type NamedInBlock } from '../../shared/contract/parameters.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import type { Chain } from './chain.ts'
import type { Command } from './command.ts'

/** The latest payment of the best chain, or delegation if it has no payment. */
function latestCommand(chain: Chain): Command {
  const commands = chain.bestChain().flatMap(({ userCommands }) => userCommands.map(({ command }) => command))
  const latest = commands.findLast(({ kind }) => kind === 'PAYMENT') ?? commands.at(-1)
  if (latest === undefined) throw new Error('The chain has no command')
  return latest
}

/**
 * Things that the chain holds: its tip, who made it, and its latest payment.
 *
 * @throws Error for a chain without a command
 */
export function namedIn(chain: Chain): NamedInBlock {
  const { stateHash, creator, height } = chain.tip()
  return { stateHash, creator, blockHeight: height, transactionHash: latestCommand(chain).hash }
}

/**
 * Values for the options of a GET that are not counts, by name: the terms of the command in `namedIn`, the tip, and its maker.
 * The options of one request fit together.
 */
export function optionsNamedIn(chain: Chain): Readonly<Record<string, string | number>> {
  const { from, nonce, validUntil, to, fee, memo, kind, amount } = latestCommand(chain)
  const named = namedIn(chain)
  return {
    ...{ from, nonce, valid_until: validUntil, to, fee: Number(fee), memo: memoFromText(memo) },
    ...(kind === 'PAYMENT' && { amount: Number(amount) }),
    before: heldValues(named).cursor,
    account: named.creator,
  }
}
