// The headers of every kind of answer, also for a page of another site: its tip, its tag, and the same to HEAD.
import { describe, expect, test } from '@jest/globals'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { cors } from '../../../shared/http/cors.ts'
import { runService, signPayment, wallet } from '../running-service.ts'

const service = await runService()
const { chain } = service

/** They differ between equal answers. */
const ofOneResponse = ['apigw-requestid', 'date', 'connection', 'keep-alive']

/** Sent by a page of another site, which can read only the headers that the answer exposes. */
async function ask(path: string, init: RequestInit = {}) {
  const request = { ...init, headers: { origin: 'https://page.example', ...init.headers } }
  const response = await fetch(service.url + path, request)
  const headers: Partial<Record<string, string>> = Object.fromEntries(
    [...response.headers].filter(([name]) => !ofOneResponse.includes(name)),
  )
  const exposed = headers['access-control-expose-headers']?.split(',') ?? []
  const tip = ['x-chain-height', 'x-chain-state-hash', 'x-chain-time', 'x-node-sync'].map((name) =>
    exposed.includes(name) ? headers[name] : 'hidden',
  )
  return { status: response.status, headers, tip, text: await response.text() }
}

const tipOf = () => {
  const { height, stateHash, date } = chain.tip()
  return [String(height), stateHash, new Date(date).toISOString(), 'SYNCED']
}
const noTip = Array(4).fill(undefined)

const kinds = {
  /** Made with a node, from its tip alone. */
  tagged: { tip: tipOf(), statusWithTag: 304 },
  /** Made with a node; may differ under the same tip. */
  labelled: { tip: tipOf(), statusWithTag: undefined },
  /** Made without a node. */
  bare: { tip: noTip, statusWithTag: undefined },
}

test.each<[string, number, keyof typeof kinds]>([
  ['/summary', 200, 'tagged'],
  ['/blocks?limit=2', 200, 'tagged'],
  [`/blocks/${chain.tip().stateHash}`, 200, 'tagged'],
  [`/blocks/${chain.frontier()[0]?.stateHash}`, 200, 'tagged'],
  [`/blocks/${chain.genesisBlock().stateHash}`, 404, 'labelled'],
  [`/accounts/${wallet(chain, 'alice').publicKey}`, 200, 'labelled'],
  [`/accounts/${unheldValues.public_key}`, 404, 'labelled'],
  ['/blocks/abc', 404, 'bare'],
  ['/accounts/abc', 404, 'bare'],
  ['/blocks?limit=0', 400, 'bare'],
  ['/nowhere', 404, 'bare'],
  ['/broadcast/transaction', 404, 'bare'],
])(
  'the answer to %s is %d and %s; HEAD gets the same status and headers without a body',
  async (path, status, kind) => {
    const { tip, statusWithTag = status } = kinds[kind]
    const got = await ask(path)
    expect(got).toMatchObject({ status, tip, headers: { 'content-length': String(Buffer.byteLength(got.text)) } })
    expect(await ask(path, { method: 'HEAD' })).toEqual({ ...got, text: '' })
    const conditional = { headers: { 'if-none-match': '*' } }
    const again = await ask(path, conditional)
    expect([again.status, again.headers.etag, 'etag' in got.headers]).toEqual([
      statusWithTag,
      got.headers.etag,
      kind === 'tagged',
    ])
    expect(await ask(path, { method: 'HEAD', ...conditional })).toEqual({ ...again, text: '' })
  },
)

test('the bare address answers as /summary does, and both link to the docs page and the OpenAPI document', async () => {
  const { status, headers } = await ask('/summary')
  const conditional = { headers: { 'if-none-match': headers.etag ?? '' } }
  for (const init of [{}, { method: 'HEAD' }, conditional]) {
    expect(await ask('/', init)).toEqual(await ask('/summary', init))
  }
  const { link = '' } = (await ask('/', conditional)).headers
  expect([status, link]).toEqual([200, headers.link])
  const linked = Array.from(link.matchAll(/<([^>]+)>; rel="([^"]+)"/g), ([, path = '', rel]) => ({ path, rel }))
  expect(linked.map(({ rel }) => rel)).toEqual(['service-doc', 'service-desc'])
  const statuses = linked.map(async ({ path }) => (await ask(path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 200])
})

describe('an answer made without a node', () => {
  test('shows no tip and has no tag where the node has no frontier', async () => {
    chain.bootstrapping = true
    const answers = await Promise.all(['/summary', '/blocks'].map((path) => ask(path)))
    chain.bootstrapping = false
    expect(answers.map(({ status, tip, headers }) => [status, tip, headers.etag])).toEqual(
      Array(2).fill([503, noTip, undefined]),
    )
  })

  test('shows no tip after a broadcast: it says what became of the command', async () => {
    const body = JSON.stringify(signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'), { nonce: '5' }))
    expect(await ask('/broadcast/transaction', { method: 'POST', body })).toMatchObject({ status: 400, tip: noTip })
  })
})

test('a page of another site may read everything that helps to trace an answer, and may ask with a condition', () => {
  const traces = ['etag', 'link', 'age', 'date', 'retry-after', 'apigw-requestid', 'x-amz-cf-id', 'x-broadcast-nodes']
  expect(cors.exposeHeaders).toEqual(expect.arrayContaining(traces))
  expect(cors.allowHeaders).toContain('if-none-match')
})
