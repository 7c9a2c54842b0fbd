// Accounts, what they can spend, and the effect of a command on them. Ledgers are immutable: each block makes a copy.
import type { Command } from '../command.ts'
import { ledgerHash, receiptChainHash, zeroStateHash } from '../hashes.ts'
import type { QueuedCommand } from '../zkapp-command.ts'

/** A vesting schedule. Amounts in nanomina, times in slots since genesis. */
export interface Timing {
  readonly initialMinimumBalance: bigint
  readonly cliffTime: number
  readonly cliffAmount: bigint
  readonly vestingPeriod: number
  readonly vestingIncrement: bigint
}

export interface Account {
  readonly publicKey: string
  /** Nanomina. */
  readonly balance: bigint
  readonly nonce: number
  readonly delegate: string
  readonly receiptChainHash: string
  readonly votingFor: string
  /** Null for an account without time lock. */
  readonly timing: Timing | null
}

export type Ledger = ReadonlyMap<string, Account>

/** A ledger that a block under construction may change. */
export type DraftLedger = Map<string, Account>

/** The token id of MINA itself, the only token of this chain. */
export const minaToken = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'

export const nanominaPerMina = 1_000_000_000n
export const accountCreationFee = 1n * nanominaPerMina

/** An account right after its creation; it delegates to itself. */
export const newAccount = (publicKey: string, balance: bigint): Account => ({
  publicKey,
  balance,
  nonce: 0,
  delegate: publicKey,
  receiptChainHash: receiptChainHash(''),
  votingFor: zeroStateHash,
  timing: null,
})

/** The locked amount at a slot, in nanomina; may exceed the balance. 0 without a time lock. */
export function minimumBalance({ timing }: Account, slot: number): bigint {
  if (timing === null) return 0n
  if (slot < timing.cliffTime) return timing.initialMinimumBalance
  if (timing.vestingPeriod === 0) return 0n
  const periods = BigInt(Math.floor((slot - timing.cliffTime) / timing.vestingPeriod))
  const held = timing.initialMinimumBalance - timing.cliffAmount - periods * timing.vestingIncrement
  return held > 0n ? held : 0n
}

/** The amount that can be spent at a slot, in nanomina. */
export function liquidBalance(account: Account, slot: number): bigint {
  const liquid = account.balance - minimumBalance(account, slot)
  return liquid > 0n ? liquid : 0n
}

export const totalCurrency = (ledger: Ledger): bigint =>
  [...ledger.values()].reduce((sum, { balance }) => sum + balance, 0n)

/** The hash does not depend on the order of the accounts. */
export const hashLedger = (ledger: Ledger): string =>
  ledgerHash(
    [...ledger.values()]
      .map(({ publicKey, balance, nonce, delegate, receiptChainHash }) =>
        [publicKey, balance, nonce, delegate, receiptChainHash].join(),
      )
      .sort()
      .join(';'),
  )

/**
 * Pays into an account. A new account is created and the creation fee deducted.
 *
 * @throws RangeError when the amount does not cover the creation fee of a new account
 */
export function credit(draft: DraftLedger, publicKey: string, amount: bigint): void {
  const account = draft.get(publicKey)
  if (account !== undefined) draft.set(publicKey, { ...account, balance: account.balance + amount })
  else if (amount < accountCreationFee) throw new RangeError(`${amount} nanomina cannot create ${publicKey}`)
  else draft.set(publicKey, newAccount(publicKey, amount - accountCreationFee))
}

function bodyFailure(draft: DraftLedger, { kind, to, amount }: Command, sender: Account, slot: number): string | null {
  const receiverExists = draft.has(to)
  if (kind === 'STAKE_DELEGATION') return receiverExists ? null : 'Receiver_not_present'
  if (sender.balance < amount) return 'Source_insufficient_balance'
  if (liquidBalance(sender, slot) < amount) return 'Source_minimum_balance_violation'
  return receiverExists || amount >= accountCreationFee ? null : 'Amount_insufficient_to_create_account'
}

/**
 * Charges the fee of any command and raises the nonce.
 *
 * @returns the sender afterwards; undefined, and nothing changed, for a wrong nonce or funds below the fee
 */
export function chargeFee(draft: DraftLedger, command: QueuedCommand, slot: number): Account | undefined {
  const account = draft.get(command.from)
  if (account === undefined || account.nonce !== command.nonce) return undefined
  if (liquidBalance(account, slot) < command.fee) return undefined
  const sender: Account = {
    ...account,
    balance: account.balance - command.fee,
    nonce: account.nonce + 1,
    receiptChainHash: receiptChainHash(account.receiptChainHash + command.hash),
  }
  draft.set(sender.publicKey, sender)
  return sender
}

/**
 * Includes a command: always charges the fee and raises the nonce, then applies the rest if possible.
 *
 * @returns null for an applied command, the failure reason where only the fee was charged, or undefined (nothing
 *   changed) where the command cannot be included: wrong nonce, or funds below the fee
 */
export function applyCommand(draft: DraftLedger, command: Command, slot: number): string | null | undefined {
  const sender = chargeFee(draft, command, slot)
  if (sender === undefined) return undefined
  const failure = bodyFailure(draft, command, sender, slot)
  if (failure !== null) return failure
  if (command.kind === 'STAKE_DELEGATION') draft.set(sender.publicKey, { ...sender, delegate: command.to })
  else {
    draft.set(sender.publicKey, { ...sender, balance: sender.balance - command.amount })
    credit(draft, command.to, command.amount)
  }
  return null
}
