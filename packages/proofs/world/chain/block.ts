// A block of a simulated chain: a block of the embedded chain with other commands, and the accounts after it.
import type { ChainBlock } from '../../../testnet/block.ts'
import { createChain } from '../../../testnet/chain.ts'
import type { Command } from '../../../testnet/command.ts'
import { stateHash } from '../../../testnet/hashes.ts'
import { type Account, type Ledger, newAccount } from '../../../testnet/ledger/ledger.ts'
import type { IncludedZkappCommand } from '../../../testnet/zkapp-command.ts'
import type { HistoryCommand } from '../broadcasts/signed-command.ts'

export interface Block extends ChainBlock {
  readonly commands: readonly HistoryCommand[]
  /** Those of its commands that did nothing but pay their fees. */
  readonly failed: ReadonlySet<HistoryCommand>
  /** Of the genesis block of its chain: a hard fork's is higher than 1. */
  readonly genesisHeight: number
  readonly ledger: Ledger
}

/** Oldest first, from height 1: after a hard fork, the blocks that it kept come first. */
export type Chain = readonly Block[]

/** The number of blocks in which the service searches for a command. */
export const recentBlocks = 20

export const spending = ({ amount, fee }: HistoryCommand): bigint => amount + fee

/** Those of some commands that are payments and delegations. */
export const userCommandsIn = (commands: readonly HistoryCommand[]): readonly Command[] =>
  commands.filter(({ isZkapp }) => !isZkapp)

export const zkappCommandsIn = (commands: readonly HistoryCommand[]): readonly IncludedZkappCommand[] =>
  commands.flatMap((command) =>
    command.isZkapp
      ? [{ ...command, kind: 'ZKAPP', updates: [], preconditionFails: false, failures: null } as const]
      : [],
  )

export const accountAt = (chain: Chain, publicKey: string): Account | undefined => chain.at(-1)?.ledger.get(publicKey)

/** Holds the fields that no rule about nodes looks at. */
const template = createChain({ seed: 'world', now: () => 0, historyBlocks: 1 }).genesisBlock()

/** @param name of the network, which no other network has */
export const genesisHashOf = (name: string): string => stateHash(`genesis of ${name}`)

export const genesisBlock = (name: string, date: number, ledger: Ledger): Block => ({
  ...template,
  stateHash: genesisHashOf(name),
  previousStateHash: stateHash(`before ${name}`),
  date,
  commands: [],
  failed: new Set(),
  ledger,
  genesisHeight: template.height,
})

/** The genesis block of a hard fork, on the last block that it keeps. */
export function forkGenesisBlock(name: string, parent: Block, slot: number, date: number): Block {
  const height = parent.height + 1
  const { stateHash: previousStateHash } = parent
  return { ...genesisBlock(name, date, parent.ledger), previousStateHash, height, slot, genesisHeight: height }
}

/** The blocks of a chain that a node on it can hold: those since its genesis block. */
export const sinceGenesis = (chain: Chain): Chain => chain.slice((chain.at(-1)?.genesisHeight ?? 1) - 1)

/** The blocks in which the service searches for a command. */
export const latestIn = (chain: Chain): Chain => sinceGenesis(chain).slice(-recentBlocks)

/** Only the fee was charged. */
const failure = 'Amount_insufficient_to_create_account'

/** The commands of a chain that did what they say. */
export const appliedIn = (chain: Chain): readonly HistoryCommand[] =>
  chain.flatMap(({ commands, failed }) => commands.filter((command) => !failed.has(command)))

/**
 * A block with those of the commands, in their order, that the ledger can apply.
 *
 * @param fails whether a command that is in the block does nothing but pay its fee
 */
export function nextBlock(
  parent: Block,
  id: string,
  wanted: readonly HistoryCommand[],
  slot: number,
  date: number,
  fails: (command: HistoryCommand) => boolean = () => false,
) {
  const failed = new Set<HistoryCommand>()
  const ledger = new Map(parent.ledger)
  const commands = wanted.filter((command) => {
    const account = ledger.get(command.from)
    const left = (account?.balance ?? 0n) - spending(command)
    if (account?.nonce !== command.nonce || left < 0n || command.validUntil < slot) return false
    if (fails(command)) failed.add(command)
    const balance = failed.has(command) ? left + command.amount : left
    ledger.set(command.from, { ...account, nonce: account.nonce + 1, balance })
    const { to, amount, opensAccount } = command
    if (opensAccount && !ledger.has(to)) ledger.set(to, newAccount(to, amount))
    return true
  })
  const isFailed = (command: unknown) => failed.has(command as HistoryCommand)
  const userCommands = userCommandsIn(commands).map((command) => ({
    command,
    failureReason: isFailed(command) ? failure : null,
  }))
  const zkappCommands = zkappCommandsIn(commands)
  const height = parent.height + 1
  const { stateHash: previousStateHash } = parent
  const made = { stateHash: stateHash(id), previousStateHash, height, slot, date, ledger }
  return { ...parent, ...made, commands, failed, userCommands, zkappCommands }
}
