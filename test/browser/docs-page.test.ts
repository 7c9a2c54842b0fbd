// The docs page as a reader sees and uses it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { snippetOf } from '../../functions/docs/browser/snippets.js'
import { endpoints } from '../../shared/endpoints/all.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { getBlocks } from '../../shared/endpoints/get-blocks.ts'
import { type RunningService, runService, startQuietService } from '../end-to-end/running-service.ts'
import { launchChromium } from './chromium.ts'
import { type OpenPage, openDocs, sectionOf, send } from './docs-page.ts'

/** To the browser a host like any other: some scripts behave differently on `localhost` and `127.0.0.1`. */
const hostName = 'docs.example'

const originOf = (url: string) => `http://${hostName}:${new URL(url).port}`

/** As a cache names it. */
const age = '7'

const reads = endpoints.filter(({ method }) => method === 'GET')
const broadcasts = endpoints.filter(({ method }) => method === 'POST')

/** The digits of every amount that is too large for a number of JavaScript. */
const supplies = (json: string): readonly string[] =>
  Array.from(json.matchAll(/"totalCurrency": *(\d+)/g), ([, digits = '']) => digits)

/** The lines of code that a reader cannot click in their middle, since something covers them. */
const coveredLines = `
  [...document.querySelectorAll('.code')].filter((line) => {
    line.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = line.getBoundingClientRect()
    return !line.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  }).map((line) => line.textContent)`

const launched = await launchChromium(hostName)

;(launched === undefined ? describe.skip : describe)('in a browser', () => {
  const browser = launched as Browser
  let service: RunningService
  let origin: string

  beforeAll(async () => {
    service = await runService()
    service.addedHeaders = { age }
    origin = originOf(service.url)
  })
  afterAll(() => browser.close())

  describe('the docs page of npm start', () => {
    let own: Awaited<ReturnType<typeof startQuietService>>
    let docs: OpenPage
    beforeAll(async () => {
      own = await startQuietService()
      docs = await openDocs(browser, originOf(own.url))
    })

    test('sends every request as it stands with success, and shows each answer digit for digit', async () => {
      const statuses: string[] = []
      const sendAsItStands = async (endpoint: Endpoint) => {
        const { status, body, received } = await send(docs.page, endpoint)
        statuses.push(`${endpoint.method} ${status}`)
        expect(JSON.stringify(JSON.parse(body))).toBe(JSON.stringify(JSON.parse(received)))
        expect(supplies(body)).toEqual(supplies(received))
      }
      for (const endpoint of reads) await sendAsItStands(endpoint)
      for (const endpoint of broadcasts) {
        const forms = sectionOf(docs.page, endpoint).getByRole('combobox', { name: 'Form' })
        for (const form of ['Raw signature', 'Mina signer', 'Contract']) {
          await forms.selectOption(form)
          await sendAsItStands(endpoint)
        }
      }
      const sent = broadcasts.flatMap(() => Array.from({ length: 3 }, () => 'POST 201 Created'))
      expect(statuses).toEqual([...reads.map(() => 'GET 200 OK'), ...sent])
      expect(own.chain.pool()).toHaveLength(broadcasts.length)
      const [first = ''] = supplies((await send(docs.page, getBlocks)).body)
      expect(Number.isSafeInteger(Number(first))).toBe(false)
    })

    test('shows the line that sends what the form says', async () => {
      const section = sectionOf(docs.page, getBlocks)
      await section.getByRole('textbox', { name: 'limit' }).fill('3')
      await section.getByText('Request headers').click()
      await section.getByRole('textbox', { name: 'if-none-match' }).fill('W/"it\'s"')
      const line = await section.getByRole('group', { name: 'Request GET /blocks' }).innerText()
      expect(line).toBe(`curl -sS -H 'if-none-match: W/"it'\\''s"' '${originOf(own.url)}/blocks?limit=3'`)
      await section.getByRole('combobox', { name: 'Language' }).selectOption('Python')
      expect(await section.getByRole('group', { name: 'Request GET /blocks' }).innerText()).toBe(
        snippetOf('Python', {
          method: 'GET',
          url: `${originOf(own.url)}/blocks?limit=3`,
          headers: { 'if-none-match': 'W/"it\'s"' },
        }),
      )
      const codes = await docs.page.locator('.code').allInnerTexts()
      expect(codes.map((code) => code.split('\n')[0])).toEqual(
        endpoints.map(() => 'from urllib.error import HTTPError'),
      )
    })

    test('has asked its own origin only, for all that, and has tried nothing that its policy refuses', async () => {
      const address = originOf(own.url)
      expect(docs.requested.filter((url) => !url.startsWith(`${address}/`))).toEqual([])
      expect(docs.requested.slice(0, 5).map((url) => url.slice(address.length))).toEqual([
        '/docs',
        expect.stringMatching(/^\/docs\/page-[0-9a-f]{16}\.css$/),
        expect.stringMatching(/^\/docs\/snippets-[0-9a-f]{16}\.js$/),
        expect.stringMatching(/^\/docs\/page-[0-9a-f]{16}\.js$/),
        '/blocks',
      ])
      expect(await docs.violations()).toEqual([])
    })

    test('finds a request by words of its path and title, from the keyboard alone', async () => {
      const { page } = await openDocs(browser, originOf(own.url))
      const menu = page.getByRole('navigation')
      const shown = async () => {
        const items = await menu.getByRole('listitem').allInnerTexts()
        return [await menu.getByRole('status').innerText(), ...items.map((item) => item.replace(/\s+/g, ' '))]
      }
      const all = await shown()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.type('tokens BALANCES')
      expect(await shown()).toEqual(['1 found', 'GET /accounts/{public_key}/tokens'])
      await page.keyboard.press('Enter')
      expect(new URL(page.url()).hash).toBe('#getAccountTokens')
      await page.getByRole('searchbox').fill('post pool')
      expect(await shown()).toEqual(['0 found'])
      await page.keyboard.press('Enter')
      expect(new URL(page.url()).hash).toBe('#getAccountTokens')
      await page.getByRole('searchbox').fill('state of nodes')
      expect(await shown()).toEqual(['1 found', 'GET /health'])
      await page.getByRole('searchbox').fill('')
      expect([await shown(), all.length]).toEqual([all, endpoints.length + 15])
      await page.close()
    })

    test.each([390, 1280])('shows the name of a schema above what a link to it opens, %i px wide', async (width) => {
      const { page } = await openDocs(browser, originOf(own.url), { viewport: { width, height: 800 } })
      const topOf = async (name: string) => {
        const summary = page.locator('summary', { has: page.getByText(name, { exact: true }) })
        await summary.click({ trial: true })
        return (await summary.boundingBox())?.y
      }
      const section = sectionOf(page, getBlocks)
      await section.getByText('Answers', { exact: true }).click()
      await section.getByRole('link', { name: 'BlocksResponse' }).click()
      expect(await topOf('BlocksResponse')).toBeCloseTo(10, -1)
      await page.getByRole('link', { name: 'Block', exact: true }).click()
      expect(await topOf('Block')).toBeCloseTo(10, -1)
      const address = page.url()
      await page.goto('about:blank')
      await page.goto(address, { waitUntil: 'networkidle' })
      expect(await topOf('Block')).toBeCloseTo(10, -1)
      await page.close()
    })

    // With parameters, answers and headers unfolded it was 39,431 px for 14 requests, 2,816 for each; now it is 1,046.
    test('is short on a telephone: at most 1,150 px for a request, and no schema until it is asked for', async () => {
      const { page } = await openDocs(browser, originOf(own.url), { viewport: { width: 390, height: 844 } })
      const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
      expect(Math.floor(height / endpoints.length)).toBeLessThan(1150)
      expect(await page.getByText('BlocksResponse').first().isVisible()).toBe(false)
      await page.close()
    })

    test.each<[string, BrowserContextOptions]>([
      ['light and wide', { colorScheme: 'light' }],
      ['dark and narrow', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
    ])('%s, shows a request with its answer first, in full width and readable by everybody', async (_, options) => {
      const { page } = await openDocs(browser, originOf(own.url), options)
      const { width = 0, height = 0 } = page.viewportSize() ?? {}
      const answer = await page.locator('.answer').first().boundingBox()
      // Its first lines are on the first screen.
      expect(answer?.y).toBeLessThan(height - 40)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })')
      expect(violations.map(({ id, nodes }) => ({ id, html: nodes.map((node) => node.html) }))).toEqual([])
      expect(await page.evaluate(coveredLines)).toEqual([])
      await page.close()
    })
  })

  describe('the docs page of a deployment', () => {
    test('sends reads of what the chain has, and shows broadcasts without sending them', async () => {
      const { page } = await openDocs(browser, origin)
      const statuses: string[] = []
      for (const endpoint of reads) statuses.push((await send(page, endpoint)).status)
      // This chain's tip is months old, and its health says so.
      const isHealth = ({ name }: Endpoint) => name === 'getHealth'
      expect(statuses).toEqual(reads.map((read) => (isHealth(read) ? '503 Service Unavailable' : '200 OK')))
      for (const endpoint of broadcasts) {
        const section = sectionOf(page, endpoint)
        expect(await section.getByRole('group', { name: `Request POST ${endpoint.path}` }).innerText()).toContain(
          `'${origin}${endpoint.path}'`,
        )
        expect(await section.getByRole('button').count()).toBe(0)
      }
    })

    test('leads to guides, which everybody can read on a telephone', async () => {
      const { page, violations } = await openDocs(browser, origin, { viewport: { width: 390, height: 844 } })
      for (const guide of ['Broadcasting', 'Recipes', 'Exchanges', 'Typed client']) {
        await page.getByRole('navigation').getByRole('link', { name: guide, exact: true }).click()
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(await page.title()).toBe(guide)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
        await page.evaluate(axe.source)
        const found = await page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })')
        expect(found.violations.map(({ id, nodes }) => ({ id, html: nodes.map((node) => node.html) }))).toEqual([])
        expect(await violations()).toEqual([])
      }
      await page.getByRole('link', { name: 'the codes' }).click()
      expect(await page.getByRole('heading', { name: 'Codes, and what to do' }).boundingBox()).toMatchObject({ x: 20 })
      expect(await page.title()).toBe('Broadcasting')
    })

    test('is readable without a script, and leads to the OpenAPI document', async () => {
      const { page } = await openDocs(browser, origin, { javaScriptEnabled: false })
      for (const endpoint of endpoints) await sectionOf(page, endpoint).getByText('curl -sS').waitFor()
      expect(await page.getByRole('button').count()).toBe(0)
      await page.getByRole('link', { name: 'openapi.json' }).click()
      expect(await page.locator('body').innerText()).toMatch(/^\{"openapi":"3\.1\.\d"/)
    })
  })
})
