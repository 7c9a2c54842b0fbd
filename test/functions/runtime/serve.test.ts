import { describe, expect, test } from '@jest/globals'
import { maxResponseBytes } from '../../../functions/runtime/answer-size.ts'
import type { RequestLine } from '../../../functions/runtime/log.ts'
import { readingBody } from '../../../functions/runtime/request-body.ts'
import type { CompiledSchema } from '../../../functions/runtime/request-check.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import validateBlock from '../../../functions/runtime/validators/get-block.js'
import validateBlocks from '../../../functions/runtime/validators/get-blocks.js'
import validateSummary from '../../../functions/runtime/validators/get-summary.js'
import { readersOf } from '../../../local/start/routes.ts'
import type { ChainView } from '../../../shared/chain/port.ts'
import { parametersOf } from '../../../shared/contract/parameters.ts'
import { defaultSettings } from '../../../shared/deployment/stage-settings.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { KeptJson } from '../../../shared/mapping/printed-block.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { chainOf, failing, recording, replying } from '../../shared/endpoints/asking.ts'
import { blockWire, constantsWire, nodeTipAt, stateHash } from '../../shared/mapping/node-wire.ts'
import { httpEvent, lambdaContext } from '../event.ts'
import { field, held, post, signed } from './signed-payment.ts'

function logged() {
  const lines: RequestLine[] = []
  return { lines, log: (line: RequestLine) => void lines.push(line) }
}

const transaction = (context: ChainView, log = logged().log) =>
  serve(broadcastTransaction, { schema: validateTransaction, chain: chainOf(context), log, readBody: readingBody() })
const blocks = (context: ChainView, log = logged().log) =>
  serve(getBlocks, { schema: validateBlocks, chain: chainOf(context), log })

test('an endpoint reads the settings of its stage, or else their defaults', async () => {
  const given: (object | undefined)[] = []
  const run: typeof getBlocks.run = async (_input, _chain, settings) => {
    given.push(settings)
    return { status: 200, body: { blocks: [] } }
  }
  const ports = { schema: validateBlocks, chain: chainOf(replying({})), log: () => undefined }
  const settings = { ...defaultSettings, lenientPayload: true }
  await serve({ ...getBlocks, run }, { ...ports, settings })(httpEvent({}), lambdaContext())
  await serve({ ...getBlocks, run }, ports)(httpEvent({}), lambdaContext())
  expect(given).toEqual([settings, defaultSettings])
})

describe('an answer', () => {
  test('is JSON with exact integers, its cache time, how long it may stand in for an error, and its tip', async () => {
    const result = await blocks(replying({ data: { bestChain: [blockWire] } }))(httpEvent({}), lambdaContext())
    expect({ ...result, body: undefined }).toEqual({
      statusCode: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'public, max-age=5, stale-while-revalidate=10, stale-if-error=60',
        etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
        'x-chain-height': '2',
        'x-chain-state-hash': stateHash,
        'x-chain-time': '2021-03-17T00:03:00.000Z',
        'x-node-sync': 'SYNCED',
      },
      body: undefined,
    })
    expect(result.body).toContain('"totalCurrency":1166062074840039233}')
  })

  test('that an instance gives again is the same to the program that prints it', async () => {
    const again = blocks(replying({ data: { bestChain: [blockWire] } }))
    const text = '"\\ \n \ud800 \u2028 🦉'
    const odd: typeof getBlocks.run = async () => ({ status: 200, body })
    const body = new KeptJson(JSON.stringify(text))
    const oddly = serve(
      { ...getBlocks, run: odd },
      { schema: validateBlocks, chain: chainOf(replying({})), log: () => undefined },
    )
    for (const handler of [again, again, again, oddly, oddly, oddly]) {
      const result = await handler(httpEvent({}), lambdaContext())
      expect(JSON.parse(JSON.stringify(result))).toEqual(result)
    }
  })

  test('of a broadcast is never cached', async () => {
    const upstreams = replying({ data: { sendPayment: { payment: held } } })
    expect(await transaction(upstreams)(post(JSON.stringify(signed)), lambdaContext())).toEqual({
      statusCode: 201,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-broadcast-outcome': 'accepted',
        'x-transaction-hash': held.hash,
      },
      body: JSON.stringify({ message: 'Transaction broadcast sucessfully', result: { payment: held } }),
    })
  })
})

describe('an answer as long as Lambda sends', () => {
  /** Served with a text of this length, each character of which has two bytes in the JSON of the response. */
  async function sentWith(endpoint: Endpoint, schema: CompiledSchema, characters: number) {
    const { lines, log } = logged()
    const run: Endpoint['run'] = async () => ({ status: 200, body: { message: 'é'.repeat(characters) } })
    const handler = serve({ ...endpoint, input: () => undefined, run }, { schema, chain: chainOf(replying({})), log })
    const { statusCode, body } = await handler(httpEvent({}), lambdaContext())
    return [statusCode, statusCode === 200 ? 'sent' : JSON.parse(body ?? '').message, lines[0]?.isBug]
  }
  const half = maxResponseBytes / 2

  test('is sent, and a longer one is a 503 that says so, with the way to a shorter one', async () => {
    const longer = 'The answer is longer than can be sent.'
    expect(await sentWith(getBlocks, validateBlocks, half - 500)).toEqual([200, 'sent', undefined])
    const fewer = `${longer} Ask for fewer, by a smaller limit.`
    expect(await sentWith(getBlocks, validateBlocks, half)).toEqual([503, fewer, undefined])
    expect(await sentWith(getSummary, validateSummary, half)).toEqual([503, longer, undefined])
  })
})

/** One call a second shows whether it is over, and the requests that waited for it share its answer. */
const forASecond = 'public, max-age=1, stale-if-error=0'

describe('upstream trouble', () => {
  test.each([
    ['busy', 503, 'Upstream unavailable.', { 'retry-after': '5' }],
    ['timeout', 504, 'Upstream timed out.', {}],
    ['unreachable', 502, 'Upstream unavailable.', {}],
  ] as const)('%s answers a GET with %d and a fixed text', async (fault, statusCode, message, headers) => {
    const { lines, log } = logged()
    const upstreams = failing(new WireError(fault, 'http://10.0.0.1 said <html>'))
    expect(await blocks(upstreams, log)(httpEvent({}), lambdaContext())).toEqual({
      statusCode,
      headers: { 'content-type': 'application/json', 'cache-control': forASecond, ...headers },
      body: JSON.stringify({ message }),
    })
    expect(lines).toMatchObject([{ status: statusCode, level: 'error', note: 'http://10.0.0.1 said <html>' }])
    expect(lines[0]).not.toHaveProperty('isBug')
  })

  test('a bug of ours answers a GET with 500 and a broadcast with 400, without details', async () => {
    const { lines, log } = logged()
    const upstreams = failing(new TypeError('x is not a function'))
    expect(await blocks(upstreams, log)(httpEvent({}), lambdaContext())).toMatchObject({
      statusCode: 500,
      headers: { 'cache-control': forASecond },
      body: '{"message":"Internal error."}',
    })
    expect(await transaction(upstreams, log)(post(JSON.stringify(signed)), lambdaContext())).toMatchObject({
      statusCode: 400,
      headers: { 'cache-control': 'no-store' },
      body: '{"message":"Error in sending transaction","error":"Internal error."}',
    })
    expect(lines).toMatchObject([{ isBug: true }, { isBug: true }])
  })
})

describe('the log', () => {
  test('has one line a request, with what the upstream cost', async () => {
    const { lines, log } = logged()
    const handler = serve(getBlock, {
      schema: validateBlock,
      chain: chainOf(replying({ data: null, errors: ['Could not obtain transition frontier'], tip: nodeTipAt(2) })),
      log,
    })
    await handler(httpEvent({ pathParameters: { state_hash: stateHash } }), lambdaContext())
    const reason = 'blockByStateHash: the node is bootstrapping'
    const call = { operation: 'blockByStateHash', durationMs: expect.any(Number), outcome: 'busy', reason }
    expect(lines).toEqual([
      {
        level: 'error',
        requestId: '0b5f7a0e-6a4c-4d0e-9f55-3f0f6a1a2b3c',
        gatewayRequestId: 'BkEcGjH0oAMEPnw=',
        endpoint: 'getBlock',
        route: 'GET /blocks/{state_hash}',
        status: 503,
        durationMs: expect.any(Number),
        // Another daemon behind the address might have answered.
        upstream: [call, { ...call, why: 'failover' }],
        slowestCallMs: expect.any(Number),
        failedCalls: 'blockByStateHash busy, blockByStateHash busy',
        note: reason,
      },
    ])
  })

  test.each([
    ['is accepted', JSON.stringify(signed), replying({ data: { sendPayment: { payment: held } } })],
    ['is quoted in a refusal', JSON.stringify(signed), replying({ errors: [`bad ${JSON.stringify(signed)}`] })],
    ['cannot be parsed', `${JSON.stringify(signed)},`, replying({})],
    ['has a forbidden key', JSON.stringify(signed).replace('"payload"', '"__proto__"'), replying({})],
    ['is incomplete', JSON.stringify({ ...signed, payload: {} }), replying({})],
    ['meets a bug of ours', JSON.stringify(signed), failing(new Error(`cannot read ${field}`))],
  ])('never shows the signature of a command that %s', async (_what, body, upstreams) => {
    const { lines, log } = logged()
    await transaction(upstreams, log)(post(body), lambdaContext())
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toMatch(/1{20}|2{20}/)
  })
})

const named = endpoints.flatMap((endpoint) =>
  parametersOf(endpoint.path).map((parameter) => [endpoint.path, parameter, endpoint] as const),
)

test.each(named)('%s without its %s is refused, and no node is asked', async (_path, parameter, endpoint) => {
  const { context, asked } = recording({})
  const handler = serve(endpoint, { ...(await readersOf(endpoint)), chain: chainOf(context), log: () => undefined })
  const missing = async (event: object) => {
    const { statusCode, body = '' } = await handler(httpEvent(event), lambdaContext())
    return { statusCode, body: JSON.parse(body), asked }
  }
  const refused = (at: string) => ({ statusCode: 400, body: { message: `${at} is missing` }, asked: [] })
  expect(await missing({ pathParameters: {} })).toEqual(refused(parameter))
  expect(await missing({ pathParameters: undefined })).toEqual(refused('pathParameters'))
})

test('concurrent requests do not mix', async () => {
  const { lines, log } = logged()
  const daemonStatus = { chainId: 'a', consensusConfiguration: constantsWire }
  const chain = chainOf(replying({ data: { bestChain: [blockWire], daemonStatus } }))
  const handler = serve(getSummary, { schema: validateSummary, chain, log })
  const results = await Promise.all(Array.from({ length: 20 }, () => handler(httpEvent({}), lambdaContext())))
  expect(results.map(({ statusCode }) => statusCode)).toEqual(new Array(20).fill(200))
  const asked = lines.map(({ upstream }) => upstream.map(({ operation }) => operation).sort())
  // They share the question for the network, which stands with the one that put it.
  expect(asked).toEqual([['chainSummary', 'nodeNetwork'], ...new Array(19).fill(['chainSummary'])])
})

test('the handler takes event and context only: Lambda refuses a third parameter, the callback', () => {
  expect(blocks(replying({})).length).toBeLessThanOrEqual(2)
})

describe('the origin lock', () => {
  const locked = (context: ChainView, originSecrets: readonly string[], log = logged().log) =>
    serve(broadcastTransaction, {
      schema: validateTransaction,
      ...{ chain: chainOf(context), log, originSecrets },
      readBody: readingBody(),
    })
  const withSecret = (secret?: string) =>
    post(JSON.stringify(signed), secret === undefined ? {} : { headers: { 'x-origin-secret': secret } })

  test.each([
    [undefined, ['old', 'new']],
    ['', ['old', 'new']],
    ['ol', ['old', 'new']],
    ['OLD', ['old', 'new']],
    ['old,new', ['old', 'new']],
    [undefined, []],
    ['new', []],
  ])('refuses a request past CloudFront that brings %j, the secrets being %j, and logs it', async (secret, secrets) => {
    const { context, asked } = recording({})
    const { lines, log } = logged()
    expect(await locked(context, secrets, log)(withSecret(secret), lambdaContext())).toEqual({
      statusCode: 403,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: `{"message":"Forbidden. Use the service's public URL."}`,
    })
    expect(asked).toEqual([])
    expect(lines).toMatchObject([{ status: 403, upstream: [] }])
  })

  describe('and the mark of the heartbeat', () => {
    const ofSummary = (context: ChainView) =>
      serve(getSummary, {
        ...{ schema: validateSummary, chain: chainOf(context), log: () => undefined },
        originSecrets: ['secret'],
      })
    const { headers } = httpEvent({})
    const { requestContext } = httpEvent({})

    test.each<[where: string, event: object]>([
      ['a header', { ...httpEvent({}), headers: { ...headers, heartbeat: 'true' } }],
      ['its user agent', { ...httpEvent({}), headers: { ...headers, 'user-agent': 'heartbeat' } }],
      ['the query', { ...httpEvent({ query: { heartbeat: 'true' } }), rawQueryString: 'heartbeat=true' }],
      ['the path', httpEvent({ path: '/heartbeat', pathParameters: { heartbeat: 'true' } })],
      ['the body', httpEvent({ body: '{"heartbeat":true}' })],
      ['a cookie', { ...httpEvent({}), cookies: ['heartbeat=true'] }],
      ['a stage variable', { ...httpEvent({}), stageVariables: { heartbeat: 'true' } }],
      ['the request context', { ...httpEvent({}), requestContext: { ...requestContext, heartbeat: true } }],
      ['a prototype', JSON.parse(JSON.stringify(httpEvent({})).replace('{', '{"__proto__":{"heartbeat":true},'))],
      ['a text', { ...httpEvent({}), heartbeat: 'true' }],
      ['a number', { ...httpEvent({}), heartbeat: 1 }],
    ])('refuses the mark as %s of a gateway event', async (_where, event) => {
      const { context, asked } = recording({})
      expect(await ofSummary(context)(event, lambdaContext())).toMatchObject({ statusCode: 403 })
      expect(asked).toEqual([])
    })

    test('opens for a read of the heartbeat, and never for a broadcast', async () => {
      const asked = await ofSummary(replying({ data: null, errors: ['x'] }))(
        { ...httpEvent({}), heartbeat: true },
        lambdaContext(),
      )
      expect(asked.statusCode).not.toBe(403)
      const sent = await locked(replying({}), ['secret'])({ ...withSecret(), heartbeat: true }, lambdaContext())
      expect(sent.statusCode).toBe(403)
    })
  })

  test.each(['old', 'new'])('opens for either value while the secret is changed: %s', async (secret) => {
    const handler = locked(replying({ data: { sendPayment: { payment: held } } }), ['old', 'new'])
    expect((await handler(withSecret(secret), lambdaContext())).statusCode).toBe(201)
  })
})
