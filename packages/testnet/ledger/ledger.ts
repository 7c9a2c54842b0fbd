// Accounts, what they can spend, and the effect of a command on them. Ledgers are immutable: each block makes a copy.
import type { Command } from '../command.ts'
import { ledgerHash, receiptChainHash, zeroStateHash } from '../hashes.ts'
import {
  type AccountUpdate,
  minaToken,
  type QueuedCommand,
  type ZkappCommand,
  type ZkappFailure,
} from '../zkapp-command.ts'

/** A vesting schedule. Amounts in nanomina, times in slots since genesis. */
export interface Timing {
  readonly initialMinimumBalance: bigint
  readonly cliffTime: number
  readonly cliffAmount: bigint
  readonly vestingPeriod: number
  readonly vestingIncrement: bigint
}

/** The state of a zkApp, which no code here changes. */
export interface ZkappState {
  /** Field elements. */
  readonly elements: readonly bigint[]
  /** True if a proof set every element. */
  readonly isProved: boolean
  /** Base64. */
  readonly verificationKey: string
  /** A field element. */
  readonly verificationKeyHash: bigint
  readonly uri: string
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
  /** Null for an account that is not a zkApp's. */
  readonly zkapp: ZkappState | null
  /** Balances of tokens other than MINA, by token id, in each token's smallest unit. */
  readonly tokens: ReadonlyMap<string, bigint>
}

export type Ledger = ReadonlyMap<string, Account>

/** A ledger that a block under construction may change. */
export type DraftLedger = Map<string, Account>

export const nanominaPerMina = 1_000_000_000n
export const accountCreationFee = 1n * nanominaPerMina

/** The most that an account holds, of any token: 64 bits. */
export const maxBalance = 2n ** 64n - 1n

/** An account right after its creation; it delegates to itself. */
export const newAccount = (publicKey: string, balance: bigint): Account => ({
  publicKey,
  balance,
  nonce: 0,
  delegate: publicKey,
  receiptChainHash: receiptChainHash(''),
  votingFor: zeroStateHash,
  timing: null,
  zkapp: null,
  tokens: new Map(),
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
      .map(({ publicKey, balance, nonce, delegate, receiptChainHash, tokens }) =>
        [publicKey, balance, nonce, delegate, receiptChainHash, ...tokens].join(),
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

/** A daemon lists the last account update first; those that could have been applied are cancelled. */
const failuresOf = ({ updates }: ZkappCommand, failing: number, failure: string): readonly ZkappFailure[] =>
  updates
    .map((_, place) => ({ index: String(place + 1), failures: [place === failing ? failure : 'Cancelled'] }))
    .toReversed()

/**
 * Applies one account update.
 *
 * @returns what it pays for new accounts, in nanomina, over and above its own change; or the reason why it fails
 */
function applyUpdate(draft: DraftLedger, update: AccountUpdate, slot: number): bigint | string {
  const { publicKey, tokenId, balanceChange, implicitAccountCreationFee } = update
  const account = draft.get(publicKey)
  if (tokenId !== minaToken) {
    // Here a key has an account of a token only beside one of MINA.
    if (account === undefined) return 'Update_not_permitted_access'
    const isNew = !account.tokens.has(tokenId)
    if (isNew && implicitAccountCreationFee) return 'Cannot_pay_creation_fee_in_token'
    const balance = (account.tokens.get(tokenId) ?? 0n) + balanceChange
    if (balance < 0n || balance > maxBalance) return 'Overflow'
    draft.set(publicKey, { ...account, tokens: new Map([...account.tokens, [tokenId, balance]]) })
    return isNew ? accountCreationFee : 0n
  }
  if (account === undefined) {
    const kept = implicitAccountCreationFee ? balanceChange - accountCreationFee : balanceChange
    if (kept < 0n) return 'Amount_insufficient_to_create_account'
    draft.set(publicKey, newAccount(publicKey, kept))
    return implicitAccountCreationFee ? 0n : accountCreationFee
  }
  const balance = account.balance + balanceChange
  if (balance < 0n || balance > maxBalance) return 'Overflow'
  if (balanceChange < 0n && balance < minimumBalance(account, slot)) return 'Source_minimum_balance_violation'
  draft.set(publicKey, { ...account, balance })
  return 0n
}

/**
 * Includes a zkApp command: always charges the fee and raises the nonce, then applies all of its account updates or none.
 *
 * @returns as `applyCommand`: null for an applied command, undefined for one that cannot be included
 */
export function applyZkapp(
  draft: DraftLedger,
  command: ZkappCommand,
  slot: number,
): readonly ZkappFailure[] | null | undefined {
  if (chargeFee(draft, command, slot) === undefined) return undefined
  const { updates, preconditionFails } = command
  const last = updates.length - 1
  if (preconditionFails) return failuresOf(command, last, 'Account_balance_precondition_unsatisfied')
  const changed: DraftLedger = new Map(draft)
  let excess = 0n
  for (const [place, update] of updates.entries()) {
    const applied = applyUpdate(changed, update, slot)
    if (typeof applied === 'string') return failuresOf(command, place, applied)
    excess -= applied + (update.tokenId === minaToken ? update.balanceChange : 0n)
  }
  if (excess !== 0n) return failuresOf(command, last, 'Invalid_fee_excess')
  for (const account of changed.values()) draft.set(account.publicKey, account)
  return null
}
