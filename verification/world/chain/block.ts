// A block of a simulated chain: its commands, and the accounts after it.
import { stateHash } from '../../../local/chain/hashes.ts'
import type { HistoryCommand } from '../broadcasts/signed-command.ts'

export interface AccountState {
  readonly nonce: number
  /** Nanomina. */
  readonly balance: bigint
}

export interface Block {
  readonly stateHash: string
  readonly previousStateHash: string
  readonly height: number
  /** Of its slot, milliseconds since 1970. */
  readonly atMs: number
  readonly commands: readonly HistoryCommand[]
  readonly accounts: ReadonlyMap<string, AccountState>
}

/** Oldest first. */
export type Chain = readonly Block[]

/** The blocks in which the service searches for a command. */
export const recentBlocks = 20

export const spending = ({ amount, fee }: HistoryCommand): bigint => amount + fee

export const accountAt = (chain: Chain, publicKey: string): AccountState | undefined =>
  chain.at(-1)?.accounts.get(publicKey)

/** @param name of the network, which no other has */
export const genesisBlock = (name: string, atMs: number, accounts: Block['accounts']): Block => ({
  stateHash: stateHash(`genesis of ${name}`),
  previousStateHash: stateHash(`before ${name}`),
  height: 1,
  atMs,
  commands: [],
  accounts,
})

/** A block with those of the commands, in their order, that the ledger can apply. */
export function nextBlock(
  chain: Chain,
  id: string,
  wanted: readonly HistoryCommand[],
  slot: number,
  atMs: number,
): Block {
  const parent = chain.at(-1)
  if (parent === undefined) throw new RangeError('a chain has its genesis block')
  const accounts = new Map(parent.accounts)
  const commands = wanted.filter((command) => {
    const account = accounts.get(command.from)
    const left = (account?.balance ?? 0n) - spending(command)
    if (account?.nonce !== command.nonce || left < 0n || command.validUntil < slot) return false
    accounts.set(command.from, { nonce: account.nonce + 1, balance: left })
    return true
  })
  const height = parent.height + 1
  return { stateHash: stateHash(id), previousStateHash: parent.stateHash, height, atMs, commands, accounts }
}
