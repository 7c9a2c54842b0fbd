// The commands of a queue's store, in the order in which they are sent.
import type { QueuedCommand, QueueStore } from './queue-store.ts'
import { checkCommands, dataOf } from './signed-command.ts'

export const nonceOf = ({ signed }: QueuedCommand): number => Number(dataOf(signed).nonce)
const feeOf = ({ signed }: QueuedCommand): bigint => BigInt(dataOf(signed).fee)

const byNonce = (one: QueuedCommand, other: QueuedCommand): number => nonceOf(one) - nonceOf(other)
const byHigherFee = (one: QueuedCommand, other: QueuedCommand): number => (feeOf(one) > feeOf(other) ? -1 : 1)

/** Commands with one nonce, the highest fee first. */
export type Bids = readonly [QueuedCommand, ...QueuedCommand[]]

/**
 * @returns the lowest nonce first
 * @throws Error for commands of several wallets, or for anything that is not a command with its hash
 */
export async function openBids(store: QueueStore): Promise<readonly Bids[]> {
  const commands = [...(await store.commands())]
  checkCommands('commands()', commands)
  commands.sort((one, other) => byNonce(one, other) || byHigherFee(one, other))
  const senders = new Set(commands.map(({ signed }) => dataOf(signed).from))
  if (senders.size > 1) throw new Error('the commands of a queue have one sender')
  const bids = new Map<number, [QueuedCommand, ...QueuedCommand[]]>()
  for (const command of commands) {
    const sameNonce = bids.get(nonceOf(command))
    if (sameNonce) sameNonce.push(command)
    else bids.set(nonceOf(command), [command])
  }
  return [...bids.values()]
}
