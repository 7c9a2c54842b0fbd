// The clock of a process that was stopped: Lambda stops an instance between two requests.
import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from '@jest/globals'
import { systemClock } from '../../../functions/runtime/system-clock.ts'

/** Sends a byte over its only connection when the first flag is set, and then sets the second. */
const server = `
  const { createServer } = require('node:net')
  const { parentPort, workerData: flags } = require('node:worker_threads')
  const server = createServer((socket) => {
    parentPort.postMessage('connected')
    Atomics.wait(flags, 0, 0)
    socket.write('answer')
    Atomics.store(flags, 1, 1)
    Atomics.notify(flags, 1)
    socket.end(() => server.close())
  }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

test('a limit that was slept through strikes after what has come meanwhile is read', async () => {
  const flags = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(server, { eval: true, workerData: flags })
  const [port] = await once(worker, 'message')
  const socket = connect(port, '127.0.0.1')
  // A socket reads from its own event on.
  await Promise.all([once(socket, 'connect'), once(worker, 'message')])
  const order: string[] = []
  const answered = once(
    socket.on('data', () => order.push('answer')),
    'data',
  )
  const limit = Promise.withResolvers<void>()
  systemClock.after(1, () => {
    order.push('limit')
    limit.resolve()
  })
  // Nothing of this process runs until the answer has come and the limit is due.
  const stoppedAt = performance.now()
  Atomics.store(flags, 0, 1)
  Atomics.notify(flags, 0)
  Atomics.wait(flags, 1, 0)
  while (performance.now() - stoppedAt < 5);
  await Promise.all([answered, limit.promise])
  await once(worker, 'exit')
  expect(order).toEqual(['answer', 'limit'])
})

test('what is taken back while its limit is due does not happen', async () => {
  let isStruck = false
  const stop = systemClock.after(0, () => {
    isStruck = true
  })
  // Both timers fire in one turn, the one before the action's.
  const taken = new Promise<void>((resolve) => {
    setTimeout(() => {
      stop()
      resolve()
    }, 0)
  })
  const setAt = performance.now()
  while (performance.now() - setAt < 5);
  await taken
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(isStruck).toBe(false)
})
