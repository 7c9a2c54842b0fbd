// The explorer's chart of the last blocks: its numbers, and its walk while the chain and the service change.
import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { Chain } from '../../packages/testnet/chain.ts'
import { serve, untilTestEnds } from '../serving.ts'
import { type Explorer, startExplorer, stillPage } from './explorer.ts'
import { describeInBrowser } from './in-browser.ts'

jest.setTimeout(120_000)

await describeInBrowser('service.example', 'the chart of the explorer page', (browser) => {
  let explorer: Explorer
  let page: Page

  beforeAll(async () => {
    explorer = await startExplorer()
  })
  beforeEach(async () => {
    page = untilTestEnds(await stillPage(browser))
  })

  const open = (url: string) => page.goto(`${explorer.page}?api=${url}#chart`)
  const says = (text: string) => page.locator('main p').getByText(text, { exact: true }).waitFor()
  const told = async (trouble: string, seconds: number) => {
    await page.getByRole('status').getByText(trouble, { exact: true }).waitFor()
    expect(await page.locator('.beside').innerText()).toBe(`The next try is in ${seconds} s.`)
  }
  const now = () => page.evaluate("new Date().toLocaleString(undefined, { timeZoneName: 'short' })")
  const captions = async () =>
    (await page.locator('figcaption').allInnerTexts()).map((text) => text.replace(/\. Scale: .*\.$/, ''))
  /** The cells of the numbers, newest first. */
  const numbers = async () => {
    const rows = await page.locator('details tr').all()
    return Promise.all(rows.slice(1).map((row) => row.locator('td').allTextContents()))
  }
  const slots = 'Slots filled: '
  const payments = 'Payments and delegations, where fees are not known: '

  /** A chain of two slots a block, with fees above 2^53 where an indexer would have them, behind a service as a script sees it. */
  async function madeService(tip: number) {
    const made = {
      tip,
      /** The first height of each branch, which is the name of its blocks and the number of their commands. */
      branches: { 3: 0 } as Record<number, number>,
      lowest: 1,
      asked: [] as string[],
      refuse: (_height: number): { status: number; headers?: Record<string, string> } | undefined => undefined,
    }
    const branch = (height: number) =>
      Object.entries(made.branches).findLast(([, lowest]) => height >= lowest)?.[0] ?? ''
    const hash = (height: number) => `3N${branch(height)}a${height}`
    const header = (height: number) => ({
      ...{ blockHeight: height, stateHash: hash(height), previousStateHash: hash(height - 1), epoch: 0 },
      ...{ dateTime: '2026-01-01T00:00:00.000Z', creator: `B62${height % 4 ? 'most' : 'some'}`, slot: 2 * height },
      ...{ commandCount: Number(branch(height)), zkappCommandCount: 1 },
    })
    const service = await serve(({ url: path = '' }, response) => {
      made.asked.push(path)
      const height = Number(/before\/(\d+)/.exec(path)?.[1])
      const isGone = path.includes('before') && !path.includes(`-${hash(height)}?`)
      const refusal = isGone ? { status: 409 } : made.refuse(height)
      const { status = 200, headers = {} } = refusal ?? {}
      const open = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }
      response.writeHead(status, { ...open, 'x-chain-height': String(made.tip), ...headers })
      if (status !== 200) return response.end('{"message":"Not now."}')
      if (path === '/network') return response.end('{"slotsPerEpoch":7140}')
      if (path === '/blocks?limit=1') {
        const { slot, epoch, previousStateHash, commandCount, zkappCommandCount, ...block } = header(made.tip)
        const transactions = { userCommands: Array(commandCount - zkappCommandCount).fill({}), zkappCommandCount }
        const protocolState = { previousStateHash, consensusState: { slot, epoch } }
        return response.end(JSON.stringify({ blocks: [{ ...block, transactions, protocolState }] }))
      }
      const isNode = height > made.tip - 290
      const size = (height - 1) % (isNode ? 20 : 100) || (isNode ? 20 : 100)
      const heights = Array.from({ length: size }, (_, at) => height - 1 - at).filter((one) => one >= made.lowest)
      const given = JSON.stringify(heights.map((one) => ({ ...header(one), ...(!isNode && { feesNanomina: 0 }) })))
      const endOfKnown = made.lowest > 1 && heights.at(-1) === made.lowest
      const fees = given.replaceAll('"feesNanomina":0', '"feesNanomina":9007199254740993')
      return response.end(`{"headers":${fees}${endOfKnown ? ',"endOfKnown":true' : ''}}`)
    }, untilTestEnds)
    return Object.assign(made, { url: service.url })
  }

  test('shows what the headers of the chain say, to a screen reader too', async () => {
    const chain = explorer.chain as Chain
    const blocks = chain.bestChain()
    const tip = chain.tip()
    await open(explorer.url)
    const makers = new Set(blocks.map(({ creator }) => creator)).size
    await says(`40 blocks, 1 to 40, by ${makers} producers.`)
    let cursor: string | undefined = `${tip.height}-${tip.stateHash}`
    const given: { blockHeight: number; feesNanomina?: number }[] = []
    while (cursor !== undefined) {
      const answer: Response = await fetch(`${explorer.url}/blocks/before/${cursor}?view=header`)
      const body = (await answer.json()) as { headers: typeof given; next?: string }
      given.push(...body.headers)
      cursor = body.next
    }
    const feesOf = (height: number) => given.find(({ blockHeight }) => blockHeight === height)?.feesNanomina
    const mina = (nanomina: number) => `${(nanomina / 1e9).toFixed(9).replace(/\.?0+$/, '')} MINA`
    const rows = blocks.map(({ height, slot, userCommands, zkappCommands }, at) => {
      const fees = feesOf(height)
      const passed = slot - (blocks[at - 1]?.slot ?? slot)
      return [
        String(height),
        fees === undefined ? '–' : mina(fees),
        fees === undefined ? `${userCommands.length}` : '–',
        `${userCommands.length + zkappCommands.length}`,
        passed > 0 ? `1 of ${passed} (${(100 / passed).toFixed(1)} %)` : '–',
      ]
    })
    expect(await numbers()).toEqual(rows.toReversed())
    const priced = given.filter(({ feesNanomina }) => feesNanomina !== undefined)
    const unpriced = blocks.filter(({ height }) => feesOf(height) === undefined)
    const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)
    const passed = tip.slot - Number(blocks[0]?.slot)
    const summaries = [
      `Fees: ${mina(total(priced.map(({ feesNanomina = 0 }) => feesNanomina)))} in ${priced.length} blocks`,
      `${payments}${total(unpriced.map(({ userCommands }) => userCommands.length))} in ${unpriced.length} blocks`,
      `Commands: ${total(blocks.map((one) => one.userCommands.length + one.zkappCommands.length))} in 40 blocks`,
      `${slots}39 of ${passed} (${(3900 / passed).toFixed(1)} %)`,
    ]
    expect([priced.length > 0, unpriced.length > 0, passed > 39]).toEqual([true, true, true])
    const session = await page.context().newCDPSession(page)
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const heard = (roles: readonly string[]) =>
      nodes.filter(({ role }) => roles.includes(role?.value)).map(({ name }) => String(name?.value))
    const spoken = heard(['StaticText']).map((text) => text.replace(/\. Scale: .*\.$/, ''))
    expect(spoken).toEqual(expect.arrayContaining(summaries))
    expect(heard(['image', 'img'])).toEqual(summaries.map((text) => text.replace(/: .*/, '')))
  })

  test('draws a thousand blocks in pages, to the last digit, and asks for a new block alone', async () => {
    const service = await madeService(1205)
    service.refuse = (height) => (height === 501 ? { status: 503, headers: { 'retry-after': '17' } } : undefined)
    await open(service.url)
    await says('705 blocks, 501 to 1205, by 2 producers. Older ones are on their way.')
    await told('503: Not now. What stands below is of 01/01/2026, 9:00:35 GMT+9.', 17)
    expect((await captions())[3]).toBe(`${slots}704 of 1408 (50.0 %)`)
    const before = service.asked.length
    service.refuse = () => undefined
    await page.clock.runFor(16_000)
    expect(service.asked.length).toBe(before)
    await page.clock.runFor(1000)
    await says('1000 blocks, 206 to 1205, by 2 producers.')
    const ofIndexer = 1000 - 305
    const digits = `${9007199254740993n * BigInt(ofIndexer)}`
    expect(await captions()).toEqual([
      `Fees: ${digits.slice(0, -9)}.${digits.slice(-9)} MINA in ${ofIndexer} blocks`,
      `${payments}610 in 305 blocks`,
      'Commands: 3000 in 1000 blocks',
      `${slots}999 of 1998 (50.0 %)`,
    ])
    await page.getByText(/Scale: MINA a block\. The node gives no sums for its newest 305 blocks\.$/).waitFor()
    const rows = await numbers()
    expect([rows.length, rows[0]?.[0], rows.at(-1)?.[0]]).toEqual([101, '1201 to 1205', '206 to 210'])
    expect(await page.locator('table').first().locator('td').allTextContents()).toEqual([
      ...['B62most', '750', '75.0 %', '206 to 1205', 'B62some', '250', '25.0 %', '208 to 1204'],
    ])
    await page.setViewportSize({ width: 320, height: 800 })
    await page.getByText('The numbers').click()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    service.asked.length = 0
    service.tip += 1
    await page.clock.runFor(10_000)
    await says('1000 blocks, 207 to 1206, by 2 producers.')
    expect(service.asked).toEqual(['/blocks?limit=1'])
    expect(await page.locator('details').getAttribute('open')).toBe('')
  })

  test('has scales, and says what a bar stands for that is touched, pointed at or chosen by keys, while blocks come', async () => {
    page = untilTestEnds(await stillPage(browser, { hasTouch: true, viewport: { width: 360, height: 800 } }))
    const service = await madeService(1205)
    await open(service.url)
    await says('1000 blocks, 206 to 1205, by 2 producers.')
    const figures = async () => {
      const all = await page.locator('figure').all()
      return Promise.all(all.map((one) => one.locator('.scale span, .ends > *').allTextContents()))
    }
    const heard = () => page.evaluate("[...document.querySelectorAll('figure input')].map((one) => one.ariaValueText)")
    expect(await figures()).toEqual([
      ['10000000', '5000000', '0', '206', 'Blocks 1201 to 1205: –', '1205'],
      ['2', '1', '0', '206', 'Blocks 1201 to 1205: 10 in 5 blocks', '1205'],
      ['3', '1.5', '0', '206', 'Blocks 1201 to 1205: 15 in 5 blocks', '1205'],
      ['50', '25', '0', '206', 'Blocks 1201 to 1205: 5 of 10 (50.0 %)', '1205'],
    ])
    const of = (heights: string) => [
      `Blocks ${heights}: 90071992.54740993 MINA in 10 blocks`,
      `Blocks ${heights}: –`,
      `Blocks ${heights}: 30 in 10 blocks`,
      `Blocks ${heights}: 10 of 20 (50.0 %)`,
    ]
    const plot = page.locator('.plot').nth(1)
    const { width = 0 } = (await plot.boundingBox()) ?? {}
    /** Inside the bar of so many, from the first one, which has the five lowest blocks. */
    const inBar = (bar: number, part: number) => ({ position: { x: (width * (bar + part)) / 101, y: 9 } })
    await plot.tap(inBar(30, 0.1))
    expect(await heard()).toEqual(of('501 to 510'))
    await plot.hover(inBar(31, 0.9))
    expect(await heard()).toEqual(of('511 to 520'))
    const lines = "[...document.querySelectorAll('.ends span')].map((end) => end.offsetHeight < 20)"
    expect(await page.evaluate(lines)).toEqual(Array(8).fill(true))
    await page.getByRole('slider', { name: 'Commands', exact: true }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    service.tip += 10
    await page.clock.runFor(10_000)
    await says('1000 blocks, 216 to 1215, by 2 producers.')
    await page.keyboard.press('ArrowLeft')
    expect(await heard()).toEqual(of('481 to 490'))
    expect((await figures()).map((texts) => texts[4])).toEqual(of('481 to 490'))
  })

  test('asks for the fees of blocks as soon as an indexer has them, in a page that stays open, and seldom', async () => {
    const service = await madeService(1205)
    await open(service.url)
    await says('1000 blocks, 206 to 1205, by 2 producers.')
    service.asked.length = 0
    for (const blocks of [...Array(45).fill(1), 150]) {
      service.tip += blocks
      await page.clock.runFor(10_000)
      await says(`1000 blocks, ${service.tip - 999} to ${service.tip}, by 2 producers.`)
    }
    expect((await captions())[1]).toBe(`${payments}610 in 305 blocks`)
    expect(service.asked.filter((path) => path.includes('before')).length).toBe(12)
    service.refuse = (height) => (height > 1 ? { status: 503 } : undefined)
    for (let block = 0; block < 21; block++) {
      const more = block < 20 ? '' : ' Older ones are on their way.'
      service.tip += 1
      await page.clock.runFor(10_000)
      await says(`1000 blocks, ${service.tip - 999} to ${service.tip}, by 2 producers.${more}`)
    }
    // The newest block is of now.
    await told(`503: Not now. What stands below is of ${await now()}.`, 10)
  })

  test('keeps the time of what it has through a refusal and an outage after it, and after another view', async () => {
    const service = await madeService(200)
    await open(service.url)
    await says('200 blocks, 1 to 200, by 2 producers.')
    const stale = `What stands below is of ${await now()}.`
    service.refuse = () => ({ status: 429 })
    await page.clock.runFor(10_000)
    await told(`429: Not now. ${stale}`, 10)
    await page.route(`${service.url}/**`, (route) => route.abort())
    await page.clock.runFor(10_000)
    await told(`The service at ${service.url} does not answer. ${stale}`, 10)
    expect(await page.locator('main p').first().innerText()).toBe('200 blocks, 1 to 200, by 2 producers.')
    await page.unroute(`${service.url}/**`)
    await page.getByRole('link', { name: 'Pool' }).click()
    await page.locator('main').getByText('429: Not now.').waitFor()
    await page.getByRole('link', { name: 'Chart' }).click()
    await told(`429: Not now. ${stale}`, 10)
  })

  test('begins again at the newest block where a reorganisation takes the lowest one away, and keeps what is below', async () => {
    const service = await madeService(200)
    let moved = false
    service.refuse = (height) => {
      if (height === 161 && !moved) {
        moved = true
        service.tip = 201
        service.branches[5] = 155
        return { status: 409 }
      }
      return undefined
    }
    await open(service.url)
    await says('201 blocks, 1 to 201, by 2 producers.')
    expect((await captions())[2]).toBe(`Commands: ${3 * 154 + 5 * 47} in 201 blocks`)
    service.branches[7] = 190
    service.tip = 202
    service.asked.length = 0
    await page.clock.runFor(10_000)
    await says('202 blocks, 1 to 202, by 2 producers.')
    expect((await captions())[2]).toBe(`Commands: ${3 * 154 + 5 * 35 + 7 * 13} in 202 blocks`)
    expect(service.asked.length).toBe(3)
  })

  test('waits for its next look where no newer block comes with a reorganisation', async () => {
    const service = await madeService(200)
    service.refuse = (height) => (height === 161 ? { status: 409 } : undefined)
    await open(service.url)
    await says('40 blocks, 161 to 200, by 2 producers. Older ones are on their way.')
    await told(`A reorganisation has taken the lowest block off the chain. What stands below is of ${await now()}.`, 10)
    // It says the same before it asks once more.
    while (service.asked.length < 7) await page.waitForResponse(/blocks/)
    expect(service.asked.slice(-3)).toEqual([
      ...['/blocks/before/161-3N3a161?view=header', '/blocks?limit=1', '/blocks/before/161-3N3a161?view=header'],
    ])
  })

  test('says where nothing below is known, and asks no more for it', async () => {
    const service = await madeService(330)
    service.lowest = 41
    await open(service.url)
    await says('290 blocks, 41 to 330, by 2 producers. Nothing below is known here.')
    expect((await captions()).slice(2)).toEqual(['Commands: 870 in 290 blocks', `${slots}289 of 578 (50.0 %)`])
    service.asked.length = 0
    service.tip += 1
    await page.clock.runFor(10_000)
    await says('291 blocks, 41 to 331, by 2 producers. Nothing below is known here.')
    expect(service.asked).toEqual(['/blocks?limit=1'])
  })

  test('explains missing fees without an indexer, and how to choose a bar', async () => {
    const service = await madeService(200)
    await open(service.url)
    await says('200 blocks, 1 to 200, by 2 producers.')
    await says('Tap or point at a bar, or choose one with the arrow keys.')
    await page
      .getByText('Fees: –. Scale: MINA a block. An indexer gives them, a node does not.', { exact: true })
      .waitFor()
  })
})
