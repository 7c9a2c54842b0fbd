// The six bundles as the stack builds them, called as Lambda calls them, against the embedded chain.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { build } from 'esbuild'
import type { Handler } from '../../functions/runtime/serve.ts'
import { buildConstants, esbuildOptions } from '../../infra/api/bundling.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { fileNameOf } from '../../shared/http/routes.ts'
import { minaDecimal } from '../../shared/mapping/units.ts'
import { httpEvent, lambdaContext } from '../functions/event.ts'
import { type RunningService, runService, signDelegation, signPayment, wallet } from './running-service.ts'

let service: RunningService
let folder: string
const handlers = new Map<string, Handler>()

const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)

beforeAll(async () => {
  service = await runService()
  folder = await mkdtemp(join(tmpdir(), 'bundles-'))
  process.env.NODE_GRAPHQL_URL = service.nodeUrl
  process.env.UPSTREAM_TIMEOUT_MS = '2000'
  for (const { name } of endpoints) handlers.set(name, await bundled(name))
})

beforeEach(() => {
  stdout.mockClear()
})

afterAll(async () => {
  stdout.mockRestore()
  await service.close()
  await rm(folder, { recursive: true })
})

/** The handler of an endpoint's bundle. */
async function bundled(name: string, lockedSupplyTable = ''): Promise<Handler> {
  const outfile = join(folder, `${name}${lockedSupplyTable.length}.mjs`)
  const define = buildConstants(lockedSupplyTable)
  await build({ ...esbuildOptions, define, entryPoints: [`functions/${fileNameOf(name)}.ts`], outfile })
  const { handler } = await import(pathToFileURL(outfile).href)
  return handler
}

/** The one line that the latest request has logged. */
const latestLine = () => JSON.parse(String(stdout.mock.calls.at(-1)?.[0]))

const invoke = async (name: string, event: Parameters<typeof httpEvent>[0]) => {
  const result = await handlers.get(name)?.(httpEvent(event), lambdaContext())
  return { status: result?.statusCode, body: JSON.parse(result?.body ?? 'null') }
}

test('the four GETs answer from the chain', async () => {
  const { stateHash, height } = service.chain.tip()
  const { publicKey } = wallet(service.chain, 'alice')
  expect(await invoke('getBlocks', { path: '/blocks', query: { limit: '2' } })).toMatchObject({
    status: 200,
    body: { blocks: [{ stateHash }, { blockHeight: height - 1 }] },
  })
  expect(await invoke('getBlock', { pathParameters: { state_hash: stateHash } })).toMatchObject({
    status: 200,
    body: { block: { stateHash } },
  })
  expect(await invoke('getAccount', { pathParameters: { public_key: publicKey } })).toMatchObject({
    status: 200,
    body: { account: { publicKey } },
  })
  expect(await invoke('getSummary', { path: '/summary' })).toMatchObject({ status: 200, body: { stateHash } })
  expect(stdout).toHaveBeenCalledTimes(4)
  expect(latestLine()).toMatchObject({ endpoint: 'getSummary', status: 200, upstream: [{ outcome: 200 }] })
})

test('the two POSTs broadcast, from plain and from base64 bodies', async () => {
  const { chain } = service
  const payment = JSON.stringify(signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob')))
  const delegation = JSON.stringify(signDelegation(chain, wallet(chain, 'carol'), wallet(chain, 'dave')))
  expect(await invoke('broadcastTransaction', { method: 'POST', body: payment })).toMatchObject({ status: 201 })
  const encoded = { body: Buffer.from(delegation).toString('base64'), isBase64Encoded: true }
  expect(await invoke('broadcastDelegation', { method: 'POST', ...encoded })).toMatchObject({ status: 201 })
  expect(chain.pool()).toHaveLength(2)
})

test('input is checked by the validator inside the bundle', async () => {
  expect(await invoke('getBlocks', { query: { limit: 'x' } })).toMatchObject({ status: 400 })
  expect(await invoke('broadcastTransaction', { method: 'POST', body: '{}' })).toEqual({
    status: 400,
    body: {
      message: 'Error in sending transaction',
      error: expect.stringMatching(
        /^\/publicKey is missing; \/signature is missing; \/payload is missing; body must be \{"publicKey"/,
      ),
    },
  })
})

describe('the bundle of the summary', () => {
  test('counts nothing as locked where it was built without a table', async () => {
    const { totalCurrency } = service.chain.tip()
    expect(await invoke('getSummary', { path: '/summary' })).toMatchObject({
      body: {
        totalCurrency: minaDecimal(totalCurrency),
        lockedSupply: '0.000000000',
        circulatingSupply: minaDecimal(totalCurrency),
      },
    })
  })

  test('counts by the table that it was built with', async () => {
    const { slot, totalCurrency } = service.chain.tip()
    const handler = await bundled('getSummary', `slot,locked\r\n0,1.5\r\n${slot},7.000000001\r\n${slot + 1},9\r\n`)
    const { body = '' } = await handler(httpEvent({ path: '/summary' }), lambdaContext())
    expect(JSON.parse(body)).toMatchObject({
      totalCurrency: minaDecimal(totalCurrency),
      lockedSupply: '7.000000001',
      circulatingSupply: minaDecimal(totalCurrency - 7_000_000_001n),
    })
  })
})
