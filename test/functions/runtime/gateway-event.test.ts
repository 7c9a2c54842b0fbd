// Events that no API gateway makes: of the test button of Lambda's console, of other services, of a payload of another version.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { servingFiles } from '../../../functions/docs/serve-files.ts'
import { loadXmlParser } from '../../../functions/runtime/load-xml-parser.ts'
import type { RequestLine } from '../../../functions/runtime/log.ts'
import { metricsLine } from '../../../functions/runtime/metrics.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import { readersOf } from '../../../local/start/routes.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { originHeader } from '../../../shared/http/routes.ts'
import { chainOf, recording } from '../../shared/endpoints/asking.ts'
import { httpEvent, lambdaContext } from '../event.ts'

const { context, asked } = recording({})
const lines: RequestLine[] = []
const log = (line: RequestLine) => void lines.push(line)
const originSecrets = ['secret']

const functions = await Promise.all(
  endpoints.map(async (endpoint) => {
    const readers = await readersOf(endpoint, ...(endpoint.acceptsXml ? [loadXmlParser] : []))
    /** Each event meets a chain that has learnt nothing yet, so that equal events have equal answers. */
    const serving =
      (lock: { readonly originSecrets?: readonly string[] } = {}): ReturnType<typeof serve> =>
      (...event) =>
        serve(endpoint, { chain: chainOf(context), log, ...readers, ...lock })(...event)
    return { name: endpoint.name, open: serving(), locked: serving({ originSecrets }) }
  }),
)
const docs = {
  name: 'docs',
  open: servingFiles(new Map(), { log }),
  locked: servingFiles(new Map(), { log, originSecrets }),
}

/** The metrics of what went wrong, on the line of the request that was answered last. */
function blame() {
  const line = lines.at(-1)
  if (line === undefined) throw new Error('no line was logged')
  const metrics = metricsLine(line, 'service', 0) as Readonly<Record<string, unknown>>
  return { level: line.level, faults: metrics.Faults, bugs: metrics.InternalErrors }
}

const nobodys = { level: 'warn', faults: 0, bugs: undefined }

const real = httpEvent({ method: 'POST', path: '/broadcast/transaction', body: '{}' })
const consoleTest = { key1: 'value1', key2: 'value2', key3: 'value3' }
const olderPayload = {
  version: '1.0',
  resource: '/summary',
  path: '/summary',
  httpMethod: 'GET',
  headers: { accept: '*/*' },
  multiValueHeaders: { accept: ['*/*'] },
  queryStringParameters: null,
  pathParameters: null,
  requestContext: { httpMethod: 'GET', requestId: 'r', resourcePath: '/summary' },
  body: null,
  isBase64Encoded: false,
}

describe.each([...functions, docs])('$name', ({ open, locked }) => {
  test.each<[string, unknown]>([
    ["the test button of Lambda's console", consoleTest],
    ['a payload of version 1.0', olderPayload],
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a text', 'GET /summary'],
    ['a list', [real]],
    ['headers of null', { ...real, headers: null }],
    ['a header with two values', { ...real, headers: { accept: ['a', 'b'] } }],
    ['a parsed body', { ...real, body: {} }],
    ['options that are lists', { ...real, queryStringParameters: { limit: ['1'] } }],
    ['a context of null', { ...real, requestContext: null }],
  ])('refuses %s, with 403 behind the lock, and nobody is at fault', async (_what, event) => {
    expect(await open(event, lambdaContext())).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('The event is not a request of an HTTP API (payload 2.0).'),
    })
    expect(blame()).toEqual(nobodys)
    expect(await locked(event, lambdaContext())).toMatchObject({ statusCode: 403 })
    expect(blame()).toEqual(nobodys)
    expect(asked).toEqual([])
  })
})

interface Parts {
  readonly body?: string
  readonly pathParameters?: Record<string, string>
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
}

/** As programs that stand in for API Gateway on a laptop make events: recorded there, less what no function reads. */
const emulators: Readonly<Record<string, (parts: Parts) => object>> = {
  'serverless-offline 14.4.0': ({ body, pathParameters, query, headers }) => ({
    body: body ?? null,
    cookies: [],
    headers: { host: '127.0.0.1:3000', 'user-agent': 'curl/7.88.1', accept: '*/*', ...headers },
    isBase64Encoded: false,
    pathParameters: pathParameters ?? null,
    queryStringParameters: query ?? null,
    requestContext: { http: { method: body === undefined ? 'GET' : 'POST' }, requestId: 'offlineContext_resourceId' },
    stageVariables: null,
    version: '2.0',
  }),
  'sam local start-api 1.170.0': ({ body, pathParameters, query, headers = {} }) => ({
    version: '2.0',
    cookies: null,
    headers: Object.fromEntries(
      Object.entries({ host: '127.0.0.1:3000', accept: '*/*', ...headers }).map(([name, value]) => [
        name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
        value,
      ]),
    ),
    requestContext: { http: { method: body === undefined ? 'GET' : 'POST' }, requestId: 'r' },
    body: body ?? '',
    pathParameters: pathParameters ?? null,
    stageVariables: null,
    isBase64Encoded: false,
    ...(query && { queryStringParameters: query }),
  }),
}

describe.each(Object.entries(emulators))('an event of %s', (_program, eventOf) => {
  const json = { 'content-type': 'application/json' }
  test.each<[string, Parts]>([
    ['nothing but a path', {}],
    ['an option', { query: { limit: '2' } }],
    [
      'path parameters',
      { pathParameters: { public_key: 'B62', state_hash: '3N', hash: 'C', height: '7', cursor: '7' } },
    ],
    ['a body', { body: '{"publicKey":7}', headers: json }],
    ['the origin secret', { headers: { [originHeader]: 'secret' } }],
  ])('with %s gets the answer that an event of API Gateway gets', async (_what, parts) => {
    const method = parts.body === undefined ? 'GET' : 'POST'
    for (const { open, locked } of [...functions, docs]) {
      for (const handler of [open, locked]) {
        const answer = await handler(httpEvent({ method, ...parts }), lambdaContext())
        expect(await handler(eventOf(parts), lambdaContext())).toEqual(answer)
        expect(answer.body).not.toContain('The event is not a request')
      }
    }
  })
})

/** Real events of which any part, at any depth, is replaced by any JSON. */
const damaged = fc
  .tuple(
    fc.constantFrom(...Object.keys(real)),
    fc.jsonValue(),
    fc.constantFrom('version', 'headers', 'http', 'method'),
    fc.jsonValue(),
  )
  .map(([key, value, inner, other]) => ({
    ...real,
    requestContext: { ...real.requestContext, http: { ...real.requestContext.http, [inner]: other } },
    [key]: value,
  }))

test('no function throws or ends in a bug, whatever JSON it is invoked with', async () => {
  const event = fc.oneof(fc.jsonValue(), damaged, fc.record({ headers: fc.jsonValue(), body: fc.jsonValue() }))
  await fc.assert(
    fc.asyncProperty(event, fc.constantFrom(...functions, docs), async (given, { open, locked }) => {
      for (const handler of [open, locked]) {
        const { statusCode } = await handler(given, lambdaContext())
        const { status, isBug } = lines.at(-1) ?? {}
        expect({ status, isBug }).toEqual({ status: statusCode, isBug: undefined })
        expect(statusCode).not.toBe(500)
      }
    }),
    { seed: 7, numRuns: 400 },
  )
})
