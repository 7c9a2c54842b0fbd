// The docs page between two clicks: what it shows belongs to the request that stands above it.
import type { ServerResponse } from 'node:http'
import { beforeAll, expect, jest, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { createRandom, pick as pickBy } from '../../packages/testnet/random.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { getBlocks } from '../../shared/endpoints/get-blocks.ts'
import { getSummary } from '../../shared/endpoints/get-summary.ts'
import { startQuietService } from '../end-to-end/running-service.ts'
import { serve, untilFileEnds } from '../serving.ts'
import { hostName, newPage, originOf, sectionOf } from './docs-page.ts'
import { describeInBrowser } from './in-browser.ts'
import { becomeOldest } from './oldest-browsers.ts'

jest.setTimeout(240_000)

/** What each section shows: its line, its status and its answer. */
const shownNow = `[...document.querySelectorAll('.try')].map((one) => ({
  line: one.querySelector('.code').textContent,
  status: one.querySelector('.status').textContent,
  answer: one.querySelector('.answer').textContent,
  headers: one.querySelector('.received').hidden ? '' : one.querySelector('.received pre').textContent,
}))`

interface Held {
  readonly asked: string
  readonly response: ServerResponse
}

interface Shown {
  readonly line: string
  readonly status: string
  readonly answer: string
  readonly headers: string
}

/** What is wrong with a page: an answer under another request's line, or under words that say there is none. */
function wrongIn(sections: readonly Shown[]): readonly Shown[] {
  const isWrong = ({ line, status, answer, headers }: Shown) => {
    if (status.startsWith('sample')) return false
    if (!/^\d{3} /.test(status)) return answer !== '' || headers !== ''
    const { asked }: { readonly asked: string } = JSON.parse(answer)
    return !line.endsWith(`${asked}'`)
  }
  const waiting = sections.filter(({ status }) => status.startsWith('waiting'))
  return [...sections.filter(isWrong), ...(waiting.length > 1 ? waiting : [])]
}

await describeInBrowser(hostName, 'in a browser the docs page', (browser) => {
  let origin: string
  /** Requests that the proxy has not answered. */
  let held: Held[] = []
  let onArrival: () => void = () => undefined
  let isReady = false
  let page: Page
  let sections: ReturnType<typeof sectionOf>[]

  /** In front of the service: the page comes from there, and requests wait for what a test lets become of them. */
  beforeAll(async () => {
    const own = (await startQuietService()).url
    const { url } = await serve(async (request, response) => {
      const asked = request.url ?? ''
      if (!asked.startsWith('/docs')) {
        if (isReady) held.push({ asked, response })
        else response.writeHead(503).end('{}')
        onArrival()
        return
      }
      const answer = await fetch(own + asked, { headers: { 'accept-encoding': 'identity' } })
      const { 'content-encoding': _, 'content-length': length, ...headers } = Object.fromEntries(answer.headers)
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()))
    }, untilFileEnds)
    origin = originOf(url)
  })

  const open = async (isOldest = false) => {
    held = []
    isReady = false
    ;({ page } = await newPage(browser))
    if (isOldest) await becomeOldest(page)
    await page.goto(`${origin}/docs`, { waitUntil: 'networkidle' })
    isReady = true
    sections = [getBlocks, getSummary].map((endpoint) => sectionOf(page, endpoint))
  }
  const answer = (one: Held | undefined, status = 200) => {
    held = held.filter((other) => other !== one)
    one?.response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ asked: one.asked }))
  }
  /** Within its body: a browser sends a GET again by itself whose connection is lost before. */
  const breakOff = (one: Held) => {
    held = held.filter((other) => other !== one)
    one.response.writeHead(200, { 'content-length': 99 }).write('{', () => one.response.destroy())
  }
  /** The request for an address, as soon as the proxy has it. */
  const arrived = async (asked: string): Promise<Held> => {
    for (;;) {
      const found = held.find((one) => one.asked === asked)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        onArrival = resolve
      })
    }
  }
  const answerTo = async (asked: string) => answer(await arrived(asked))
  const shown = async () => (await page.evaluate(shownNow)) as readonly Shown[]
  const sendIn = (index: number) => sections[index]?.locator('.send').click()
  const statusOf = (index: number, text: RegExp | string) =>
    sections[index]?.getByRole('status').getByText(text).waitFor()

  test('shows one request at a time: its name while it waits, no former answer, and no late one', async () => {
    await open()
    await sendIn(0)
    await statusOf(0, 'waiting for GET /blocks?limit=1 …')
    await answerTo('/blocks?limit=1')
    await statusOf(0, /^200 OK in \d+ ms$/)
    await sendIn(0)
    await statusOf(0, 'waiting for GET /blocks?limit=1 …')
    expect(await sections[0]?.locator('.answer').innerText()).toBe('')
    await sections[0]?.getByRole('textbox', { name: 'limit' }).fill(' 3 ')
    await statusOf(0, 'not sent yet')
    await answerTo('/blocks?limit=1')
    await sendIn(0)
    await statusOf(0, 'waiting for GET /blocks?limit=3 …')
    await sendIn(1)
    await statusOf(0, 'given up, since another request was sent')
    await answerTo('/blocks?limit=3')
    await answerTo('/summary')
    await statusOf(1, /^200 OK/)
    expect(wrongIn(await shown())).toEqual([])
    await page.close()
  })

  test('gives up after 40 s, and empties what an answer that failed was to replace', async () => {
    await open()
    await page.clock.install()
    await sendIn(1)
    await statusOf(1, /^waiting/)
    await page.clock.fastForward(41_000)
    await statusOf(1, 'no answer in 40 s')
    held = []
    await sendIn(1)
    await statusOf(1, /^waiting/)
    breakOff(await arrived('/summary'))
    await statusOf(1, /^no answer: /)
    expect(wrongIn(await shown())).toEqual([])
    await page.close()
  })

  test('sends the query, and leaves blanks around its values out, in a browser of 2023', async () => {
    await open(true)
    await sections[0]?.getByRole('textbox', { name: 'limit' }).fill('\t4 ')
    await sendIn(0)
    await statusOf(0, 'waiting for GET /blocks?limit=4 …')
    await answerTo('/blocks?limit=4')
    await statusOf(0, /^200/)
    await page.close()
  })

  test('has the colours and the columns of today in a browser of 2023, light and dark', async () => {
    const looks = `[...document.querySelectorAll('body, nav a, .method, .string, .number, .send, .fields label, th')].map((one) => {
      const { color, backgroundColor, display, gridTemplateColumns, marginLeft } = getComputedStyle(one)
      return [color, backgroundColor, display, gridTemplateColumns, marginLeft].join()
    })`
    for (const colorScheme of ['light', 'dark'] as const) {
      const seen: unknown[] = []
      for (const isOldest of [false, true]) {
        await open(isOldest)
        await page.emulateMedia({ colorScheme })
        seen.push(await page.evaluate(looks))
        await page.close()
      }
      expect(seen[1]).toEqual(seen[0])
    }
  })

  test('selects a line that the clipboard refuses, and takes an input method’s Enter for no choice', async () => {
    await open()
    await page.evaluate(
      `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => { throw new Error('refused') } } })`,
    )
    await page.evaluate(`document.querySelector('.copy').hidden = false; document.querySelector('.copy').click()`)
    await page.locator('.copy', { hasText: 'Selected: copy it yourself' }).first().waitFor()
    expect(await page.evaluate('String(getSelection())')).toBe(await page.locator('.code').first().innerText())
    const search = page.getByRole('searchbox')
    await search.fill('pool')
    const enter = (init: object) => search.dispatchEvent('keydown', { key: 'Enter', bubbles: true, ...init })
    await enter({ isComposing: true })
    await enter({ keyCode: 229 })
    expect(await page.evaluate('location.hash')).toBe('')
    await enter({})
    expect(await page.evaluate('location.hash')).toBe('#getPool')
    await page.locator('nav [aria-current=location]', { hasText: '/pool' }).waitFor()
    expect(await page.locator('nav [aria-current]').count()).toBe(1)
    await page.close()
  })

  test('has menus that say what is shown after a visit elsewhere and back', async () => {
    await open()
    await sections[0]?.getByRole('combobox', { name: 'Language' }).selectOption('Python')
    isReady = false
    await page.reload({ waitUntil: 'networkidle' })
    await page.goto(`${origin}/docs/recipes.html`)
    await page.goBack({ waitUntil: 'networkidle' })
    const menus = `[...document.querySelectorAll('.try')].map((one) => [
      one.querySelector('select').value, one.querySelector('.code').textContent.split(' ')[0]].join())`
    expect([...new Set((await page.evaluate(menus)) as string[])]).toEqual(['curl,curl'])
    expect(await page.locator('select:not([autocomplete=off])').count()).toBe(0)
    await page.close()
  })

  test('never shows an answer under another request over 300 sequences of clicks and faults', async () => {
    const random = createRandom('between two clicks')
    const pick = <Item>(items: readonly Item[]) => pickBy(random, items)
    const click = ({ name }: Endpoint) => page.evaluate(`document.querySelector('#${name} .send').click()`)
    const steps: readonly (() => Promise<unknown>)[] = [
      () => click(getBlocks),
      () => click(getBlocks),
      () => click(getSummary),
      () =>
        page.evaluate(`(() => {
          const input = document.querySelector('#getBlocks input[name=limit]')
          input.value = '${Math.ceil(random() * 5)}'
          input.dispatchEvent(new Event('input', { bubbles: true }))
        })()`),
      async () => answer(held[0]),
      async () => answer(held.at(-1)),
      async () => held.length > 0 && answer(pick(held), 500),
      async () => held.length > 0 && breakOff(pick(held)),
    ]
    await open()
    const troubles: unknown[] = []
    const outcomes = new Set<string>()
    for (let sequence = 0; sequence < 300; sequence += 1) {
      for (let step = 0; step < 8; step += 1) {
        await pick(steps)()
        const now = await shown()
        for (const { status } of now) outcomes.add(status.replace(/\d+ ms|(?<=for ).*|(?<=answer: ).*/g, '…'))
        troubles.push(...wrongIn(now).map((wrong) => ({ sequence, step, ...wrong })))
      }
      if (sequence % 30 !== 29) continue
      isReady = false
      await (sequence % 60 === 29
        ? page.reload({ waitUntil: 'domcontentloaded' })
        : page.goto(`${origin}/docs/recipes.html`).then(() => page.goBack()))
      await page.locator('.send').first().waitFor()
      isReady = true
      held = []
    }
    expect(troubles).toEqual([])
    expect([...outcomes].toSorted()).toEqual([
      '200 OK in …',
      '500 Internal Server Error in …',
      'given up, since another request was sent',
      'no answer: …',
      'not sent yet',
      'sample, 200',
      'sample, 201',
      'waiting for …',
    ])
  })
})
