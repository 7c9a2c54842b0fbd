// The page of docs/recipes/explorer.html, as `npm run demo -- --explorer` serves it.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { serveExplorer } from '../../local/demo/explorer.ts'
import { serve, untilFileEnds, untilTestEnds } from '../serving.ts'
import { launchChromium } from './chromium.ts'

jest.setTimeout(120_000)

const launched = await launchChromium('service.example')

;(launched === undefined ? describe.skip : describe)('the explorer page', () => {
  const browser = launched as Browser
  let explorer: Awaited<ReturnType<typeof serveExplorer>>
  let page: Page
  const start = Date.UTC(2026, 0, 1)

  beforeAll(async () => {
    const options = { now: () => start, repeat: () => () => undefined, log: () => undefined }
    explorer = untilFileEnds(await serveExplorer(options))
    page = await browser.newPage()
    page.setDefaultTimeout(50_000)
    await page.clock.install({ time: start })
    await page.clock.pauseAt(start + 35_000)
    await page.goto(`${explorer.page}?api=${explorer.url}`, { waitUntil: 'networkidle' })
  })
  afterAll(() => browser.close())

  const heights = async () => (await page.getByRole('row').locator('td:first-child').allInnerTexts()).map(Number)
  const upTo = (highest: number) => Array.from({ length: 10 }, (_, index) => highest - index)

  test('lists the newest blocks with the age of the tip, and pages back by height', async () => {
    expect(await page.getByRole('status').innerText()).toBe('Block 40 is the newest, made 35 s ago.')
    expect(await heights()).toEqual(upTo(40))
    await page.getByRole('link', { name: 'Older blocks' }).click()
    await page.getByRole('link', { name: '30', exact: true }).waitFor()
    expect(await heights()).toEqual(upTo(30))
  })

  test('shows a block by height and by hash, a command and an account, with every digit', async () => {
    const { chain, wallets } = explorer
    const block = chain?.bestChain().findLast(({ userCommands }) => userCommands.length > 0)
    const zkapp = chain?.bestChain().findLast(({ zkappCommands }) => zkappCommands.length > 0)?.zkappCommands[0]
    const wanted = [
      [String(block?.height), `"totalCurrency": ${block?.totalCurrency}`],
      [block?.stateHash, `"blockHeight": ${block?.height}`],
      [block?.userCommands[0]?.command.hash, '"state": "included"'],
      [zkapp?.hash, '"balanceChanges": ['],
      [wallets[0]?.publicKey, '"nextNonce": '],
    ]
    for (const [id = '', shown = ''] of wanted) {
      await page.getByRole('textbox').fill(id)
      await page.getByRole('button').click()
      await page.locator('pre', { hasText: id }).filter({ hasText: shown }).waitFor()
    }
    await page.locator('pre').getByRole('link').first().click()
    await page.locator('pre').waitFor()
    expect(new URL(page.url()).hash).toMatch(/^#(?:3N|5J|B62)\w+$/)
  })

  test('lists a new block within ten seconds', async () => {
    await page.getByRole('link', { name: 'Chain explorer' }).click()
    await page.getByRole('link', { name: '40', exact: true }).waitFor()
    explorer.chain?.produceBlock()
    await page.clock.runFor(10_000)
    await page.getByRole('link', { name: '41', exact: true }).waitFor()
    expect(await heights()).toEqual(upTo(41))
  })

  test('runs no script of the service that it asks, and shows its texts as they are', async () => {
    const image = '<img src=x onerror="ranStrangersScript = true">'
    const block = {
      blockHeight: `1${image}`,
      stateHash: `3N${image}`,
      dateTime: '<img src=x>T00:00:00',
      transactions: { userCommands: { length: `2${image}` }, zkappCommandCount: `4${image}` },
    }
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'x-chain-height': image,
    }
    const hostile = await serve((_, response) => {
      response.writeHead(200, headers).end(JSON.stringify({ blockchainLength: 1, block }))
    }, untilTestEnds)
    const visit = await browser.newPage()
    visit.setDefaultTimeout(50_000)
    const shown = async (address: string) => {
      await visit.goto(`${explorer.page}?api=${hostile.url}${address}`, { waitUntil: 'networkidle' })
      return visit.evaluate(() => ({
        text: document.querySelector('main')?.textContent,
        images: document.images.length,
        ranScript: 'ranStrangersScript' in globalThis,
      }))
    }
    const harmless = { images: 0, ranScript: false }
    const titles = 'HeightTime (UTC)CommandszkApp commandsState hash'
    const row = `1${image}<img src=x> 00:00:02${image}4${image}3N${image}`
    expect(await shown('')).toEqual({ ...harmless, text: titles + row })
    await visit.goto('about:blank')
    const whole = JSON.stringify({ blockchainLength: 1, block }, undefined, 2)
    expect(await shown('#1')).toEqual({ ...harmless, text: whole })
    await visit.close()
  })
})
