import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { createTransport } from '../../../../functions/runtime/upstreams/transport.ts'
import { askOne, brotli, httpAnswer, question, type RawAnswer, sends, serving } from './raw-server.ts'

const json = '{"data":{"hash":"h"}}'
const largest = 8 * 1024 * 1024

describe('an answer', () => {
  test('has its headers by names in lower case', async () => {
    const headers = { 'Content-Type': 'text/html', 'Set-Cookie': 'a=b' }
    expect(await askOne(sends(httpAnswer(502, json, headers)))).toEqual({
      status: 502,
      headers: { 'content-length': '21', 'content-type': 'text/html', 'set-cookie': ['a=b'] },
      text: json,
    })
  })

  test.each([200, 201, 400, 401, 407, 408, 421, 425, 429, 503, 599])(
    'of status %i costs one request',
    async (status) => {
      const { url, requests } = await serving(sends(httpAnswer(status, json)))
      expect(await createTransport()(question(url))).toEqual({ status, headers: expect.any(Object), text: json })
      expect(requests).toHaveLength(1)
    },
  )

  test.each<[string, string | Buffer]>([
    ['of the coding identity', httpAnswer(200, json, { 'content-encoding': 'identity' })],
    ['in gzip', httpAnswer(200, gzipSync(json), { 'content-encoding': 'gzip' })],
    ['in x-gzip', httpAnswer(200, gzipSync(json), { 'content-encoding': ' X-GZIP ' })],
    ['in brotli', httpAnswer(200, brotli(Buffer.from(json)), { 'content-encoding': 'br' })],
    ['with a byte order mark', httpAnswer(200, `\u{feff}${json}`)],
    [
      'in chunks, with trailers',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n15\r\n${json}\r\n0\r\na: b\r\n\r\n`,
    ],
    ['behind provisional ones', `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\n\r\n${httpAnswer(200, json)}`],
    ['that offers another protocol', httpAnswer(200, json, { connection: 'upgrade', upgrade: 'h2c' })],
    ['with a second one behind it', `${httpAnswer(200, json)}${httpAnswer(200, '{}')}`],
  ])('%s is read', async (_what, bytes) => {
    expect(await askOne(sends(bytes))).toEqual({ status: 200, headers: expect.any(Object), text: json })
  })

  test.each<[string, RawAnswer]>([
    ['ends with its connection, without a length', (socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${json}`)],
    ['is followed by a reset', (socket) => socket.write(httpAnswer(200, json), () => socket.resetAndDestroy())],
    [
      'comes byte by byte',
      (socket) => {
        for (const byte of httpAnswer(200, json)) socket.write(Buffer.of(byte))
      },
    ],
  ])('that %s is read', async (_what, answer) => {
    expect(await askOne(answer)).toEqual({ status: 200, headers: expect.any(Object), text: json })
  })

  test('without a body is empty, whatever coding it names', async () => {
    const coded = { 'content-encoding': 'gzip' }
    expect(await askOne(sends(httpAnswer(503, '', coded)))).toEqual({
      status: 503,
      headers: expect.any(Object),
      text: '',
    })
    expect(await askOne(sends('HTTP/1.1 204 No Content\r\n\r\n'))).toEqual({
      status: 204,
      headers: expect.any(Object),
      text: '',
    })
  })

  test('that comes before the request was sent is read', async () => {
    const early = await serving(() => undefined, { onConnection: (socket) => socket.write(httpAnswer(413, json)) })
    const body = 'x'.repeat(4 * 1024 * 1024)
    expect(await createTransport()(question(early.url, { body }))).toEqual({
      status: 413,
      headers: expect.any(Object),
      text: json,
    })
  })

  describe('has at most 8 MB', () => {
    const full = Buffer.alloc(largest, ' ')
    const tooFull = Buffer.alloc(largest + 1, ' ')
    const refusal = { fault: 'unreadable', message: 'answer of more than 8388608 bytes' }

    test.each([
      ['as it comes', full, tooFull, {}],
      ['behind gzip', gzipSync(full), gzipSync(tooFull), { 'content-encoding': 'gzip' }],
      ['behind brotli', brotli(full), brotli(tooFull), { 'content-encoding': 'br' }],
    ])('%s', async (_where, most, more, headers) => {
      expect((await askOne(sends(httpAnswer(200, most, headers)))).text).toHaveLength(largest)
      await expect(askOne(sends(httpAnswer(200, more, headers)))).rejects.toMatchObject(refusal)
    })

    test.each([
      ['read to that size', '200 OK', refusal],
      ['refused for its status', '302 Found', { fault: 'unreadable', message: 'HTTP 302' }],
    ])('even if it never ends; its connection is closed once it is %s', async (_when, status, refusal) => {
      const endless = await serving((socket) => {
        const more = () => socket.destroyed || socket.write(Buffer.alloc(65_536), () => setImmediate(more))
        socket.write(`HTTP/1.1 ${status}\r\n\r\n`, more)
      })
      const { signal } = new AbortController()
      await expect(createTransport()(question(endless.url, { signal }))).rejects.toMatchObject(refusal)
      for (const socket of endless.connections) {
        if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
      }
      expect(endless.connections).toHaveLength(1)
    })
  })
})
