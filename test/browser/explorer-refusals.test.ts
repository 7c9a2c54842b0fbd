// What the explorer page shows in place of an answer: a service that refuses for now, a chain that has moved, and what is nowhere.
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { serveExplorer } from '../../local/demo/explorer.ts'
import { unheldValues } from '../../shared/contract/parameters.ts'
import { untilFileEnds, untilTestEnds } from '../serving.ts'
import { byHand, give } from './answers-by-hand.ts'
import { launchChromium } from './chromium.ts'

jest.setTimeout(120_000)

const start = Date.UTC(2026, 0, 1)
const launched = await launchChromium('service.example')

;(launched === undefined ? describe.skip : describe)('the explorer page without an answer', () => {
  const browser = launched as Browser
  let explorer: Awaited<ReturnType<typeof serveExplorer>>
  let page: Page

  beforeAll(async () => {
    const options = { now: () => start, repeat: () => () => undefined, log: () => undefined, signsOwnCommands: false }
    explorer = untilFileEnds(await serveExplorer(options))
  })
  beforeEach(async () => {
    page = untilTestEnds(await browser.newPage({ locale: 'en-GB', timezoneId: 'Asia/Tokyo' }))
    page.setDefaultTimeout(20_000)
    await page.clock.install({ time: start })
    await page.clock.pauseAt(start + 35_000)
  })
  afterAll(() => browser.close())

  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const count = () => page.locator('dt', { hasText: /^count$/ }).locator('+ dd')
  const lookUp = async (id: string) => {
    await page.goto(`${explorer.page}?api=${explorer.url}`)
    await page.getByRole('table').waitFor()
    await page.getByRole('textbox').fill(id)
    await page.getByRole('button').click()
  }

  test.each([
    [503, '17', 'pool'],
    [500, undefined, 'pool'],
    [429, '12', 'pool'],
    [429, '12', 'health'],
  ])(
    'keeps its content on a %i of a poll, says once of when it is, and when it asks again',
    async (status, retry, id) => {
      const service = await byHand()
      const refusal = { 'x-chain-height': '9', ...(retry !== undefined && { 'retry-after': retry }) }
      await page.goto(`${explorer.page}?api=${service.url}#${id}`)
      give((await service.next()).response, { message: 'No node' }, status, refusal)
      await said(`${status}: No node.`)
      expect(await page.locator('main p').innerText()).toBe(`${status}: No node.`)
      await page.clock.runFor(1000 * Number(retry ?? 10))
      give((await service.next()).response, { status: 'ok', count: 3 })
      await count().waitFor()
      const since = await page.evaluate('new Date().toLocaleString(undefined, { timeZoneName: "short" })')
      await page.evaluate(`
      globalThis.spoken = []
      new MutationObserver(() => spoken.push(document.querySelector('[role=status]').textContent))
        .observe(document.querySelector('[role=status]'), { childList: true })`)
      await page.clock.runFor(10_000)
      for (const wait of [retry ?? '10', '20']) {
        give((await service.next()).response, { message: 'No node' }, status, { ...refusal, 'retry-after': wait })
        await page.locator('.beside').getByText(`The next try is in ${wait} s.`, { exact: true }).waitFor()
        expect(await count().innerText()).toBe('3')
        await page.clock.runFor(1000 * Number(wait) - 1)
        expect(service.asked).toEqual([])
        await page.clock.runFor(1)
      }
      give((await service.next()).response, { status: 'ok', count: 4 })
      await count().getByText('4').waitFor()
      expect(await page.evaluate('spoken')).toEqual([
        `${status}: No node. What stands below is of ${since}.`,
        'Status 200.',
      ])
    },
  )

  test('takes no service from a link where it is published', async () => {
    const asked: string[] = []
    await page.route(/\/blocks\?/, async (route) => {
      asked.push(route.request().url())
      await route.abort()
    })
    const published = explorer.page.replace('127.0.0.1', 'service.example')
    await page.goto(`${published}?api=http://127.0.0.1:2`)
    await said('The service at http://127.0.0.1:8080 does not answer.')
    expect(asked).toEqual(['http://127.0.0.1:8080/blocks?limit=10'])
  })

  test.each([
    ['31', 'The chain has not reached this height: block 30 is the newest.'],
    ['30', 'The block at this height is too old for this service, which holds only newer ones.'],
    ['1', 'The block at this height is too old for this service, which holds only newer ones.'],
  ])('tells a height above the tip from one that is too old: %s', async (height, words) => {
    const service = await byHand()
    await page.goto(`${explorer.page}?api=${service.url}#${height}`)
    give((await service.next()).response, { message: 'No block.' }, 404, { 'x-chain-height': '30' })
    await said(words)
    expect(await page.locator('main p').allInnerTexts()).toEqual([words])
  })

  test('says that a reorganisation has taken away what a page of an account’s commands begins with', async () => {
    const service = await byHand()
    const key = explorer.wallets[0]?.publicKey
    const older = `${key}/transactions?before=aGVpZ2h0`
    await page.goto(`${explorer.page}?api=${service.url}#${older}`)
    const { path, response } = await service.next()
    expect(path).toBe(`/accounts/${older}`)
    give(response, { message: 'cursor replaced' }, 409)
    await page
      .getByRole('status')
      .getByText('A reorganisation has taken this off the chain: begin with the newest.', { exact: true })
      .waitFor()
    await page.getByRole('link', { name: 'Account', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Newest commands', exact: true }).click()
    expect((await service.next()).path).toBe(`/accounts/${key}/transactions`)
  })

  test.each([
    ['3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ', 'No block or transaction has this hash.'],
    ['5Juafq9LLfg4c3FtmX3kMgpRuBKJFbcTqojHsqryKwdLCuVxv7Ph', 'No command with this hash is known here.'],
    ['a typo', 'No block or transaction has this hash.'],
    ['B62qrPN5Y5yq8kGE3FbVKbGTdTAJNdtNtB5sNVpxyRwWGcDEhpMqc8g', 'No account has this key.'],
    [`${unheldValues.public_key}/foo`, 'No such page of this account.'],
    ['99999', 'The chain has not reached this height: block 40 is the newest.'],
    ['0', 'Heights begin at 1.'],
  ])('says of %s, which is nowhere: %s', async (id, said) => {
    await lookUp(id)
    await page.locator('main').getByText(said, { exact: true }).waitFor()
    expect(await page.getByRole('status').innerText()).toMatch(said)
    expect(await page.locator('.beside').innerText()).toBe('')
  })

  test.each([
    [unheldValues.state_hash, []],
    [unheldValues.hash, [expect.stringMatching(/^It may have been replaced by .* is too old for this service\.$/)]],
    [unheldValues.public_key, []],
    ['3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigP', ['A state hash has 52 characters, this has 51.']],
    ['B62qrPN5Y5yq8kGE3FbVKbGTdTAJNdtNtB5sNVpxyRwWGcDEhpMqc8gg', ['A public key has 55 characters, this has 56.']],
    [
      '5Juafq9LLfg4c3FtmX3kMgpRuBKJFbcTqojHsqryKwdLCuVxv7P1',
      ['The checksum is wrong: a character of this transaction hash is mistyped, or its case.'],
    ],
    ['3NKEMONCUHAB5SCARV5VIYF16CJPT4TAWNSATLS64DP67WUXIGPZ', ['Upper and lower case count, and here all is one.']],
    ['B62', ['A public key has 55 characters, this has 3.']],
    ['3N', ['A state hash has 52 characters, this has 2.']],
    ['b62qrpn5y5yq8kge', ['Upper and lower case count: a public key begins with B62.']],
    ['B62qrPN0Y5yq8kGE3FbVKbGTdTAJNdtNtB5sNVpxyRwWGcDEhpMqc8g', ['A public key has no “0”, and never 0, O, I or l.']],
    [
      'a typo',
      ['A public key begins with B62, a state hash with 3N, a transaction hash with 5J; a height is a number.'],
    ],
  ])('names what is mistyped in %s, and how else to find it', async (id, hints) => {
    await lookUp(id)
    await page.locator('main p', { hasText: /^No / }).first().waitFor()
    expect((await page.locator('main p').allInnerTexts()).slice(1)).toEqual(hints)
  })
})
