// The recipes of docs/recipes.md but for paying, run as a reader would run them.
import { describe, expect, test } from '@jest/globals'
import { type Cursor, nextStep, type Step } from '../../docs/recipes/follow-the-chain.ts'
import { ageOf } from '../../docs/recipes/freshness.ts'
import { memoOnChain } from '../../docs/recipes/memo.ts'
import { parseExact, parseLongIntegersAsText } from '../../docs/recipes/parse-exact.ts'
import { signedPayment } from '../../docs/recipes/pay.ts'
import { producerIncome } from '../../docs/recipes/producer-income.ts'
import { settle } from '../../docs/recipes/settle.ts'
import { unheldValues } from '../../shared/contract/parameters.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import { serve } from '../serving.ts'
import { service } from './recipe-service.ts'

describe('the recipes that sign and send', () => {
  /** A service, through an address at which these paths have another body; `asked` lists what was asked there. */
  async function replacing(bodies: Readonly<Record<string, unknown>>) {
    const { url, ...rest } = await service()
    const asked: string[] = []
    const { url: front } = await serve(async (request, response) => {
      asked.push(`${request.method} ${request.url}`)
      const body = bodies[request.url ?? '']
      if (body !== undefined) return void response.end(JSON.stringify(body))
      const sent = request.method === 'POST' ? Buffer.concat(await request.toArray()).toString() : null
      const answer = await fetch(`${url}${request.url}`, { method: request.method ?? '', body: sent })
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })
    return { ...rest, url, front, asked }
  }
  const elsewhere = { '/network': { networkName: 'mainnet' } }
  const mismatch = { expected: 'testnet', actual: 'mainnet', message: 'the service is on mainnet, not on testnet' }

  test('ask another network for its name alone, and throw', async () => {
    const { url, front, asked, payer, to } = await replacing(elsewhere)
    const payment = await signedPayment(url, payer, to, 7n)
    if (payment === undefined) throw new Error('no account')
    const wait = async () => undefined
    const calls = [signedPayment(front, payer, to, 7n), settle(front, payment, 300, wait)]
    for (const call of calls) await expect(call).rejects.toMatchObject(mismatch)
    expect(asked).toEqual(Array(2).fill('GET /network'))
  })

  test('stop in the middle, where the address comes to lead to another network', async () => {
    const bodies: Record<string, unknown> = {}
    const { front, asked, payer, to } = await replacing(bodies)
    const payment = await signedPayment(front, payer, to, 7n)
    if (payment === undefined) throw new Error('no account')
    const settling = settle(front, payment, 300, async () => void Object.assign(bodies, elsewhere))
    await expect(settling).rejects.toMatchObject(mismatch)
    expect(asked.slice(-3)).toEqual(['GET /network', 'POST /broadcast/transaction', 'GET /network'])
  })

  test.each([
    ['0.1 MINA by default', undefined, '100000000'],
    ['what the payer allows', 1_000_000n, '1000000'],
  ])('pay at most %s where a service suggests 10,000 MINA', async (_, maxFee, fee) => {
    const { front, payer, to } = await replacing({ '/fees': { suggested: { normal: '10000000000000' } } })
    const payment = await signedPayment(front, { ...payer, ...(maxFee && { maxFee }) }, to, 7n)
    expect(payment?.terms.fee).toBe(fee)
  })

  test('pay what a service suggests within that, and sign nothing without a suggestion', async () => {
    const bodies = { '/fees': { suggested: { normal: '99999999' } as object } }
    const { front, payer, to } = await replacing(bodies)
    expect((await signedPayment(front, payer, to, 7n))?.terms.fee).toBe('99999999')
    for (const normal of ['-1', '', null]) {
      bodies['/fees'] = { suggested: { normal } as object }
      await expect(signedPayment(front, payer, to, 7n)).rejects.toThrow('the service suggests no fee now')
    }
  })
})

describe('the recipe that follows the chain', () => {
  /** All steps up to now. */
  async function stepsSince(url: string, cursor?: Cursor, confirmations?: number) {
    const steps: Step[] = []
    for (let at = cursor; ; ) {
      const step = await nextStep(url, at, confirmations)
      if (step === undefined) return { steps, cursor: at }
      steps.push(step)
      at = step.cursor
    }
  }
  const said = (steps: readonly Step[]) =>
    steps.map(({ added, orphaned }) => (added ? `+${added.stateHash}` : `-${orphaned?.stateHash}`))

  test('hands over every block once, through a reorganisation and after a long pause too', async () => {
    const { url, chain, nextBlock } = await service()
    const latest = (count: number) =>
      chain
        .bestChain()
        .slice(-count)
        .map(({ stateHash }) => stateHash)
    const first = await stepsSince(url)
    expect(said(first.steps)).toEqual(latest(1).map((hash) => `+${hash}`))
    for (let made = 0; made < 25; made++) nextBlock()
    const second = await stepsSince(url, first.cursor)
    expect(said(second.steps)).toEqual(latest(25).map((hash) => `+${hash}`))
    const lost = latest(2).reverse()
    chain.reorganise(2)
    const third = await stepsSince(url, second.cursor)
    expect(said(third.steps)).toEqual([...lost.map((hash) => `-${hash}`), ...latest(3).map((hash) => `+${hash}`)])
    expect((await stepsSince(url, third.cursor)).steps).toEqual([])
  })

  test('takes back the block of a first cursor, which knows none under it', async () => {
    const { url, chain } = await service()
    const first = await stepsSince(url)
    const lost = chain.tip().stateHash
    chain.reorganise(1)
    const { steps } = await stepsSince(url, first.cursor)
    const latest = chain.bestChain().slice(-2)
    expect(said(steps)).toEqual([`-${lost}`, ...latest.map(({ stateHash }) => `+${stateHash}`)])
  })

  test('says what it cannot know, and skips nothing', async () => {
    const { url, chain } = await service()
    const { height } = chain.tip()
    const unknown: Cursor = { height, stateHash: unheldValues.state_hash, below: [] }
    await expect(nextStep(url, unknown)).rejects.toThrow('nobody knows its parent: give an older cursor')
    const { url: broken } = await serve((_request, response) => response.writeHead(503, { 'retry-after': '7' }).end())
    await expect(nextStep(broken)).rejects.toThrow('503: try again in 7 s')
    const { url: lagging } = await serve(async (request, response) => {
      const answer = await fetch(`${url}${request.url}`)
      const text = await answer.text()
      response
        .writeHead(answer.status, { 'x-chain-height': String(height - 1) })
        .end(text.replace(`"blockchainLength":${height}`, `"blockchainLength":${height - 1}`))
    })
    expect(await nextStep(lagging, unknown)).toBeUndefined()
    const { url: nameless } = await serve(async (request, response) => {
      response.end(await (await fetch(`${url}${request.url}`)).text())
    })
    await expect(nextStep(nameless, unknown)).rejects.toThrow('x-chain-height is missing')
    await expect(nextStep(url, unknown, Number.NaN)).rejects.toThrow(RangeError)
  })

  const daemon = (tip: number, branch: string) => (path: string) => {
    const height = Number(/\d+$/.exec(path) ?? 0)
    const blockAt = { stateHash: `${branch}${height}`, protocolState: { previousStateHash: `3N${height - 1}` } }
    if (path === '/summary') return { blockchainLength: tip, stateHash: `${branch}${tip}` }
    if (path === '/network') return { genesisStateHash: '3N1' }
    if (path === '/blocks/3N1') return { block: { stateHash: '3N1', blockHeight: 1 } }
    return height > tip ? undefined : { block: blockAt }
  }

  test('loses no block to the orphans of a daemon that stopped below it', async () => {
    const stopped = daemon(95, '3Nx')
    const { url } = await serve((request, response) => {
      response.writeHead(200, { 'x-chain-height': '95' }).end(JSON.stringify(stopped(request.url ?? '')))
    })
    const below = Array.from({ length: 98 }, (_, index) => `3N${98 - index}`)
    expect(await nextStep(url, { height: 99, stateHash: '3N99', below }, 2)).toBeUndefined()
  })

  test('takes no block of a daemon that stands still for one under the tip of another, and loses none to it', async () => {
    const [good, stopped] = [daemon(115, '3N'), daemon(101, '3Nx')]
    let asked = 0
    const { url } = await serve((request, response) => {
      // Every summary is the good daemon's, of the other answers each second one.
      const isGood = request.url === '/summary' || asked++ % 2 === 1
      const body = (isGood ? good : stopped)(request.url ?? '')
      response
        .writeHead(body ? 200 : 404, { 'x-chain-height': isGood ? '115' : '101' })
        .end(JSON.stringify(body ?? { message: 'none' }))
    })
    const cursor = { height: 99, stateHash: '3N99', below: ['3N98'] }
    expect(said((await stepsSince(url, cursor, 15)).steps)).toEqual(['+3N100'])
  })
})

test('the recipes for JSON keep every digit of an integer', async () => {
  const { url, chain } = await service()
  const text = await (await fetch(`${url}/blocks`)).text()
  const digits = String(chain.tip().totalCurrency)
  expect(digits.length).toBeGreaterThan(17)
  const withTotal = (totalCurrency: unknown) => ({ blocks: [{ protocolState: { consensusState: { totalCurrency } } }] })
  expect(parseExact(text)).toMatchObject(withTotal(BigInt(digits)))
  expect(parseLongIntegersAsText(text)).toMatchObject(withTotal(digits))
  const hostile = '{"memo":"9007199254740993 \\\\\\" 18446744073709551615","n":-9007199254740993,"small":5,"x":1.5}'
  const memo = '9007199254740993 \\" 18446744073709551615'
  expect(parseExact(hostile)).toEqual({ memo, n: -9007199254740993n, small: 5, x: 1.5 })
  expect(parseLongIntegersAsText(hostile)).toEqual({ memo, n: '-9007199254740993', small: 5, x: 1.5 })
})

test('the recipe for a memo writes it as the chain does', async () => {
  const memos = ['', 'rent', ' é中\u{1f600} ', 'x'.repeat(32)]
  expect(await Promise.all(memos.map(memoOnChain))).toEqual(memos.map(memoFromText))
  await expect(memoOnChain('é'.repeat(17))).rejects.toThrow(RangeError)
})

test("the recipe for a producer's income finds what each block adds to the receiver of its coinbase", async () => {
  const { url, chain } = await service()
  const blocks = chain.bestChain().slice(-20)
  const found = await Promise.all(
    blocks.map(async ({ height }) => {
      const { block } = parseExact(await (await fetch(`${url}/blocks/height/${height}`)).text())
      return producerIncome(block.transactions)
    }),
  )
  const expected = blocks.map(({ coinbase, coinbaseReceiver, feeTransfers }) => {
    const viaCoinbase = feeTransfers.filter(({ type }) => type === 'Fee_transfer_via_coinbase')
    const toReceiver = feeTransfers.filter(({ recipient }) => recipient === coinbaseReceiver)
    const sum = (transfers: typeof feeTransfers) => transfers.reduce((total, { fee }) => total + fee, 0n)
    return { receiver: coinbaseReceiver, income: coinbase + sum(toReceiver) - sum(viaCoinbase) }
  })
  expect(found).toEqual(expected)
  expect(blocks.some(({ feeTransfers }) => feeTransfers.some(({ type }) => type === 'Fee_transfer_via_coinbase'))).toBe(
    true,
  )
})

test('the recipe for freshness knows the age of an answer', async () => {
  const { url, chain } = await service()
  const response = await fetch(`${url}/summary`)
  expect(ageOf(response, chain.tip().date + 12_000)).toEqual({ inCaches: 0, sinceItsTip: 12, isSynced: true })
})
