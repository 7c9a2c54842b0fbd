// Requests over real connections: what breaks on the way, and what ends a wait.
import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createClient } from '../../client/src/client.ts'
import { realClock } from '../../client/src/clock.ts'
import { listen } from '../../local/start/listen.ts'
import { pausedClock } from './scripted-service.ts'
import { payment } from './signed.ts'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()))
})

/** A client of a server that a test has written; its pauses take no time. */
async function clientOf(listener: RequestListener, options: { timeoutMs?: number } = {}) {
  const { port, close } = await listen(listener, 0, '127.0.0.1')
  cleanUps.push(close)
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, clock: pausedClock(), ...options })
}

const half: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': 100 }).write('{"stateHash":"3N', () => response.destroy())
}

describe('a connection', () => {
  test('that breaks in the middle of an answer is asked over again', async () => {
    let requests = 0
    const client = await clientOf((request, response) => {
      if (requests++ < 2) half(request, response)
      else response.end('{"stateHash":"3Nwhole"}')
    })
    expect((await client.summary()).value.stateHash).toBe('3Nwhole')
    expect(requests).toBe(3)
  })

  test('that breaks in the middle of an answer to a broadcast leaves it unknown, and sent once', async () => {
    let requests = 0
    const client = await clientOf((request, response) => {
      requests++
      half(request, response)
    })
    expect(await client.broadcastPayment(payment)).toMatchObject({ outcome: 'unknown', code: 'no-answer', status: 0 })
    expect(requests).toBe(1)
  })

  test('that nothing accepts is no answer', async () => {
    const { port, close } = await listen(() => undefined, 0, '127.0.0.1')
    await close()
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, clock: pausedClock() })
    await expect(client.summary()).rejects.toMatchObject({ name: 'ServiceError', status: 0, cause: expect.anything() })
    expect(await client.broadcastPayment(payment)).toMatchObject({ outcome: 'unknown', status: 0 })
  })
})

describe('an answer that does not come', () => {
  const silent: RequestListener = () => undefined
  const begun: RequestListener = (_request, response) => response.writeHead(200).write('{')

  test.each([
    ['at all', silent],
    ['to its end', begun],
  ])('%s is waited for as long as is asked for', async (_how, listener) => {
    const client = await clientOf(listener, { timeoutMs: 20 })
    await expect(client.summary()).rejects.toMatchObject({ status: 0, message: 'no answer within 20 ms' })
    expect(await client.broadcastPayment(payment)).toMatchObject({
      outcome: 'unknown',
      message: 'no answer within 20 ms',
    })
  })

  test.each([
    ['at all', silent],
    ['to its end', begun],
  ])('%s is waited for until the signal is aborted', async (_how, listener) => {
    const controller = new AbortController()
    const client = await clientOf((request, response) => {
      listener(request, response)
      setImmediate(() => controller.abort(new Error('enough')))
    })
    await expect(client.summary({ signal: controller.signal })).rejects.toThrow('enough')
  })

  test('to a broadcast is unknown where the signal was aborted meanwhile: it may have been sent', async () => {
    const controller = new AbortController()
    const client = await clientOf(() => controller.abort(new Error('enough')))
    expect(await client.broadcastPayment(payment, { signal: controller.signal })).toMatchObject({
      outcome: 'unknown',
      message: 'enough',
    })
  })
})

describe('the clock of the client', () => {
  test('ends a pause by time or by the signal, also by one that was aborted before', async () => {
    const before = realClock.now()
    await realClock.wait(1)
    const controller = new AbortController()
    const waits = [realClock.wait(3_600_000, controller.signal), realClock.wait(3_600_000, AbortSignal.abort())]
    controller.abort()
    await Promise.all(waits)
    expect(realClock.now() - before).toBeLessThan(3_600_000)
    expect(realClock.random()).toBeLessThan(1)
  })
})
