// Requests over real connections: broken answers, time limits and signals.
import type { RequestListener } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { createClient } from '../../client/src/client.ts'
import { realClock } from '../../client/src/clock.ts'
import { serve, unservedUrl } from '../serving.ts'
import { network, pausedClock } from './scripted-service.ts'
import { payment } from './signed.ts'

const clientAt = (baseUrl: string, timeoutMs?: number) =>
  createClient({ baseUrl, network, clock: pausedClock(), timeoutMs })

/** A client of a server that a test has written, which names its network before; pauses take no time. */
const clientOf = async (listener: RequestListener, timeoutMs?: number) => {
  const { url } = await serve((request, response) => {
    if (request.url === '/network') response.end(JSON.stringify({ networkName: network }))
    else listener(request, response)
  })
  return clientAt(url, timeoutMs)
}

const half: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': 100 }).write('{"stateHash":"3N', () => response.destroy())
}

describe('a connection', () => {
  test('that breaks in the middle of an answer is asked over again by a read, but not by a broadcast', async () => {
    let requests = 0
    const client = await clientOf((request, response) => {
      if (++requests % 3 !== 0) half(request, response)
      else response.end('{"stateHash":"3Nwhole"}')
    })
    expect((await client.summary()).value.stateHash).toBe('3Nwhole')
    expect(requests).toBe(3)
    expect(await client.broadcastPayment(payment)).toMatchObject({ outcome: 'unknown', code: 'no-answer', status: 0 })
    expect(requests).toBe(4)
  })

  test('to an address without a server fails with the status 0', async () => {
    const client = clientAt(unservedUrl)
    await expect(client.summary()).rejects.toMatchObject({ name: 'ServiceError', status: 0, cause: expect.anything() })
    expect(await client.broadcastPayment(payment)).toMatchObject({ outcome: 'unknown', status: 0 })
  })
})

test.each<[string, RequestListener]>([
  ['does not begin', () => undefined],
  ['does not end', (_request, response) => response.writeHead(200).write('{')],
])(
  'an answer that %s is awaited until the time limit or the signal; a broadcast is then unknown',
  async (_, listener) => {
    const limited = await clientOf(listener, 20)
    const message = 'no answer within 20 ms'
    await expect(limited.summary()).rejects.toMatchObject({ status: 0, message })
    expect(await limited.broadcastPayment(payment)).toMatchObject({ outcome: 'unknown', message })

    let controller = new AbortController()
    const aborted = await clientOf((request, response) => {
      listener(request, response)
      setImmediate(() => controller.abort(new Error('enough')))
    })
    await expect(aborted.summary({ signal: controller.signal })).rejects.toThrow('enough')
    controller = new AbortController()
    const outcome = { outcome: 'unknown', message: 'enough' }
    expect(await aborted.broadcastPayment(payment, { signal: controller.signal })).toMatchObject(outcome)
  },
)

test('the clock of the client ends a pause by time or by its signal, even one that is aborted already', async () => {
  const before = realClock.now()
  await realClock.wait(1)
  const controller = new AbortController()
  const waits = [realClock.wait(3_600_000, controller.signal), realClock.wait(3_600_000, AbortSignal.abort())]
  controller.abort()
  await Promise.all(waits)
  expect(realClock.now() - before).toBeLessThan(3_600_000)
  expect(realClock.random()).toBeLessThan(1)
})
