// The recipes of docs/recipes.md, run as a reader would run them.
import { afterEach, describe, expect, test } from '@jest/globals'
import { follower } from '../../docs/recipes/follow-the-chain.ts'
import { ageOf } from '../../docs/recipes/freshness.ts'
import { parseExact, parseLongIntegersAsText } from '../../docs/recipes/parse-exact.ts'
import { pay } from '../../docs/recipes/pay.ts'
import { sendUntilKnown } from '../../docs/recipes/send-until-known.ts'
import { listen } from '../../local/start/listen.ts'
import { type Service, startService } from '../../local/start/service.ts'

const startedAt = Date.UTC(2026, 0, 1)
const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()))
})

async function service() {
  const clock = { now: startedAt }
  const started = await startService({ now: () => clock.now, repeat: () => () => undefined, log: () => undefined })
  cleanUps.push(started.close)
  const nextBlock = () => {
    clock.now += 10_000
    return started.chain?.produceBlock()
  }
  return { ...started, clock, nextBlock }
}

const walletsOf = ({ wallets: [payer, receiver] }: Service) => {
  if (payer === undefined || receiver === undefined) throw new Error('no wallets')
  return { payer, receiver }
}

test('a payment is signed, sent and included', async () => {
  const running = await service()
  const { payer, receiver } = walletsOf(running)
  const { status, headers, answer } = await pay(
    running.url,
    'testnet',
    payer.privateKey,
    receiver.publicKey,
    1_500_000_000n,
  )
  expect({ status, outcome: headers.get('x-broadcast-outcome'), answer }).toMatchObject({
    status: 201,
    outcome: 'accepted',
    answer: { result: { payment: { from: payer.publicKey, to: receiver.publicKey, amount: '1500000000', nonce: 0 } } },
  })
  const commands = running.nextBlock()?.userCommands.map(({ command }) => command.hash)
  expect(commands).toContain(answer.result.payment.hash)
  const again = await pay(running.url, 'testnet', payer.privateKey, receiver.publicKey, 1n)
  expect(again.answer).toMatchObject({ result: { payment: { nonce: 1 } } })
})

describe('a broadcast is followed', () => {
  test('by sending the same command until its outcome is known', async () => {
    const running = await service()
    const { payer, receiver } = walletsOf(running)
    const { signed, answer } = await pay(running.url, 'testnet', payer.privateKey, receiver.publicKey, 7n)
    let requests = 0
    const losing = await listen(
      async (request, response) => {
        requests++
        if (requests === 1) return void request.socket.destroy()
        if (requests === 2) {
          response.writeHead(400, { 'x-broadcast-outcome': 'unknown', 'x-broadcast-code': 'timeout' })
          return void response.end('{}')
        }
        const { headers, status } = await fetch(`${running.url}${request.url}`, { method: 'POST', body: signed })
        response.writeHead(status, Object.fromEntries(headers)).end('{}')
      },
      0,
      '127.0.0.1',
    )
    cleanUps.push(losing.close)
    const waits: number[] = []
    const wait = async (seconds: number) => waits.push(seconds)
    const url = `http://127.0.0.1:${losing.port}`
    const known = await sendUntilKnown(url, '/broadcast/transaction', signed, 60, wait)
    expect(known).toMatchObject({
      outcome: expect.stringMatching(/accepted|already-known/),
      hash: answer.result.payment.hash,
    })
    expect({ requests, waits }).toEqual({ requests: 3, waits: [5, 5] })
  })

  test('until patience ends, a used nonce is found, or a node refuses it', async () => {
    const answers = [
      ['unknown', 'timeout'],
      ['unknown', 'bad-nonce'],
      ['refused', 'expired'],
    ] as const
    for (const [outcome, code] of answers) {
      const fixed = await listen(
        (_request, response) => {
          response.writeHead(400, { 'x-broadcast-outcome': outcome, 'x-broadcast-code': code }).end('{}')
        },
        0,
        '127.0.0.1',
      )
      cleanUps.push(fixed.close)
      const known = await sendUntilKnown(`http://127.0.0.1:${fixed.port}`, '/', '{}', 10, async () => undefined)
      expect(known).toEqual({ outcome, code, hash: undefined })
    }
  })
})

test('an explorer follows the chain, through a reorganisation too', async () => {
  const running = await service()
  const newBlocks = follower(running.url)
  const hashes = async () => (await newBlocks()).map(({ stateHash }) => stateHash)
  const chainHashes = (count: number) =>
    running.chain
      ?.bestChain()
      .slice(-count)
      .map(({ stateHash }) => stateHash)
  expect(await hashes()).toEqual(chainHashes(20))
  expect(await hashes()).toEqual([])
  running.nextBlock()
  running.nextBlock()
  expect(await hashes()).toEqual(chainHashes(2))
  running.chain?.reorganise(2)
  expect(await hashes()).toEqual(chainHashes(3))
})

test('integers keep every digit', async () => {
  const running = await service()
  const text = await (await fetch(`${running.url}/blocks`)).text()
  const digits = String(running.chain?.tip().totalCurrency)
  expect(digits.length).toBeGreaterThan(17)
  const totalOf = (body: { blocks: { protocolState: { consensusState: { totalCurrency: unknown } } }[] }) =>
    body.blocks[0]?.protocolState.consensusState.totalCurrency
  expect(totalOf(parseExact(text))).toBe(BigInt(digits))
  expect(totalOf(parseLongIntegersAsText(text))).toBe(digits)
  const hostile = '{"memo":"9007199254740993 \\\\\\" 18446744073709551615","n":-9007199254740993,"small":5,"x":1.5}'
  const memo = '9007199254740993 \\" 18446744073709551615'
  expect(parseExact(hostile)).toEqual({ memo, n: -9007199254740993n, small: 5, x: 1.5 })
  expect(parseLongIntegersAsText(hostile)).toEqual({ memo, n: '-9007199254740993', small: 5, x: 1.5 })
})

test('the age of an answer is known', async () => {
  const running = await service()
  const tipAt = running.chain?.tip().date ?? 0
  const response = await fetch(`${running.url}/summary`)
  expect(ageOf(response, tipAt + 12_000)).toEqual({ inCaches: 0, sinceItsTip: 12, isSynced: true })
})
