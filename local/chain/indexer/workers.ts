// The threads of a mina-indexer: each connection belongs to one of them, and each answers one request at a time.
import { setTimeout as pause } from 'node:timers/promises'

/** Where time comes from and goes to. */
export interface IndexerTiming {
  /** Milliseconds since any fixed moment. */
  now(): number
  pause(milliseconds: number): Promise<unknown>
}

export const wallClock: IndexerTiming = { now: () => performance.now(), pause }

/** A request that its thread has not looked at for so long is answered 408. */
const maxWaitMs = 5000

/**
 * @param count read at each request
 * @returns a function that runs a task once the thread of a connection is free; false, and the task is not run, where
 *   that took too long
 */
export function createWorkers(count: () => number, now: () => number) {
  const connections = new WeakMap<object, number>()
  const queues = new Map<number, Promise<unknown>>()
  let connected = 0
  return async (connection: object, task: () => Promise<void>): Promise<boolean> => {
    const connectionNumber = connections.get(connection) ?? connected++
    connections.set(connection, connectionNumber)
    const worker = connectionNumber % count()
    const arrivedAt = now()
    const turn = (queues.get(worker) ?? Promise.resolve()).then(async () => {
      if (now() - arrivedAt > maxWaitMs) return false
      await task()
      return true
    })
    queues.set(
      worker,
      turn.catch(() => undefined),
    )
    return turn
  }
}
