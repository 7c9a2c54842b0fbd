// Open-loop load: a request does not wait for the answer to the one before.
import { setTimeout as sleep } from 'node:timers/promises'

/** Sends requests at a fixed rate; resolves when all are answered. */
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
