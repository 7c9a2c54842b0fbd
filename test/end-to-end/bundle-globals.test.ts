// What the bundles must not load: the built-in fetch with all that belongs to it, which takes longer than the rest of a
// cold start. Each bundle runs in a process of its own, as on Lambda, and answers once over a real connection.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { buildConstants, esbuildOptions } from '../../infra/api/bundling.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { fileNameOf } from '../../shared/http/routes.ts'
import { httpEvent } from '../functions/event.ts'
import { type RunningService, runService, signDelegation, signPayment, wallet } from './running-service.ts'

const globals = ['fetch', 'Headers', 'Request', 'Response', 'FormData', 'WebSocket', 'EventSource', 'MessageEvent']

/** A name by itself or of the global object; minified code has no other name of more than three letters by itself. */
const globalName = new RegExp(
  `(?<![\\w.$"'\`-])(?:${globals.join('|')})(?=[\\s.,;()[\\]{}?!&|=]|$)|globalThis\\.(?:${globals.join('|')})\\b`,
  'g',
)

let service: RunningService
let folder: string

beforeAll(async () => {
  service = await runService()
  folder = await mkdtemp(join(tmpdir(), 'bundle-globals-'))
})

afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

/** A module that calls a bundle and prints what that took. */
const callerOf = (bundle: string, event: object) => `
  const { handler } = await import(${JSON.stringify(bundle)})
  const { statusCode } = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 20_000 })
  const loaded = process.moduleLoadList.filter((name) => name.includes('undici'))
  process.stdout.write('\\n' + JSON.stringify({ statusCode, loaded }))
  process.exit()
`

async function callInProcess(code: string, env: NodeJS.ProcessEnv = {}) {
  const words = ['--input-type=module', '--eval', code]
  const { stdout } = await promisify(execFile)(process.execPath, words, { env, timeout: 30_000 })
  return JSON.parse(stdout.split('\n').at(-1) ?? '')
}

function eventFor(name: string) {
  const { chain } = service
  const [alice, bob] = [wallet(chain, 'alice'), wallet(chain, 'bob')]
  const events: Record<string, Parameters<typeof httpEvent>[0]> = {
    getBlock: { pathParameters: { state_hash: chain.tip().stateHash } },
    getAccount: { pathParameters: { public_key: alice.publicKey } },
    broadcastTransaction: { method: 'POST', body: JSON.stringify(signPayment(chain, alice, bob)) },
    broadcastDelegation: { method: 'POST', body: JSON.stringify(signDelegation(chain, bob, alice)) },
  }
  return httpEvent(events[name] ?? {})
}

describe.each(endpoints)('the bundle of $name', ({ name, method }) => {
  let bundle: string

  beforeAll(async () => {
    bundle = join(folder, `${name}.mjs`)
    const entryPoints = [`functions/${fileNameOf(name)}.ts`]
    await build({ ...esbuildOptions, define: buildConstants(''), entryPoints, outfile: bundle })
  })

  test('names none of them', async () => {
    expect((await readFile(bundle, 'utf8')).match(globalName)).toBeNull()
  })

  test('answers without loading any, with headers in its settings', async () => {
    const env = { NODE_GRAPHQL_URL: service.nodeUrl, UPSTREAM_HEADERS: '{"x-api-key":"k"}' }
    expect(await callInProcess(callerOf(bundle, eventFor(name)), env)).toEqual({
      statusCode: method === 'POST' ? 201 : 200,
      loaded: [],
    })
  })

  test('loads none of them either for a node over TLS', async () => {
    const env = { NODE_GRAPHQL_URL: 'https://127.0.0.1:9/graphql', UPSTREAM_TIMEOUT_MS: '500' }
    const event = method === 'POST' ? httpEvent({ method, body: '{}' }) : eventFor(name)
    expect(await callInProcess(callerOf(bundle, event), env)).toEqual({
      statusCode: method === 'POST' ? 400 : 502,
      loaded: [],
    })
  })
})

describe('these tests', () => {
  test.each(['new Headers(a)', 'a instanceof Headers', 'a??fetch', 'a=globalThis.fetch', 'await fetch(a)'])(
    'see the global in %s',
    (code) => {
      expect(code.match(globalName)).toHaveLength(1)
    },
  )

  test.each(['{fetch:a}', 'a.fetch(b)', '"Response object"', 'prefetch(a)'])('see none in %s', (code) => {
    expect(code.match(globalName)).toBeNull()
  })

  test.each(['new Headers()', "await import('node:http')"])('see it load by %s', async (code) => {
    const printed =
      'process.stdout.write(JSON.stringify(process.moduleLoadList.some((name) => name.includes("undici/undici"))))'
    expect(await callInProcess(`${code}\n${printed}`)).toBe(true)
  })
})
