// The layout of the docs page. Separate from docs-page.test.ts so that two workers can run the slow browser tests in parallel.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { endpoints } from '../../shared/endpoints/all.ts'
import { getBlocks } from '../../shared/endpoints/get-blocks.ts'
import { guideNames } from '../../shared/http/docs-page.ts'
import { startQuietService } from '../end-to-end/running-service.ts'
import { hostName, newPage, openDocs, originOf, sectionOf } from './docs-page.ts'
import { describeInBrowser } from './in-browser.ts'

/** The lines of code that a reader cannot click in their middle, since something covers them. */
const coveredLines = `
  [...document.querySelectorAll('.code')].filter((line) => {
    line.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = line.getBoundingClientRect()
    return !line.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  }).map((line) => line.textContent)`

/** The texts that stand outside of the page's width, with everything unfolded. */
const tooWide = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true
  const width = document.documentElement.clientWidth
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const node = walker.currentNode
    const element = node.parentElement
    if (element.closest('nav ul, pre, .aside, .skip, noscript') !== null) continue
    const range = document.createRange()
    range.selectNode(node)
    if ([...range.getClientRects()].some(({ right }) => right > width + 1)) {
      found.push(element.tagName + ' ' + node.textContent.slice(0, 60))
    }
  }
  return document.documentElement.scrollWidth > width ? [...found, 'the page'] : found
})()`

await describeInBrowser(hostName, 'in a browser the docs page of npm start', (browser) => {
  let origin: string
  const narrow = { width: 390, height: 844 }

  beforeAll(async () => {
    origin = originOf((await startQuietService()).url)
  })

  test.each([320, 412, 768, 1280])(
    'never scrolls sideways at %i px, with everything unfolded, in text of any size',
    async (width) => {
      const { page } = await openDocs(browser, origin, { viewport: { width, height: 800 } })
      expect(await page.evaluate(tooWide)).toEqual([])
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      expect(await page.evaluate(tooWide)).toEqual([])
      await page.close()
    },
  )

  test.each(guideNames)(
    'has a guide %s that never scrolls sideways, and shows what its tables say of each name',
    async (guide) => {
      const { page } = await newPage(browser)
      const found = []
      for (const width of [320, 412, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`${origin}/docs/${guide}.html`)
        const begin = await page.evaluate<number>(
          `Math.max(...Array.from(document.querySelectorAll('td:nth-child(2)'), (one) => one.getBoundingClientRect().left))`,
        )
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        // A telephone may have to scroll a table whose names stay whole.
        found.push([width < 412 || begin < width * 0.75, await page.evaluate('document.documentElement.scrollWidth')])
      }
      expect(found).toEqual([
        [true, 320],
        [true, 412],
        [true, 768],
        [true, 1280],
      ])
      await page.close()
    },
  )

  test('prints what is folded, and each text whole, dark on light, without its buttons', async () => {
    const { page } = await openDocs(browser, origin, { colorScheme: 'dark', viewport: { width: 700, height: 990 } })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const folded = page.locator('details:not([open], [hidden])')
    const before = await folded.count()
    await page.evaluate(`addEventListener('beforeprint', () => {
      globalThis.printed = [
        document.querySelectorAll('details:not([open], [hidden])').length,
        [...document.querySelectorAll('pre, textarea')].filter(
          ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1).length,
      ]
    })`)
    await page.pdf()
    expect([
      await page.evaluate('printed'),
      await folded.count(),
      await page.evaluate('getComputedStyle(document.body).backgroundColor'),
      await page.getByRole('button').filter({ visible: true }).count(),
    ]).toEqual([[0, 0], before, 'rgb(255, 255, 255)', 0])
    await page.close()
  })

  test('has fields of 16 px on a touch screen, which a telephone does not zoom into', async () => {
    const { page } = await openDocs(browser, origin, { hasTouch: true, isMobile: true, viewport: narrow })
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('input, select, textarea')].map((one) => parseFloat(getComputedStyle(one).fontSize))`,
    )
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
    await page.close()
  })

  test('writes its buttons in the font of the page', async () => {
    const { page } = await openDocs(browser, origin)
    const fonts = `['.send', '.copy'].map((name) => {
      const { fontFamily, fontWeight, fontSize } = getComputedStyle(document.querySelector(name))
      return [fontFamily === getComputedStyle(document.body).fontFamily, fontWeight, fontSize].join(' ')
    })`
    expect(await page.evaluate(fonts)).toEqual(['true 600 13.6px', 'true 600 13.6px'])
    await page.close()
  })

  describe.each<[string, BrowserContextOptions]>([
    ['light and wide', { colorScheme: 'light' }],
    ['dark and narrow', { colorScheme: 'dark', viewport: narrow }],
  ])('%s', (_, options) => {
    let page: Page
    beforeAll(async () => {
      ;({ page } = await openDocs(browser, origin, options))
    })
    afterAll(() => page.close())

    test('shows the first answer on the first screen, fits its width, and hides schemas until a click', async () => {
      const { width = 0, height = 0 } = page.viewportSize() ?? {}
      const answer = await page.locator('.answer').first().boundingBox()
      // Its first lines are on the first screen.
      expect(answer?.y).toBeLessThan(height - 40)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await page.getByText('BlocksResponse').first().isVisible()).toBe(false)
    })

    // With parameters, answers and headers unfolded it was 39,431 px for 14 requests, 2,816 for each; now it is 1,046.
    test('needs at most 1,150 px for each request', async () => {
      const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
      expect(Math.floor(height / endpoints.length)).toBeLessThan(1150)
    })

    test('shows the name of a schema above what a link to it opens', async () => {
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
      const address = await page.evaluate<string>('location.href')
      await page.goto('about:blank')
      await page.goto(address, { waitUntil: 'networkidle' })
      expect(await topOf('Block')).toBeCloseTo(10, -1)
    })

    test('has no accessibility violation and no covered text with every section unfolded', async () => {
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })')
      expect(violations.map(({ id, nodes }) => ({ id, html: nodes.map((node) => node.html) }))).toEqual([])
      expect(await page.evaluate(coveredLines)).toEqual([])
    })
  })
})
