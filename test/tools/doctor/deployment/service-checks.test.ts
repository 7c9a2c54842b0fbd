import { describe, expect, test } from '@jest/globals'
import { cors } from '../../../../shared/agreements/cors.ts'
import { crossOriginFinding, preflightFinding } from '../../../../tools/doctor/deployment/cross-origin-checks.ts'
import type { HttpAnswer } from '../../../../tools/doctor/deployment/probe.ts'
import {
  exactnessFinding,
  heightFinding,
  readBlock,
  readSummary,
} from '../../../../tools/doctor/deployment/service-checks.ts'
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
const blockText = (totalCurrency: string) =>
  `{"block":{"creator":"B62","stateHash":"3Ntip","protocolState":{"consensusState":{"totalCurrency":${totalCurrency}}}}}`

describe('the numbers of a service', () => {
  const serviceOf = (given: Scripted) => scriptedClient([given], { retries: 0 }).client
  const findingFor = async (digits: string) => {
    const block = await readBlock(serviceOf({ body: blockText(digits) }), '3Ntip')
    if (block === undefined) throw new Error('no block was read')
    return lineOf(exactnessFinding(summary, block))
  }

  test('are exact to the last digit', async () => {
    expect(await findingFor('1166062074840039233')).toBe(
      'ok   exact numbers: 1166062074.840039233 MINA in block and summary',
    )
  })

  test('fail where a floating-point number replaced them on the way', async () => {
    expect(await findingFor(String(Number('1166062074840039233')))).toBe(
      'fail exact numbers: the total currency is 1166062074.840039200 MINA in the block and 1166062074.840039233 MINA in the summary -> look for a proxy or filter between the service and here that parses and prints JSON',
    )
  })

  test('are not read from an answer of another shape', async () => {
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

  test('are not read where there is no answer, and the doctor knows why', async () => {
    const cut = new Error('cut', { cause: new Error('by a proxy') })
    expect(await readSummary(serviceOf(cut))).toEqual({ failure: 'cut: by a proxy' })
    expect(await readBlock(serviceOf(cut), '3Ntip')).toBeUndefined()
  })
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
  const readable = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': cors.exposeHeaders.join(', ').toUpperCase(),
  }
  const permission = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,POST,OPTIONS',
    'access-control-allow-headers': 'Content-Type, If-None-Match',
  }
  const remedy = 'deploy the latest stack: its HTTP API and its CDN both set the headers of shared/agreements/cors.ts'
  const simple = (headers: Record<string, string>) =>
    lineOf(crossOriginFinding('CORS', [{ name: 'GET /x', answer: answer('', 200, headers) }]))
  const preflight = (headers: Record<string, string>, status = 204) =>
    lineOf(preflightFinding([{ name: 'OPTIONS /x', answer: answer('', status, headers) }]))

  test('may read answers with CORS headers, in upper or lower case', () => {
    expect(simple(readable)).toBe('ok   CORS: allowed on 1 of 1 answers')
    expect(simple({ ...readable, 'access-control-expose-headers': '*' })).toBe('ok   CORS: allowed on 1 of 1 answers')
  })

  test('may not read an answer without CORS headers', () => {
    expect(simple({})).toBe(
      `fail CORS: GET /x: access-control-allow-origin is missing, access-control-expose-headers lacks ${cors.exposeHeaders.join(', ')} -> ${remedy}`,
    )
  })

  test('cannot read headers that are not exposed', () => {
    const all = cors.exposeHeaders.filter((name) => name !== 'retry-after').join(',')
    expect(simple({ ...readable, 'access-control-expose-headers': all })).toBe(
      `fail CORS: GET /x: access-control-expose-headers lacks retry-after -> ${remedy}`,
    )
  })

  test('may post after a preflight', () => {
    expect(preflight(permission)).toBe('ok   CORS preflight: allowed on 1 of 1 answers')
  })

  test('may not post without permission', () => {
    const own = { 'access-control-allow-origin': 'https://own.example', 'access-control-allow-methods': 'GET' }
    expect(preflight(own, 404)).toBe(
      `fail CORS preflight: OPTIONS /x: answers 404, access-control-allow-origin is https://own.example, access-control-allow-methods lacks POST, access-control-allow-headers lacks content-type, if-none-match -> ${remedy}`,
    )
  })

  test('gets a failure for a missing answer', () => {
    expect(lineOf(crossOriginFinding('CORS', [{ name: 'GET /x', answer: { failure: 'cut' } }]))).toBe(
      `fail CORS: GET /x: cut -> ${remedy}`,
    )
  })
})
