// The explorer page between two answers: what stands there always belongs to the address, or the page says that it waits or failed.
import type { ServerResponse } from 'node:http'
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { Chain } from '../../packages/testnet/chain.ts'
import { createRandom, integerBetween, pick } from '../../packages/testnet/random.ts'
import { serve, untilTestEnds } from '../serving.ts'
import { byHand, give } from './answers-by-hand.ts'
import { type Explorer, startExplorer, stillPage } from './explorer.ts'
import { describeInBrowser } from './in-browser.ts'

jest.setTimeout(300_000)

await describeInBrowser('service.example', 'the explorer page between two answers', (browser) => {
  let explorer: Explorer
  let page: Page

  beforeAll(async () => {
    explorer = await startExplorer()
  })
  beforeEach(async () => {
    page = untilTestEnds(await stillPage(browser))
  })

  /** Until the answer stands there. */
  const visit = async (address: string) => {
    await page.goto(`${explorer.page}?api=${explorer.url}${address}`)
    await page.locator('main :is(table, dl, p)').first().waitFor()
  }
  const enter = async (id: string) => {
    await page.getByRole('textbox').fill(id)
    await page.getByRole('button').click()
  }
  const said = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()
  const value = (name: string) =>
    page
      .locator('dt', { hasText: new RegExp(`^${name}$`) })
      .locator('+ dd')
      .first()
  /** The heading, the title of the window, and the text of what has the focus. */
  const place = () =>
    page.evaluate<string[]>(`[
      document.querySelector('h2').textContent,
      document.title,
      document.activeElement.tagName + ' ' + document.activeElement.textContent,
    ]`)
  const keyOf = (name: string) => explorer.wallets.find((wallet) => wallet.name === name)?.publicKey ?? ''

  /** The page of a service whose answers are given by hand. */
  const visitByHand = async (address: string) => {
    const service = await byHand()
    await page.goto(`${explorer.page}?api=${service.url}${address}`)
    return service
  }

  test('asks again when the same thing is looked up again, by the form or by a link', async () => {
    const service = await visitByHand('#pool')
    for (const [count, again] of [
      () => enter('pool'),
      () => page.getByRole('link', { name: 'Pool' }).click(),
      () => page.clock.runFor(10_000),
    ].entries()) {
      const { path, response } = await service.next()
      expect(path).toBe('/pool')
      give(response, { count })
      await value('count').getByText(String(count)).waitFor()
      await again()
    }
    await service.next()
  })

  test('empties what a look-up replaces, and says that it waits, and then that no answer comes', async () => {
    const service = await visitByHand(`#${keyOf('alice')}`)
    give((await service.next()).response, { account: { publicKey: keyOf('alice'), nonce: 7 } })
    await value('nonce').getByText('7').waitFor()
    await enter(keyOf('bob'))
    const { response } = await service.next()
    const shown = async () => [await page.locator('main').innerText(), await page.getByRole('status').innerText()]
    expect((await shown()).map((text) => text.trim())).toEqual([keyOf('bob'), 'Waiting for the service.'])
    response.destroy()
    await said(`The service at ${service.url} does not answer.`)
    expect((await shown())[0]?.trim()).toEqual(keyOf('bob'))
  })

  test('says from when it is what stands there while the service is away', async () => {
    const service = await visitByHand('#pool')
    give((await service.next()).response, { count: 3 })
    await value('count').waitFor()
    await page.clock.runFor(10_000)
    ;(await service.next()).response.destroy()
    await said(`The service at ${service.url} does not answer. What stands below is of 01/01/2026, 9:00:35 GMT+9.`)
    expect(await value('count').innerText()).toBe('3')
    await page.clock.runFor(10_000)
    give((await service.next()).response, { count: 4 })
    await value('count').getByText('4').waitFor()
    await said('Status 200.')
  })

  /** A cache in front of the service that obeys max-age, by a clock of the test's. */
  const cached = async () => {
    const cache = { seconds: 0, summary: 'right', asked: [] as string[] }
    const copies = new Map<string, { at: number; status: number; headers: Record<string, string>; body: string }>()
    const { url } = await serve(async ({ url: path = '', headers: { origin = '' } }, response) => {
      const copy = copies.get(path)
      const maxAge = Number(/max-age=(\d+)/.exec(copy?.headers['cache-control'] ?? '')?.[1] ?? 0)
      if (copy === undefined || cache.seconds - copy.at > maxAge) {
        const fresh = await fetch(`${explorer.url}${path}`, { headers: { origin } })
        const headers = Object.fromEntries(fresh.headers)
        copies.set(path, { at: cache.seconds, status: fresh.status, headers, body: await fresh.text() })
      }
      const { at = 0, status = 200, headers = {}, body = '' } = copies.get(path) ?? {}
      cache.asked.push(path)
      const isSummary = path === '/summary'
      if (isSummary && cache.summary === 'out') return response.destroy()
      const old = isSummary && cache.summary === 'old' ? { 'x-chain-height': '1' } : {}
      return response.writeHead(status, { ...headers, age: String(cache.seconds - at), ...old }).end(body)
    }, untilTestEnds)
    return Object.assign(cache, { url })
  }

  test('names the present tip, and counts from it, where a cache holds the answer for long', async () => {
    const chain = explorer.chain as Chain
    const cache = await cached()
    const tip = chain.tip().height
    await page.goto(`${explorer.page}?api=${cache.url}#5`)
    await said(`Block ${tip} is the newest.`)
    cache.seconds += 20
    chain.produceBlock()
    await page.clock.runFor(10_000)
    await said(`Block ${tip + 1} is the newest.`)
    expect(await value('confirmations').innerText()).toBe(`${tip + 1 - 5}`)
    expect(cache.asked).toEqual(['/blocks/height/5', '/summary', '/blocks/height/5', '/summary'])
    for (const height of [tip + 1, tip + 2]) {
      await page.goto('about:blank')
      await page.goto(`${explorer.page}?api=${cache.url}#chart`)
      await page.getByText(`${height} blocks, 1 to ${height}, by`).waitFor()
      await said(`Block ${height} is the newest.`)
      cache.seconds += 20
      chain.produceBlock()
    }
    for (const summary of ['out', 'old']) {
      cache.summary = summary
      await page.goto('about:blank')
      await page.goto(`${explorer.page}?api=${cache.url}#5`)
      await value('confirmations')
        .getByText(`${tip - 5} or more`, { exact: true })
        .waitFor()
      expect(await page.getByRole('status').innerText()).toBe('Status 200.')
    }
  })

  test('keeps focus and selection when a block comes, and speaks only then', async () => {
    const { height: tip } = (explorer.chain as Chain).tip()
    await visit('')
    await page.evaluate(`
      globalThis.spoken = []
      new MutationObserver(() => spoken.push(document.querySelector('[role=status]').textContent))
        .observe(document.querySelector('[role=status]'), { childList: true, characterData: true, subtree: true })
      new MutationObserver(() => { document.body.dataset.written = true }).observe(document.querySelector('.beside'), { childList: true })
      globalThis.touched = []
      new MutationObserver((all) => touched.push(...all)).observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true, attributes: true })`)
    await page.getByRole('link', { name: String(tip - 3), exact: true }).focus()
    await page.evaluate(`getSelection().selectAllChildren(document.querySelectorAll('tr')[5].lastChild)`)
    const kept = () =>
      page.evaluate(`[document.activeElement.textContent, String(getSelection()), spoken.join(), touched.length]`)
    const before = (await kept()) as unknown[]
    expect(before.slice(2)).toEqual(['', 0])
    const polled = async () => {
      const answered = page.waitForResponse((response) => response.url().includes('/blocks?'))
      await page.clock.runFor(10_000)
      await (await answered).finished()
      // The page rewrites the text beside the status after each answer.
      await page.locator('body[data-written="true"]').waitFor()
      await page.evaluate('delete document.body.dataset.written')
    }
    await polled()
    expect(await kept()).toEqual(before)
    explorer.chain?.produceBlock()
    await polled()
    await page.getByRole('link', { name: String(tip + 1), exact: true }).waitFor()
    expect(await kept()).toEqual([...before.slice(0, 2), `Block ${tip + 1} is the newest.`, expect.any(Number)])
  })

  test('moves focus to the heading where the row that had it leaves', async () => {
    const service = await visitByHand(`#${keyOf('alice')}`)
    const account = (delegate?: string) => ({ account: { publicKey: keyOf('alice'), nonce: 7, delegate } })
    give((await service.next()).response, account(keyOf('bob')))
    await page.getByRole('link', { name: keyOf('bob') }).focus()
    await page.clock.runFor(10_000)
    give((await service.next()).response, account())
    await page.getByRole('link', { name: keyOf('bob') }).waitFor({ state: 'detached' })
    expect((await place())[2]).toBe(`H2 ${keyOf('alice')}`)
  })

  test('asks nothing while nobody sees it, and at once when it is seen again', async () => {
    const service = await visitByHand('#pool')
    give((await service.next()).response, { count: 3 })
    await value('count').getByText('3').waitFor()
    const show = (isHidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await show(true)
    await page.clock.runFor(60_000)
    expect(service.asked).toEqual([])
    await show(false)
    give((await service.next()).response, { count: 4 })
    await value('count').getByText('4').waitFor()
    await page.clock.runFor(10_000)
    await service.next()
  })

  test('folds a long list, such as a thousand delegators, and leaves open what a reader opened', async () => {
    const service = await visitByHand('#B62a')
    const listed = () => page.locator('main li').filter({ visible: true }).count()
    const answerOf = (nonce: number, length: number) => ({
      account: { nonce, epochDelegators: Array(length).fill({ pk: 'B62' }) },
    })
    const found = []
    for (const [nonce, length] of [10, 11, 12].entries()) {
      give((await service.next()).response, answerOf(nonce, length))
      await value('nonce').getByText(String(nonce)).waitFor()
      found.push(await listed())
      if (length === 11) await page.getByText('11 entries').click()
      found.push(await listed())
      await page.clock.runFor(10_000)
    }
    expect(found).toEqual([10, 10, 0, 11, 12, 12])
  })

  test('keeps focus where a value beside it changes', async () => {
    const service = await visitByHand(`#${keyOf('alice')}`)
    const account = (nonce: number) => ({ account: { publicKey: keyOf('alice'), delegate: keyOf('bob'), nonce } })
    give((await service.next()).response, account(7))
    await page.getByRole('link', { name: keyOf('bob') }).focus()
    await page.clock.runFor(10_000)
    give((await service.next()).response, account(8))
    await value('nonce').getByText('8').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe(keyOf('bob'))
  })

  test('moves focus to the heading of a new view, and names the window after it', async () => {
    await visit('')
    expect(await place()).toEqual(['Newest blocks', 'Newest blocks · Chain explorer', expect.stringMatching(/^BODY/)])
    await page.getByRole('link', { name: 'Fees' }).click()
    await value('suggested').waitFor()
    expect(await place()).toEqual(['Fees', 'Fees · Chain explorer', 'H2 Fees'])
    expect(await page.locator('[aria-current=page]').allInnerTexts()).toEqual(['Fees'])
    await enter('7')
    await value('blockHeight').waitFor()
    expect(await place()).toEqual(['7', '7 · Chain explorer', 'H2 7'])
    await page.goBack()
    await value('suggested').waitFor()
    expect(await place()).toEqual(['Fees', 'Fees · Chain explorer', 'H2 Fees'])
  })

  test.each<[string, (response: ServerResponse) => unknown, string]>([
    ['a cut connection', (response) => response.destroy(), ' does not answer.'],
    [
      'a proxy’s page',
      (response) => give(response, '<html>Bad gateway</html>', 502),
      'What answers here is not the service, or is out of order.',
    ],
    [
      'another service',
      (response) => give(response, [null]),
      'What answers here is not the service, or is out of order.',
    ],
    ['nothing', (response) => give(response, 'null'), 'What answers here is not the service, or is out of order.'],
  ])('says what is wrong about %s', async (_, answer, words) => {
    const service = await visitByHand('/')
    const { path, response } = await service.next()
    expect(path).toBe('/blocks?limit=10')
    answer(response)
    await said(words)
  })

  test('gives up after 30 seconds, says so, and asks again', async () => {
    const service = await visitByHand('#pool')
    await service.next()
    await page.clock.runFor(30_000)
    await said(`The service at ${service.url} has not answered for 30 s.`)
    await page.clock.runFor(10_000)
    give((await service.next()).response, { count: 1 })
    await value('count').waitFor()
  })

  test('looks up a text that is no encoded address', async () => {
    await visit('#%')
    await said('No block or transaction has this hash.')
    await visit('')
    await enter(' 100% ')
    await said('No block or transaction has this hash.')
    expect(await place()).toEqual(['100%', '100% · Chain explorer', 'H2 100%'])
  })

  test('says that an account’s vesting is not known while the service does not know its network', async () => {
    await page.route(`${explorer.url}/network`, (route) =>
      route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' }, body: '{"message":"no node"}' }),
    )
    await visit(`#${keyOf('frank')}`)
    await page.getByText('When locked MINA comes free is not known now.').waitFor()
    expect(await value('publicKey').innerText()).toBe(keyOf('frank'))
  })

  describe('in 300 sequences of look-ups, polls and answers that come late, in any order, wrong or never', () => {
    const ids = ['newest', 'pool', 'health', '7', '8', 'B62a', 'B62b/tokens', '5Jx', 'before/9-3Na']
    /** Every change of the page is compared with its heading: an answer of this service has its path, and counts upwards. */
    const watch = `
      globalThis.wrong = []
      addEventListener('DOMContentLoaded', () => {
        let last = ''
        let count = 0
        new MutationObserver(() => {
          const heading = document.querySelector('h2')?.textContent ?? ''
          const text = document.querySelector('main').textContent
          const found = [...text.matchAll(/asked:(\\S*?):(\\d+):/g)]
          const status = document.querySelector('[role=status]').textContent
          if (heading !== last) [last, count] = [heading, 0]
          for (const [, path, number] of found) {
            if (path !== expected[heading]) wrong.push(heading + ' shows ' + path)
            if (Number(number) < count) wrong.push(heading + ' goes back to an older answer')
            count = Number(number)
          }
          if (!found.length && !/^(Waiting|The service|What answers)/.test(status) && !text.includes('no node')) wrong.push(heading + ' is empty, and says ' + status)
        }).observe(document.body, { childList: true, characterData: true, subtree: true })
      })`
    const expected = {
      'Newest blocks': '/blocks?limit=10',
      Pool: '/pool',
      Health: '/health',
      '7': '/blocks/height/7',
      '8': '/blocks/height/8',
      B62a: '/accounts/B62a',
      B62b: '/accounts/B62b/tokens',
      '5Jx': '/transactions/5Jx',
      'Blocks below 9': '/blocks/before/9-3Na?limit=8',
    }

    test.each(Array.from({ length: 3 }, (_, index) => index))('%s', async (part) => {
      let count = 0
      const body = (path: string) => {
        const asked = `asked:${path}:${++count}:`
        const blocks = [{ blockHeight: 1, stateHash: asked, dateTime: '', transactions: { userCommands: [] } }]
        return path.startsWith('/blocks?') || path.includes('before') ? { blocks } : { asked }
      }
      const answers = [
        (path: string, response: ServerResponse) => give(response, body(path)),
        (path: string, response: ServerResponse) => give(response, body(path)),
        (_: string, response: ServerResponse) => give(response, { message: 'no node' }, 503),
        (_: string, response: ServerResponse) => give(response, '<html>', 502),
        (_: string, response: ServerResponse) => response.destroy(),
      ]
      await page.addInitScript(`globalThis.expected = ${JSON.stringify(expected)};${watch}`)
      const service = await visitByHand('')
      const wrong: unknown[] = []
      let depth = 0
      const collect = async () => wrong.push(...(await page.evaluate<string[]>('wrong.splice(0)')))
      for (let sequence = part * 100; sequence < part * 100 + 100; sequence++) {
        const random = createRandom(`explorer ${sequence}`)
        const steps = [
          () =>
            page.evaluate(`new Promise((resolve) => {
            const { href } = location
            location.hash = ${JSON.stringify(pick(random, ids))}
            href === location.href ? resolve() : addEventListener('hashchange', resolve, { once: true })
          })`),
          () =>
            page.evaluate(`(() => {
              const form = document.querySelector('form')
              form.wanted.value = ${JSON.stringify(pick(random, ids))}
              form.requestSubmit()
            })()`),
          () =>
            page.evaluate(
              `document.querySelector('nav a[href="#${pick(random, ['newest', 'pool', 'health'])}"]').click()`,
            ),
          async () => {
            // Never past the page itself.
            if (depth > 0) await page.evaluate('history.back()')
            depth = Math.max(depth - 2, -1)
          },
          () => page.clock.runFor(10_000),
          () => page.clock.runFor(30_000),
          async () => {
            await collect()
            await page.reload({ waitUntil: 'domcontentloaded' })
          },
        ]
        for (let step = 0; step < 6; step++) {
          const before = page.url()
          await pick(random, steps)()
          if (page.url() !== before) depth++
          // Some of those that wait, in any order; the rest never.
          while (service.asked.length > 0 && random() < 0.7) {
            const [{ path, response }] = service.asked.splice(
              integerBetween(random, 0, service.asked.length - 1),
              1,
            ) as [(typeof service.asked)[number]]
            if (!response.destroyed) pick(random, answers)(path, response)
          }
        }
        await collect()
      }
      expect(wrong).toEqual([])
    })
  })
})
