// Requests over real connections: broken answers, time limits and signals.
import { getEventListeners } from 'node:events'
import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { createClient, type Fetch } from '../../packages/client/src/client.ts'
import { realClock } from '../../packages/client/src/clock.ts'
import { serve, unservedUrl } from '../serving.ts'
import { network, pausedClock } from './scripted-service.ts'
import { accepted, payment } from './signed.ts'

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
      else response.end('{"stateHash":"3Nwhole","blockchainLength":7}')
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

test('a call that is aborted by a polyfill’s signal, which has no reason, rejects with an AbortError', async () => {
  let abort = () => undefined as unknown
  const signal = {
    aborted: false,
    addEventListener(_type: string, listener: () => void) {
      abort = () => {
        signal.aborted = true
        listener()
      }
    },
  }
  const hanging = await clientOf(() => abort())
  await expect(hanging.summary({ signal })).rejects.toMatchObject({ name: 'AbortError', message: 'aborted' })
  for (const call of [hanging.summary, hanging.checkNetwork])
    await expect(call({ signal })).rejects.toMatchObject({ name: 'AbortError' })
  await expect(hanging.broadcastPayment(payment, { signal })).rejects.toMatchObject({ name: 'AbortError' })
})

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

describe('time', () => {
  afterEach(() => {
    jest.useRealTimers()
  })

  test('that a timer cannot hold causes no flood, and without an end sets no limit', async () => {
    jest.useFakeTimers()
    let isOver = false
    const waiting = realClock.wait(30 * 86_400_000).then(() => {
      isOver = true
    })
    await jest.advanceTimersByTimeAsync(20 * 86_400_000)
    expect(isOver).toBe(false)
    await jest.advanceTimersByTimeAsync(10 * 86_400_000)
    await waiting
    jest.useRealTimers()
    const client = await clientOf((_request, response) => {
      setTimeout(() => response.end('{"stateHash":"3N","blockchainLength":7}'), 20)
    }, Number.POSITIVE_INFINITY)
    expect((await client.summary()).value.blockchainLength).toBe(7)
  })

  test('is that of the fake timers which a test installs after the client was made', async () => {
    let requests = 0
    const answering: Fetch = async () => {
      if (++requests < 3) throw new TypeError('fetch failed')
      return Response.json({ stateHash: '3N', blockchainLength: 7 })
    }
    const client = createClient({ baseUrl: 'https://service.example', network, fetch: answering })
    jest.useFakeTimers({ now: 5 * 86_400_000 })
    const reading = client.summary()
    await jest.advanceTimersByTimeAsync(10_000)
    expect((await reading).ageMs).toBeUndefined()
    expect([requests, realClock.now()]).toEqual([3, 5 * 86_400_000 + 10_000])
  })

  const never = async (): Promise<never> => {
    throw new Error('asked')
  }
  test.each([-1, Number.NaN, Number.NEGATIVE_INFINITY])('of %d ms is refused at once', async (bad) => {
    expect(() => createClient({ baseUrl: 'https://service.example', timeoutMs: bad })).toThrow(RangeError)
    const client = createClient({ baseUrl: 'https://service.example', network, fetch: never })
    const store = { commands: never, settle: never }
    for (const call of [
      client.sendUntilKnown(payment, { patienceMs: bad }),
      client.waitForInclusion(payment, '5J', { patienceMs: bad }),
      ...pollingCalls(client, store, bad),
    ]) {
      await expect(call).rejects.toThrow(RangeError)
    }
  })

  const pollingCalls = (
    client: ReturnType<typeof createClient>,
    store: Parameters<typeof client.sendQueue>[0],
    pollMs: number,
  ) => [
    client.watchTip(never, { pollMs }),
    client.watchBlocks(never, { pollMs }),
    client.waitForInclusion(payment, '5J', { pollMs }),
    client.sendQueue(store, { pollMs }),
  ]
  test('between polls has an end', async () => {
    const client = createClient({ baseUrl: 'https://service.example', network, fetch: never })
    for (const call of pollingCalls(client, { commands: never, settle: never }, Number.POSITIVE_INFINITY)) {
      await expect(call).rejects.toThrow('pollMs cannot be Infinity')
    }
  })
})

test('the fetch that is there when a request is made makes it', async () => {
  const client = createClient({ baseUrl: 'https://service.example', network })
  const { fetch } = globalThis
  const asked: string[] = []
  globalThis.fetch = (async (url) => {
    asked.push(String(url))
    return Response.json(String(url).endsWith('/network') ? { networkName: network } : { message: 'No.' }, {
      status: 404,
    })
  }) as typeof fetch
  try {
    await expect(client.checkNetwork()).rejects.toMatchObject({ status: 404 })
  } finally {
    globalThis.fetch = fetch
  }
  expect(asked).toEqual(['https://service.example/network'])
})

test('each request tells the caches of a framework to leave it alone, where the platform knows how', async () => {
  const caches: (string | undefined)[] = []
  const fetching: Fetch = async (_url, { cache }) => {
    caches.push(cache)
    throw new TypeError('fetch failed')
  }
  const client = createClient({ baseUrl: 'https://service.example', network, fetch: fetching, retries: 0 })
  const { Request } = globalThis
  await expect(client.summary()).rejects.toThrow('fetch failed')
  // An older runtime of Cloudflare throws on the word.
  globalThis.Request = class {} as unknown as typeof Request
  try {
    await expect(client.summary()).rejects.toThrow('fetch failed')
  } finally {
    globalThis.Request = Request
  }
  expect(caches).toEqual(['no-store', undefined])
})

test('reads at once with one signal add one listener to it, since Node warns of an eleventh, and all end with it', async () => {
  const controller = new AbortController()
  const client = await clientOf(() => undefined)
  const reads = Array.from({ length: 30 }, () => client.summary({ signal: controller.signal }))
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
  controller.abort(new Error('enough'))
  for (const read of await Promise.allSettled(reads)) expect(read).toMatchObject({ reason: { message: 'enough' } })
})

test.each([
  ...['', 'service.example', '/api', 'ftp://service.example', 'https://', 'https:///x', 'http://?a=b'],
  ...[
    'https://service.example?key=1',
    'https://service.example/v1#x',
    'https://me:secret@service.example',
    'https://a b',
  ],
])('the address %j, behind which no path can stand, is refused', (baseUrl) => {
  expect(() => createClient({ baseUrl })).toThrow(TypeError)
})

describe('an address that is redirected', () => {
  /** A service, and an address that redirects to it; `posted` is what has arrived as a POST. */
  async function moved(status: number) {
    const posted: string[] = []
    const { url: target } = await serve((request, response) => {
      if (request.url?.endsWith('/network')) return void response.end(JSON.stringify({ networkName: network }))
      if (request.method !== 'POST') return void response.writeHead(404).end('{"message":"No."}')
      posted.push(request.url ?? '')
      response.writeHead(201).end(JSON.stringify(accepted()))
    })
    const { url: old } = await serve((request, response) => {
      response.writeHead(status, { location: `${target}/v1${request.url}` }).end('<html>')
    })
    return { old, target: `${target}/v1`, posted }
  }
  /** As a browser shows a redirect that it was told not to follow. */
  const hiding: Fetch = async (url, init) => {
    const answer = await fetch(url, init)
    const isHidden = init.redirect === 'manual' && answer.status > 300 && answer.status < 309
    return isHidden ? { status: 0, type: 'opaqueredirect', headers: new Headers(), text: async () => '' } : answer
  }

  test.each([301, 302, 303])('by %i has sent nothing, and is named before the first payment', async (status) => {
    const { old, target, posted } = await moved(status)
    const client = clientAt(old)
    const message = `no broadcast passes this redirect: make ${target} the baseUrl`
    await expect(client.checkNetwork()).rejects.toMatchObject({ name: 'ServiceError', message })
    await expect(client.checkNetwork()).rejects.toMatchObject({ message })
    const refused = { outcome: 'refused', code: 'redirected', retriable: false, status, message }
    expect(await client.broadcastPayment(payment)).toMatchObject(refused)
    expect(await client.sendUntilKnown(payment)).toMatchObject(refused)
    expect(posted).toEqual([])
    const hidden = createClient({ baseUrl: old, network, clock: pausedClock(), fetch: hiding })
    expect(await hidden.broadcastPayment(payment)).toMatchObject({ outcome: 'unknown', code: 'no-answer', message })
    expect(posted).toEqual([])
  })

  test.each([307, 308])('by %i is followed, by a browser too', async (status) => {
    const { old, posted } = await moved(status)
    for (const asking of [undefined, hiding]) {
      const client = createClient({ baseUrl: old, network, clock: pausedClock(), fetch: asking })
      await client.checkNetwork()
      expect(await client.broadcastPayment(payment)).toMatchObject({ outcome: 'accepted' })
    }
    expect(posted).toEqual(Array(2).fill('/v1/broadcast/transaction'))
  })

  test('by a redirect that stays hidden is unknown, and says why', async () => {
    const opaque: Fetch = async (url, init) =>
      init.method === 'POST'
        ? { status: 0, type: 'opaqueredirect', headers: new Headers(), text: async () => '' }
        : Response.json(url.endsWith('/network') ? { networkName: network } : {})
    const client = createClient({ baseUrl: 'https://service.example', network, clock: pausedClock(), fetch: opaque })
    const message = 'no broadcast passes this redirect: make its target the baseUrl'
    expect(await client.broadcastPayment(payment)).toMatchObject({ outcome: 'unknown', code: 'no-answer', message })
  })
})
