import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { message } from '../../../shared/contract/error.ts'
import { cors } from '../../../shared/http/cors.ts'
import { crossOriginFinding, preflightFinding } from '../../../tools/doctor/deployment/cross-origin-checks.ts'
import { type Probe, probe } from '../../../tools/doctor/deployment/probe.ts'
import { type Promised, routeFinding } from '../../../tools/doctor/deployment/route-checks.ts'
import {
  healthFinding,
  heightFinding,
  readBlock,
  readSummary,
} from '../../../tools/doctor/deployment/service-checks.ts'
import { lineOf } from '../../../tools/doctor/finding.ts'
import { usage } from '../../../tools/doctor/plan/plan.ts'
import { type Scripted, scriptedClient } from '../../client/scripted-service.ts'
import { serve } from '../../serving.ts'
import { badOptions, examinedService, gets, lookups, posts, problems } from './examined-service.ts'

const examined = ' -> examine the one that is not: npm run doctor -- --stage X, from a network that reaches them'

test('the doctor passes on what the service says of its nodes and its indexer', () => {
  const nodes = { listed: 3, answering: 3, synced: 3 }
  const lines = [
    healthFinding({ status: 'ok', tipAgeSlots: 1, nodes }),
    healthFinding({
      status: 'degraded',
      tipAgeSlots: -1,
      nodes: { ...nodes, synced: 2 },
      indexer: { answering: true, lag: 12 },
    }),
    healthFinding({ status: 'degraded', nodes, indexer: { answering: false } }),
    healthFinding({ status: 'degraded', nodes, refusedQuestions: ['chainSummary', 'latestBlocks'] }),
  ].map(lineOf)
  expect(lines).toEqual([
    'ok   service health: ok: 3 of 3 nodes synced, slots since the tip 1',
    `warn service health: degraded: 2 of 3 nodes synced, slots since the tip -1, the indexer 12 blocks behind${examined}`,
    `warn service health: degraded: 3 of 3 nodes synced, no answer of an indexer on their network${examined}`,
    `warn service health: degraded: 3 of 3 nodes synced, a node does not know all fields of chainSummary and latestBlocks${examined}`,
  ])
})

const remedyOfCors = 'deploy the latest stack: its HTTP API and its CDN both set the headers of shared/http/cors.ts'

test('the doctor compares an answer with the promises of its route', () => {
  const caching = 'public, max-age=5, stale-if-error=0'
  const promised: Promised = { status: 404, schema: message, message: 'No such thing.', caching: [caching] }
  const answer = (changes: { status?: number; text?: string } = {}, headers: Record<string, string> = {}): Probe => ({
    ...{ status: 404, text: '{"message":"No such thing."}', tookMs: 21, ...changes },
    headers: { 'content-type': 'application/json', 'cache-control': caching, ...headers },
  })
  const wrongHeaders = { 'content-type': 'text/html', 'cache-control': 'no-store', 'x-broadcast-code': 'other' }
  const wanted = { caching: [caching, 'no-cache'], headers: { 'x-broadcast-code': 'invalid-request', 'x-b': '1' } }
  const judged: readonly (readonly [Probe, Partial<Promised>?])[] = [
    [answer()],
    [answer({}, { 'x-missing-fields': 'totalTx,username' })],
    [{ failure: 'fetch failed' }],
    ...[301, 403, 429, 500, 502].map((status) => [answer({ status, text: '{"message":"no"}' })] as const),
    [answer(), { status: 200 }],
    [answer({ text: '<html>' })],
    [answer({ text: '{"error":"no"}' })],
    [answer({ text: '{"message":"Other."}' })],
    [answer({}, { 'cache-control': 'public, max-age=5' })],
    [answer({}, wrongHeaders), wanted],
  ]
  const lines = judged.map(([probe, changes]) => lineOf(routeFinding('GET /x', probe, { ...promised, ...changes })))
  const rewritten = 'deploy the latest version, and check that nothing between it and here rewrites answers'
  expect(
    lines.join('\n').replaceAll(rewritten, '(rewritten)'),
  ).toBe(`ok   GET /x: answers 404 in 21 ms (public, max-age=5, stale-if-error=0)
warn GET /x: answers 404 in 21 ms (public, max-age=5, stale-if-error=0) without totalTx,username -> examine the indexer: npm run doctor -- --stage X
fail GET /x: fetch failed -> check the address, and that the stack is deployed there; on this machine, that npm start is running
fail GET /x: answers 301 instead of 404: {"message":"no"} -> use the address that this one redirects to: a POST does not follow redirects
fail GET /x: answers 403 instead of 404: {"message":"no"} -> use the address of the CDN, because the origin lock refuses all others; at that address, the firewall blocks you
fail GET /x: answers 429 instead of 404: {"message":"no"} -> wait a minute: the firewall or a throttle limits this machine
fail GET /x: answers 500 instead of 404: {"message":"no"} -> read the log of the function that serves this route
fail GET /x: answers 502 instead of 404: {"message":"no"} -> examine its node and indexer: npm run doctor -- --stage X, from a network that reaches them
fail GET /x: answers 404 instead of 200: {"message":"No such thing."} -> check that the base address has no path, and that the latest stack is deployed there
fail GET /x: answers 404, but its body is not JSON -> (rewritten)
fail GET /x: answers 404, but its body violates the contract: data must have required property 'message' -> (rewritten)
fail GET /x: answers 404, but its message is "Other.", not "No such thing." -> (rewritten)
fail GET /x: answers 404, but its cache-control is public, max-age=5, not public, max-age=5, stale-if-error=0 -> (rewritten)
fail GET /x: answers 404, but its content-type is text/html, not application/json; its x-broadcast-code is other, not invalid-request; its x-b is missing, not 1; its cache-control is no-store, not public, max-age=5, stale-if-error=0 or no-cache -> (rewritten)`)
})

test.each([
  ['as it is', {}, (text: string) => Buffer.from(text)],
  ['compressed', { 'content-encoding': 'gzip' }, (text: string) => gzipSync(text)],
])('the doctor reads no more than 8 MB of an answer, %s', async (_how, headers, coded) => {
  const part = coded(' '.repeat(1024 * 1024))
  const { url } = await serve(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    await pipeline(Readable.from(Array(64).fill(part)), response).catch(() => undefined)
  })
  expect(await probe(url)).toEqual({ failure: 'an answer of more than 8388608 bytes' })
})

test('the doctor finds what a page of another site cannot read or send', () => {
  const named = (status: number, headers: Record<string, string>) => [
    { name: 'GET /x', answer: { status, headers, text: '', tookMs: 1 } },
  ]
  const exposing = (names: readonly string[]) =>
    named(200, { 'access-control-allow-origin': '*', 'access-control-expose-headers': names.join(', ') })
  const own = { 'access-control-allow-origin': 'https://own.example', 'access-control-allow-methods': 'GET' }
  expect(
    [
      crossOriginFinding('CORS', exposing(cors.exposeHeaders.map((name) => name.toUpperCase()))),
      crossOriginFinding('CORS', exposing(['*'])),
      crossOriginFinding('CORS', exposing(cors.exposeHeaders.filter((name) => name !== 'retry-after'))),
      crossOriginFinding('CORS', [{ name: 'GET /x', answer: { failure: 'cut' } }]),
      preflightFinding(named(404, own)),
    ].map(lineOf),
  ).toEqual([
    'ok   CORS: allowed on 1 of 1 answers',
    'ok   CORS: allowed on 1 of 1 answers',
    `fail CORS: GET /x: access-control-expose-headers lacks retry-after -> ${remedyOfCors}`,
    `fail CORS: GET /x: cut -> ${remedyOfCors}`,
    `fail CORS preflight: GET /x: answers 404, access-control-allow-origin is https://own.example, access-control-allow-methods lacks POST, access-control-allow-headers lacks content-type, if-none-match, authorization, baggage, cache-control, sentry-trace, traceparent, tracestate, x-requested-with -> ${remedyOfCors}`,
  ])
})

test('the doctor believes a summary and a block only in their shape, and compares the height with the node', async () => {
  const summary = { blockchainLength: 1000, chainId: 'a7', stateHash: '3Ntip', totalCurrency: '1166062074.840039233' }
  const [body, short] = [summary, { ...summary, stateHash: undefined }].map((each) => JSON.stringify(each))
  const cut = new Error('cut', { cause: new Error('by a proxy') })
  const serviceOf = (given: Scripted) => scriptedClient([given], { retries: 0 }).client
  const answers = [{ body }, { body, status: 500 }, { body: '<html>' }, { body: short }, cut] as readonly Scripted[]
  expect(await Promise.all(answers.map((given) => readSummary(serviceOf(given))))).toEqual([
    ...[summary, undefined, undefined, undefined],
    { failure: 'cut: by a proxy' },
  ])
  const blocks = [{ body: '{"block":{}}' }, cut].map((given) => readBlock(serviceOf(given), '3Ntip'))
  expect(await Promise.all(blocks)).toEqual([undefined, undefined])

  const at = (blockchainLength: number) =>
    lineOf(heightFinding({ ...summary, blockchainLength }, { height: 1000 } as Parameters<typeof heightFinding>[1]))
  expect([998, 1001, 997].map(at)).toEqual([
    'ok   service height: 998, the node is at 1000',
    'ok   service height: 1001, the node is at 1000',
    'warn service height: 997, 3 blocks behind the node -> check that the service uses this node, and that no cache keeps answers beyond their max-age',
  ])
})

const { url: healthyUrl } = await examinedService()

describe('a deployment', () => {
  type Answer = { status: number; headers: Headers; body: string }

  /** The doctor's findings on a healthy service behind a proxy that rewrites its answers, and what reached that. */
  async function throughProxy(rewrite: (answer: Answer, path: string) => Partial<Answer>) {
    const posted: string[] = []
    const { url } = await serve(async (request, response) => {
      const { method = '', url: path = '' } = request
      const body = await text(request)
      if (body !== '') posted.push(`${method} ${path} ${body}`)
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]): [string, string] => [name, `${value}`]),
      )
      for (const name of ['connection', 'content-length', 'transfer-encoding']) headers.delete(name)
      const answered = await fetch(healthyUrl + path, { method, headers, ...(body !== '' && { body }) })
      const answer = { status: answered.status, headers: answered.headers, body: await answered.text() }
      const rewritten = { ...answer, headers: new Headers(answer.headers) }
      const sent = { ...rewritten, ...rewrite(rewritten, path) }
      sent.headers.delete('content-length')
      response.writeHead(sent.status, Object.fromEntries(sent.headers)).end(sent.body)
    })
    return { posted, lines: await problems({ expected: {}, url, unreadKeys: [], secrets: [] }) }
  }

  test('behind a proxy that parses and prints JSON fails on its numbers only, and receives only empty objects', async () => {
    const { lines, posted } = await throughProxy(({ body }, path) =>
      path.startsWith('/blocks/3N') ? { body: JSON.stringify(JSON.parse(body)) } : {},
    )
    expect(lines).toEqual([expect.stringMatching(/^fail exact numbers: .* \d+\.\d{9} MINA .* \d+\.\d{9} MINA in /)])
    expect(posted).toEqual(posts.map(({ path }) => `POST ${path} {}`))
  })

  test('that redirects is not followed', async () => {
    const { lines } = await throughProxy(({ headers }, path) => {
      headers.set('location', `http://127.0.0.1:1${path}`)
      return { status: 301, body: '' }
    })
    expect(lines).toContainEqual(
      expect.stringMatching(/^fail GET \/summary: answers 301 instead of 200: -> use the ad/),
    )
  })

  test('behind a cache that rewrites cache-control fails on every route, broadcasts and errors included', async () => {
    const { lines } = await throughProxy(({ headers }) => {
      headers.set('cache-control', 'public, max-age=10, stale-if-error=0')
      return {}
    })
    const says = 'answers \\d+, but its cache-control is public, max-age=10, stale-if-error=0, not '
    const fault = (request: string) => expect.stringMatching(new RegExp(`^fail ${request}: ${says}`))
    expect(lines).toEqual([
      ...posts.map(({ path }) => fault(`POST ${path}`)),
      ...gets.map(({ path }) => fault(`GET ${path.replace(/{.*}/, '(?:(?:\\d+-)?\\w{6}…|\\d+)')}`)),
      fault('GET //summary/'),
      ...lookups.map(({ path }) => fault(`GET ${path.replace(/{.*}/, 'unknown')}`)),
      ...badOptions.map((path) => fault(`GET ${path.replace('?', '\\?')}`)),
      fault('GET /no-such-path'),
    ])
  })

  test('that does not collapse slashes fails on that route', async () => {
    const { lines } = await throughProxy((_, path) =>
      path === '//summary/' ? { status: 404, body: '{"message":"Not Found"}' } : {},
    )
    expect(lines).toEqual([
      'fail GET //summary/: answers 404 instead of 200: {"message":"Not Found"} -> use the address of the CDN: its viewer function collapses slashes, and it must be deployed',
    ])
  })
})

describe('npm run doctor', () => {
  async function run(...args: readonly string[]) {
    const env = { PATH: process.env.PATH ?? '' }
    const child = spawn(process.execPath, ['tools/doctor/doctor.ts', ...args], { env })
    const [[code], printed, errors] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    return { code, printed, errors }
  }

  test.each<[string, readonly string[], object]>([
    [
      'ends with 0 for a healthy service',
      ['--url', healthyUrl],
      { code: 0, errors: '', printed: expect.stringMatching(/\n(\d+) checks: \1 ok, 0 warnings, 0 failures\n$/) },
    ],
    ['prints its usage on request', ['--help'], { code: 0, errors: '', printed: `${usage}\n` }],
    [
      'prints its usage after a wrong option',
      ['--stag', 'devnet'],
      { code: 1, errors: expect.stringMatching(/^Unknown option '--stag'[^\n]*\n\nnpm run doctor -- /), printed: '' },
    ],
  ])('%s', async (_, args, expected) => {
    expect(await run(...args)).toEqual(expected)
  })

  test('ends with 1 for a failing node, and prints no key though the node repeats it', async () => {
    const { url } = await serve((request, response) => {
      response.end(JSON.stringify({ errors: [{ message: `bad key ${request.headers['x-api-key']}` }] }))
    })
    const outcome = await run('--node', `${url}/graphql?k=hidden`, '--header', 'x-api-key: s3cret-key')
    const lines =
      /^fail node: answers with an error: nodeStatus: bad key … -> Look at .*\n4 checks: 1 ok, 2 warnings, 1 failure\n$/s
    expect(outcome).toEqual({ code: 1, errors: '', printed: expect.stringMatching(lines) })
    expect(outcome.printed).not.toMatch(/s3cret|hidden/)
  })
})
