import type { RequestLine } from '../../../functions/runtime/log.ts'
import { type ServiceOptions, startService } from '../../../local/start/service.ts'
import { untilTestEnds } from '../../serving.ts'

/** A service whose clock and block timer the test controls. */
export async function service(options: ServiceOptions = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const log: RequestLine[] = []
  const repeated: { task: () => void; intervalMs: number; stopped: boolean }[] = []
  const started = await startService({
    now: () => clock.now,
    repeat(task, intervalMs) {
      const entry = { task, intervalMs, stopped: false }
      repeated.push(entry)
      return () => {
        entry.stopped = true
      }
    },
    log: (line) => log.push(line),
    signsOwnCommands: false,
    ...options,
  })
  return { ...untilTestEnds(started), clock, log, repeated }
}
