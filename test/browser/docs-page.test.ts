// The docs page as a reader sees and uses it, and the service as pages of other origins do.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { endpoints } from '../../shared/endpoints/all.ts'
import { broadcastTransaction } from '../../shared/endpoints/broadcast-transaction.ts'
import { getBlocks } from '../../shared/endpoints/get-blocks.ts'
import { type RunningService, runService, signPayment, wallet } from '../end-to-end/running-service.ts'
import { launchChromium } from './chromium.ts'
import { goTo, newPage, type OpenPage, openDocs, tryOut } from './docs-page.ts'

/** To the browser a host like any other: some scripts behave differently on `localhost` and `127.0.0.1`. */
const hostName = 'docs.example'

/** The digits of every amount that is too large for a number of JavaScript. */
const supplies = (json: string): readonly string[] =>
  Array.from(json.matchAll(/"totalCurrency": *(\d+)/g), ([, digits = '']) => digits)

/** Ends as a JSON object does that the viewer has laid out. */
const isWhole = (text: string): boolean => /^\}$/m.test(text)

/** As a cache names it. */
const age = '7'

const launched = await launchChromium(hostName)

;(launched === undefined ? describe.skip : describe)('in a browser', () => {
  const browser = launched as Browser
  let service: RunningService
  let origin: string

  beforeAll(async () => {
    service = await runService()
    service.addedHeaders = { age }
    origin = `http://${hostName}:${new URL(service.url).port}`
  })
  afterAll(() => browser.close())

  describe('the docs page', () => {
    let docs: OpenPage
    beforeAll(async () => {
      docs = await openDocs(browser, origin)
    })

    test('describes every operation', async () => {
      for (const endpoint of endpoints) await goTo(docs.page, endpoint)
    })

    test('offers nothing of other hosts but a link to the maker of the viewer', async () => {
      const outward = await docs.page
        .locator('[href^="http"], [src^="http"], [action]')
        .evaluateAll((elements) => elements.map((element) => element.getAttribute('href')))
      expect(outward).toEqual(['https://www.scalar.com'])
      const offers = docs.page.getByRole('button', { name: /\b(?:AI|MCP|Client|Developer Tools|Share|Deploy)\b/ })
      expect(await offers.allInnerTexts()).toEqual([])
    })

    test('shows the answer to a tried GET /blocks digit for digit', async () => {
      const answer = await fetch(`${service.url}/blocks`)
      const received = supplies(await answer.text())
      const hasAll = (text: string) => supplies(text).length === received.length
      const { status, body } = await tryOut(docs.page, getBlocks, hasAll)
      expect(status).toBe('200 OK')
      expect(supplies(body)).toEqual(received)
      expect(received.map(Number).filter(Number.isSafeInteger)).toEqual([])
      expect(received).toHaveLength(3)
    })

    test('broadcasts a signed payment', async () => {
      const { chain } = service
      const payment = signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'))
      const { status, body } = await tryOut(docs.page, broadcastTransaction, isWhole, JSON.stringify(payment))
      expect(status).toBe('201 Created')
      expect(JSON.parse(body)).toMatchObject({ result: { payment: { from: payment.publicKey, amount: '1500000000' } } })
      expect(chain.pool()).toHaveLength(1)
    })

    test('has asked its own origin only, for all that, and has tried nothing that its policy refuses', async () => {
      expect(docs.requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])
      expect(docs.requested.map((url) => url.slice(origin.length))).toEqual([
        '/docs',
        expect.stringMatching(/^\/docs\/page-[0-9a-f]{16}\.js$/),
        expect.stringMatching(/^\/docs\/viewer-[0-9a-f]{16}\.js$/),
        '/openapi.json',
        // The viewer fills in the defaults of the description.
        '/blocks?limit=1',
        '/broadcast/transaction',
      ])
      expect(await docs.violations()).toEqual([])
    })
  })

  test('under the address of the machine itself the page asks nothing else, and breaks no policy either', async () => {
    const own = service.url
    const { page, requested, violations } = await openDocs(browser, own)
    for (const endpoint of endpoints) await goTo(page, endpoint)
    expect(requested.filter((url) => !url.startsWith(`${own}/`))).toEqual([])
    expect(requested).toHaveLength(4)
    expect(await violations()).toEqual([])
  })

  test('without the viewer the page is still readable by everybody, and leads to the description', async () => {
    const { page } = await newPage(browser)
    await page.route('**/docs/viewer-*', (route) => route.abort())
    await page.goto(`${origin}/docs`)
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run()')
    expect(violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes.map((node) => node.html) }))).toEqual(
      [],
    )
    await page.getByRole('link', { name: 'openapi.json' }).click()
    expect(await page.locator('body').innerText()).toMatch(/^\{"openapi":"3\.1\.\d"/)
  })

  describe('a page of another origin', () => {
    let page: Page
    beforeAll(async () => {
      ;({ page } = await newPage(browser))
      // A document without a policy that would keep it from asking.
      await page.goto(`${origin}/summary`)
    })

    const read = (path: string, body?: string) =>
      page.evaluate(
        async ({ url, body, names }) => {
          const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: body ?? '' }
          const answer = await fetch(url, body === undefined ? {} : json)
          const headers = Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]))
          return { status: answer.status, headers, body: await answer.json() }
        },
        {
          url: service.url + path,
          body,
          names: ['age', 'date', 'etag', 'apigw-requestid', 'x-chain-height', 'x-broadcast-outcome'],
        },
      )

    const trace = { age, date: expect.stringMatching(/ GMT$/), 'apigw-requestid': expect.stringMatching(/^[\w-]+$/) }
    const bare = { ...trace, etag: null, 'x-chain-height': null, 'x-broadcast-outcome': null }
    const etag = expect.stringMatching(/^W\/"/)

    test('reads blocks with their tag and tip, the description, errors, and why a broadcast was refused', async () => {
      const { height, stateHash } = service.chain.tip()
      expect([
        await read('/blocks'),
        await read('/openapi.json'),
        await read('/blocks?limit=x'),
        await read('/blocks/x'),
        await read('/nothing'),
        await read('/broadcast/transaction', '{}'),
      ]).toMatchObject([
        {
          status: 200,
          headers: { ...bare, etag, 'x-chain-height': String(height) },
          body: { blocks: [{ stateHash }] },
        },
        { status: 200, headers: { ...bare, etag }, body: { servers: [{ url: '/' }] } },
        { status: 400, headers: bare, body: { message: expect.stringContaining('limit') } },
        { status: 404, headers: bare, body: { message: expect.any(String) } },
        { status: 404, headers: bare, body: { message: 'Not Found' } },
        { status: 400, headers: { ...bare, 'x-broadcast-outcome': 'refused' } },
      ])
    })
  })
})
