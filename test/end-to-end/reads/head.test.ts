// HEAD answers as GET does, without a body.
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type RunningService, runService } from '../running-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service.close())

/** Of one request each time: `apigw-requestid` and `date` differ. */
async function answerTo(method: 'GET' | 'HEAD', path: string, headers: Record<string, string> = {}) {
  const {
    status,
    headers: answered,
    text,
  } = await new Promise<{ status: number; headers: object; text: string }>((resolve, reject) => {
    request(service.url + path, { method, headers: { origin: 'https://page.example', ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
        .on('error', reject)
    })
      .on('error', reject)
      .end()
  })
  const { 'apigw-requestid': _id, date: _date, ...same } = answered as Record<string, string>
  return { status, headers: same, text }
}

test.each([
  ['/summary', 200],
  ['/blocks?limit=2', 200],
  ['/blocks/<tip>', 200],
  ['/blocks/<genesis>', 404],
  ['/blocks/abc', 404],
  ['/accounts/<wallet>', 200],
  ['/blocks?limit=0', 400],
])('HEAD %s has the status and headers of GET, its length too, and no body: %d', async (path, status) => {
  const { chain } = service
  const values: Readonly<Record<string, string | undefined>> = {
    tip: chain.tip().stateHash,
    genesis: chain.genesisBlock().stateHash,
    wallet: chain.wallets[0]?.publicKey,
  }
  const filled = path.replace(/<(\w+)>/, (_all, name) => values[name] ?? '')
  const [got, head] = [await answerTo('GET', filled), await answerTo('HEAD', filled)]
  expect(head).toEqual({ ...got, text: '' })
  expect([head.status, Number(head.headers['content-length'])]).toEqual([status, Buffer.byteLength(got.text)])
})

test('HEAD with the tag of a good copy gets 304', async () => {
  const { headers } = await answerTo('GET', '/summary')
  const condition = { 'if-none-match': headers.etag ?? '' }
  const [got, head] = [await answerTo('GET', '/summary', condition), await answerTo('HEAD', '/summary', condition)]
  expect([got.status, got.headers['content-length'], head]).toEqual([304, undefined, got])
})

test.each(['/broadcast/transaction', '/nowhere'])('HEAD %s is not found, as GET is', async (path) => {
  const [got, head] = [await answerTo('GET', path), await answerTo('HEAD', path)]
  expect(head).toEqual({ ...got, text: '' })
  expect(head.status).toBe(404)
})
