// The bundles as the stack builds them, each in a cold process, as on Lambda.
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import { namedIn } from '../../packages/testnet/named.ts'
import { filledPath, heldValues, queryText } from '../../shared/contract/parameters.ts'
import { contracts, endpoints } from '../../shared/endpoints/all.ts'
import { minaDecimal } from '../../shared/mapping/amounts.ts'
import { xmlDocument } from '../functions/xml-document.ts'
import { buildFunctions } from './cold-instance.ts'
import { runService, signDelegation, signPayment, wallet } from './running-service.ts'

const service = await runService()
const { chain } = service
const table = `slot,locked\r\n0,1.5\r\n${chain.tip().slot},7.000000001\r\n${chain.tip().slot + 1},9\r\n`
const functions = await buildFunctions(endpoints.map(({ name }) => name))
const withTable = await buildFunctions(['getSummary'], table)

const names = ['fetch', 'Headers', 'Request', 'Response', 'FormData', 'WebSocket', 'EventSource', 'MessageEvent']

/** A global that loads the built-in fetch; minified code has no other name of more than three letters by itself. */
const globalName = new RegExp(
  `(?<![\\w.$"'\`-])(?:${names.join('|')})(?=[\\s.,;()[\\]{}?!&|=]|$)|globalThis\\.(?:${names.join('|')})\\b`,
)

const json = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const payment = signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'))
const delegation = signDelegation(chain, wallet(chain, 'carol'), wallet(chain, 'dave'))
const xml = { headers: { 'content-type': 'application/xml' }, body: xmlDocument(delegation) }

/** Bodies of the POSTs, with the status of each. */
const bodies: Readonly<Record<string, readonly [{ headers: Record<string, string>; body: string }, number][]>> = {
  broadcastTransaction: [
    [json(payment), 201],
    [json({}), 400],
  ],
  broadcastDelegation: [
    [json(delegation), 201],
    [xml, 201],
    [{ ...xml, body: '<a/><b/>' }, 400],
  ],
}

/** The chain of this file stands still, and the clock does not: its health is down, and its age grows. */
const isDown = (name: string): boolean => name === 'getHealth'

const withoutAge = (body: string): string => body.replaceAll(/"(?:tipAgeSlots|ageSeconds)":\d+/g, '')

describe.each(endpoints)('the bundle of $name', ({ name, method, path }) => {
  const pathParameters = heldValues(namedIn(chain))
  const address = filledPath(path, pathParameters)
  const reads = Object.entries(contracts[name].samples)
    .filter(([status]) => status !== '404')
    .map(([status, { query = {} }]) => {
      const texts = Object.entries(query).map(([key, value]) => [key, String(value)])
      return [{ query: Object.fromEntries(texts) }, isDown(name) && status === '200' ? 503 : Number(status)] as const
    })
  const requests = method === 'GET' ? reads : (bodies[name] ?? [])
  const event = { method, path: address, pathParameters }

  test('answers as the gateway does, logs a line for each request, and does not load the built-in fetch', async () => {
    const env = { NODE_GRAPHQL_URL: service.nodeUrl, UPSTREAM_HEADERS: '{"x-api-key":"k"}' }
    const instance = await functions.start(name, env)
    for (const [request, status] of requests) {
      const { query, ...init } = { query: undefined, ...request }
      const overHttp = await fetch(service.url + address + queryText(query), { method, ...init })
      const expected = { status, body: withoutAge(await overHttp.text()) }
      const given = await instance.ask({ ...event, ...request })
      expect({ ...given, body: withoutAge(given.body) }).toMatchObject({ ...expected, fetchModules: [] })
      expect([overHttp.status, Object.fromEntries(overHttp.headers)]).toMatchObject([status, given.headers])
    }
    const lines = requests.map(([, status]) => ({ endpoint: name, status }))
    expect(await instance.end()).toMatchObject(lines)
  })

  test('names no global of the built-in fetch', async () => {
    expect(globalName.exec(await readFile(functions.fileOf(name), 'utf8'))).toBeNull()
  })
})

test('a bundle loads no built-in fetch for a node over TLS', async () => {
  const env = { NODE_GRAPHQL_URL: 'https://127.0.0.1:9/graphql', UPSTREAM_TIMEOUT_MS: '20000' }
  const instance = await functions.start('getSummary', env)
  const { status, fetchModules } = await instance.ask({ path: '/summary' })
  await instance.end()
  expect([status, fetchModules]).toEqual([502, []])
})

test('a broadcast body may reach a bundle in base64', async () => {
  const instance = await functions.start('broadcastDelegation', { NODE_GRAPHQL_URL: service.nodeUrl })
  const encoded = { body: Buffer.from(xml.body).toString('base64'), isBase64Encoded: true }
  const { status } = await instance.ask({ method: 'POST', ...xml, ...encoded })
  await instance.end()
  expect(status).toBe(201)
})

test('the bundle of the summary counts by the table of locked supply that it was built with', async () => {
  const instance = await withTable.start('getSummary', { NODE_GRAPHQL_URL: service.nodeUrl })
  const { body } = await instance.ask({ path: '/summary' })
  await instance.end()
  const { totalCurrency } = chain.tip()
  expect(JSON.parse(body)).toMatchObject({
    totalCurrency: minaDecimal(totalCurrency),
    lockedSupply: '7.000000001',
    circulatingSupply: minaDecimal(totalCurrency - 7_000_000_001n),
  })
})
