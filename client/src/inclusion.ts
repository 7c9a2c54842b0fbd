// Follows a command until the chain has decided about it.
import type { NotSent, Outcome } from './broadcast.ts'
import type { Clock } from './clock.ts'
import { historySearch, type Included, type Replaced } from './history.ts'
import type { ChainLabel, Reads } from './reads.ts'
import { type CommandFacts, type DelegationToSend, isSigned, type PaymentToSend } from './signed-command.ts'
import type { Sending, Transaction } from './transaction.ts'
import { type PollOptions, pauseAfter } from './watch-tip.ts'

export interface InclusionOptions extends PollOptions {
  /** Blocks on top after which a command counts as settled, 15 by default; a replaced or expired one needs at least 15. */
  readonly confirmations?: number | undefined
  /** Time to wait, an hour by default. The last look is at its end, and sends nothing. */
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
  /** Other commands that you signed with its nonce, such as one with a higher fee. Once one is settled, this one is replaced. */
  readonly rivals?: readonly SignedCommand[] | undefined
  /** Called with its first state, and each time state, confirmations or the reason for waiting changes; it is awaited. */
  readonly onUpdate?: ((update: Update) => unknown) | undefined
}

/** A signed command, and the hash by which its owner knows it. */
export interface SignedCommand {
  readonly signed: PaymentToSend | DelegationToSend
  readonly hash: string
}

/** What is known of a command now. */
export interface Update {
  /** The command's, as you gave it. */
  readonly hash: string
  /** `unconfirmed` and `undecided` until the command has its end. */
  readonly state: Inclusion['state']
  /** What an `unconfirmed` command is so far. */
  readonly sofar?: 'included' | 'replaced' | 'expired' | undefined
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

/** Its last slot has passed without it. */
interface Expired {
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
  /** A node refused it, and none that was asked holds it. */
  | (Omit<NotSent, 'outcome'> & { readonly state: 'refused' })
  /** A reorganisation may still undo what `sofar` says. */
  | { readonly state: 'unconfirmed'; readonly sofar: Included | Replaced | Expired }
  /** `fate` is what the service said last; it is absent where it gave no answer. */
  | {
      readonly state: 'undecided'
      readonly because: Undecided
      readonly fate?: Transaction | undefined
      /** With `refused` and `network-paused`: the node's reason. */
      readonly code?: NotSent['code'] | undefined
      /** As in an `Update`. */
      readonly needsIndexer?: true | undefined
    }

/**
 * `network-paused`: before a hard fork every command is refused; it is sent again until the network takes it. `refused`: a
 * node refused it now, but it was sent before, and may stand in a block on its way; it is sent again with pauses that grow to an
 * hour.
 */
export type Undecided = 'pending' | Sending | 'network-paused' | 'no-answer' | 'refused'

/** Below so many blocks a reorganisation may bring back a command that was replaced or has expired. */
export const minConfirmations = 15

/** Then it looks again. */
const maxSendMs = 60_000

/** The requests that a wait makes. It repeats them itself, so `transaction` must not. */
interface Service extends Pick<Reads, 'block' | 'blockAtHeight' | 'transaction'> {
  /** Sends the command until the outcome is known, or for so many ms. */
  send(patienceMs: number): Promise<Outcome>
}

/**
 * @param giveUpAt ms since 1970: from then on it sends nothing
 * @returns one look at what has become of a command, to be repeated. It remembers what the one before has found
 */
export function inclusionLook(
  sent: CommandFacts,
  givenHash: string,
  service: Service,
  clock: Clock,
  options: InclusionOptions,
  giveUpAt: number,
): () => Promise<Inclusion> {
  const { confirmations = minConfirmations } = options
  const search = historySearch(sent, service, clock, options)
  /** The node's, as soon as it is known. */
  let hash = givenHash
  /** Of the latest look. */
  let refusal: NotSent | undefined

  function settled(found: Included | Replaced | Expired): Inclusion {
    const isIncluded = found.state === 'included'
    const wanted = isIncluded ? confirmations : Math.max(confirmations, minConfirmations)
    const isDeep = (isIncluded && found.final === true) || (found.confirmations ?? -1) >= wanted
    if (!isDeep) return { state: 'unconfirmed', sofar: found }
    if (!isIncluded || found.failureReason === undefined) return found
    return { ...found, state: 'failed', failureReason: found.failureReason }
  }

  return async function look() {
    const refused = refusal
    refusal = undefined
    const { value: fate, chain } = await service.transaction(hash, sent, options)
    const { hash: _, terms, searched, ...found } = fate
    if (found.state === 'included' || found.state === 'pending') hash = found.chainHash ?? hash
    if (found.state === 'included') return settled(hash === givenHash ? found : { ...found, chainHash: hash })
    if (found.state === 'expired') return settled(found)
    if (found.state === 'pending') return { state: 'undecided', because: 'pending', fate }

    const shown = 'command' in found ? found.command : undefined
    const isOwn = shown && isSigned(shown, sent)
    // A service that judged by fewer terms than it was given may call a command its own rival, and need not show it.
    const isAnother = shown ? isOwn === false : terms?.memo !== undefined
    if (found.state === 'replaced' && isAnother) return settled(found)

    const sending = found.state === 'replaced' ? 'nonce-used' : found.sending
    if (sending === 'no-account') return { state: 'no-account' }
    if (sending === 'nonce-used') {
      // A command that is shown stands in a block that the service has searched.
      const fromHeight = 'by' in found ? searched.toHeight + 1 : searched.fromHeight
      const read = await search(hash, fromHeight, searched.toHeight, chain)
      if (read) return settled(read)
    } else if (isOwn) {
      return { state: 'undecided', because: 'pending', fate }
    }
    if (sending === 'possible') {
      // A second look has found it nowhere, and no state of the chain explains why it was refused.
      if (refused && refused.code !== 'network-paused') return { ...refused, state: 'refused' }
      const leftMs = giveUpAt - clock.now()
      const outcome = leftMs > 0 ? await service.send(Math.min(leftMs, maxSendMs)) : undefined
      if (outcome?.outcome === 'refused') refusal = outcome
      hash = outcome?.hash ?? hash
      const latest = outcome ?? refused
      const isPaused = latest?.outcome === 'refused' && latest.code === 'network-paused'
      if (isPaused) return { state: 'undecided', because: 'network-paused', fate }
    }
    return { state: 'undecided', because: sending, fate }
  }
}

/** Asks for the state of a command until it is settled, and sends the same bytes again where they are nowhere. */
export async function waitForInclusion(
  sent: CommandFacts,
  hash: string,
  service: Service,
  clock: Clock,
  options: InclusionOptions = {},
): Promise<Inclusion> {
  const { patienceMs = 3_600_000, pollMs = 10_000, signal } = options
  const giveUpAt = clock.now() + patienceMs
  const look = inclusionLook(sent, hash, service, clock, options, giveUpAt)
  for (let pauseMs = pollMs; ; ) {
    let inclusion: Inclusion
    try {
      inclusion = await look()
      pauseMs = pollMs
    } catch (error) {
      pauseMs = pauseAfter(error, pauseMs, signal)
      inclusion = { state: 'undecided', because: 'no-answer' }
    }
    const leftMs = giveUpAt - clock.now()
    const isOpen = inclusion.state === 'unconfirmed' || inclusion.state === 'undecided'
    if (!isOpen || leftMs <= 0) return inclusion
    await clock.wait(Math.min(pauseMs, leftMs), signal)
  }
}
