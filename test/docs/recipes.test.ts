// The recipes of docs/recipes.md, run as a reader would run them.
import { describe, expect, test } from '@jest/globals'
import { follower } from '../../docs/recipes/follow-the-chain.ts'
import { ageOf } from '../../docs/recipes/freshness.ts'
import { parseExact, parseLongIntegersAsText } from '../../docs/recipes/parse-exact.ts'
import { pay } from '../../docs/recipes/pay.ts'
import { sendUntilKnown } from '../../docs/recipes/send-until-known.ts'
import { startService } from '../../local/start/service.ts'
import { serve, untilTestEnds } from '../serving.ts'

async function service() {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const options = { now: () => clock.now, repeat: () => () => undefined, log: () => undefined }
  const { url, chain, wallets } = untilTestEnds(await startService(options))
  const [payer, receiver] = wallets
  if (chain === undefined || payer === undefined || receiver === undefined) throw new Error('no chain or wallets')
  const nextBlock = () => {
    clock.now += 10_000
    return chain.produceBlock()
  }
  const payNanomina = (amount: bigint) => pay(url, 'testnet', payer.privateKey, receiver.publicKey, amount)
  return { url, chain, nextBlock, payNanomina, from: payer.publicKey, to: receiver.publicKey }
}

test('the recipe for a payment signs it and sends it, the next one with the next nonce', async () => {
  const { nextBlock, payNanomina, from, to } = await service()
  const { status, headers, answer } = await payNanomina(1_500_000_000n)
  expect([status, headers.get('x-broadcast-outcome'), answer]).toMatchObject([
    201,
    'accepted',
    { result: { payment: { from, to, amount: '1500000000', nonce: 0 } } },
  ])
  expect(nextBlock().userCommands.map(({ command }) => command.hash)).toContain(answer.result.payment.hash)
  expect((await payNanomina(1n)).answer).toMatchObject({ result: { payment: { nonce: 1 } } })
})

describe('the recipe for a lost answer', () => {
  test('sends the same command until its outcome is known', async () => {
    const { url, payNanomina } = await service()
    const { signed, answer } = await payNanomina(7n)
    let requests = 0
    const losing = await serve(async (request, response) => {
      requests++
      if (requests === 1) return void request.socket.destroy()
      if (requests === 2) {
        response.writeHead(400, { 'x-broadcast-outcome': 'unknown', 'x-broadcast-code': 'timeout' })
        return void response.end('{}')
      }
      const { headers, status } = await fetch(`${url}${request.url}`, { method: 'POST', body: signed })
      response.writeHead(status, Object.fromEntries(headers)).end('{}')
    })
    const waits: number[] = []
    const wait = async (seconds: number) => waits.push(seconds)
    expect(await sendUntilKnown(losing.url, '/broadcast/transaction', signed, 60, wait)).toMatchObject({
      outcome: expect.stringMatching(/accepted|already-known/),
      hash: answer.result.payment.hash,
    })
    expect({ requests, waits }).toEqual({ requests: 3, waits: [5, 5] })
  })

  test.each([
    ['patience ends', 'unknown', 'timeout', 3],
    ['the nonce is found to be used', 'unknown', 'bad-nonce', 1],
    ['a node refuses the command', 'refused', 'expired', 1],
  ])('ends when %s', async (_, outcome, code, expectedRequests) => {
    let requests = 0
    const { url } = await serve((_request, response) => {
      requests++
      response.writeHead(400, { 'x-broadcast-outcome': outcome, 'x-broadcast-code': code }).end('{}')
    })
    const known = await sendUntilKnown(url, '/', '{}', 10, async () => undefined)
    expect({ known, requests }).toEqual({ known: { outcome, code, hash: undefined }, requests: expectedRequests })
  })
})

test('the recipe for an explorer follows the chain, through a reorganisation too', async () => {
  const { url, chain, nextBlock } = await service()
  const newBlocks = follower(url)
  const hashesOf = (blocks: readonly { readonly stateHash: string }[]) => blocks.map(({ stateHash }) => stateHash)
  const latest = (count: number) => hashesOf(chain.bestChain().slice(-count))
  expect(hashesOf(await newBlocks())).toEqual(latest(20))
  expect(await newBlocks()).toEqual([])
  nextBlock()
  nextBlock()
  expect(hashesOf(await newBlocks())).toEqual(latest(2))
  chain.reorganise(2)
  expect(hashesOf(await newBlocks())).toEqual(latest(3))
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

test('the recipe for freshness knows the age of an answer', async () => {
  const { url, chain } = await service()
  const response = await fetch(`${url}/summary`)
  expect(ageOf(response, chain.tip().date + 12_000)).toEqual({ inCaches: 0, sinceItsTip: 12, isSynced: true })
})
