// One look at what has become of a command, and the rules by which the chain has decided about it.
import { absenceOf, absentNow } from './absence.ts'
import { isRefusedForever, mayHaveArrived, type NotSent, type Outcome } from './broadcast.ts'
import {
  type CommandMemory,
  depthOf,
  historySearch,
  type Included,
  minConfirmations,
  type Replaced,
} from './history.ts'
import type { Expired, Inclusion, InclusionOptions, SignedCommand, Tell, Undecided } from './inclusion.ts'
import type { Reads } from './reads.ts'
import type { Resending } from './resending.ts'
import { type CommandFacts, factsOf, isSigned } from './signed-command.ts'
import type { Transaction } from './transaction.ts'

/** The service shows no more: it sees when the last slot has passed in the latest 20 blocks. */
const maxShownOfExpired = 19

/** Then it looks again. */
const maxSendMs = 60_000

/** The requests that a look makes. A wait repeats them itself, so `transaction` must not. */
export interface InclusionService extends Pick<Reads, 'block' | 'blockAtHeight' | 'transaction'> {
  /** Sends the command until the outcome is known, or for so many ms. */
  send(patienceMs: number): Promise<Outcome>
  readonly isResent: Resending
  memoryOf(command: SignedCommand): CommandMemory
}

/** The answers about commands of one round, by the hash asked for: looks at two rivals ask for both. */
export type Answers = Map<string, ReturnType<Reads['transaction']>>

/** A look, given the other commands that its owner has signed with the same nonce. */
export type InclusionLook = (rivals?: readonly SignedCommand[], answers?: Answers) => Promise<Inclusion>

/**
 * Tells from a rival in a block of the best chain if it is another command than the one that was sent.
 *
 * Of two commands that differ in `validUntil` alone, and of those whose difference the block does not show for sure, only the
 * chain's own hash tells which of them it holds.
 */
function isAnother(
  sent: CommandFacts,
  rival: CommandFacts,
  { chainHash, command }: Pick<Included, 'chainHash' | 'command'>,
): boolean {
  const isByHash = chainHash === undefined
  const isSameButForItsEnd =
    rival.to === sent.to && rival.amount === sent.amount && rival.fee === sent.fee && rival.memo === sent.memo
  if (isSameButForItsEnd) return isByHash && rival.validUntil !== sent.validUntil
  const isShown = command && isSigned(command, sent)
  return isShown === false || (isShown === undefined && isByHash)
}

/** What a rival in a block makes of the command that was sent; undefined where nothing proves that they are two. */
export function replacedBy(
  sent: CommandFacts,
  rival: SignedCommand,
  found: Omit<Included, 'state' | 'failureReason'>,
): Replaced | undefined {
  const { chainHash = rival.hash, hashFromIndexer, command, block, final, confirmations = 0 } = found
  if (!isAnother(sent, factsOf(rival.signed), found)) return undefined
  const by = { by: rival.hash, chainHash, isNamed: true, hashFromIndexer } as const
  return { state: 'replaced', ...by, command, block, confirmations, final }
}

/** Names the rival whose terms the command has that replaced: its owner may never have had the chain's hash of it. */
function named(replaced: Replaced, rivals: readonly SignedCommand[]): Replaced {
  const { by, command } = replaced
  const rival = rivals.find(({ hash, signed }) => (command && isSigned(command, factsOf(signed))) ?? hash === by)
  return rival ? { ...replaced, by: rival.hash, chainHash: by, isNamed: true } : replaced
}

/** Why a command is still open after a sending that failed; `otherwise` where nobody knows its outcome. */
export function reasonToWait({ outcome, code }: NotSent, otherwise: Undecided): Undecided {
  if (outcome === 'unknown') return otherwise
  return code === 'network-paused' ? code : 'refused'
}

/** @returns `unconfirmed` where a block has fewer others on top than wanted, or than a verdict of this kind needs */
export function verdictOn(found: Included | Replaced | Expired, confirmations: number = minConfirmations): Inclusion {
  const failureReason = found.state === 'included' ? found.failureReason : undefined
  const isPaid = found.state === 'included' && failureReason === undefined
  const least = isPaid ? 0 : minConfirmations
  const most = found.state === 'expired' ? maxShownOfExpired : Infinity
  const wanted = Math.min(Math.max(confirmations, least), most)
  const isFinal = 'final' in found && found.final === true
  if (!isFinal && (found.confirmations ?? -1) < wanted) return { state: 'unconfirmed', sofar: found }
  if (found.state !== 'included' || failureReason === undefined) return found
  return { ...found, state: 'failed', failureReason }
}

/**
 * @param leftMs gives the time left for sending: none at 0
 * @param tell is called before sendings that may take a minute
 * @returns a look, to be repeated. It remembers what the one before has found
 */
export function inclusionLook(
  command: SignedCommand,
  service: InclusionService,
  options: InclusionOptions,
  leftMs: () => number,
  tell?: Tell,
): InclusionLook {
  const { confirmations } = options
  const { hash: givenHash } = command
  const sent = factsOf(command.signed)
  const memory = service.memoryOf(command)
  const { sendPauses: pauses } = memory
  const search = historySearch(sent, service, memory, options)
  /** The node's, as soon as it is known. */
  let hash = givenHash
  let maySent = options.neverSent !== true
  const absence = absenceOf()
  /** Of the latest look. */
  let refusal: NotSent | undefined

  function ask(asked: string, terms: CommandFacts, answers: Answers): ReturnType<Reads['transaction']> {
    const answer = answers.get(asked) ?? service.transaction(asked, terms, options)
    answers.set(asked, answer)
    return answer
  }

  /** Sends it again where it has waited long; what is said of that decides nothing, for a pool has it. */
  async function pending(fate: Transaction): Promise<Inclusion> {
    if (leftMs() > 0 && service.isResent(givenHash, true)) await service.send(0)
    return { state: 'undecided', because: 'pending', fate }
  }

  function settled(found: Included | Replaced | Expired, rivals: readonly SignedCommand[]): Inclusion {
    const verdict = verdictOn(found.state === 'replaced' ? named(found, rivals) : found, confirmations)
    if (found.state !== 'included' || verdict.state === 'unconfirmed') return verdict
    if (found.final || (found.confirmations ?? 0) >= minConfirmations) memory.settled = found
    return verdict
  }

  const sharesNonce = (rival: SignedCommand): boolean => {
    const { from, nonce } = factsOf(rival.signed)
    return rival.hash !== givenHash && from === sent.from && nonce === sent.nonce
  }

  /**
   * By a rival that an earlier look has settled, whatever the service still knows of it, under as many blocks as its own has now:
   * a reorganisation may have taken that off since.
   *
   * @throws ServiceError where the service does not say if the block stands
   */
  async function replacedBySettled(rival: SignedCommand): Promise<Inclusion | undefined> {
    const { settled: end } = service.memoryOf(rival)
    const replaced = end && replacedBy(sent, rival, end)
    if (!replaced || end.final) return replaced
    const { blockHeight: height, stateHash } = end.block
    const depth = await depthOf({ height, stateHash }, service, options)
    return depth === undefined ? undefined : verdictOn({ ...replaced, confirmations: depth }, confirmations)
  }

  /**
   * By the rival that stands in a block, if that proves that this command is in none. One of which nobody says anything
   * hides no other.
   *
   * @param onlySettled asks for no other rival
   */
  async function ownRival(
    rivals: readonly SignedCommand[],
    answers: Answers,
    onlySettled = false,
  ): Promise<{ by?: Inclusion; trouble?: unknown }> {
    let trouble: unknown
    for (const rival of rivals.filter(sharesNonce)) {
      try {
        const known = await replacedBySettled(rival)
        if (known) return { by: known }
        if (onlySettled) continue
        const taken = (await ask(rival.hash, factsOf(rival.signed), answers)).value
        const replaced = taken.state === 'included' ? replacedBy(sent, rival, taken) : undefined
        if (replaced) return { by: verdictOn(replaced, confirmations) }
      } catch (error) {
        trouble = error
      }
    }
    return { trouble }
  }

  /** @throws what hides a rival, where no other proves it */
  async function replacedByOwn(rivals: readonly SignedCommand[], answers: Answers): Promise<Inclusion | undefined> {
    const { by, trouble } = await ownRival(rivals, answers)
    if (trouble) throw trouble
    return by
  }

  return async function look(rivals = options.rivals ?? [], answers = new Map()) {
    const refused = refusal
    refusal = undefined
    const answer = await ask(hash, sent, answers).catch(async (error: unknown) => {
      const { by } = options.signal?.aborted ? {} : await ownRival(rivals, answers, true)
      if (!by) throw error
      return by
    })
    if ('state' in answer) return answer
    const { value: fate, chain } = answer
    const { hash: _, terms, searched, ...found } = fate
    if (found.state !== 'absent') absence(true, chain?.height)
    if (found.state === 'included' || found.state === 'pending') hash = found.chainHash ?? hash
    if (found.state === 'included') {
      const own = hash === givenHash ? found : { ...found, chainHash: hash }
      // The terms of a rival that differs in its last slot alone are this command's too.
      const isRival = rivals.some((rival) => rival.hash === own.chainHash)
      return (isRival && (await replacedByOwn(rivals, answers))) || settled(own, rivals)
    }
    if (found.state === 'expired') return settled(found, rivals)
    if (found.state === 'pending') {
      pauses.end()
      memory.standing = undefined
      return pending(fate)
    }

    const shown = 'command' in found ? found.command : undefined
    const isOwn = shown && isSigned(shown, sent)
    // A service that judged by fewer terms than it was given may call a command its own rival, and need not show it.
    const isProven = shown ? isOwn === false : terms?.memo !== undefined
    if (found.state === 'replaced' && isProven) return settled(found, rivals)

    const sending = found.state === 'replaced' ? 'nonce-used' : found.sending
    const isAbsent = absence(sending !== 'no-account', chain?.height)
    if (isAbsent) return { state: 'no-account' }
    if (sending === 'no-account') {
      await options.onTrouble?.(absentNow({ chain }))
      return { state: 'undecided', because: sending, fate }
    }
    if (sending === 'nonce-used') {
      const { by, trouble } = await ownRival(rivals, answers)
      if (by) return by
      // A command that is shown stands in a block that the service has searched.
      const fromHeight = 'by' in found ? searched.toHeight + 1 : searched.fromHeight
      const read = await search(hash, fromHeight, searched.toHeight, chain)
      if (typeof read === 'object') return settled(read, rivals)
      if (trouble) throw trouble
      const needsIndexer = read === 'nothing' && !searched.indexer ? true : undefined
      return { state: 'undecided', because: sending, fate, needsIndexer }
    }
    if (isOwn) return pending(fate)
    service.isResent(givenHash, false)
    if (sending === 'unknown') {
      // An indexer that proves nothing makes a state unknown for which a rival in a block is proof enough.
      const byOwn = await replacedByOwn(rivals, answers)
      if (byOwn) return byOwn
    }
    if (sending !== 'possible') return { state: 'undecided', because: sending, fate }

    if (refused && (isRefusedForever(refused) || (!maySent && refused.code !== 'expired'))) {
      // A second look has found it nowhere, and no state of the chain explains why it was refused.
      return { ...refused, state: 'refused' }
    }
    const left = leftMs()
    if (left > 0 && pauses.isOver()) {
      if (!memory.standing) await tell?.(givenHash, { state: 'undecided', because: sending, fate })
      // A separate loop at each look would hammer a service that goes on refusing.
      const outcome = await service.send(memory.standing ? 0 : Math.min(left, maxSendMs))
      hash = outcome.hash ?? hash
      maySent ||= mayHaveArrived(outcome)
      memory.standing = 'retriable' in outcome ? outcome : undefined
      if ('retriable' in outcome && outcome.code !== 'network-paused') {
        if (outcome.outcome === 'refused') refusal = outcome
        // A refusal that follows a lost answer comes as `unknown`.
        if (outcome.outcome === 'refused' || !outcome.retriable) pauses.begin()
      }
    }
    const { standing } = memory
    return {
      state: 'undecided',
      because: standing ? reasonToWait(standing, sending) : sending,
      fate,
      code: standing?.code,
    }
  }
}
