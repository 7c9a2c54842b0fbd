// The log of npm start, which must not stand before its greeting: in front of another node the greeting itself sends requests.
import type { Log, RequestLine } from '../../functions/runtime/log.ts'

/** A log that keeps its lines until it is released, then writes them and all that follow. */
export function heldLog(write: Log): { readonly log: Log; release(): void } {
  const held: RequestLine[] = []
  let isReleased = false
  return {
    log: (line) => (isReleased ? write(line) : void held.push(line)),
    release() {
      isReleased = true
      for (const line of held.splice(0)) write(line)
    },
  }
}
