// The node's pool: which commands it queues, which it refuses and why, and which go into a block.
import type { Command, CommandPayload, Signature } from '../command.ts'
import { createCommand } from '../command.ts'
import type { Account, Ledger } from '../ledger/ledger.ts'
import { liquidBalance, maxBalance } from '../ledger/ledger.ts'
import type { Signer } from '../signer.ts'
import { isUserCommand, isZkapp, type QueuedCommand } from '../zkapp-command.ts'
import { refusals } from './refusals.ts'

/** A submitted command; without a nonce it gets the next free one. */
export type CommandInput = Omit<CommandPayload, 'nonce'> & { readonly nonce?: number | undefined }

/** The result of a submission; a refusal is the daemon's own text. */
export type Submission = { readonly command: Command } | { readonly refused: string }

/** The state of the chain against which commands are judged. */
export interface View {
  readonly ledger: Ledger
  /** The current slot, since genesis. */
  readonly slot: number
  /** True once commands are stopped before a hard fork. */
  readonly isPaused: boolean
}

export interface Pool {
  /** Queued commands, of one fee payer or of all, by nonce. */
  queued(publicKey?: string): readonly QueuedCommand[]
  /** The nonce after the last queued command. */
  inferredNonce(account: Account): number
  submit(input: CommandInput, signature: Signature, view: View): Submission
  /** Queues a command unchecked, in the place of one with the same nonce. */
  put(command: QueuedCommand): void
  /** Puts commands of abandoned blocks back; a queued command with the same nonce stays. */
  restore(commands: readonly QueuedCommand[]): void
  /** Drops a command; those of its sender with higher nonces wait for another one with its nonce. */
  evict(command: QueuedCommand): void
  /** Lets no block have a command, and so none of its sender with a higher nonce, as long as it is queued. */
  withhold(command: QueuedCommand): void
  /** Lets no block have a command until it is submitted again, as where a daemon has stopped to tell others of it. */
  stopGossip(command: QueuedCommand): void
  /** Drops commands that can no longer be included: used nonce, insufficient funds, expiry, or after one of these. */
  revalidate(view: Omit<View, 'isPaused'>): void
  /** All that a block may have, highest fee first, but those of one account in the order of their nonces. */
  byFee(): readonly QueuedCommand[]
}

const spending = (command: QueuedCommand): bigint => command.fee + (isZkapp(command) ? 0n : command.amount)

const signedFields = ['kind', 'from', 'to', 'amount', 'fee', 'nonce', 'memo', 'validUntil'] as const

/** True if a valid command is this payload with this signature. */
const isSigned = (command: QueuedCommand, payload: CommandPayload, signature: Signature): boolean =>
  isUserCommand(command) &&
  signedFields.every((field) => command[field] === payload[field]) &&
  createCommand(payload, () => signature).id === command.id

/** The commands of one account from its nonce on, gaps left open, up to the first that is expired or exceeds its funds. */
function includable(commands: readonly QueuedCommand[], account: Account, slot: number): readonly QueuedCommand[] {
  const kept: QueuedCommand[] = []
  let left = liquidBalance(account, slot)
  for (const command of commands) {
    if (command.nonce < account.nonce) continue
    left -= spending(command)
    if (left < 0n || command.validUntil < slot) break
    kept.push(command)
  }
  return kept
}

export function createPool(signer: Signer): Pool {
  const bySender = new Map<string, readonly QueuedCommand[]>()
  const withheld = new WeakSet<QueuedCommand>()
  const untold = new WeakSet<QueuedCommand>()
  const of = (publicKey: string) => bySender.get(publicKey) ?? []
  const put = (command: QueuedCommand) => {
    const others = of(command.from).filter(({ nonce }) => nonce !== command.nonce)
    bySender.set(
      command.from,
      [...others, command].sort((one, other) => one.nonce - other.nonce),
    )
  }
  const inferredNonce = ({ publicKey, nonce }: Account) => Math.max(nonce, (of(publicKey).at(-1)?.nonce ?? -1) + 1)

  return {
    queued: (publicKey) => (publicKey === undefined ? [...bySender.values()].flat() : of(publicKey)),
    inferredNonce,
    submit(input, signature, { ledger, slot, isPaused }) {
      const account = ledger.get(input.from)
      if (account === undefined) return { refused: refusals.unknownSender }
      const inferred = inferredNonce(account)
      const payload: CommandPayload = { ...input, nonce: input.nonce ?? inferred }
      if (payload.nonce < account.nonce || payload.nonce > inferred) {
        return { refused: refusals.nonce(payload, signature, inferred, account.nonce) }
      }
      const rival = of(payload.from).find(({ nonce }) => nonce === payload.nonce)
      // A queued command was verified when it came, which is the slowest step of a submission.
      const isQueued = rival !== undefined && isSigned(rival, payload, signature)
      if (!isQueued && !signer.verifies(payload, signature)) return { refused: refusals.signature(payload, signature) }
      if (isPaused) return { refused: refusals.pool('After_slot_tx_end') }
      if (payload.validUntil < slot) return { refused: refusals.pool('Expired') }
      const command = createCommand(payload, () => signature)
      if (rival?.hash === command.hash && isUserCommand(rival)) {
        untold.delete(rival)
        return { command: rival }
      }
      if (rival !== undefined && command.fee <= rival.fee) return { refused: refusals.pool('Insufficient_replace_fee') }
      if (spending(command) > maxBalance) return { refused: refusals.pool('Overflow') }
      const others = of(command.from).filter((queued) => queued !== rival)
      const needed = others.reduce((sum, queued) => sum + spending(queued), spending(command))
      if (needed > liquidBalance(account, slot)) return { refused: refusals.pool('Insufficient_funds') }
      put(command)
      return { command }
    },
    put,
    evict(command) {
      const others = of(command.from).filter((queued) => queued !== command)
      if (others.length === 0) bySender.delete(command.from)
      else bySender.set(command.from, others)
    },
    withhold: (command) => void withheld.add(command),
    stopGossip: (command) => void untold.add(command),
    restore(commands) {
      for (const command of commands) {
        if (!of(command.from).some(({ nonce }) => nonce === command.nonce)) put(command)
      }
    },
    revalidate({ ledger, slot }) {
      for (const [publicKey, commands] of bySender) {
        const account = ledger.get(publicKey)
        const kept = account === undefined ? [] : includable(commands, account, slot)
        if (kept.length === 0) bySender.delete(publicKey)
        else bySender.set(publicKey, kept)
      }
    },
    byFee() {
      const isTold = (command: QueuedCommand) => !withheld.has(command) && !untold.has(command)
      const waiting = [...bySender.values()].map((commands) => commands.filter(isTold))
      const taken: QueuedCommand[] = []
      for (;;) {
        const best = waiting
          .filter((commands) => commands.length > 0)
          .reduce<QueuedCommand[]>(
            (highest, next) => ((next[0]?.fee ?? 0n) > (highest[0]?.fee ?? -1n) ? next : highest),
            [],
          )
        const command = best.shift()
        if (command === undefined) return taken
        taken.push(command)
      }
    },
  }
}
