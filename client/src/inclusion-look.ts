// One look at what has become of a command, and the rules by which the chain has decided about it.
import { isRefusedForever, mayHaveArrived, type NotSent, type Outcome } from './broadcast.ts'
import { type Clock, pausesOf } from './clock.ts'
import { historySearch, type Included, type Replaced } from './history.ts'
import type { Expired, Inclusion, InclusionOptions, SignedCommand, Undecided } from './inclusion.ts'
import type { Reads } from './reads.ts'
import type { Resending } from './resending.ts'
import { type CommandFacts, factsOf, isSigned } from './signed-command.ts'
import type { Transaction } from './transaction.ts'

/** Below so many blocks a reorganisation may bring back a command that was replaced or has expired. */
export const minConfirmations = 15

/** The service shows no more: it sees when the last slot has passed in the latest 20 blocks. */
const maxShownOfExpired = 19

/** Then it looks again. */
const maxSendMs = 60_000

/** The requests that a look makes. A wait repeats them itself, so `transaction` must not. */
export interface InclusionService extends Pick<Reads, 'block' | 'blockAtHeight' | 'transaction'> {
  /** Sends the command until the outcome is known, or for so many ms. */
  send(patienceMs: number): Promise<Outcome>
  readonly isResent: Resending
}

/** A look, given the other commands that its owner has signed with the same nonce. */
export type InclusionLook = (rivals?: readonly SignedCommand[]) => Promise<Inclusion>

/**
 * Tells from a rival in a block of the best chain if it is another command than the one that was sent.
 *
 * Of two commands that differ in `validUntil` alone, and of those whose difference the block does not show for sure, only the
 * chain's own hash tells which of them it holds.
 */
function isAnother(sent: CommandFacts, rival: CommandFacts, { chainHash, command }: Included): boolean {
  const isByHash = chainHash === undefined
  const isSameButForItsEnd =
    rival.to === sent.to && rival.amount === sent.amount && rival.fee === sent.fee && rival.memo === sent.memo
  if (isSameButForItsEnd) return isByHash && rival.validUntil !== sent.validUntil
  const isShown = command && isSigned(command, sent)
  return isShown === false || (isShown === undefined && isByHash)
}

/** Why a command is still open after a sending that failed; `otherwise` where nobody knows its outcome. */
export function reasonToWait({ outcome, code }: NotSent, otherwise: Undecided): Undecided {
  if (outcome === 'unknown') return otherwise
  return code === 'network-paused' ? code : 'refused'
}

/**
 * @param giveUpAt ms since 1970: from then on it sends nothing
 * @returns a look, to be repeated. It remembers what the one before has found
 */
export function inclusionLook(
  sent: CommandFacts,
  givenHash: string,
  service: InclusionService,
  clock: Clock,
  options: InclusionOptions,
  giveUpAt: number,
): InclusionLook {
  const { confirmations = minConfirmations } = options
  const search = historySearch(sent, service, clock, options)
  /** The node's, as soon as it is known. */
  let hash = givenHash
  let maySent = options.neverSent !== true
  /** Of the latest look. */
  let refusal: NotSent | undefined
  /** Of the latest sending, where it failed. After a refusal the next one has to wait. */
  let standing: NotSent | undefined
  const pauses = pausesOf(clock)

  /** Sends it again where it has waited long; what is said of that decides nothing, for a pool has it. */
  async function pending(fate: Transaction): Promise<Inclusion> {
    if (clock.now() < giveUpAt && service.isResent(givenHash, true)) await service.send(0)
    return { state: 'undecided', because: 'pending', fate }
  }

  function settled(found: Included | Replaced | Expired): Inclusion {
    const isIncluded = found.state === 'included'
    const least = isIncluded ? 0 : minConfirmations
    const most = found.state === 'expired' ? maxShownOfExpired : Number.POSITIVE_INFINITY
    const wanted = Math.min(Math.max(confirmations, least), most)
    const isFinal = 'final' in found && found.final === true
    if (!isFinal && (found.confirmations ?? -1) < wanted) return { state: 'unconfirmed', sofar: found }
    if (!isIncluded || found.failureReason === undefined) return found
    return { ...found, state: 'failed', failureReason: found.failureReason }
  }

  /** The rival that stands in a block, if that proves that this command is in none. */
  async function replacedByOwn(rivals: readonly SignedCommand[]): Promise<Replaced | undefined> {
    for (const rival of rivals) {
      const facts = factsOf(rival.signed)
      if (rival.hash === givenHash || facts.from !== sent.from || facts.nonce !== sent.nonce) continue
      const { value: fate } = await service.transaction(rival.hash, facts, options)
      if (fate.state !== 'included' || !isAnother(sent, facts, fate)) continue
      const { chainHash = rival.hash, command, block, final } = fate
      return { state: 'replaced', by: chainHash, command, block, confirmations: fate.confirmations ?? 0, final }
    }
    return undefined
  }

  return async function look(rivals = options.rivals ?? []) {
    const refused = refusal
    refusal = undefined
    const { value: fate, chain } = await service.transaction(hash, sent, options)
    const { hash: _, terms, searched, ...found } = fate
    if (found.state === 'included' || found.state === 'pending') hash = found.chainHash ?? hash
    if (found.state === 'included') {
      const own = hash === givenHash ? found : { ...found, chainHash: hash }
      // The terms of a rival that differs in its last slot alone are this command's too.
      const isRival = rivals.some((rival) => rival.hash === own.chainHash)
      return settled((isRival && (await replacedByOwn(rivals))) || own)
    }
    if (found.state === 'expired') return settled(found)
    if (found.state === 'pending') {
      pauses.end()
      return pending(fate)
    }

    const shown = 'command' in found ? found.command : undefined
    const isOwn = shown && isSigned(shown, sent)
    // A service that judged by fewer terms than it was given may call a command its own rival, and need not show it.
    const isProven = shown ? isOwn === false : terms?.memo !== undefined
    if (found.state === 'replaced' && isProven) return settled(found)

    const sending = found.state === 'replaced' ? 'nonce-used' : found.sending
    if (sending === 'no-account') return { state: 'no-account' }
    if (sending === 'nonce-used') {
      const byOwn = await replacedByOwn(rivals)
      if (byOwn) return settled(byOwn)
      // A command that is shown stands in a block that the service has searched.
      const fromHeight = 'by' in found ? searched.toHeight + 1 : searched.fromHeight
      const read = await search(hash, fromHeight, searched.toHeight, chain)
      if (typeof read === 'object') return settled(read)
      const needsIndexer = read === 'nothing' && !searched.indexer ? true : undefined
      return { state: 'undecided', because: sending, fate, needsIndexer }
    }
    if (isOwn) return pending(fate)
    service.isResent(givenHash, false)
    if (sending !== 'possible') return { state: 'undecided', because: sending, fate }

    if (refused && (isRefusedForever(refused) || (!maySent && refused.code !== 'expired'))) {
      // A second look has found it nowhere, and no state of the chain explains why it was refused.
      return { ...refused, state: 'refused' }
    }
    const leftMs = giveUpAt - clock.now()
    if (leftMs > 0 && pauses.isOver()) {
      const outcome = await service.send(Math.min(leftMs, maxSendMs))
      hash = outcome.hash ?? hash
      maySent ||= mayHaveArrived(outcome)
      standing = 'retriable' in outcome ? outcome : undefined
      if (outcome.outcome === 'refused' && outcome.code !== 'network-paused') {
        refusal = outcome
        pauses.begin()
      }
    }
    return {
      state: 'undecided',
      because: standing ? reasonToWait(standing, sending) : sending,
      fate,
      code: standing?.code,
    }
  }
}
