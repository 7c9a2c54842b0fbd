// The client as its package has it, in a page of another origin than the service's.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { transform } from 'esbuild'
import type { Page } from 'playwright-core'
import type * as module from '../../packages/client/src/client.ts'
import { expectedNow, paymentsOf, producing } from '../client/consumer.ts'
import { installClient } from '../client/installed.ts'
import { gatewayOver, now, type RunningService, runService } from '../end-to-end/running-service.ts'
import { type Served, serve, unservedUrl, untilFileEnds, untilTestEnds } from '../serving.ts'
import { newPage } from './docs-page.ts'
import { describeInBrowser } from './in-browser.ts'

// npm and a browser run here, perhaps on a busy machine.
jest.setTimeout(300_000)

const hostName = 'service.example'

/** The module that `import` gives in the page. */
declare const imported: (name: string) => Promise<typeof module>
declare const produceBlock: () => Promise<void>

/** As a cache names it. */
const age = '7'

await describeInBrowser(hostName, 'the client in a browser', (browser) => {
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

  interface Seen {
    readonly asked: string
    readonly key: unknown
    readonly labels: { readonly height: number; readonly ageMs: number; readonly missingFields: readonly string[] }
  }

  /** The service without an indexer to be reached, and what it answered; until the test ends. */
  async function countingService(): Promise<{ readonly baseUrl: string; readonly seen: readonly Seen[] }> {
    const seen: Seen[] = []
    const answer = await gatewayOver({ NODE_GRAPHQL_URL: service.nodeUrl, INDEXER_GRAPHQL_URL: unservedUrl })
    const counting = await serve((request, response) => {
      const date = new Date(now + 3_600_000 + seen.length * 1000)
      // As from a shared cache, which names no age where it has just asked.
      const secondsKept = seen.length % 2 === 0 ? 7 + seen.length : 0
      response.setHeader('date', date.toUTCString())
      if (secondsKept > 0) response.setHeader('age', secondsKept)
      response.on('finish', () => {
        const header = (name: string) => String(response.getHeader(name) ?? '')
        const ageMs = date.getTime() + secondsKept * 1000 - Date.parse(header('x-chain-time'))
        const missingFields = header('x-missing-fields').split(',').filter(Boolean)
        const labels = { height: Number(header('x-chain-height')), ageMs, missingFields }
        seen.push({ asked: `${request.method} ${response.statusCode}`, key: request.headers['x-key'], labels })
      })
      return answer(request, response)
    }, untilTestEnds)
    return { baseUrl: `http://${hostName}:${new URL(counting.url).port}`, seen }
  }

  const entryPath = (entry: string) => `/node_modules/chain-explorer-client/dist/${entry}.js`
  const times = (count: number, asked: string) => Array.from({ length: count }, () => asked)

  describe.each(['client', 'light'])('%s, from another origin', (entry) => {
    test('asks eight times with the tag of the browser’s copy, without a preflight, and has the labels of each 304', async () => {
      const { baseUrl, seen } = await countingService()
      await page.exposeFunction('produceBlock', () => void service.chain.produceBlock())
      const old = service.chain.bestChain().at(-20)?.stateHash ?? ''
      const found = await page.evaluate(
        async ([path, baseUrl, old]) => {
          const { createClient, createLightClient } = await imported(path)
          const client = (createClient ?? createLightClient)({ baseUrl })
          const labels = []
          for (let asked = 0; asked < 9; asked++) {
            const { chain, ageMs, missingFields } = await client.block(old)
            labels.push({ height: chain?.height, ageMs, missingFields })
            await produceBlock()
          }
          return labels
        },
        [entryPath(entry), baseUrl, old] as const,
      )
      expect(seen.map(({ asked }) => asked)).toEqual(['GET 200', ...times(8, 'GET 304')])
      expect(seen.at(-1)?.labels.missingFields).toEqual(['receivedTime'])
      expect(found).toEqual(seen.map(({ labels }) => labels))
    })

    test('watches the tip through eight 304s without a preflight, and hands a new one over with its labels', async () => {
      const { baseUrl, seen } = await countingService()
      await page.exposeFunction('produceBlock', () => void service.chain.produceBlock())
      const found = await page.evaluate(
        async ([path, baseUrl]) => {
          const { createClient, createLightClient } = await imported(path)
          const controller = new AbortController()
          let pauses = 0
          const wait = async () => {
            if (++pauses === 5) await produceBlock()
            if (pauses === 10) controller.abort()
          }
          const options = { baseUrl, clock: { now: () => 0, random: () => 0, wait } }
          const labels: unknown[] = []
          await (createClient ?? createLightClient)(options).watchTip(
            ({ chain, ageMs, missingFields }) => labels.push({ height: chain?.height, ageMs, missingFields }),
            { signal: controller.signal },
          )
          return labels
        },
        [entryPath(entry), baseUrl] as const,
      )
      const asked = ['GET 200', ...times(4, 'GET 304')]
      expect(seen.map((each) => each.asked)).toEqual([...asked, ...asked])
      expect(found).toEqual([seen[0]?.labels, seen[5]?.labels])
    })

    test('sends its own tag, and so a preflight, where its caller gives headers or a fetch, or the browser’s cache fails', async () => {
      const { baseUrl, seen } = await countingService()
      const statuses = async (kind: 'headers' | 'fetch' | 'cache') => {
        const before = seen.length
        await page.evaluate(
          async ([path, baseUrl, kind]) => {
            const { createClient, createLightClient } = await imported(path)
            const own = {
              headers: { headers: { 'x-key': 'mine' } },
              fetch: { fetch: fetch.bind(globalThis) as never },
              cache: {},
            }
            const { fetch: real } = globalThis
            if (kind === 'cache')
              globalThis.fetch = (url, init) =>
                init?.cache === 'no-cache' ? Promise.reject(new TypeError('Failed to fetch')) : real(url, init)
            const client = (createClient ?? createLightClient)({ baseUrl, ...own[kind] })
            await client.summary()
            await client.summary()
            globalThis.fetch = real
          },
          [entryPath(entry), baseUrl, kind] as const,
        )
        return seen.slice(before).map(({ asked, key }) => (key === undefined ? asked : `${asked}, x-key: ${key}`))
      }
      expect(await statuses('headers')).toEqual([
        ...['OPTIONS 204', 'GET 200, x-key: mine'],
        ...['OPTIONS 204', 'GET 304, x-key: mine'],
      ])
      expect(await statuses('fetch')).toEqual(['GET 200', 'OPTIONS 204', 'GET 304'])
      expect(await statuses('cache')).toEqual(['GET 200', 'OPTIONS 204', 'GET 304'])
    })
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
