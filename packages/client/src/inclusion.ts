// What can become of a command that was sent, and how its owner is told.
import type { NotSent } from './broadcast.ts'
import type { ChainLabel } from './chain-label.ts'
import type { Included, Replaced } from './history.ts'
import type { NetworkMismatchError } from './network-mismatch-error.ts'
import type { PollOptions } from './polling.ts'
import type { FailureCode } from './service-error.ts'
import type { DelegationToSend, PaymentToSend } from './signed-command.ts'
import type { StoreInUseError } from './store-in-use-error.ts'
import type { Sending, Transaction } from './transaction.ts'

export interface InclusionOptions extends PollOptions {
  /**
   * Blocks on top after which a command counts as paid, 15 by default. One that failed, was replaced or has expired needs at
   * least 15: its owner may sign another one, and a reorganisation may let both be paid.
   */
  readonly confirmations?: number | undefined
  /**
   * Time to wait; by default 90 of the network's slots, which are 2¼ hours at 90 s and 4½ at 180 s: 16 blocks are made in them
   * even where only 35 % of the slots have one. The last look is at its end, and sends nothing.
   */
  readonly patienceMs?: number | undefined
  /**
   * The tip when it was first sent, such as `chain` of the account that gave its nonce. No block up to it holds the command, so
   * a search of older blocks ends there, as long as it is on the best chain.
   */
  readonly sentAtTip?: Pick<ChainLabel, 'height' | 'stateHash'> | undefined
  /** @deprecated Without effect: a machine's clock may be wrong, so it decides nothing. Give `sentAtTip`. */
  readonly sentAtMs?: number | undefined
  /**
   * True if these bytes were never sent, or each sending was refused. Only then is a refusal an end: after an earlier sending
   * a block on its way may hold the command, whatever a node says now.
   */
  readonly neverSent?: boolean | undefined
  /**
   * Other commands that you signed with its nonce, such as one with a higher fee, each with its hash: `[{ signed, hash }]`. Once
   * one is settled, this one is replaced.
   */
  readonly rivals?: readonly SignedCommand[] | undefined
  /** Called with its first state, and each time state, confirmations or the reason for waiting changes; it is awaited. */
  readonly onUpdate?: OnUpdate | undefined
}

/** A signed command, and the hash by which its owner knows it. */
export interface SignedCommand {
  readonly signed: PaymentToSend | DelegationToSend
  readonly hash: string
}

/** Its last slot has passed without it. */
export interface Expired {
  readonly state: 'expired'
  readonly confirmations: number
}

export type Inclusion =
  /** Paid. */
  | Included
  /** In a block, where it failed: its fee is paid, and nothing else has moved. */
  | (Omit<Included, 'state' | 'failureReason'> & { readonly state: 'failed'; readonly failureReason: string })
  /** Another command used its nonce, so no later block can hold it. */
  | Replaced
  | Expired
  /** The sender has no account yet. */
  | { readonly state: 'no-account' }
  /** A node refused it, none that was asked holds it, and no earlier sending can have reached one. */
  | (Omit<NotSent, 'outcome'> & { readonly state: 'refused' })
  /** A reorganisation may still undo what `sofar` says. */
  | { readonly state: 'unconfirmed'; readonly sofar: Included | Replaced | Expired }
  /** `fate` is what the service said last; it is absent where it gave no answer. */
  | {
      readonly state: 'undecided'
      readonly because: Undecided
      readonly fate?: Transaction | undefined
      /** Why the latest sending was refused, or why its outcome is unknown. */
      readonly code?: NotSent['code'] | undefined
      /** As in an `Update`. */
      readonly needsIndexer?: true | undefined
    }

/**
 * `network-paused`: before a hard fork every command is refused; it is sent again until the network takes it. `refused`: a
 * node refuses it now, which decides nothing, for instance where it was sent before and may stand in a block on its way; it
 * is sent again with pauses that grow to an hour. `not-found`: of a wait by hash alone, no node that was asked has it yet.
 */
export type Undecided = 'pending' | Sending | 'network-paused' | 'no-answer' | 'not-found' | 'refused'

/**
 * Every word for why something is not done yet, or cannot be: the `code` of each error and outcome, and `because`. Whoever shows
 * their own text for each has them all in a `Record<Code, string>`. A later service may have more.
 */
export type Code = FailureCode | NetworkMismatchError['code'] | StoreInUseError['code'] | NotSent['code'] | Undecided

/** What is known of a command now. */
export interface Update {
  /** The command's, as you gave it. */
  readonly hash: string
  /** `unconfirmed` and `undecided` until the command has its end. */
  readonly state: Inclusion['state']
  /** What an `unconfirmed` command is so far. */
  readonly sofar?: 'included' | 'failed' | 'replaced' | 'expired' | undefined
  readonly confirmations?: number | undefined
  /** Why an `undecided` command waits. */
  readonly because?: Undecided | undefined
  /** What the service says of sending a command that was found nowhere. */
  readonly sending?: Sending | undefined
  /** Why a node refused it, or why nobody knows the outcome of its sending. */
  readonly code?: NotSent['code'] | undefined
  /** The blocks that the service has do not show who used the nonce; an indexer would know. They are searched again in an hour. */
  readonly needsIndexer?: true | undefined
}

export type OnUpdate = (update: Update) => unknown

/** True for a command without an end. */
export const isOpen = ({ state }: Inclusion): boolean => state === 'undecided' || state === 'unconfirmed'

/** The members that some states have. */
interface Parts {
  readonly state: Inclusion['state']
  readonly confirmations?: number | undefined
  readonly sofar?: Included | Replaced | Expired | undefined
  readonly because?: Undecided | undefined
  readonly fate?: Transaction | undefined
  readonly code?: NotSent['code'] | undefined
  readonly needsIndexer?: true | undefined
}

function updateOf(hash: string, inclusion: Parts): Update {
  const { state, sofar, because, fate, code, needsIndexer } = inclusion
  const isFailed = sofar?.state === 'included' && sofar.failureReason !== undefined
  return {
    ...{ hash, state, sofar: isFailed ? 'failed' : sofar?.state, confirmations: (sofar ?? inclusion).confirmations },
    ...{ because, sending: fate?.state === 'absent' ? fate.sending : undefined, code, needsIndexer },
  }
}

export type Tell = (hash: string, inclusion: Inclusion) => Promise<void>

/** @returns a function that calls back where a command's state is another one than it said last, and is known */
export function teller(onUpdate: OnUpdate | undefined): Tell {
  const told = new Map<string, string>()
  return async (hash, inclusion) => {
    const update = updateOf(hash, inclusion)
    const text = JSON.stringify(update)
    // A look that fails says nothing of a command; a sending without an answer has a code.
    const isNoNews = update.because === 'no-answer' && !update.code && told.has(hash)
    if (!onUpdate || isNoNews || told.get(hash) === text) return
    if (isOpen(inclusion)) told.set(hash, text)
    else told.delete(hash)
    await onUpdate(update)
  }
}
