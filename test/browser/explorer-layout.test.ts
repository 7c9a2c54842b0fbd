// The explorer page in the oldest supported browsers, on screens of each width, and on paper.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, jest, test } from '@jest/globals'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { serve, untilTestEnds } from '../serving.ts'
import { type Explorer, start, startExplorer } from './explorer.ts'
import { describeInBrowser } from './in-browser.ts'
import { asOldestReads, becomeOldest } from './oldest-browsers.ts'
import { explorerWords, markOf } from './picture-mark.ts'

jest.setTimeout(120_000)

await describeInBrowser('service.example', 'the explorer page', (browser) => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await startExplorer()
  })

  const open = async (...options: Parameters<Browser['newPage']>) => {
    const page = untilTestEnds(await browser.newPage(...options))
    page.setDefaultTimeout(50_000)
    return page
  }
  const beOldest = async (page: Page) => {
    await becomeOldest(page)
    await page.route(`${explorer.page}?*`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/(?<=<style>)[^<]*(?=<)/, asOldestReads)
      await route.fulfill({ response, body })
    })
  }
  const views = () => {
    const block = explorer.chain?.bestChain().findLast(({ zkappCommands }) => zkappCommands.length > 0)
    const key = block?.zkappCommands[0]?.from
    const timed = explorer.wallets.find(({ name }) => name === 'frank')?.publicKey
    return ['newest', 'chart', block?.height, `${key}/transactions`, `${key}/tokens`, timed]
  }

  test.each([
    ['light', 1280, '100%'],
    ['light', 768, '100%'],
    ['dark', 320, '100%'],
    ['light', 412, '200%'],
  ] as const)(
    'is readable without scrolling sideways in the oldest browsers, %s, %i px wide, text of %s',
    async (colorScheme, width, size) => {
      const page = await open({ colorScheme, viewport: { width, height: 800 } })
      await beOldest(page)
      const found = []
      for (const view of views()) {
        await page.goto('about:blank')
        await page.goto(`${explorer.page}?api=${explorer.url}#${view}`)
        await page.locator('main :is(table, dl)').first().waitFor()
        await page.addStyleTag({ content: `html { font-size: ${size} !important }` })
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })')
        const said = await page.getByRole('status').innerText()
        const wide = await page.evaluate('document.documentElement.scrollWidth')
        found.push([view, said, wide, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])])
      }
      expect(found).toEqual(views().map((view) => [view, 'Block 40 is the newest.', width, []]))
    },
  )

  test.each([
    [320, '100%'],
    [320, '200%'],
    [412, '200%'],
    [1280, '200%'],
  ])('keeps the words above its list whole and its field wide at %i px, in text of %s', async (width, size) => {
    const page = await open({ viewport: { width, height: 800 } })
    await page.goto(`${explorer.page}?api=${explorer.url}`)
    await page.getByRole('table').waitFor()
    await page.addStyleTag({ content: `html { font-size: ${size} !important }` })
    const broken = await page.evaluate(`[...document.querySelectorAll('th, h1 a')].flatMap(({ firstChild: text }) =>
      [...text.data.matchAll(/\\w+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        return range.getClientRects().length > 1
      }).map(String))`)
    const field = await page.getByRole('textbox').boundingBox()
    expect([broken, (field?.width ?? 0) > 150]).toEqual([[], true])
  })

  test('shows every digit where JSON.parse does not show them', async () => {
    const page = await open()
    await beOldest(page)
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'access-control-allow-origin': '*' })
      response.end('{"all":[{"amount":18446744073709551615,"count":1.25,"memo":"a \\"1234567890123456789\\" b"}]}')
    }, untilTestEnds)
    await page.goto(`${explorer.page}?api=${url}#pool`)
    const shown = page.locator('dd dd')
    await shown.first().waitFor()
    expect(await shown.allInnerTexts()).toEqual(['18446744073.709551615 MINA', '1.25', 'a "1234567890123456789" b'])
  })

  test('shows 25 commands of an account as a table, below 2,000 px', async () => {
    const [me, other] = explorer.wallets.map(({ publicKey }) => publicKey)
    const command = { hash: '5Ja', from: me, to: other, amount: 7_000_000_000, fee: 1_000_000, isDelegation: false }
    const block = { dateTime: '2026-01-01T00:00:00.000Z' }
    const record = { command: { ...command, status: 'applied' }, direction: 'sent', change: -7_001_000_000, block }
    const received = {
      command: { ...command, from: other, to: me, status: 'failed', failureReason: 'Amount_insufficient' },
      direction: 'received',
      change: 0,
    }
    const zkapp = { hash: '5Jz', balanceChanges: [{}, {}], feePayer: { publicKey: other }, fee: 2_000_000 }
    const transactions = [
      { ...record, confirmations: 3 },
      { ...received, block, confirmations: 300, final: true },
      { command: { ...zkapp, status: 'applied' }, role: 'updated', change: 5, block, confirmations: 0 },
      ...Array.from({ length: 22 }, () => ({ ...record, confirmations: 1 })),
    ]
    const pending = [{ command, change: 0 }]
    const service = await serve((_, response) => {
      response.writeHead(200, { 'access-control-allow-origin': '*' })
      response.end(JSON.stringify({ transactions, pending }))
    }, untilTestEnds)
    const page = await open({ viewport: { width: 1024, height: 800 }, locale: 'en-GB', timezoneId: 'UTC' })
    await page.goto(`${explorer.page}?api=${service.url}#${me}/transactions`)
    const rows = page.getByRole('row')
    await rows.first().waitFor()
    const found = await Promise.all((await rows.all()).map((row) => row.locator('th, td').allTextContents()))
    const at = '01/01/2026, 0:00:00 UTC'
    expect([...found.slice(0, 4), ...found.slice(26)]).toEqual([
      ['Command', 'Time', 'Kind', 'Other side', 'Change', 'Fee', 'State'],
      ['5Ja', at, 'Payment sent', other, '-7.001 MINA', '0.001 MINA', '3 on top'],
      ['5Ja', at, 'Payment received', other, '0 MINA', '0.001 MINA', 'failed: Amount_insufficient, final'],
      ['5Jz', at, 'zkApp', other, '0.000000005 MINA', '0.002 MINA', '0 on top'],
      ['Command', 'Kind', 'From', 'To', 'Amount', 'Fee', 'State'],
      ['5Ja', 'Payment', me, other, '7 MINA', '0.001 MINA', 'pending'],
    ])
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(2000)
  })

  test('tells a screen reader height, state and confirmations of a command, and the cells of a narrow table', async () => {
    const block = explorer.chain?.bestChain().findLast(({ userCommands }) => userCommands.length > 0)
    const page = await open({ viewport: { width: 320, height: 800 } })
    const session = await page.context().newCDPSession(page)
    const heard = async (id: string | undefined, roles: readonly string[]) => {
      await page.goto('about:blank')
      await page.goto(`${explorer.page}?api=${explorer.url}#${id}`)
      await page.locator('main dl').first().waitFor()
      const { nodes } = await session.send('Accessibility.getFullAXTree')
      const texts = nodes.filter(({ role }) => roles.includes(role?.value))
      return texts.map(({ name }) => String(name?.value))
    }
    const hash = block?.userCommands[0]?.command.hash
    const fate = await heard(hash, ['StaticText'])
    const depth = Number(explorer.chain?.tip().height) - Number(block?.height)
    expect(['state', 'blockHeight', 'confirmations'].map((name) => fate[fate.indexOf(name) + 1])).toEqual([
      ...['included', String(block?.height), String(depth)],
    ])
    const titles = await heard(block?.stateHash, ['columnheader'])
    expect(titles.slice(0, 7)).toEqual(['Command', 'Kind', 'From', 'To', 'Amount', 'Fee', 'State'])
    const cells = (await heard(block?.stateHash, ['cell', 'gridcell'])).length
    expect(cells).toBe(7 * (Number(block?.userCommands.length) + Number(block?.zkappCommands.length)))
  })

  test('shows what a block is and its commands above what only the protocol needs', async () => {
    const block = explorer.chain?.bestChain().findLast(({ zkappCommands }) => zkappCommands.length > 0)
    const page = await open()
    await page.goto(`${explorer.page}?api=${explorer.url}#${block?.height}`)
    await page.locator('main dl').first().waitFor()
    const rows = await page.locator('main div > dl > div').allInnerTexts()
    const shown = rows.map((row) => row.split('\n'))
    expect(shown.slice(0, 8).map(([name]) => name)).toEqual([
      ...[
        'stateHash',
        'blockHeight',
        'dateTime',
        'canonical',
        'confirmations',
        'creator',
        'commandCount',
        'transactions',
      ],
    ])
    const count = Number(block?.userCommands.length) + Number(block?.zkappCommands.length)
    expect([4, 6].map((place) => shown[place]?.at(-1))).toEqual([String(40 - Number(block?.height)), String(count)])
    const lists = await page.locator('main div > dl > div > dd > dl dt').allInnerTexts()
    expect(lists.slice(0, 2)).toEqual(['userCommands', 'zkappCommands'])
  })

  test('says of an empty list that it is one, beside its name', async () => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${explorer.page}?api=${explorer.url}#pool`)
    await page.locator('dd > ol').first().waitFor({ state: 'attached' })
    const found = await page.evaluate(`(() => {
      const list = document.querySelector('dd > ol')
      const left = list.getBoundingClientRect().left - list.parentElement.getBoundingClientRect().left
      return [getComputedStyle(list, '::before').content, left]
    })()`)
    expect(found).toEqual(['"none"', 0])
  })

  test('says that it needs JavaScript', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto(explorer.page)
    await page.locator('noscript p').waitFor()
  })

  test('is on the picture of its recipe as it is today; npm run pictures takes it anew', async () => {
    const page = await open({ locale: 'en-US', timezoneId: 'UTC' })
    await page.clock.setFixedTime(start + 35_000)
    await page.goto(`${explorer.page}?api=${explorer.url}`)
    await page.getByRole('table').waitFor()
    const picture = readFileSync(join(import.meta.dirname, '../../docs/images/explorer.png'))
    expect(markOf(picture)).toBe(await page.evaluate(explorerWords))
  })

  test('prints the answer without form and menu, dark on light', async () => {
    const page = await open({ colorScheme: 'dark' })
    await page.goto(`${explorer.page}?api=${explorer.url}`)
    await page.getByRole('table').waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const visible = ['form', 'nav', 'table'].map((selector) => page.locator(selector).isVisible())
    expect(await Promise.all(visible)).toEqual([false, false, true])
    const colour = await page.evaluate("getComputedStyle(document.querySelector('td a')).color")
    expect(colour).toBe('rgb(5, 80, 174)')
  })
})
