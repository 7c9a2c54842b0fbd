// The client as its package has it, in a page of another origin than the service's.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { transform } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import type * as module from '../../client/src/client.ts'
import { expectedNow, paymentsOf, producing } from '../client/consumer.ts'
import { installClient } from '../client/installed.ts'
import { gatewayOver, now, type RunningService, runService } from '../end-to-end/running-service.ts'
import { type Served, serve, untilFileEnds, untilTestEnds } from '../serving.ts'
import { launchChromium } from './chromium.ts'
import { newPage } from './docs-page.ts'

// npm and a browser run here, perhaps on a busy machine.
jest.setTimeout(300_000)

const hostName = 'service.example'

/** The module that `import` gives in the page. */
declare const imported: (name: string) => Promise<typeof module>
declare const produceBlock: () => Promise<void>

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

  test('reads every header that it needs, without a preflight', async () => {
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
    // A 304 is the browser's own: the page has a 200.
    expect(statuses).toEqual([200, 200, 404])
  })

  test.each(['client', 'light'])(
    'asks eight times with the tag of the browser’s copy, without a preflight, and has the labels of each 304: %s',
    async (entry) => {
      const seen: { readonly asked: string; readonly height: unknown; readonly ageMs: number }[] = []
      const answer = await gatewayOver({ NODE_GRAPHQL_URL: service.nodeUrl })
      const counting = await serve((request, response) => {
        const date = new Date(now + 3_600_000 + seen.length * 1000)
        // As from a shared cache, which names no age where it has just asked.
        const secondsKept = seen.length % 2 === 0 ? 7 + seen.length : 0
        response.setHeader('date', date.toUTCString())
        if (secondsKept > 0) response.setHeader('age', secondsKept)
        response.on('finish', () => {
          const height = Number(response.getHeader('x-chain-height'))
          const madeAt = Date.parse(String(response.getHeader('x-chain-time')))
          const ageMs = date.getTime() + secondsKept * 1000 - madeAt
          seen.push({ asked: `${request.method} ${response.statusCode}`, height, ageMs })
        })
        return answer(request, response)
      }, untilTestEnds)
      await page.exposeFunction('produceBlock', () => void service.chain.produceBlock())
      const old = service.chain.bestChain().at(-20)?.stateHash ?? ''
      const baseUrl = `http://${hostName}:${new URL(counting.url).port}`
      const found = await page.evaluate(
        async ([path, baseUrl, old]) => {
          const { createClient, createLightClient } = await imported(path)
          const client = (createClient ?? createLightClient)({ baseUrl })
          const labels = []
          for (let asked = 0; asked < 9; asked++) {
            const { chain, ageMs } = await client.block(old)
            labels.push({ height: chain?.height, ageMs })
            await produceBlock()
          }
          return labels
        },
        [`/node_modules/chain-explorer-client/dist/${entry}.js`, baseUrl, old] as const,
      )
      expect(seen.map(({ asked }) => asked)).toEqual(['GET 200', ...Array.from({ length: 8 }, () => 'GET 304')])
      expect(found).toEqual(seen.map(({ height, ageMs }) => ({ height, ageMs })))
    },
  )

  test('watches the tip without a preflight, and asks as outside a browser where its cache fails', async () => {
    const asked: string[] = []
    const answer = await gatewayOver({ NODE_GRAPHQL_URL: service.nodeUrl })
    const counting = await serve((request, response) => {
      response.on('finish', () => asked.push(`${request.method} ${response.statusCode}`))
      return answer(request, response)
    }, untilTestEnds)
    const baseUrl = `http://${hostName}:${new URL(counting.url).port}`
    const height = await page.evaluate(async (baseUrl) => {
      const { createClient } = await imported('chain-explorer-client')
      const controller = new AbortController()
      let left = 8
      const wait = async () => {
        if (--left === 0) controller.abort()
      }
      const client = createClient({ baseUrl, clock: { now: () => 0, random: () => 0, wait } })
      await client.watchTip(() => undefined, { signal: controller.signal })
      const { fetch } = globalThis
      globalThis.fetch = (url, init) =>
        init?.cache === 'no-cache' ? Promise.reject(new TypeError('Failed to fetch')) : fetch(url, init)
      const tip = await client.summary()
      globalThis.fetch = fetch
      return tip.chain?.height
    }, baseUrl)
    expect(height).toBe(service.chain.tip().height)
    expect(asked).toEqual(['GET 200', ...Array.from({ length: 7 }, () => 'GET 304'), 'OPTIONS 204', 'GET 304'])
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
