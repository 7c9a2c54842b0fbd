// The place of a value in an answer, and the things of the chain that it belongs to.
import type { ChainBlock } from '../../../testnet/block.ts'
import type { Chain } from '../../../testnet/chain.ts'
import type { QueuedCommand } from '../../../testnet/zkapp-command.ts'
import { at, type JsonObject } from '../exact-json.ts'
import type { Scenario } from '../setting/scenarios.ts'
import type { PropertiesByPath } from './contract.ts'
import type { Things } from './things.ts'

/** Where a value stands: the things around it, the nearest first. */
export interface Place {
  readonly things: Things
  readonly scenario: Scenario
  /** The answer's objects around the value, the nearest first. */
  readonly around: readonly JsonObject[]
  /** The node's words on them, the nearest first. */
  readonly told: readonly unknown[]
  /** The fields that the contract has for each object of the answer. */
  readonly properties: PropertiesByPath
  /** Keys from the body to the value, without places in lists. */
  readonly path: string
}

export const ascending = (left: bigint, right: bigint): number => Number(left > right) - Number(left < right)
export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

export function blockOf({ things, around, scenario: { transaction } }: Place): ChainBlock {
  const isHolding = ({ userCommands, zkappCommands }: ChainBlock) =>
    [...userCommands.map(({ command }) => command), ...zkappCommands].some(({ hash }) => hash === transaction?.shows)
  const holding = transaction && things.chain.bestChain().find(isHolding)
  if (holding !== undefined) return holding
  const named = around.flatMap((one) => [one.stateHash, one.blockStateHash, at(one, 'block', 'stateHash')])
  const found = named.map((hash) => things.block(hash)).find((block) => block !== undefined)
  return found?.own ?? things.chain.tip()
}

export const listedBlocks = 20

export const isPlaced = ({ scenario: { transaction } }: Place): boolean =>
  transaction === undefined || /^(?:included|replaced)$/.test(transaction.fate)

export const tipOf = ({ things }: Place): ChainBlock => things.chain.tip()

export const isOld = ({ things: { chain } }: Place, { stateHash }: ChainBlock): boolean =>
  chain.frontierBlock(stateHash) === undefined

export const commandOf = ({ things, around, scenario: { transaction } }: Place) => {
  const hashes = [transaction?.shows, ...around.map(({ hash }) => hash)]
  const named = hashes.map((hash) => things.command(hash)).find((command) => command !== undefined)
  return named?.own
}

export function depthOf(place: Place): number {
  return tipOf(place).height - blockOf(place).height
}

/** The commands of a sender that wait, and the nonces that none of them has. */
export function waiting(chain: Chain, publicKey: string, upTo?: number) {
  const queued = [...chain.pool(publicKey), ...chain.zkappPool(publicKey)].map(({ nonce }) => nonce)
  const used = chain.account(publicKey)?.nonce ?? 0
  const end = upTo ?? Math.max(used, ...queued.map((nonce) => nonce + 1))
  const between = Array.from({ length: end - used }, (_, index) => used + index)
  const missing = between.filter((nonce) => !queued.includes(nonce))
  return { commands: chain.pool(publicKey).toSorted((left, right) => left.nonce - right.nonce), missing, end }
}

/** The commands in the pool that touch the asked-for account, or all. */
export const waitingFor = ({ things: { chain }, scenario: { account } }: Place): readonly QueuedCommand[] =>
  [...chain.pool(), ...chain.zkappPool()].filter((command) => {
    const others = 'to' in command ? [command.to] : command.updates.map(({ publicKey }) => publicKey)
    return account === undefined || [command.from, ...others].includes(account)
  })
