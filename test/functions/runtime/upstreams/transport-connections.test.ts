import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { addressOf } from '../../../../functions/runtime/upstreams/connections.ts'
import { createTransport } from '../../../../functions/runtime/upstreams/transport.ts'
import { httpAnswer, question, type RawAnswer, type RawServer, sends, serving } from './raw-server.ts'

const json = '{"data":{"hash":"h"}}'
const good = { status: 200, headers: expect.any(Object), text: json }

describe('a connection', () => {
  test('is kept for the next question, after a refusal too', async () => {
    const { url, connections, requests } = await serving(sends(httpAnswer(401, json)))
    const send = createTransport()
    for (const body of ['1', '2', '3']) await send(question(url, { body }))
    expect(requests.map((request) => request.slice(-1))).toEqual(['1', '2', '3'])
    expect(connections).toHaveLength(1)
  })

  test.each<[string, RawAnswer]>([
    ['was closed', (socket) => socket.end()],
    ['brought an unexpected answer', (socket) => socket.write(httpAnswer(200, '"not yours"'))],
  ])('that idled and %s is not used again', async (_what, breakIdle) => {
    const { url, connections } = await serving(sends(httpAnswer(200, json)))
    const send = createTransport()
    await send(question(url))
    const [first] = connections
    if (first === undefined) throw new Error('no connection')
    const closed = once(first, 'close')
    breakIdle(first, '')
    await closed
    expect(await send(question(url))).toEqual(good)
    expect(connections).toHaveLength(2)
  })

  test('that breaks closes those that idle beside it', async () => {
    let answered = 0
    const broken = new Set<unknown>()
    const { url, connections } = await serving((socket) => {
      if (broken.has(socket)) return socket.resetAndDestroy()
      answered += 1
      return socket.write(httpAnswer(200, json))
    })
    const send = createTransport()
    await Promise.all([send(question(url)), send(question(url)), send(question(url))])
    for (const socket of connections) broken.add(socket)
    await expect(send(question(url))).rejects.toMatchObject({ fault: 'unreachable' })
    expect(await send(question(url))).toEqual(good)
    expect([connections.length, answered]).toEqual([4, 4])
  })
})

test.each([
  ['https://node.example/graphql', undefined],
  ['https://node.example.:8443/graphql', 'node.example'],
  ['http://node.example./graphql', undefined],
])('for %s TLS is asked for the name %s in place of the host', (url, servername) => {
  expect(addressOf(url).servername).toBe(servername)
})

describe('a proxy in the environment', () => {
  /** Sends a GET from a new process. Returns the status of the answer, or the error. */
  async function outcomeOf(url: string, env: Readonly<Record<string, string>>): Promise<string> {
    const transport = pathToFileURL('functions/runtime/upstreams/transport.ts').href
    const program = `
      const { createTransport } = await import(${JSON.stringify(transport)})
      const request = { url: ${JSON.stringify(url)}, method: 'GET', headers: {}, signal: AbortSignal.timeout(20_000) }
      const asked = createTransport()(request)
      const outcome = await asked.then(({ status }) => String(status), ({ message }) => message)
      process.stdout.write(outcome, () => process.exit())`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return text(child.stdout)
  }
  const setting = ({ url }: RawServer) => {
    const { origin } = new URL(url)
    return { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: origin, HTTPS_PROXY: origin }
  }
  /** The end of a name that no resolver knows. */
  const host = 'node.invalid'

  test('carries the requests where Node itself uses it', async () => {
    const proxy = await serving(sends(httpAnswer(200, json)))
    expect(await outcomeOf(`http://${host}/graphql`, setting(proxy))).toBe('200')
    const refusing = await serving(sends(httpAnswer(403, '')))
    await outcomeOf(`https://${host}/graphql`, setting(refusing))
    expect([...proxy.requests, ...refusing.requests].map((request) => request.split(' HTTP/')[0])).toEqual([
      `GET http://${host}/graphql`,
      `CONNECT ${host}:443`,
    ])
  })

  test.each([
    ['NO_PROXY names the host', { NO_PROXY: host }],
    ['NODE_USE_ENV_PROXY is not set', { NODE_USE_ENV_PROXY: '' }],
  ])('is passed by where %s', async (_where, changes) => {
    const proxy = await serving(sends(httpAnswer(200, json)))
    expect(await outcomeOf(`http://${host}/graphql`, { ...setting(proxy), ...changes })).toMatch(/ENOTFOUND|EAI_AGAIN/)
    expect(proxy.connections).toEqual([])
  })
})

describe('a connection that idled', () => {
  /** The number of connections that two requests take if the second comes so much later. */
  async function connectionsAfter(idleMs: number, { onFreshConnection = false, hint = '' } = {}): Promise<number> {
    const headers: Record<string, string> = hint === '' ? {} : { 'keep-alive': hint }
    const { url, connections } = await serving(sends(httpAnswer(200, json, headers)))
    let clock = Date.UTC(2026, 0, 1)
    const send = createTransport({ now: () => clock })
    await send(question(url))
    clock += idleMs
    expect(await send(question(url, { onFreshConnection }))).toEqual(good)
    return connections.length
  }

  test.each([
    ['', 29_999, 1],
    ['', 30_000, 2],
    ['', -1, 2],
    ['timeout=5, max=100', 3999, 1],
    ['max=100, timeout=5', 4000, 2],
    ['timeout=1', 0, 2],
    ['timeout=0', 0, 2],
    ['timeout=600', 29_999, 1],
    ['timeout=600', 30_000, 2],
    ['max=100', 29_999, 1],
  ])('under the hint "%s" for %i ms leaves %i in all after the next request', async (hint, idleMs, count) => {
    expect(await connectionsAfter(idleMs, { hint })).toBe(count)
  })

  test.each([
    [1999, 1],
    [2000, 2],
  ])('for %i ms leaves %i in all after a request that must not be sent twice', async (idleMs, count) => {
    expect(await connectionsAfter(idleMs, { onFreshConnection: true })).toBe(count)
  })

  test('never for long is replaced all the same after a minute, since its name may have moved to another host', async () => {
    const { url, connections } = await serving(sends(httpAnswer(200, json)))
    let clock = Date.UTC(2026, 0, 1)
    const send = createTransport({ now: () => clock })
    const countAt = async (ageMs: number) => {
      clock = Date.UTC(2026, 0, 1) + ageMs
      await send(question(url))
      return connections.length
    }
    const ages = [0, 20_000, 40_000, 59_999, 60_000, 80_000, 100_000, 119_999, 120_000]
    const counts: number[] = []
    for (const ageMs of ages) counts.push(await countAt(ageMs))
    expect(counts).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3])
  })

  test('too long is closed, also when a younger one carries the next request', async () => {
    const { url, connections } = await serving(sends(httpAnswer(200, json)))
    let clock = 0
    const send = createTransport({ now: () => clock })
    await Promise.all([send(question(url)), send(question(url))])
    const closed = Promise.race(connections.map((socket) => once(socket, 'close')))
    clock = 20_000
    await send(question(url))
    clock = 40_000
    await send(question(url))
    await closed
    expect(connections.filter((socket) => socket.closed)).toHaveLength(1)
  })
})
