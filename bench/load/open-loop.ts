// Load that comes when it comes: the next request does not wait for the answer to the last one.
import { setTimeout as sleep } from 'node:timers/promises'

/** Sends so many requests, paced by the clock alone; resolves when all are done. */
export async function openLoop(
  count: number,
  perSecond: number,
  send: (index: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now()
  const sent: Promise<void>[] = []
  while (sent.length < count) {
    const due = 1 + Math.floor(((performance.now() - startedAt) * perSecond) / 1000)
    while (sent.length < Math.min(due, count)) sent.push(send(sent.length))
    await sleep(1)
  }
  await Promise.all(sent)
}
