// A block of the simulated chain: its commands, and the accounts after it.
import type { HistoryCommand } from '../signed-command.ts'

export interface AccountState {
  readonly nonce: number
  /** Nanomina. */
  readonly balance: bigint
}

export interface Block {
  readonly stateHash: string
  readonly height: number
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

/** A block with those of the commands, in their order, that the ledger can apply. */
export function nextBlock(chain: Chain, stateHash: string, wanted: readonly HistoryCommand[], slot: number): Block {
  const accounts = new Map(chain.at(-1)?.accounts)
  const commands = wanted.filter((command) => {
    const account = accounts.get(command.from)
    const left = (account?.balance ?? 0n) - spending(command)
    if (account?.nonce !== command.nonce || left < 0n || command.validUntil < slot) return false
    accounts.set(command.from, { nonce: account.nonce + 1, balance: left })
    return true
  })
  return { stateHash, height: chain.length + 1, commands, accounts }
}
