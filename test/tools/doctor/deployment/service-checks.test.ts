import { describe, expect, test } from '@jest/globals'
import { cors } from '../../../../shared/http/cors.ts'
import { crossOriginFinding, preflightFinding } from '../../../../tools/doctor/deployment/cross-origin-checks.ts'
import type { HttpAnswer } from '../../../../tools/doctor/deployment/probe.ts'
import { heightFinding, readBlock, readSummary } from '../../../../tools/doctor/deployment/service-checks.ts'
import { lineOf } from '../../../../tools/doctor/finding.ts'
import { type Scripted, scriptedClient } from '../../../client/scripted-service.ts'
import { tip } from '../upstreams/healthy-node.ts'

const answer = (text: string, status = 200, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers,
  text,
  tookMs: 1,
})

const summary = { blockchainLength: 1000, chainId: 'a7', stateHash: '3Ntip', totalCurrency: '1166062074.840039233' }
const serviceOf = (given: Scripted) => scriptedClient([given], { retries: 0 }).client

test('a service is not believed where its answer has another shape', async () => {
  const body = JSON.stringify(summary)
  const shortened = JSON.stringify({ ...summary, stateHash: undefined })
  const answers: readonly Scripted[] = [{ body }, { body, status: 500 }, { body: '<html>' }, { body: shortened }]
  expect(await Promise.all(answers.map((given) => readSummary(serviceOf(given))))).toEqual([
    summary,
    undefined,
    undefined,
    undefined,
  ])
  expect(await readBlock(serviceOf({ body: '{"block":{}}' }), '3Ntip')).toBeUndefined()
})

test('a service that does not answer is reported with every cause', async () => {
  const cut = new Error('cut', { cause: new Error('by a proxy') })
  expect(await readSummary(serviceOf(cut))).toEqual({ failure: 'cut: by a proxy' })
  expect(await readBlock(serviceOf(cut), '3Ntip')).toBeUndefined()
})

test.each([
  [998, 'ok   service height: 998, the node is at 1000'],
  [1001, 'ok   service height: 1001, the node is at 1000'],
  [
    997,
    'warn service height: 997, 3 blocks behind the node -> check that the service uses this node, and that no cache keeps answers beyond their max-age',
  ],
])('a service at height %i is compared with its node', (blockchainLength, line) => {
  expect(lineOf(heightFinding({ ...summary, blockchainLength }, tip))).toBe(line)
})

describe('a page of another site', () => {
  const remedy = 'deploy the latest stack: its HTTP API and its CDN both set the headers of shared/http/cors.ts'
  const readable = 'ok   CORS: allowed on 1 of 1 answers'

  test.each([
    ['may read headers in upper case', cors.exposeHeaders.map((name) => name.toUpperCase()), readable],
    ['may read headers where all are exposed', ['*'], readable],
    [
      'cannot read a header that is not exposed',
      cors.exposeHeaders.filter((name) => name !== 'retry-after'),
      `fail CORS: GET /x: access-control-expose-headers lacks retry-after -> ${remedy}`,
    ],
  ])('%s', (_, exposed, line) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed.join(', ') }
    expect(lineOf(crossOriginFinding('CORS', [{ name: 'GET /x', answer: answer('', 200, headers) }]))).toBe(line)
  })

  test('may not post without permission', () => {
    const own = { 'access-control-allow-origin': 'https://own.example', 'access-control-allow-methods': 'GET' }
    expect(lineOf(preflightFinding([{ name: 'OPTIONS /x', answer: answer('', 404, own) }]))).toBe(
      `fail CORS preflight: OPTIONS /x: answers 404, access-control-allow-origin is https://own.example, access-control-allow-methods lacks POST, access-control-allow-headers lacks content-type, if-none-match -> ${remedy}`,
    )
  })

  test('gets a failure for a missing answer', () => {
    expect(lineOf(crossOriginFinding('CORS', [{ name: 'GET /x', answer: { failure: 'cut' } }]))).toBe(
      `fail CORS: GET /x: cut -> ${remedy}`,
    )
  })
})
