import { describe, expect, test } from '@jest/globals'
import { recordingGateway, sendRaw } from './listening.ts'

describe('the body of an event', () => {
  const bytes = Buffer.from('{"memo":"é"}')

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/problem+json',
    'application/javascript',
    'application/xml',
    'text/plain;charset=UTF-8',
    'text/xml',
  ])('is text for %s', async (type) => {
    const { url, events } = await recordingGateway({ methods: ['POST'] })
    await fetch(`${url}/blocks/x`, { method: 'POST', headers: { 'content-type': type }, body: bytes })
    expect(events[0]).toMatchObject({
      body: '{"memo":"é"}',
      isBase64Encoded: false,
      headers: { 'content-type': type, 'content-length': '13' },
    })
  })

  test.each(['application/octet-stream', 'application/x-www-form-urlencoded', 'application/jsonp', 'textual/plain'])(
    'is base64 for %s',
    async (type) => {
      const { url, events } = await recordingGateway({ methods: ['POST'] })
      await fetch(`${url}/blocks/x`, { method: 'POST', headers: { 'content-type': type }, body: bytes })
      expect(events[0]).toMatchObject({ body: bytes.toString('base64'), isBase64Encoded: true })
    },
  )

  test('is base64 without a content type', async () => {
    const { port, events } = await recordingGateway({ methods: ['POST'] })
    await sendRaw(port, 'POST /blocks/x HTTP/1.1', 'Host: h', 'Content-Length: 2', '', '{}')
    expect(events[0]).toMatchObject({ body: 'e30=', isBase64Encoded: true })
  })

  test('is complete when it arrives in chunks, with its length', async () => {
    const { port, events } = await recordingGateway({ methods: ['POST'] })
    const chunks = ['2\r\n{"', '4\r\na":1', '1\r\n}', '0']
    await sendRaw(
      port,
      'POST /blocks/x HTTP/1.1',
      'Host: h',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      ...chunks,
    )
    expect(events[0]).toMatchObject({ body: '{"a":1}', headers: { 'content-length': '7' } })
    expect(events[0]?.headers).not.toHaveProperty('transfer-encoding')
  })

  test('is absent when it is empty, whatever the content type', async () => {
    const { url, events } = await recordingGateway({ methods: ['POST'] })
    await fetch(`${url}/blocks/x`, { method: 'POST', headers: { 'content-type': 'application/json' } })
    expect(events[0]).not.toHaveProperty('body')
    expect(events[0]?.isBase64Encoded).toBe(false)
  })
})
