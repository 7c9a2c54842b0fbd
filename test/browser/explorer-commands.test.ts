// The explorer page of a command, from the pool to its end.
import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { Chain } from '../../packages/testnet/chain.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import { post, signPayment, wallet } from '../end-to-end/running-service.ts'
import { untilTestEnds } from '../serving.ts'
import { byHand, give } from './answers-by-hand.ts'
import { type Explorer, startExplorer, stillPage } from './explorer.ts'
import { describeInBrowser } from './in-browser.ts'

jest.setTimeout(120_000)

await describeInBrowser('service.example', 'the explorer page of a command', (browser) => {
  let explorer: Explorer
  let page: Page

  beforeAll(async () => {
    explorer = await startExplorer()
  })
  beforeEach(async () => {
    page = untilTestEnds(await stillPage(browser))
  })

  const value = (name: string) => page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')

  test.each([['included'], ['replaced'], ['expired']])(
    'tells that one which it has seen pending is %s',
    async (fate) => {
      const chain = explorer.chain as Chain
      const [from, to] = [wallet(chain, 'alice'), wallet(chain, 'bob')]
      const answer = await fetch(`${explorer.url}/accounts/${from.publicKey}`)
      const { account } = (await answer.json()) as { account: { nextNonce: number } }
      const terms = {
        nonce: String(account.nextNonce),
        validUntil: String(chain.tip().slot + 20),
        amount: '5000000000',
      }
      await post(`${explorer.url}/broadcast/transaction`, signPayment(chain, from, to, terms))
      const { hash, memo } = chain.pool(from.publicKey).at(-1) as { hash: string; memo: string }
      await page.goto(`${explorer.page}?api=${explorer.url}#${hash}`)
      await value('state').getByText('pending', { exact: true }).waitFor()
      const asked = page.waitForRequest(/\/transactions\//)
      if (fate !== 'included') await fetch(`${explorer.controlUrl}/${fate}?hash=${hash}`, { method: 'POST' })
      for (let slot = 0; slot <= 20; slot++) chain.produceBlock()
      await page.clock.runFor(10_000)
      await value('state').getByText(fate, { exact: true }).waitFor()
      expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toEqual({
        ...{ from: from.publicKey, to: to.publicKey, fee: '10000000', memo: memoFromText(memo) },
        ...{ nonce: terms.nonce, valid_until: terms.validUntil, amount: terms.amount },
      })
    },
  )

  test('calls its confirmations a lower bound once it is final', async () => {
    const service = await byHand()
    await page.goto(`${explorer.page}?api=${service.url}#5Ja`)
    for (const [fate, shown] of [
      [{ confirmations: 28 }, '28'],
      [{ confirmations: 29, final: true }, '29 or more'],
    ] as const) {
      give((await service.next()).response, { transaction: { hash: '5Ja', state: 'included', ...fate } })
      await value('confirmations').getByText(shown, { exact: true }).waitFor()
      await page.clock.runFor(10_000)
    }
  })
})
