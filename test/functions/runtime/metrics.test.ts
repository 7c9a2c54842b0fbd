import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { logToStdout, type RequestLine } from '../../../functions/runtime/log.ts'
import { type MeasuredRequest, metricsLine, summariseHeaders } from '../../../functions/runtime/metrics.ts'
import { readingBody } from '../../../functions/runtime/request-body.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import validateSummary from '../../../functions/runtime/validators/get-summary.js'
import { metrics } from '../../../shared/deployment/metrics.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { chainOf, replying } from '../../shared/endpoints/asking.ts'
import { blockWire, constantsWire } from '../../shared/mapping/node-wire.ts'
import { httpEvent, lambdaContext } from '../event.ts'

const now = Date.UTC(2026, 10, 21, 10)

const summaryLine: RequestLine = {
  level: 'info',
  requestId: '0b5f7a0e-6a4c-4d0e-9f55-3f0f6a1a2b3c',
  endpoint: 'getSummary',
  route: 'GET /summary',
  status: 200,
  durationMs: 41.5,
  upstream: [{ operation: 'chainSummary', durationMs: 38.2, outcome: 200 }],
  observed: { tipHeight: 359_611, tipAtMs: now - 200_000, slotDurationMs: 90_000 },
}

const measured: MeasuredRequest = { route: 'POST /broadcast/transaction', status: 400, durationMs: 3, upstream: [] }

/** The metrics of a request by name, without those that every request has alike. */
function valuesOf(request: Partial<MeasuredRequest>): object {
  const line = new Map(Object.entries(metricsLine({ ...measured, ...request }, 'stack', now)))
  const names = [...Object.keys(metrics), 'Outcome', 'Code'].filter((name) => line.has(name))
  const usual = ['Requests', 'Latency']
  return Object.fromEntries(names.filter((name) => !usual.includes(name)).map((name) => [name, line.get(name)]))
}

/** The lines that a task writes to stdout. */
async function written(task: () => unknown): Promise<readonly string[]> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  await task()
  const texts = write.mock.calls.map(([text]) => String(text))
  write.mockRestore()
  return texts
}

afterEach(() => {
  delete process.env.SERVICE_NAME
  delete process.env.ROUTE_METRICS
  delete process.env.RELEASE
  jest.restoreAllMocks()
})

describe('a request of a deployed function', () => {
  test('writes one line of JSON to stdout, which is its log line and its metrics', async () => {
    process.env.SERVICE_NAME = 'chain-explorer-mainnet'
    jest.spyOn(Date, 'now').mockReturnValue(now)
    expect(await written(() => logToStdout()(summaryLine))).toEqual([
      '{"level":"info","requestId":"0b5f7a0e-6a4c-4d0e-9f55-3f0f6a1a2b3c","endpoint":"getSummary",' +
        '"route":"GET /summary","status":200,"durationMs":41.5,' +
        '"upstream":[{"operation":"chainSummary","durationMs":38.2,"outcome":200}],' +
        '"observed":{"tipHeight":359611,"tipAtMs":1795255000000,"slotDurationMs":90000},' +
        '"_aws":{"Timestamp":1795255200000,"CloudWatchMetrics":[' +
        '{"Namespace":"ChainExplorer","Dimensions":[["Service"],["Service","Route"],["Service","Route","Outcome"]],' +
        '"Metrics":[{"Name":"Requests","Unit":"Count"}]},' +
        '{"Namespace":"ChainExplorer","Dimensions":[["Service","Route"],["Service","Route","Outcome"]],' +
        '"Metrics":[{"Name":"Latency","Unit":"Milliseconds"}]},' +
        '{"Namespace":"ChainExplorer","Dimensions":[["Service"],["Service","Route"]],' +
        '"Metrics":[{"Name":"Faults","Unit":"Count"}]},' +
        '{"Namespace":"ChainExplorer","Dimensions":[["Service","Route"]],' +
        '"Metrics":[{"Name":"UpstreamLatency","Unit":"Milliseconds"},{"Name":"UpstreamErrors","Unit":"Count"}]},' +
        '{"Namespace":"ChainExplorer","Dimensions":[["Service"]],' +
        '"Metrics":[{"Name":"TipHeight","Unit":"None"},{"Name":"TipAgeSlots","Unit":"None"}]}]},' +
        '"Service":"chain-explorer-mainnet","Route":"GET /summary","Outcome":"success",' +
        '"Requests":1,"Latency":41.5,"Faults":0,"UpstreamLatency":[38.2],"UpstreamErrors":0,' +
        '"TipHeight":359611,"TipAgeSlots":2}\n',
    ])
  })

  test('counts for the service as a whole where its routes have no metrics of their own', async () => {
    Object.assign(process.env, { SERVICE_NAME: 'chain-explorer-devnet', ROUTE_METRICS: 'false' })
    const [text = ''] = await written(() => logToStdout()({ ...summaryLine, missingFields: ['totalCurrency'] }))
    expect(JSON.parse(text)._aws.CloudWatchMetrics).toEqual([
      {
        Namespace: 'ChainExplorer',
        Dimensions: [['Service']],
        Metrics: [
          { Name: 'Requests', Unit: 'Count' },
          { Name: 'Latency', Unit: 'Milliseconds' },
          { Name: 'Faults', Unit: 'Count' },
          { Name: 'UpstreamLatency', Unit: 'Milliseconds' },
          { Name: 'UpstreamErrors', Unit: 'Count' },
          { Name: 'TipHeight', Unit: 'None' },
          { Name: 'TipAgeSlots', Unit: 'None' },
          { Name: 'MissingFields', Unit: 'Count' },
        ],
      },
    ])
  })

  test('has no metrics where the service has no name, as on a laptop; a failed one names the release', async () => {
    process.env.RELEASE = '1.2.3+0123456789ab'
    const failed: RequestLine = { ...summaryLine, level: 'error', status: 500 }
    const lines = await written(() => [summaryLine, failed].forEach(logToStdout()))
    expect(lines.map((line) => JSON.parse(line))).toEqual([summaryLine, { ...failed, release: '1.2.3+0123456789ab' }])
  })

  test('logs a read, and a broadcast with the code of its answer, not through the console, which Lambda would wrap', async () => {
    process.env.SERVICE_NAME = 'chain-explorer-mainnet'
    const consoles = (['log', 'info', 'warn', 'error'] as const).map((name) => jest.spyOn(console, name))
    const daemonStatus = { chainId: 'a', consensusConfiguration: constantsWire }
    const read = serve(getSummary, {
      schema: validateSummary,
      chain: chainOf(replying({ data: { bestChain: [blockWire], daemonStatus } })),
    })
    const send = serve(broadcastTransaction, {
      schema: validateTransaction,
      chain: chainOf(replying({})),
      readBody: readingBody(),
    })
    const event = httpEvent({ method: 'POST', path: '/broadcast/transaction', body: '{}' })
    const lines = await written(async () => {
      await read(httpEvent({ path: '/summary' }), lambdaContext())
      await send(event, lambdaContext())
    })
    const code = 'invalid-request'
    const broadcast = { broadcast: { outcome: 'refused', code }, Outcome: 'refused', Code: code, BroadcastOutcome: 1 }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { Route: 'GET /summary', TipHeight: 3 },
      { level: 'warn', ...broadcast, Faults: 0 },
    ])
    expect(consoles.map(({ mock }) => mock.calls)).toEqual([[], [], [], []])
  })
})

describe('the metrics document', () => {
  const documents = [
    { ...summaryLine },
    { ...measured, broadcast: { outcome: 'unknown', code: 'timeout' } },
    { ...measured, isClockBehind: true as const, isPinStale: true as const, isOtherNetworkFresh: true as const },
    { ...measured, status: 200, missingFields: ['receivedTime'] },
    { ...measured, status: 403 },
    { ...measured, status: 503, upstream: [{ durationMs: 0, outcome: 'shed' }] },
    { ...measured, isBug: true as const },
    { ...measured, status: 503, isIndexerFault: true as const },
    { ...measured, heartbeat: true as const },
    { ...measured, route: 'GET /health', observed: { nodeLag: 3, indexerLag: 11 } },
    { ...measured, nodesOut: 1, nodeEvents: ['demoted a', 'other-network b'] },
  ].map((request) => JSON.parse(JSON.stringify(metricsLine(request, 'stack', now))))

  test('holds every dimension and every metric that it declares, and declares every metric that it holds', () => {
    for (const document of documents) {
      const directives: readonly { Dimensions: string[][]; Metrics: { Name: string }[] }[] =
        document._aws.CloudWatchMetrics
      const named = directives.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name))
      const dimensions = directives.flatMap(({ Dimensions }) => Dimensions.flat())
      expect(dimensions.filter((key) => typeof document[key] !== 'string')).toEqual([])
      expect(named.toSorted()).toEqual(
        Object.keys(metrics)
          .filter((name) => name in document)
          .toSorted(),
      )
    }
  })

  test('can hold each of the metrics', () => {
    const held = Object.keys(metrics).filter((name) => documents.some((document) => name in document))
    expect(held).toEqual(Object.keys(metrics))
  })
})

describe('the metrics count', () => {
  const call = { operation: 'sendPayment', durationMs: 7 }

  test.each([
    ['a read', { status: 200 }, { Outcome: 'success', Faults: 0 }],
    ['a missing block', { status: 404 }, { Outcome: 'not-found', Faults: 0 }],
    ['a bad request', { status: 400 }, { Outcome: 'refused', Faults: 0 }],
    ['a failure', { status: 502 }, { Outcome: 'failed', Faults: 1 }],
    [
      'a failure for want of the indexer, apart from the faults that wake people',
      { status: 503, isIndexerFault: true as const },
      { Outcome: 'failed', Faults: 0, IndexerFaults: 1 },
    ],
    ['a request past the CDN', { status: 403 }, { Outcome: 'refused', Faults: 0, OriginRefused: 1 }],
    [
      'an incomplete answer',
      { status: 200, missingFields: ['receivedTime', 'username'] },
      { Outcome: 'success', Faults: 0, MissingFields: 2 },
    ],
    [
      'a command that a node took',
      { status: 201, broadcast: { outcome: 'accepted' } },
      { Outcome: 'accepted', Faults: 0, BroadcastOutcome: 1, Code: 'accepted' },
    ],
    [
      'a command with an unknown outcome, such as a nonce that one node refuses while another may hold it',
      { broadcast: { outcome: 'unknown', code: 'bad-nonce' } },
      { Outcome: 'unknown', Faults: 1, BroadcastOutcome: 1, Code: 'bad-nonce' },
    ],
    [
      'an old command that someone sent again',
      {
        broadcast: { outcome: 'unknown', code: 'bad-nonce', nonceIsUsed: true },
        upstream: [200, 400, 'cancelled'].map((outcome) => ({ ...call, outcome })),
      },
      {
        Outcome: 'used-nonce',
        Faults: 0,
        UpstreamLatency: [7, 7],
        UpstreamErrors: 1,
        BroadcastOutcome: 1,
        Code: 'bad-nonce',
      },
    ],
    [
      'a command whose nonce is used, after an answer was lost',
      {
        broadcast: { outcome: 'unknown', code: 'bad-nonce', nonceIsUsed: true },
        upstream: [{ ...call, outcome: 'timeout' }],
      },
      {
        ...{ Outcome: 'unknown', Faults: 1, UpstreamLatency: [7], UpstreamErrors: 1 },
        ...{ BroadcastOutcome: 1, Code: 'bad-nonce' },
      },
    ],
    [
      'calls to the upstream',
      { upstream: [200, 'timeout', 502, 429, 'unreachable'].map((outcome) => ({ ...call, outcome })) },
      { Outcome: 'refused', Faults: 0, UpstreamLatency: [7, 7, 7, 7, 7], UpstreamErrors: 4 },
    ],
    [
      'extra calls, demotions and nodes that are out, where there are several nodes',
      {
        status: 200,
        upstream: [
          { durationMs: 20, outcome: 'timeout' },
          { durationMs: 5, outcome: 200, why: 'failover' },
          { durationMs: 3, outcome: 200, why: 'hedge' },
          { durationMs: 9, outcome: 'cancelled', why: 'hedge' },
        ],
        nodesOut: 2,
        nodeEvents: ['demoted a', 'other-network b'],
      },
      {
        Outcome: 'success',
        Faults: 0,
        ...{ Hedges: 2, Failovers: 1, Demotions: 1, NodesOut: 2, UpstreamErrors: 1, UpstreamLatency: [20, 5, 3] },
      },
    ],
    [
      'a read that spared busy nodes as shed, not as a call',
      { status: 503, upstream: [{ ...call, outcome: 'shed' }] },
      { Outcome: 'failed', Faults: 1, Shed: 1 },
    ],
  ])('%s', (_what, request, expected) => {
    expect(valuesOf(request)).toEqual(expected)
  })

  test.each([
    ['a tip made ten slots less a millisecond ago', now - 899_999, 90_000, { TipAgeSlots: 9 }],
    ['a tip made ten slots ago', now - 900_000, 90_000, { TipAgeSlots: 10 }],
    ['a tip from the future', now + 500_000, 90_000, { TipAgeSlots: -5 }],
    ['a tip of a chain with slow slots', now - 1_800_000, 180_000, { TipAgeSlots: 10 }],
    ['a tip of a node without a slot duration', now, 0, {}],
  ])('the age in slots of %s', (_what, tipAtMs, slotDurationMs, age) => {
    const observed = { tipHeight: 5, tipAtMs, slotDurationMs }
    expect(valuesOf({ observed })).toEqual({ Outcome: 'refused', Faults: 0, TipHeight: 5, ...age })
  })
})

test.each([
  [{ 'content-type': 'application/json' }, {}],
  [{ 'x-missing-fields': 'receivedTime,username' }, { missingFields: ['receivedTime', 'username'] }],
  [{ 'x-broadcast-outcome': 'accepted' }, { broadcast: { outcome: 'accepted' } }],
  [
    { 'x-broadcast-outcome': 'unknown', 'x-broadcast-code': 'bad-nonce', 'x-broadcast-retriable': 'true' },
    { broadcast: { outcome: 'unknown', code: 'bad-nonce' } },
  ],
  [
    { 'x-broadcast-outcome': 'unknown', 'x-broadcast-code': 'bad-nonce', 'x-broadcast-retriable': 'false' },
    { broadcast: { outcome: 'unknown', code: 'bad-nonce', nonceIsUsed: true } },
  ],
])('of the headers %j the log line keeps %j', (headers, summary) => {
  expect(summariseHeaders(headers)).toEqual(summary)
})
