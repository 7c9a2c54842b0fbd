// Waits for a promise for a limited time.
import type { Deadline } from '../upstream/query.ts'

/** @returns undefined if the promise takes longer than this, or than the request has left */
export async function within<T>(
  deadline: Pick<Deadline, 'pause'>,
  promise: Promise<T>,
  milliseconds: number,
): Promise<T | undefined> {
  const waiting = new AbortController()
  const over = deadline.pause(milliseconds, waiting.signal).then(() => undefined)
  // With a reason, since without one an exception with its stack is made each time.
  return Promise.race([promise, over]).finally(() => waiting.abort('over'))
}
