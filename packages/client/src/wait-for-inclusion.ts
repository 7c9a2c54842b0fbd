// Follows a command until the chain has decided about it.
import { type Clock, stopIfAborted, stopwatch } from './clock.ts'
import { minConfirmations } from './history.ts'
import { type Inclusion, type InclusionOptions, isOpen, type SignedCommand, type Tell, teller } from './inclusion.ts'
import { type InclusionService, inclusionLook, verdictOn } from './inclusion-look.ts'
import { checkNumbers } from './numbers.ts'
import { polling } from './polling.ts'
import { type Reads, unless404 } from './reads.ts'
import type { TransactionTerms } from './schema.ts'
import { checkCommands } from './signed-command.ts'
import type { Slots } from './slots.ts'

export interface WaitOptions extends Omit<InclusionOptions, 'sentAtTip' | 'sentAtMs' | 'neverSent' | 'rivals'> {
  /** The command's, as far as you know them: with all of them it is found under any hash, and known to be replaced or expired. */
  readonly terms?: TransactionTerms | undefined
}

/**
 * A wait lasts so many slots by default, in which 16 blocks come: the command's own, and 15 on top. Where 35 % of the slots have
 * a block, fewer come once in 10,000 times (in 81 slots once in 1,000). Mainnet fills 44 % and more.
 */
const patienceSlots = 90

/** Assumed until the service has said how long a slot is. Too long a wait costs time; too short a one leaves what is paid open. */
const longestSlotMs = 180_000

/** @param lookWithin makes the look, given the time left for sending and a function that reports a state before the look ends */
async function waitFor(
  hash: string,
  lookWithin: (leftMs: () => number, tell: Tell) => () => Promise<Inclusion>,
  slots: Slots,
  clock: Clock,
  options: WaitOptions,
): Promise<Inclusion> {
  const { patienceMs, confirmations = minConfirmations, signal, onUpdate } = options
  const { ask, pause } = polling(clock, slots, options)
  const passedMs = stopwatch(clock)
  // The first look asks for the network.
  const leftMs = () => (patienceMs ?? patienceSlots * (slots.durationMs ?? longestSlotMs)) - passedMs()
  const tell = teller(onUpdate)
  const look = lookWithin(leftMs, tell)
  /** What a sending decides, or other nodes' answers, waits for no block. */
  const missingBlocks = (inclusion: Inclusion): number | undefined => {
    if ('because' in inclusion) return ['pending', 'not-found'].includes(inclusion.because) ? undefined : 0
    if (onUpdate || !('sofar' in inclusion)) return undefined
    return Math.max(1, confirmations - (inclusion.sofar.confirmations ?? 0))
  }
  let inclusion: Inclusion = { state: 'undecided', because: 'no-answer' }
  for (;;) {
    const found = await ask(look)
    if (found) inclusion = found
    else stopIfAborted(signal)
    await tell(hash, inclusion)
    const left = leftMs()
    if (!isOpen(inclusion) || left <= 0) return inclusion
    await pause(missingBlocks(inclusion), left)
  }
}

/** Asks for the state of a command until it is settled, and sends the same bytes again where they are nowhere. */
export const waitForInclusion = (
  command: SignedCommand,
  service: InclusionService,
  slots: Slots,
  clock: Clock,
  options: InclusionOptions = {},
): Promise<Inclusion> => {
  checkNumbers(options.sentAtTip)
  checkCommands('rivals', options.rivals ?? [])
  const lookWithin = (leftMs: () => number, tell: Tell) => inclusionLook(command, service, options, leftMs, tell)
  return waitFor(command.hash, lookWithin, slots, clock, options)
}

/** Asks for the state of a command that somebody else has signed until it is settled, and sends nothing. */
export function waitForTransaction(
  hash: string,
  read: Reads['transaction'],
  slots: Slots,
  clock: Clock,
  options: WaitOptions = {},
): Promise<Inclusion> {
  const look = async (): Promise<Inclusion> => {
    const fate = await unless404(read(hash, options.terms, options))
    if (!fate) return { state: 'undecided', because: 'not-found' }
    if (fate.state === 'absent' || fate.state === 'pending') {
      return { state: 'undecided', because: fate.state === 'absent' ? fate.sending : 'pending', fate }
    }
    const { hash: _, terms, searched, ...found } = fate
    return verdictOn(found, options.confirmations)
  }
  return waitFor(hash, () => look, slots, clock, options)
}
