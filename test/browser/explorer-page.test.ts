// The page of docs/recipes/explorer.html, as `npm run demo -- --explorer` serves it.
import { beforeAll, expect, jest, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { serveExplorer } from '../../local/demo/explorer.ts'
import type { Chain } from '../../packages/testnet/chain.ts'
import { encodeBase58Check } from '../../shared/mapping/base58check.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import { serve, untilTestEnds } from '../serving.ts'
import { type Explorer, start, startExplorer, stillPage } from './explorer.ts'
import { describeInBrowser } from './in-browser.ts'

jest.setTimeout(120_000)

await describeInBrowser('service.example', 'the explorer page', (browser) => {
  let explorer: Explorer
  let page: Page
  beforeAll(async () => {
    explorer = await startExplorer()
    page = await stillPage(browser)
    await page.goto(`${explorer.page}?api=${explorer.url}`)
  })

  const heights = async () => (await page.getByRole('row').locator('td:first-child').allInnerTexts()).map(Number)
  const upTo = (highest: number) => Array.from({ length: 10 }, (_, index) => highest - index)

  test('lists the newest blocks with the time of the tip, and pages back to the first', async () => {
    await page.getByRole('status').getByText('Block 40 is the newest.', { exact: true }).waitFor()
    expect(await page.locator('.beside').innerText()).toBe('It was made at 01/01/2026, 9:00:00 GMT+9.')
    expect(await heights()).toEqual(upTo(40))
    for (const highest of [30, 20, 10]) {
      await page.getByRole('link', { name: 'Older blocks' }).click()
      await page.getByRole('link', { name: String(highest), exact: true }).waitFor()
      expect(await heights()).toEqual(upTo(highest))
      expect(await page.getByRole('textbox').inputValue()).toBe('')
    }
    expect(await page.getByRole('link', { name: 'Older blocks' }).count()).toBe(0)
    const orphan = `#before/39-${explorer.chain?.genesisBlock().stateHash}`
    await page.goto(`${explorer.page}?api=${explorer.url}${orphan}`)
    await page
      .locator('main')
      .getByText('A reorganisation has taken this off the chain: begin with the newest.')
      .waitFor()
    await page.getByRole('link', { name: 'Newest blocks', exact: true }).click()
    await page.getByRole('link', { name: '40', exact: true }).waitFor()
  })

  test('counts zkApp commands among the commands, in a list as in a block', async () => {
    const block = explorer.chain?.bestChain().findLast(({ zkappCommands }) => zkappCommands.length > 0)
    const { height = 0, userCommands = [], zkappCommands = [] } = block ?? {}
    const next = explorer.chain?.bestChain().find((one) => one.height === height + 1)
    await page.goto(`${explorer.page}?api=${explorer.url}#before/${height + 1}-${next?.stateHash}`)
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: String(height), exact: true }) })
    const count = userCommands.length + zkappCommands.length
    await row.waitFor()
    expect((await row.locator('td').allInnerTexts()).slice(2, 4).map(Number)).toEqual([count, zkappCommands.length])
    await lookUp(String(height))
    expect((await shownAs('commandCount'))[0]?.[0]).toBe(String(count))
  })

  /** A service that gives every question the same answer. */
  const answering = (json: string, added: Readonly<Record<string, string>> = {}) =>
    serve((_, response) => {
      response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*', ...added })
      response.end(json)
    }, untilTestEnds)
  const enter = async (id: string) => {
    await page.getByRole('textbox').fill(id)
    await page.getByRole('button').click()
  }
  const lookUp = async (id: string) => {
    await enter(id)
    await shows(id)
  }
  const follow = async (link: string, heading: string | RegExp) => {
    await page.getByRole('link', { name: link, exact: true }).click()
    await shows(heading)
  }
  /** The heading changes with the address, the description comes with the answer. */
  const shows = async (heading: string | RegExp) => {
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    await page.locator('main dl').first().waitFor()
  }
  const hashes = () => page.getByRole('row').locator('td:first-child').allInnerTexts()
  /** The page's text under a name in its description of a thing, with the original value. */
  const shownAs = (name: string) =>
    page
      .locator('dt', { hasText: new RegExp(`^${name}$`) })
      .locator('xpath=following-sibling::dd')
      .evaluateAll((all) => all.map((one) => [one.textContent, one.querySelector('[title]')?.getAttribute('title')]))

  test('shows a block in MINA, with memos as text and times of the reader’s zone, and what each was made of', async () => {
    const block = explorer.chain?.bestChain().findLast(({ userCommands }) => userCommands.length > 0)
    await lookUp(String(block?.height))
    const raw = `${block?.totalCurrency}`
    const exact = `${raw.slice(0, -9)}.${raw.slice(-9)}`.replace(/\.?0+$/, '')
    expect(await shownAs('coinbase')).toEqual([['360 MINA', '360000000000 nanomina']])
    expect(await shownAs('totalCurrency')).toContainEqual([`${exact} MINA`, `${raw} nanomina`])
    expect((await shownAs('dateTime'))[0]).toEqual(['01/01/2026, 9:00:00 GMT+9', '2026-01-01T00:00:00.000Z'])
    expect((await shownAs('date'))[0]).toEqual(['01/01/2026, 9:00:00 GMT+9', String(start)])
    await follow('Parent', block?.previousStateHash ?? '')
    await follow('Child', String(block?.height))
    const { hash = '', memo = '' } = block?.userCommands[0]?.command ?? {}
    await lookUp(hash)
    expect(await shownAs('memo')).toEqual([[memo, memoFromText(memo)]])
  })

  test('shows a block by its hash, commands and an account, which lead to each other', async () => {
    const { chain, wallets } = explorer
    const block = chain?.bestChain().findLast(({ userCommands }) => userCommands.length > 0)
    const zkapp = chain?.bestChain().findLast(({ zkappCommands }) => zkappCommands.length > 0)?.zkappCommands[0]
    await lookUp(block?.stateHash ?? '')
    expect((await shownAs('blockHeight'))[0]?.[0]).toBe(String(block?.height))
    await lookUp(block?.userCommands[0]?.command.hash ?? '')
    expect((await shownAs('state'))[0]?.[0]).toBe('included')
    await lookUp(zkapp?.hash ?? '')
    expect(await shownAs('amount')).toContainEqual([
      expect.stringMatching(/^-\d+\.\d+ MINA$/),
      expect.stringMatching(/^-\d{10} nanomina$/),
    ])
    await lookUp(wallets[0]?.publicKey ?? '')
    expect((await shownAs('total'))[0]?.[0]).toMatch(/^\d+\.\d{9} MINA$/)
    await page.locator('dd').getByRole('link').first().click()
    expect(await page.evaluate('location.hash')).toMatch(/^#(?:3N|5J|B62)\w+$/)
  })

  test.each([
    ['B62qrPN5Y5yq8kGE3FbVKbGTdTAJNdtNtB5sNVpxyRwWGcDEhpMqc8g/'],
    ['"B62qrPN5Y5yq8kGE3FbVKbGTdTAJNdtNtB5sNVpxyRwWGcDEhpMqc8g",'],
    ['https://explorer.example/mainnet/account/B62qrPN5Y5yq8kGE3FbVKbGTdTAJNdtNtB5sNVpxyRwWGcDEhpMqc8g/txs?page=2'],
    ['Sent to B62qrPN5Y5yq8kGE3FbVKbGTdTAJNdtNtB5sNVpxyRwWGcDEhpMqc8g.'],
    ['B62qrPN5Y5yq8kGE3FbVKb\u200bGTdTAJNdtNtB5sNVpxyRwWGcDEhpMqc8g'],
    ['#1001', '1001'],
    ['1,001', '1001'],
    ['1 001', '1001'],
    ['001001', '1001'],
    ['https://explorer.example/block/1001', '1001'],
    ['1,01', '1,01'],
  ])('looks up the only id in %j', async (text, id = 'B62qrPN5Y5yq8kGE3FbVKbGTdTAJNdtNtB5sNVpxyRwWGcDEhpMqc8g') => {
    for (const search of [
      () => page.goto(`${explorer.page}?api=${explorer.url}#${encodeURIComponent(text)}`),
      async () => {
        await page.getByRole('textbox').fill(text)
        await page.getByRole('button').click()
      },
    ]) {
      await page.goto('about:blank')
      await page.goto(`${explorer.page}?api=${explorer.url}`)
      await page.getByRole('table').waitFor()
      await search()
      await page.locator('main p', { hasText: /^(?:No|The chain) / }).waitFor()
      expect([await page.locator('h2').innerText(), await page.getByRole('textbox').inputValue()]).toEqual([id, id])
    }
  })

  test('shows when locked MINA comes free, and the state of a zkApp', async () => {
    const keyOf = (name: string) => explorer.wallets.find((wallet) => wallet.name === name)?.publicKey ?? ''
    await lookUp(keyOf('frank'))
    const cliffAt = new Date(Number(explorer.chain?.genesisTimestamp) + 100_000 * 10_000)
    const endAt = new Date(cliffAt.getTime() + 100 * 100 * 10_000)
    const shown = (date: Date) => date.toLocaleString('en-GB', { timeZone: 'Asia/Tokyo', timeZoneName: 'short' })
    await page
      .getByText(
        `2500 MINA of 10000 MINA free at ${shown(cliffAt)}, then 75 MINA every 100 slots until ${shown(endAt)}.`,
      )
      .waitFor()
    // `unknown` says the same as `total`, and nothing to a visitor.
    const { account } = (await (await fetch(`${explorer.url}/accounts/${keyOf('frank')}`)).json()) as {
      account: { balance: { total: string; unknown: string } }
    }
    expect([account.balance.unknown, await shownAs('total'), await shownAs('unknown')]).toEqual([
      account.balance.total,
      [[`${account.balance.total} MINA`, undefined]],
      [],
    ])
    await lookUp(keyOf('judy'))
    const state = ['1', '42', '28948022309329048855892746252171976963363056481941560715954676764349967630336']
    expect((await shownAs('state'))[0]?.[0]).toBe(
      [...state, '0', '0', '0', '0', '0'].map((element, place) => `${place}: ${element}`).join(''),
    )
  })

  test('gives no date to a slot before the last hard fork, since slots may have had another length', async () => {
    const options = { now: () => start, repeat: () => () => undefined, log: () => undefined, signsOwnCommands: false }
    const forked = untilTestEnds(await serveExplorer(options))
    await fetch(`${forked.controlUrl}/fork?discard=1`, { method: 'POST' })
    const visit = await browser.newPage({ locale: 'en-GB', timezoneId: 'Asia/Tokyo' })
    visit.setDefaultTimeout(50_000)
    const keyOf = (name: string) => forked.wallets.find((wallet) => wallet.name === name)?.publicKey ?? ''
    await visit.goto(`${forked.page}?api=${forked.url}#${keyOf('grace')}`)
    expect(await visit.getByText('MINA free at').innerText()).toMatch(
      /^1000 MINA of 9000 MINA free at slot 20, before the last hard fork, then 10 MINA every 5 slots until \d+\/.*GMT\+9\.$/,
    )
    await visit.close()
  })

  test('shows an amount to the last digit, one of another token and a memo that is not text as they are', async () => {
    const memoOf = (...bytes: number[]) => encodeBase58Check(Uint8Array.from({ length: 35 }, (_, at) => bytes[at] ?? 0))
    const noTexts = [
      memoOf(0x14, 1, 1, 0xff),
      memoOf(0x14, 0, 32, 0x61),
      memoOf(0x14, 1, 33, 0x61),
      'E4',
      '0'.repeat(53),
    ]
    const token = { tokenId: 'xvoiUpngKPVLAqjqKb5qXQvQBmk9DncPEaGJXzehoRSNrDB45r' }
    const amounts = ['18446744073709551615', '1', '-1000000001', '0', `7,${JSON.stringify(token).slice(1, -1)}`]
    const json = `{"memos":${JSON.stringify(noTexts.map((memo) => ({ memo })))},"all":[${amounts.map((amount) => `{"amount":${amount}}`)}]}`
    const service = await answering(json)
    await page.goto(`${explorer.page}?api=${service.url}#1`)
    await shows('1')
    expect((await shownAs('memo')).map(([text]) => text)).toEqual(noTexts)
    expect((await shownAs('amount')).map(([text]) => text)).toEqual([
      ...['18446744073.709551615 MINA', '0.000000001 MINA', '-1.000000001 MINA', '0 MINA', '7'],
    ])
    await page.goto(`${explorer.page}?api=${explorer.url}`)
  })

  test('shows every hash and the words of its field wholly on a telephone, without scrolling sideways', async () => {
    const visit = await browser.newPage({ viewport: { width: 390, height: 844 } })
    const hashes = explorer.chain?.bestChain().map(({ stateHash }) => stateHash)
    visit.setDefaultTimeout(50_000)
    await visit.goto(`${explorer.page}?api=${explorer.url}`)
    const links = visit.locator('td:last-child a')
    await links.first().waitFor()
    expect(hashes?.slice(-10).toReversed()).toEqual(await links.allInnerTexts())
    for (const link of await links.all()) {
      const { x = 0, width = 0 } = (await link.boundingBox()) ?? {}
      expect([x >= 0, x + width <= 390]).toEqual([true, true])
    }
    await visit.setViewportSize({ width: 360, height: 844 })
    const field = visit.getByRole('textbox')
    await field.fill((await field.getAttribute('placeholder')) ?? '')
    expect(await field.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0)
    await visit.setViewportSize({ width: 390, height: 844 })
    for (const address of ['#newest', '#40', `#${hashes?.at(-1)}`, `#${explorer.wallets[0]?.publicKey}`]) {
      // Another fragment alone would be no new visit, and the former view would still stand there.
      await visit.goto('about:blank')
      await visit.goto(`${explorer.page}?api=${explorer.url}${address}`)
      await visit.locator('main :is(table, dl)').first().waitFor()
      expect(await visit.evaluate('document.documentElement.scrollWidth')).toBe(390)
    }
    await visit.close()
  })

  test('lists a new block within ten seconds', async () => {
    await page.getByRole('link', { name: 'Chain explorer' }).click()
    await page.getByRole('link', { name: '40', exact: true }).waitFor()
    explorer.chain?.produceBlock()
    await page.clock.runFor(10_000)
    await page.getByRole('link', { name: '41', exact: true }).waitFor()
    expect(await heights()).toEqual(upTo(41))
  })

  test('asks for older blocks in pages that keep their addresses under the next tip', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url().replace(/.*before\/(\d+)-\w+/, '$1')))
    for (const highest of [31, 30]) {
      await page.getByRole('link', { name: 'Older blocks' }).click()
      await page.getByRole('link', { name: String(highest), exact: true }).waitFor()
    }
    expect(asked.filter((one) => !one.endsWith('/summary'))).toEqual(['32?limit=1', '31'])
  })

  test('pages back through the commands of an account, and shows what it has of each token', async () => {
    const { chain, url } = explorer
    const block = chain?.bestChain().findLast(({ zkappCommands }) => zkappCommands.length > 0)
    const key = block?.zkappCommands[0]?.from ?? ''
    const history = async () => {
      const answer = await fetch(`${url}/accounts/${key}/transactions?limit=100`)
      return (await answer.json()) as { transactions: { command: { hash: string } }[] }
    }
    while ((await history()).transactions.length <= 25) chain?.produceBlock()
    await lookUp(key)
    await follow('Tokens', key)
    await page.getByRole('link', { name: 'Account', exact: true }).waitFor()
    expect((await shownAs('balance'))[0]).toEqual([
      expect.stringMatching(/^[\d.]+ MINA$/),
      expect.stringMatching(/^\d+ nanomina$/),
    ])
    await follow('Account', key)
    await page.getByRole('link', { name: 'Commands', exact: true }).click()
    await page.getByRole('table').waitFor()
    const shown = [page.getByRole('textbox').inputValue(), page.locator('h2').innerText(), shownAs('next')]
    expect(await Promise.all(shown)).toEqual([key, key, []])
    const newest = await hashes()
    // Above a long list and below it.
    expect(await page.getByRole('link', { name: 'Older commands' }).count()).toBe(2)
    expect(await page.getByRole('link', { name: 'Newest commands' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Older commands' }).first().click()
    await page.getByRole('link', { name: 'Newest commands' }).waitFor()
    await page.getByRole('table').waitFor()
    const { transactions } = await history()
    expect(await page.getByRole('link', { name: 'Older commands' }).count()).toBe(0)
    expect([...newest, ...(await hashes())]).toEqual(transactions.map(({ command }) => command.hash))
  })

  test('says that an orphan is off the chain, and leads by hash to its parent and by height to the chain', async () => {
    const chain = explorer.chain as Chain
    const orphans = chain.bestChain().slice(-2)
    await fetch(`${explorer.controlUrl}/reorganised?depth=2`, { method: 'POST' })
    const [parent, orphan] = orphans.map(({ stateHash }) => stateHash) as [string, string]
    await lookUp(orphan)
    const words = 'This block is off the chain: it counts for nothing. See the block in its place.'
    await page.getByText(words).waitFor()
    expect(await shownAs('canonical')).toEqual([['off the chain', undefined]])
    const states = await page.locator('.commands td:last-child').allInnerTexts()
    expect([...new Set(states)]).toEqual(['applied here, not on the chain'])
    await follow('Parent', parent)
    await page.getByText(words).waitFor()
    expect(await page.getByRole('link', { name: 'Child' }).count()).toBe(0)
    await follow('Parent', orphans[0]?.previousStateHash ?? '')
    expect(await shownAs('canonical')).toEqual([['on the chain', undefined]])
    await follow('Child', String(orphans[0]?.height))
    await follow('Parent', orphans[0]?.previousStateHash ?? '')
    const staking = { voting_for: orphan, balance: '1000.000000000' }
    const account = { votingFor: orphan, delegate: explorer.wallets[0]?.publicKey, epochStakingAccount: [staking] }
    const vote = await answering(JSON.stringify({ account }))
    await page.goto(`${explorer.page}?api=${vote.url}#B62`)
    await shows('B62')
    expect(await page.locator('dd').getByRole('link').allInnerTexts()).toEqual([explorer.wallets[0]?.publicKey])
    expect(await shownAs('balance')).toEqual([['1000.000000000 MINA', undefined]])
    await page.goto(`${explorer.page}?api=${explorer.url}`)
  })

  test('names what an answer lacks', async () => {
    const { url } = await answering('{"network":"testnet"}', {
      'x-missing-fields': 'account.totalTx,zkappCommands.balanceChanges.implicitAccountCreationFee',
    })
    await page.goto(`${explorer.page}?api=${url}#1`)
    const lacks = 'account.totalTx, whether the fee for a new account came off what it received'
    await page.getByText(`The service does not have, or not in full: ${lacks}.`, { exact: true }).waitFor()
    await page.goto(`${explorer.page}?api=${explorer.url}`)
  })

  test('shows the pool, fees in MINA, and a health that is down, with the blocks that an indexer lacks', async () => {
    await follow('Pool', 'Pool')
    expect(await shownAs('count')).toEqual([[String(explorer.chain?.pool().length), undefined]])
    await follow('Fees', 'Fees')
    expect((await shownAs('normal'))[0]).toEqual([
      expect.stringMatching(/^0\.\d+ MINA$/),
      expect.stringMatching(/^\d+ nanomina$/),
    ])
    const down = await serve((_, response) => {
      response.writeHead(503, { 'access-control-allow-origin': '*' })
      response.end(
        '{"status":"down","nodes":{"listed":1,"answering":0,"synced":0},"indexer":{"answering":true,"lag":12}}',
      )
    }, untilTestEnds)
    await page.goto(`${explorer.page}?api=${down.url}#health`)
    await shows('Health')
    expect(await shownAs('status')).toEqual([['down', undefined]])
    expect(await shownAs('lag')).toEqual([['12 blocks', undefined]])
  })

  test('runs no script of the service that it asks, and shows its texts as they are', async () => {
    const image = '<img src=x onerror="ranStrangersScript = true">'
    const block = {
      blockHeight: `1${image}`,
      stateHash: `3N${image}`,
      dateTime: '<img src=x>T00:00:00',
      memo: image,
      coinbase: image,
      transactions: { userCommands: { length: `2${image}` }, zkappCommandCount: `4${image}` },
    }
    const hostile = await answering(JSON.stringify({ blocks: [block], block }), { 'x-chain-height': image })
    const visit = await browser.newPage()
    visit.setDefaultTimeout(50_000)
    const shown = async (address: string) => {
      await visit.goto(`${explorer.page}?api=${hostile.url}${address}`)
      await visit.locator('main :is(table, dl)').first().waitFor()
      return visit.evaluate(`({
        text: document.querySelector('main > div')?.textContent,
        images: document.images.length,
        ranScript: 'ranStrangersScript' in globalThis,
      })`)
    }
    const harmless = { images: 0, ranScript: false }
    const titles = 'HeightTimeCommandsOf them zkAppState hash'
    const row = `1${image}<img src=x>T00:00:002${image}4${image}4${image}3N${image}`
    expect(await shown('')).toEqual({ ...harmless, text: titles + row })
    await visit.goto('about:blank')
    expect(await shown('#1')).toEqual({
      ...harmless,
      text:
        `stateHash3N${image}blockHeight1${image}dateTime<img src=x>T00:00:00commandCount2${image}4${image}` +
        `transactionsuserCommandslength2${image}zkappCommandCount4${image}memo${image}coinbase${image}`,
    })
    await visit.close()
  })
})
