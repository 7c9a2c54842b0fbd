// Follows a command until the chain has decided about it.
import { type Clock, stopIfAborted } from './clock.ts'
import { type Inclusion, type InclusionOptions, type SignedCommand, teller } from './inclusion.ts'
import { type InclusionService, inclusionLook } from './inclusion-look.ts'
import { polling } from './polling.ts'

/** Asks for the state of a command until it is settled, and sends the same bytes again where they are nowhere. */
export async function waitForInclusion(
  command: SignedCommand,
  service: InclusionService,
  clock: Clock,
  options: InclusionOptions = {},
): Promise<Inclusion> {
  const { patienceMs = 3_600_000, signal } = options
  const { ask, pause } = polling(clock, options)
  const giveUpAt = clock.now() + patienceMs
  const look = inclusionLook(command, service, clock, options, giveUpAt)
  const tell = teller(options.onUpdate)
  for (;;) {
    const found = await ask(look)
    if (!found) stopIfAborted(signal)
    const inclusion: Inclusion = found ?? { state: 'undecided', because: 'no-answer' }
    await tell(command.hash, inclusion)
    const leftMs = giveUpAt - clock.now()
    const isOpen = inclusion.state === 'unconfirmed' || inclusion.state === 'undecided'
    if (!isOpen || leftMs <= 0) return inclusion
    await pause(leftMs)
  }
}
