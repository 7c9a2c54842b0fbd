// Keys of upstreams, where a gateway before a node or an indexer repeats a request's headers in its answers.
import type { IncomingMessage, RequestListener } from 'node:http'
import { afterEach, expect, jest, test } from '@jest/globals'
import type { RequestLine } from '../../functions/runtime/log.ts'
import { serve as serveEndpoint } from '../../functions/runtime/serve.ts'
import { portsOf } from '../../functions/runtime/upstreams/upstreams.ts'
import schema from '../../functions/runtime/validators/get-summary.js'
import { defaultSettings } from '../../shared/deployment/stage-settings.ts'
import { getSummary } from '../../shared/endpoints/get-summary.ts'
import { httpEvent, lambdaContext } from '../functions/event.ts'
import { serve } from '../serving.ts'
import { gatewayOver, runService, signPayment, wallet } from './running-service.ts'

const { chain } = await runService()
afterEach(() => {
  jest.restoreAllMocks()
})

const headers = { 'x-api-key': 'k3y"of\\node', authorization: 'Bearer t0ken-of-the-node' }
/** Long enough to be cut in the middle of a key, wherever a text is cut. */
const paddings = [0, 280, 1985]

/** The message of a gateway that repeats the headers: as they came, in parts, and as JSON. */
const repeated = ({ headers: received }: IncomingMessage): string =>
  [
    ...['x-api-key', 'authorization'].map((name) => received[name]),
    String(received.authorization).split(' ')[1],
    JSON.stringify(received),
    encodeURIComponent(String(received['x-api-key'])),
  ].join(' | ')

const json = (status: number, body: object) => ({ status, body: JSON.stringify(body) })
type Echo = (words: string) => { status: number; body: string; coding?: string }

const echoes: readonly (readonly [string, Echo])[] = [
  ['an error of HTTP 200', (message) => json(200, { errors: [{ message }] })],
  ['an error of HTTP 400', (message) => json(400, { errors: [{ message }] })],
  ['an error of HTTP 503', (message) => json(503, { errors: [{ message }] })],
  ['an error beside null', (message) => json(200, { data: null, errors: [{ message }] })],
  [
    'the reasons of a Rust node',
    (message) => json(200, { errors: [{ message: 'x', extensions: [{ message }, message] }] }),
  ],
  ['an error that is text', (message) => json(200, { errors: message })],
  ['a body that is not JSON', (message) => ({ status: 500, body: `<h1>${message}` })],
  ['the name of a content coding', () => ({ status: 200, body: '{}', coding: 'Bearer-t0ken-of-the-node' })],
]

const answering =
  (echo: Echo, padding: number): RequestListener =>
  (request, response) => {
    const { status, body, coding } = echo('p'.repeat(padding) + repeated(request))
    response.writeHead(status, coding === undefined ? {} : { 'content-encoding': coding }).end(body)
  }

/** Parts of the keys: a key that was cut is one, too. */
const secrets = /k3y"?of|t0ken-of|k3y(?:%22|\\)/

test.each(echoes)('no log line and no answer has a key of a node that repeats it in %s', async (_where, echo) => {
  const payment = JSON.stringify(signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob')))
  for (const padding of paddings) {
    const lines: RequestLine[] = []
    const { url } = await serve(answering(echo, padding))
    const environment = {
      NODE_GRAPHQL_URL: url,
      UPSTREAM_HEADERS: JSON.stringify(headers),
      INDEXER_GRAPHQL_URL: url,
      INDEXER_HEADERS: JSON.stringify(headers),
    }
    const service = await serve(await gatewayOver(environment, (line) => lines.push(line)))
    const reads = ['/summary', '/blocks', `/accounts/${wallet(chain, 'bob').publicKey}`]
    const answers = await Promise.all([
      ...reads.map((path) => fetch(service.url + path)),
      fetch(`${service.url}/broadcast/transaction`, { method: 'POST', body: payment }),
    ])
    const shown = await Promise.all(answers.map((answer) => answer.text()))
    expect(lines).toHaveLength(4)
    expect([...lines, ...shown].map((line) => secrets.exec(JSON.stringify(line))?.[0])).toEqual(
      Array(8).fill(undefined),
    )
  }
})

test('what else an upstream says of a failure is in the log', async () => {
  const lines: RequestLine[] = []
  const { url } = await serve(answering((words) => json(403, { errors: [{ message: `quota of ${words}` }] }), 0))
  const environment = { NODE_GRAPHQL_URL: url, UPSTREAM_HEADERS: JSON.stringify(headers) }
  const service = await serve(await gatewayOver(environment, (line) => lines.push(line)))
  await (await fetch(`${service.url}/summary`)).text()
  const reasons = lines.flatMap(({ upstream }) => upstream.map(({ reason }) => reason))
  expect(reasons.length).toBeGreaterThan(0)
  for (const reason of reasons)
    expect(reason).toMatch(/^(?:chainSummary|nodeNetwork): quota of … \| … \| … \| \{"user-agent":"chain-explorer/)
})

test('no log line has a key that is stored elsewhere, nor the one that it replaced', async () => {
  let now = Date.now()
  jest.spyOn(Date, 'now').mockImplementation(() => now)
  const keys = ['k3y-of-yesterday', 'k3y-of-today']
  const extension = await serve(
    (_request, response) => void response.end(JSON.stringify({ SecretString: keys.shift() })),
  )
  const node = await serve((request, response) => {
    const message = `refused: ${request.headers['x-api-key']}, k3y-of-yesterday before`
    response.writeHead(403).end(JSON.stringify({ errors: [{ message }] }))
  })
  const lines: RequestLine[] = []
  const settings = {
    node: { url: node.url, headers: {}, credential: { header: 'x-api-key', secret: 's' }, timeoutMs: 5000 },
    indexers: [],
    extension: { url: extension.url, token: 't' },
    ofEndpoints: defaultSettings,
  }
  const handler = serveEndpoint(getSummary, { ...portsOf(settings), schema, log: (line) => lines.push(line) })
  await handler(httpEvent({ path: '/summary' }), lambdaContext())
  now += 100_000
  await handler(httpEvent({ path: '/summary' }), lambdaContext())
  const reasons = lines.flatMap(({ upstream }) => upstream.map(({ reason }) => reason))
  expect(new Set(reasons)).toEqual(
    new Set(['chainSummary', 'nodeNetwork'].map((name) => `${name}: refused: …, … before`)),
  )
})
