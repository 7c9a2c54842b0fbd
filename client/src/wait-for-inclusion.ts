// Follows a command until the chain has decided about it.
import { type Clock, stopIfAborted } from './clock.ts'
import { type Inclusion, type InclusionOptions, type SignedCommand, teller } from './inclusion.ts'
import { type InclusionService, inclusionLook, verdictOn } from './inclusion-look.ts'
import { checkNumbers } from './numbers.ts'
import { polling } from './polling.ts'
import { type Reads, unless404 } from './reads.ts'
import type { TransactionTerms } from './schema.ts'

export interface WaitOptions extends Omit<InclusionOptions, 'sentAtTip' | 'sentAtMs' | 'neverSent' | 'rivals'> {
  /** The command's, as far as you know them: with all of them it is found under any hash, and known to be replaced or expired. */
  readonly terms?: TransactionTerms | undefined
}

/** @param lookUntil returns a look, given the instant from which on it sends nothing */
async function waitFor(
  hash: string,
  lookUntil: (giveUpAt: number) => () => Promise<Inclusion>,
  clock: Clock,
  options: WaitOptions,
): Promise<Inclusion> {
  const { patienceMs = 3_600_000, signal } = options
  const { ask, pause } = polling(clock, options)
  const giveUpAt = clock.now() + patienceMs
  const look = lookUntil(giveUpAt)
  const tell = teller(options.onUpdate)
  for (;;) {
    const found = await ask(look)
    if (!found) stopIfAborted(signal)
    const inclusion: Inclusion = found ?? { state: 'undecided', because: 'no-answer' }
    await tell(hash, inclusion)
    const leftMs = giveUpAt - clock.now()
    const isOpen = inclusion.state === 'unconfirmed' || inclusion.state === 'undecided'
    if (!isOpen || leftMs <= 0) return inclusion
    await pause(leftMs)
  }
}

/** Asks for the state of a command until it is settled, and sends the same bytes again where they are nowhere. */
export const waitForInclusion = (
  command: SignedCommand,
  service: InclusionService,
  clock: Clock,
  options: InclusionOptions = {},
): Promise<Inclusion> => {
  checkNumbers(options.sentAtTip)
  return waitFor(command.hash, (giveUpAt) => inclusionLook(command, service, clock, options, giveUpAt), clock, options)
}

/** Asks for the state of a command that somebody else has signed until it is settled, and sends nothing. */
export function waitForTransaction(
  hash: string,
  read: Reads['transaction'],
  clock: Clock,
  options: WaitOptions = {},
): Promise<Inclusion> {
  const look = async (): Promise<Inclusion> => {
    const fate = await unless404(read(hash, options.terms, options))
    if (fate?.state === 'absent') return { state: 'undecided', because: fate.sending, fate }
    if (fate?.state === 'pending') return { state: 'undecided', because: 'pending', fate }
    if (!fate) return { state: 'undecided', because: 'not-found' }
    const { hash: _, terms, searched, ...found } = fate
    return verdictOn(found, options.confirmations)
  }
  return waitFor(hash, () => look, clock, options)
}
