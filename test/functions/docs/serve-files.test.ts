import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { servingFiles } from '../../../functions/docs/serve-files.ts'
import type { ServedFile } from '../../../functions/docs/served-files.ts'
import type { RequestLine } from '../../../functions/runtime/log.ts'
import { httpEvent, lambdaContext } from '../event.ts'

const text = '<!doctype html>\n<title>Möwe</title>'
const forms = { br: brotliCompressSync(text), gzip: gzipSync(text) }
const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, max-age=60', etag: 'W/"1"' }
const page: ServedFile = { headers, encoded: (coding) => forms[coding] }

function run(parts: Parameters<typeof httpEvent>[0], originSecrets?: readonly string[]) {
  const lines: RequestLine[] = []
  const handler = servingFiles(new Map([['/docs', page]]), { originSecrets, log: (line) => lines.push(line) })
  return { answer: handler(httpEvent(parts), lambdaContext()), lines }
}

const asked = (acceptEncoding: string | undefined, others: Record<string, string> = {}) => ({
  path: '/docs',
  headers: { ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }), ...others },
})
const varying = { ...headers, vary: 'accept-encoding' }

describe('a file', () => {
  test.each<[string | undefined, object, string, boolean]>([
    ['br', { 'content-encoding': 'br' }, forms.br.toString('base64'), true],
    ['gzip', { 'content-encoding': 'gzip' }, forms.gzip.toString('base64'), true],
    [undefined, {}, text, false],
  ])(
    'goes out in the form that the caller takes (%s), its length alone to HEAD',
    async (coding, added, body, isBase64Encoded) => {
      const { answer, lines } = run(asked(coding))
      const sent = { statusCode: 200, headers: { ...varying, ...added } }
      expect(await answer).toEqual({ ...sent, body, ...(isBase64Encoded && { isBase64Encoded }) })
      expect(lines).toEqual([])
      const length = String(Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8'))
      const headers = { ...sent.headers, 'content-length': length }
      expect(await run({ method: 'HEAD', ...asked(coding) }).answer).toEqual({ ...sent, headers, body: '' })
    },
  )

  test.each(['GET', 'HEAD'] as const)('has no body for %s by a caller that has it already', async (method) => {
    const { answer } = run({ method, ...asked('br', { 'if-none-match': '"0", "1"' }) })
    expect(await answer).toEqual({ statusCode: 304, headers: varying, body: '' })
  })
})

describe('the docs function refuses and logs', () => {
  const refused = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  const forAnHour = { ...refused, 'cache-control': 'public, max-age=3600' }
  const line = { level: 'warn', requestId: expect.any(String), endpoint: 'docs', durationMs: expect.any(Number) }

  test('a file that does not exist, for an hour, since a page cached before a release asks for old ones', async () => {
    const { answer, lines } = run({ path: '/docs/old.js', route: '/docs/{file}' })
    expect(await answer).toEqual({ statusCode: 404, headers: forAnHour, body: '{"message":"Not Found"}' })
    expect(lines).toEqual([{ ...line, route: 'GET /docs/{file}', status: 404, upstream: [] }])
  })

  test('an event without anything in it', async () => {
    const handler = servingFiles(new Map(), { originSecrets: ['secret'], log: () => undefined })
    expect(await handler({} as never, lambdaContext())).toMatchObject({ statusCode: 403 })
  })

  test('a request that bypasses CloudFront', async () => {
    const secrets = ['new', 'old']
    const { answer, lines } = run(asked('br', { 'x-origin-secret': 'guess' }), secrets)
    expect(await answer).toEqual({
      statusCode: 403,
      headers: refused,
      body: `{"message":"Forbidden. Use the service's public URL."}`,
    })
    expect(lines).toEqual([{ ...line, route: 'GET /docs', status: 403, upstream: [] }])
    expect(await run(asked('br', { 'x-origin-secret': 'old' }), secrets).answer).toMatchObject({ statusCode: 200 })
  })
})
