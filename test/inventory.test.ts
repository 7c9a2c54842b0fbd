// The one literal list of what the service consists of. Every other test derives its lists from the code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { cacheControlOf } from '../shared/agreements/caching.ts'
import { fileNameOf, routeOf } from '../shared/agreements/names.ts'
import { broadcastCodes } from '../shared/contract/broadcast-codes.ts'
import { responses } from '../shared/contract/responses.ts'
import { endpoints } from '../shared/endpoints/all.ts'

const root = join(import.meta.dirname, '..')
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

const inventory = [
  ['broadcastTransaction', 'POST /broadcast/transaction', 'broadcast', '201 400'],
  ['broadcastDelegation', 'POST /broadcast/delegation', 'broadcast', '201 400'],
  ['getBlocks', 'GET /blocks', 'blocks', '200 400 500 502 503 504'],
  ['getBlock', 'GET /blocks/{state_hash}', 'blocks', '200 404 500 502 503 504'],
  ['getAccount', 'GET /accounts/{public_key}', 'accounts', '200 404 500 502 503 504'],
  ['getSummary', 'GET /summary', 'blockchain', '200 500 502 503 504'],
]

test('the service has these endpoints, in the order of the contract, with these statuses', () => {
  const found = endpoints.map((endpoint) => [
    endpoint.name,
    routeOf(endpoint),
    endpoint.tag,
    Object.keys(responses[endpoint.name]).join(' '),
  ])
  expect(found).toEqual(inventory)
})

test('each endpoint is a function, a validator and a file under its own name, and there are no others but the docs page', () => {
  const names = inventory.map(([name = '']) => fileNameOf(name)).sort()
  // The docs page is no endpoint of the contract.
  expect(filesIn('functions')).toEqual([...names, 'docs'].sort().map((name) => `${name}.ts`))
  expect(filesIn('functions/runtime/validators').filter((file) => file.endsWith('.js'))).toEqual(
    names.map((name) => `${name}.js`),
  )
  expect(filesIn('shared/endpoints').filter((file) => !['all.ts', 'endpoint.ts'].includes(file))).toEqual(
    names.map((name) => `${name}.ts`),
  )
})

test('caches may keep each kind of answer for so long', () => {
  const policies = endpoints.flatMap((endpoint) =>
    Object.entries(endpoint.caching).flatMap(([status, kinds]) =>
      Object.entries(kinds ?? {}).map(([kind, policy]) => [endpoint.name, status, kind, cacheControlOf(policy)]),
    ),
  )
  expect(policies).toEqual([
    ['getBlocks', '200', 'complete', 'public, max-age=5, stale-while-revalidate=10, stale-if-error=60'],
    ['getBlocks', '200', 'incomplete', 'public, max-age=1, stale-while-revalidate=10, stale-if-error=60'],
    ['getBlocks', '5xx', 'failure', 'public, max-age=1, stale-if-error=0'],
    ['getBlock', '200', 'recent', 'public, max-age=15, stale-while-revalidate=10, stale-if-error=60'],
    ['getBlock', '200', 'settled', 'public, max-age=60, stale-while-revalidate=10, stale-if-error=60'],
    ['getBlock', '200', 'deep', 'public, max-age=1800, stale-while-revalidate=10, stale-if-error=60'],
    ['getBlock', '200', 'final', 'public, max-age=86400, stale-while-revalidate=10, stale-if-error=60'],
    ['getBlock', '200', 'incomplete', 'public, max-age=1, stale-while-revalidate=10, stale-if-error=60'],
    ['getBlock', '404', 'missing', 'public, max-age=5, stale-if-error=0'],
    ['getBlock', '5xx', 'failure', 'public, max-age=1, stale-if-error=0'],
    ['getAccount', '200', 'complete', 'public, max-age=2, stale-if-error=0'],
    ['getAccount', '200', 'incomplete', 'public, max-age=1, stale-if-error=0'],
    ['getAccount', '404', 'missing', 'public, max-age=2, stale-if-error=0'],
    ['getAccount', '5xx', 'failure', 'public, max-age=1, stale-if-error=0'],
    ['getSummary', '200', 'complete', 'public, max-age=5, stale-while-revalidate=10, stale-if-error=60'],
    ['getSummary', '5xx', 'failure', 'public, max-age=1, stale-if-error=0'],
  ])
})

test('docs/broadcasting.md lists every code with its class', () => {
  const text = readFileSync(join(root, 'docs/broadcasting.md'), 'utf8')
  const documented = [...text.matchAll(/^\| `([a-z-]+)` \| (permanent|retriable|final) \|/gm)].map(
    ([, code = '', kind = '']) => [code, kind],
  )
  expect(Object.fromEntries(documented)).toEqual(broadcastCodes)
  expect(documented).toHaveLength(Object.keys(broadcastCodes).length)
})
