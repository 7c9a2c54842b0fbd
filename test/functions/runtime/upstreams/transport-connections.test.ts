import { once } from 'node:events'
import { describe, expect, test } from '@jest/globals'
import { createTransport } from '../../../../functions/runtime/upstreams/transport.ts'
import { httpAnswer, type RawAnswer } from './raw-server.ts'
import { question, sends, serving } from './raw-serving.ts'

const json = '{"data":{"hash":"h"}}'

describe('a connection', () => {
  test('is kept for the next question', async () => {
    const { url, connections, requests } = await serving(sends(httpAnswer(200, json)))
    const send = createTransport()
    for (const body of ['1', '2', '3']) await send(question(url, { body }))
    expect(requests.map((request) => request.slice(-1))).toEqual(['1', '2', '3'])
    expect(connections).toHaveLength(1)
  })

  test('is kept also behind an answer that is a refusal', async () => {
    const { url, connections } = await serving(sends(httpAnswer(401, json)))
    const send = createTransport()
    for (let turn = 0; turn < 2; turn += 1) await send(question(url))
    expect(connections).toHaveLength(1)
  })

  test.each<[string, RawAnswer]>([
    ['was closed', (socket) => socket.end()],
    ['brought an answer that nobody asked for', (socket) => socket.write(httpAnswer(200, '"not yours"'))],
  ])('that idled and %s is not used again', async (_what, breakIdle) => {
    const { url, connections } = await serving(sends(httpAnswer(200, json)))
    const send = createTransport()
    await send(question(url))
    const [first] = connections
    if (first === undefined) throw new Error('no connection')
    const closed = once(first, 'close')
    breakIdle(first, '')
    await closed
    expect(await send(question(url))).toEqual({ status: 200, text: json })
    expect(connections).toHaveLength(2)
  })

  test('that breaks takes those along that idle beside it', async () => {
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
    expect(await send(question(url))).toEqual({ status: 200, text: json })
    expect([connections.length, answered]).toEqual([4, 4])
  })
})
