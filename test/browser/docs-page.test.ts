// The docs page as a reader uses it.
import { beforeAll, describe, expect, test } from '@jest/globals'
import axe from 'axe-core'
import { snippetOf } from '../../functions/docs/browser/snippets.js'
import { endpoints } from '../../shared/endpoints/all.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { getBlocks } from '../../shared/endpoints/get-blocks.ts'
import { type RunningService, runService, startQuietService } from '../end-to-end/running-service.ts'
import { hostName, type OpenPage, openDocs, originOf, sectionOf, send } from './docs-page.ts'
import { describeInBrowser } from './in-browser.ts'

/** As a cache names it. */
const age = '7'

const reads = endpoints.filter(({ method }) => method === 'GET')
const broadcasts = endpoints.filter(({ method }) => method === 'POST')

/** The digits of every amount that is too large for a number of JavaScript. */
const supplies = (json: string): readonly string[] =>
  Array.from(json.matchAll(/"totalCurrency": *(\d+)/g), ([, digits = '']) => digits)

/** The words in cells of tables that stand on two lines, and the codes of a first column that do, calls with options aside. */
const brokenWords = `(() => {
  const isBroken = (node, start, end) => {
    const range = document.createRange()
    range.setStart(node, start)
    range.setEnd(node, end)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
  }
  const textsIn = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const nodes = []
    while (walker.nextNode()) nodes.push(walker.currentNode)
    return nodes
  }
  const words = [...document.querySelectorAll('td, th')].flatMap(textsIn).flatMap((node) =>
    [...node.data.matchAll(/[\\p{L}\\d]{2,16}/gu)].filter(({ 0: word, index }) => isBroken(node, index, index + word.length)).map(([word]) => word))
  const codes = [...document.querySelectorAll('td:first-child code:not(.call)')].flatMap(textsIn).filter((node) => isBroken(node, 0, node.length))
  return [...words, ...codes.map(({ data }) => data)]
})()`

await describeInBrowser(hostName, 'in a browser', (browser) => {
  let service: RunningService
  let origin: string

  beforeAll(async () => {
    service = await runService()
    service.addedHeaders = { age }
    origin = originOf(service.url)
  })

  describe('the docs page of npm start', () => {
    let own: Awaited<ReturnType<typeof startQuietService>>
    let docs: OpenPage
    beforeAll(async () => {
      own = await startQuietService()
      docs = await openDocs(browser, originOf(own.url))
    })

    test('finds a request by words of its path and title, from the keyboard alone', async () => {
      const { page } = docs
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
      expect(await page.evaluate('location.hash')).toBe('#getAccountTokens')
      await page.getByRole('searchbox').fill('post pool')
      expect(await shown()).toEqual(['0 found'])
      await page.keyboard.press('Enter')
      expect(await page.evaluate('location.hash')).toBe('#getAccountTokens')
      await page.getByRole('searchbox').fill('state of nodes')
      expect(await shown()).toEqual(['1 found', 'GET /health'])
      await page.getByRole('searchbox').fill('')
      expect([await shown(), all.length]).toEqual([all, endpoints.length + 15])
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
        await page.locator('nav [aria-current=page]').getByText(guide, { exact: true }).waitFor()
        expect(await page.title()).toBe(guide)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
        expect(await page.evaluate(brokenWords)).toEqual([])
        await page.evaluate(axe.source)
        const found = await page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })')
        expect(found.violations.map(({ id, nodes }) => ({ id, html: nodes.map((node) => node.html) }))).toEqual([])
        expect(await violations()).toEqual([])
      }
      await page.getByRole('link', { name: 'sign for it', exact: true }).click()
      expect(await page.getByRole('heading', { name: 'What to sign for' }).boundingBox()).toMatchObject({ x: 20 })
      expect(await page.title()).toBe('Broadcasting')
    })

    test('has guides at addresses that stay, of which each prints whole', async () => {
      const { page } = await openDocs(browser, origin, { viewport: { width: 700, height: 990 } })
      await page.emulateMedia({ media: 'print' })
      for (const guide of ['broadcasting', 'recipes', 'exchanges', 'client']) {
        const answer = await page.goto(`${origin}/docs/${guide}.html`)
        expect([answer?.status(), answer?.headers()['cache-control']]).toEqual([200, 'public, max-age=60'])
        const cut = `[...document.querySelectorAll('html, pre, .scroll')].filter(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length`
        expect([await page.evaluate(cut), await page.getByRole('navigation').isVisible()]).toEqual([0, false])
      }
    })

    test('is readable without a script, and leads to the OpenAPI document', async () => {
      const { page } = await openDocs(browser, origin, { javaScriptEnabled: false })
      for (const endpoint of endpoints) await sectionOf(page, endpoint).getByText('curl -sS').waitFor()
      const useless = page.getByRole('button').or(page.getByRole('textbox')).or(page.getByRole('searchbox'))
      expect(await useless.or(page.getByRole('combobox')).count()).toBe(0)
      expect(await page.locator('noscript').textContent()).toContain('Without a script this page shows each request')
      await page.getByRole('link', { name: 'openapi.json' }).click()
      await page.waitForURL('**/openapi.json')
      expect(await page.locator('body').innerText()).toMatch(/^\{"openapi":"3\.1\.\d"/)
    })
  })
})
