// The client as its package has it, in a page of another origin than the service's.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { transform } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import type * as module from '../../client/src/client.ts'
import { expectedNow, paymentsOf, producing } from '../client/consumer.ts'
import { installClient } from '../client/installed.ts'
import { type RunningService, runService } from '../end-to-end/running-service.ts'
import { type Served, serve, untilFileEnds } from '../serving.ts'
import { launchChromium } from './chromium.ts'
import { newPage } from './docs-page.ts'

// npm and a browser run here, perhaps on a busy machine.
jest.setTimeout(300_000)

const hostName = 'service.example'

/** The module that `import` gives in the page. */
declare const imported: (name: string) => Promise<typeof module>

/** As a cache names it. */
const age = '7'

const launched = await launchChromium(hostName)

;(launched === undefined ? describe.skip : describe)('the client in a browser', () => {
  const browser = launched as Browser
  let service: RunningService
  let site: Served
  let page: Page
  beforeAll(async () => {
    const source = readFileSync(join(import.meta.dirname, '../client/consumer.ts.txt'), 'utf8')
    const program = await transform(source, { loader: 'ts' })
    const installed = await installClient()
    service = await runService()
    service.addedHeaders = { age }
    const readme = readFileSync(join(installed.folder, 'node_modules/chain-explorer-client/README.md'), 'utf8')
    const [, example = ''] = /^```html\n([\s\S]*?)^```$/m.exec(readme) ?? []
    const [map = ''] = /<script type="importmap">[\s\S]*?<\/script>/.exec(example) ?? []
    const pages: Readonly<Record<string, string>> = {
      '/page': map,
      '/example': example.replace('http://127.0.0.1:8080', serviceUrl()),
      '/program.js': program.code,
    }
    site = await serve(({ url = '/' }, response) => {
      response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html')
      response.end(pages[url] ?? readFileSync(join(installed.folder, url), 'utf8'))
    }, untilFileEnds)
  })
  beforeEach(async () => {
    ;({ page } = await newPage(browser))
    await page.goto(`${site.url}/page`)
    await page.evaluate('globalThis.imported = (name) => import(name)')
  })
  afterAll(() => browser.close())

  const serviceUrl = () => `http://${hostName}:${new URL(service.url).port}`

  test('reads, sends and waits as under Node', async () => {
    const expected = expectedNow(service.chain)
    const [signed, forged] = paymentsOf(service.chain, 'alice')
    const stop = producing(service.chain)
    const found = await page
      .evaluate(
        async ({ url, signed, forged }) => {
          const { run } = (await imported('/program.js')) as unknown as { run(...given: unknown[]): Promise<object> }
          return run(url, signed, forged)
        },
        { url: serviceUrl(), signed, forged },
      )
      .finally(stop)
    expect(found).toEqual({ ...expected, sent: expect.stringMatching(/^accepted 5J\w+ 1500000001$/) })
  })

  test('reads every header that it needs, and gets 304 while the tip is the same', async () => {
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().startsWith(serviceUrl())) statuses.push(response.status())
    })
    const { height, stateHash, date } = service.chain.tip()
    const found = await page.evaluate(async (baseUrl) => {
      const { createClient, ServiceError } = await imported('chain-explorer-client')
      const client = createClient({ baseUrl })
      const first = await client.summary()
      const second = await client.summary()
      const error = await client.block('3Nnone').catch((thrown: unknown) => thrown)
      const failure = error instanceof ServiceError ? [error.status, error.message, typeof error.requestId] : []
      return { first, second, failure }
    }, serviceUrl())
    expect(found.first.chain).toEqual({ height, stateHash, time: new Date(date).toISOString(), nodeSync: 'SYNCED' })
    expect(found.first.ageMs).toBeGreaterThanOrEqual(Number(age) * 1000)
    expect(found.second.value).toEqual(found.first.value)
    expect(found.failure).toEqual([404, 'No blocks found for that state hash.', 'string'])
    expect(statuses.filter((status) => status !== 204)).toEqual([200, 304, 404])
  })

  test('reads on a page whose scripts add headers for tracing, for errors and against caches', async () => {
    const found = await page.evaluate(async (baseUrl) => {
      const headers = {
        baggage: 'sentry-environment=production',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'x-datadog-trace-id': '1',
        'x-requested-with': 'XMLHttpRequest',
        'cache-control': 'no-cache',
        authorization: 'Bearer x',
      }
      const statuses = ['/summary', '/blocks?limit=2'].map(
        async (path) => (await fetch(baseUrl + path, { headers })).status,
      )
      return Promise.all(statuses)
    }, serviceUrl())
    expect(found).toEqual([200, 200])
  })

  test('shows every digit in the page of its README', async () => {
    const { height, totalCurrency } = service.chain.tip()
    await page.goto(`${site.url}/example`)
    await page.waitForFunction("document.querySelector('p').textContent !== ''")
    expect(await page.textContent('p')).toBe(`Block ${height}: ${totalCurrency} nanomina, to the last digit`)
  })
})
