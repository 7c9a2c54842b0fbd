// The table of the locked supply inside the summary's bundle, built with the stack's settings and called as Lambda calls it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { build } from 'esbuild'
import type { Handler } from '../../functions/runtime/serve.ts'
import { buildConstants, esbuildOptions } from '../../infra/bundling.ts'
import { createChain } from '../../local/chain/chain.ts'
import { nodeServer } from '../../local/chain/node-server.ts'
import { type Listening, listen } from '../../local/start/listen.ts'
import { fileNameOf } from '../../shared/deployment-names.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { getSummary } from '../../shared/endpoints/get-summary.ts'
import { minaDecimal } from '../../shared/mapping/units.ts'
import { httpEvent, lambdaContext } from '../functions/event.ts'

const chain = createChain({ seed: 'locked supply', now: () => Date.UTC(2026, 0, 1), network: 'testnet' })
const { slot, totalCurrency } = chain.tip()
const table = `slot,locked\r\n0,1.5\r\n${slot},7.000000001\r\n${slot + 1},9\r\n`

/** 12,000 bytes in short lines, whose ends take the most room in code. */
const largestTable = `slot,locked\r\n${Array.from({ length: 1331 }, (_, index) => `${10_000 + index},0\r\n`).join('')}`

const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-locked-supply-'))
let node: Listening
beforeAll(async () => {
  node = await listen(nodeServer(chain), 0, '127.0.0.1')
  process.env.NODE_GRAPHQL_URL = `http://127.0.0.1:${node.port}/graphql`
})
afterAll(async () => {
  await node.close()
  rmSync(folder, { recursive: true })
})

/** The code of an endpoint's function. */
async function built({ name }: Pick<Endpoint, 'name'>, lockedSupplyTable: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    ...esbuildOptions,
    define: buildConstants(lockedSupplyTable),
    entryPoints: [`functions/${fileNameOf(name)}.ts`],
    outfile: 'index.mjs',
    write: false,
  })
  return outputFiles.find(({ path }) => path.endsWith('index.mjs'))?.contents ?? new Uint8Array()
}

/** What a function's code answers about the supply. */
async function supplyFrom(name: string, code: Uint8Array): Promise<object> {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, code)
  const { handler }: { handler: Handler } = await import(pathToFileURL(path).href)
  const log = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { body } = await handler(httpEvent({ path: '/summary' }), lambdaContext())
  log.mockRestore()
  const { totalCurrency, lockedSupply, circulatingSupply } = JSON.parse(body ?? '')
  return { totalCurrency, lockedSupply, circulatingSupply }
}

describe('the bundle of the summary', () => {
  test('counts by the table that the settings name', async () => {
    expect(await supplyFrom('with-table', await built(getSummary, table))).toEqual({
      totalCurrency: minaDecimal(totalCurrency),
      lockedSupply: '7.000000001',
      circulatingSupply: minaDecimal(totalCurrency - 7_000_000_001n),
    })
  })

  test('counts nothing as locked where the settings name no table', async () => {
    expect(await supplyFrom('without-table', await built(getSummary, ''))).toEqual({
      totalCurrency: minaDecimal(totalCurrency),
      lockedSupply: '0.000000000',
      circulatingSupply: minaDecimal(totalCurrency),
    })
  })

  test('has at most 45000 bytes with the largest table that the settings take', async () => {
    const { byteLength } = await built(getSummary, largestTable)
    expect(byteLength).toBeGreaterThan(largestTable.length)
    expect(byteLength).toBeLessThanOrEqual(45_000)
  })
})

describe.each(endpoints.filter(({ name }) => name !== 'getSummary'))('the bundle of $name', (endpoint) => {
  test('is the same with and without a table', async () => {
    expect(await built(endpoint, table)).toEqual(await built(endpoint, ''))
  })
})
