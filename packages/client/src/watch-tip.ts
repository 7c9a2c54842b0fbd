// Polling for a new tip, as politely as the service asks for.
import type { Clock } from './clock.ts'
import { type PollOptions, polling } from './polling.ts'
import type { CallOptions, Labelled } from './reads.ts'
import type { Summary } from './schema.ts'
import type { Slots } from './slots.ts'

/**
 * Calls back with each new tip, the present one first, and waits for the callback before it polls again.
 *
 * @returns when the signal is aborted
 * @throws what the callbacks throw; ServiceError where the service itself refuses the question
 */
export async function watchTip(
  readSummary: (options: CallOptions) => Promise<Labelled<Summary>>,
  onTip: (tip: Labelled<Summary>) => unknown,
  clock: Clock,
  slots: Slots,
  options: PollOptions = {},
): Promise<void> {
  const { ask, pause } = polling(clock, slots, options)
  let last: string | undefined
  while (!options.signal?.aborted) {
    const tip = await ask(() => readSummary(options))
    if (tip) {
      if (tip.value.stateHash !== last) await onTip(tip)
      last = tip.value.stateHash
    }
    await pause()
  }
}
