// The commands of every account, from the embedded chain itself.
import type { Chain } from '../../local/chain/chain.ts'
import type { Placed } from './walk.ts'

/** By public key, then by hash. */
export type Truth = ReadonlyMap<string, ReadonlyMap<string, Placed>>

const relationOf = (isFirst: boolean, isSecond: boolean, [first, second, both]: readonly [string, string, string]) =>
  isFirst && isSecond ? both : isFirst ? first : second

/** Every command in a block of the best chain, by each account that it touches. */
export function truthOf(chain: Chain): Truth {
  const truth = new Map<string, Map<string, Placed>>()
  const add = (publicKey: string, placed: Placed) => {
    const commands = truth.get(publicKey) ?? new Map<string, Placed>()
    truth.set(publicKey, commands.set(placed.hash, placed))
  }
  for (const { stateHash, height, userCommands, zkappCommands } of chain.bestChain()) {
    for (const { command } of userCommands) {
      for (const key of new Set([command.from, command.to])) {
        const relation = relationOf(command.from === key, command.to === key, ['sent', 'received', 'self'])
        add(key, { hash: command.hash, stateHash, height, relation })
      }
    }
    for (const { hash, from, updates } of zkappCommands) {
      const updated = new Set(updates.map(({ publicKey }) => publicKey))
      for (const key of new Set([from, ...updated])) {
        add(key, {
          hash,
          stateHash,
          height,
          relation: relationOf(from === key, updated.has(key), ['payer', 'updated', 'both']),
        })
      }
    }
  }
  return truth
}
