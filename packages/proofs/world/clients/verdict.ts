// What is wrong in a client's history, as the chain shows it at the end.

import { broadcastCodes } from '../../../../shared/contract/broadcast-codes.ts'
import { minimumFee } from '../../../testnet/pool/refusals.ts'
import { appliedIn } from '../chain/block.ts'
import type { Network } from '../chain/network.ts'
import type { Kept, Owner, Told } from './owner.ts'
import { askedAgain, canContradict, isIndexerWell, type Setting, wallet } from './setting.ts'
import { wrongCredits } from './shop.ts'

/** Blocks read in an hour for each open command. A search of older blocks reads 300 of them, and may have to begin anew. */
export const maxBlocksInHour = 800

/**
 * Sendings that are refused, and searches that come to nothing, in an hour for each open command, once the program has run, and
 * the command has been refused, for an hour: pauses have grown to half an hour by then. They begin anew where a node takes the
 * command in between. A clock that jumps ends one early, and none ends while it stands still.
 */
const maxVainInHour = 3

/** Blocks on top of a rival that prove that a command is in no block. */
const minProof = 15

/** A daemon that has stopped takes a command that another one refuses: the pauses begin anew. */
const maxVainBesideStopped = 2 * maxVainInHour

/**
 * Broadcasts in an hour for each open command: several in its first minute, and after that one in a minute. They are not
 * counted while the clock stands still, since the patience of a call does not end then.
 */
const maxSentInHour = 150

export const wrongs = [
  'paid twice',
  'told not paid',
  'told paid',
  'told falsely when asked again',
  'queue ended by a 404',
  'told no account',
  'stays open',
  'not told',
  'asks too often',
  ...wrongCredits,
] as const
export type WrongClient = (typeof wrongs)[number]

/** The most in any hour of the history, for each open command. */
interface Rates {
  readonly blocks: number
  /** What was refused or came to nothing. */
  readonly vain: number
  readonly sent: number
}

/**
 * @param again what the same client has told when it was asked again
 * @param startedAtMs when the program was started last, since the history began
 * @param blame called for each fault
 */
export function judge(
  setting: Setting,
  owner: Owner,
  again: readonly Told[],
  home: Network,
  rates: Rates,
  begunAt: number,
  startedAtMs: number,
  blame: (fault: WrongClient, why: () => string) => void,
) {
  const { follower, stop } = setting
  const paid = new Set(appliedIn(home.bestChain()))
  /** Blocks that had to be on top: whatever lets an owner sign again needs those of a proof, whatever was asked for. */
  const neededFor = (state: Told['state']) =>
    state === 'included' && (follower === 'sendQueue' || follower === 'waitForInclusion')
      ? setting.confirmations
      : minProof
  /** A reorganisation has taken back more blocks than that. */
  const isUndone = ({ state, confirmations, block, tipHeight, atMs }: Told, needed = neededFor(state)) => {
    if (confirmations === undefined) return false
    if (block) return home.wasUnder(block, needed) && home.bestChain()[block.height - 1]?.stateHash !== block.stateHash
    const isLater = (ms: number) => ms >= atMs - setting.blockLagMs
    // A daemon that has stopped does not hear of it.
    const isUnheard = (ms: number) => stop !== undefined && ms >= begunAt + stop.fromMs
    return home.reorganised.some(
      (each) =>
        (isLater(each.atMs) && each.keptHeight < tipHeight - needed) || (isUnheard(each.atMs) && each.depth > needed),
    )
  }
  const undone = new Set(owner.ends.filter((told) => isUndone(told)).map(({ kept }) => kept))
  for (const { commands, to } of owner.purposes) {
    if (commands.filter((command) => paid.has(command)).length < 2) continue
    if (![...undone].some(({ command }) => commands.includes(command))) blame('paid twice', () => to)
  }
  for (const { kept, state } of owner.ends) {
    const isPaid = paid.has(kept.command)
    if (isPaid === (state === 'included') || undone.has(kept)) continue
    const fault = isPaid ? 'told not paid' : 'told paid'
    blame(fault, () => `${kept.command.hash.slice(0, 8)} ${state}`)
  }
  for (const told of again) {
    const { kept, state, confirmations, block } = told
    // No more is shown of a last slot that has passed.
    const needed = state === 'expired' ? minProof : askedAgain
    const isEarly = confirmations !== undefined && (confirmations < needed || (block && !home.wasUnder(block, needed)))
    const isFalse = paid.has(kept.command) !== (state === 'included') && !isUndone(told, needed)
    if (!isEarly && !isFalse) continue
    const words = () => `${kept.command.hash.slice(0, 8)} ${state} under ${confirmations} blocks, early ${isEarly}`
    blame('told falsely when asked again', words)
  }
  if (rates.blocks >= maxBlocksInHour) blame('asks too often', () => `${rates.blocks} blocks in an hour`)
  else if (follower !== 'settle' && rates.vain > (stop ? maxVainBesideStopped : maxVainInHour))
    blame('asks too often', () => `${rates.vain} in vain in an hour`)
  else if (follower !== 'settle' && rates.sent > maxSentInHour)
    blame('asks too often', () => `${rates.sent} broadcasts in an hour`)
  else for (const kept of owner.open.values()) judgeOpen(kept)
  return { open: [...owner.open.values()].map(({ told }) => told), undone: undone.size }

  /** What is open after a day must be such as only the owner or an indexer can end, and the owner must know. */
  function judgeOpen(kept: Kept): void {
    const { command, told } = kept
    const { nonce } = command
    const what = () => `${command.hash.slice(0, 8)}, paid ${paid.has(command)}: ${told}`
    if (told === 'kept') {
      blame('not told', what)
      return
    }
    const { because, state } = JSON.parse(told)
    // Below fewer blocks a rival is no proof, and later only an indexer may have its block.
    const searchedFrom = kept.usedToldAtHeight ?? 0
    const isRival = ({ kept: { command: other, purpose }, state, confirmations = minProof, block, tipHeight }: Told) =>
      other.nonce === nonce &&
      // The example is given the commands of one purpose alone.
      (follower !== 'resume' || purpose === kept.purpose) &&
      (state === 'included' || state === 'failed') &&
      confirmations >= minProof &&
      // An indexer may hide it, or a stopped daemon give the nonce again, until nobody shows its block any more.
      (isIndexerWell(setting) ||
        tipHeight >= searchedFrom ||
        searchedFrom - (block?.height ?? searchedFrom) < setting.frontierBlocks)
    // A client that has been started since knows it no more.
    const isRemembered = follower === 'sendQueue' || isIndexerWell(setting)
    const rival = owner.ends.find(isRival)
    const isSettledByRival =
      follower !== 'settle' && rival !== undefined && (isRemembered || rival.atMs - begunAt > startedAtMs)
    const nextNonce = home.bestChain().at(-1)?.ledger.get(wallet)?.nonce ?? 0
    const isUsed = nonce < nextNonce
    // An indexer that cannot prove its chain leaves it unknown whether a block holds the command.
    // A stopped node shows for ever what nothing contradicts; where nothing has the nonce's block, an indexer alone knows.
    const isHidden = stop !== undefined && !isIndexerWell(setting) && (isUsed || canContradict(setting))
    const isForIndexer =
      isHidden ||
      (!isIndexerWell(setting) &&
        // The service answers with a 503 where its indexer contradicts the nodes.
        ((canContradict(setting) && (kept.isUnanswered || because === 'unknown')) ||
          (because === 'nonce-used' && isUsed)))
    // Its owner was told the refusal. What is told last may be of a sending that got no answer, or of a daemon that has stopped.
    const isTooCheap = command.fee < minimumFee && ['possible', 'unknown'].includes(because)
    const isRefused = [because, state].includes('refused') || Object.hasOwn(broadcastCodes, because) || isTooCheap
    // The command before it, of which its owner was told too, or one that the owner never signed.
    const before = [...owner.open.values()].find(({ command: other }) => other.nonce === nonce - 1)
    const isWaiting = because === 'waits-for-nonce' && nonce > nextNonce && before?.told !== 'kept'
    // A daemon that has stopped took it, or a rival of it, and shows that for as long as it likes.
    const isOfNonce = (other: { readonly nonce: number }) => other.nonce === nonce
    const isWithStopped = !isUsed && home.daemons.some((each) => each.isCutOff && each.queued(wallet).some(isOfNonce))
    const isForOwner = (isRefused && !isUsed) || isWaiting || isForIndexer || isWithStopped
    if (isSettledByRival || !isForOwner) blame('stays open', what)
  }
}
