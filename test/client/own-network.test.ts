// The caller's network against the service's, over HTTP: on another one nothing is signed, sent, waited for or handed over.
import { describe, expect, test } from '@jest/globals'
import Signer from 'mina-signer'
import { pay } from '../../packages/client/examples/pay.ts'
import { type Client, type ClientOptions, createClient } from '../../packages/client/src/client.ts'
import { runService, signPayment, wallet } from '../end-to-end/running-service.ts'
import { serve } from '../serving.ts'
import { pausedClock } from './scripted-service.ts'
import { delegation } from './signed.ts'

const { chain, url } = await runService()
const [alice, bob] = [wallet(chain, 'alice'), wallet(chain, 'bob')]
const payment = signPayment(chain, alice, bob)

interface Standing {
  /** The answer to `GET /network` in place of the service's: a name, or a status. */
  readonly network?: () => string | number
  readonly options?: Partial<ClientOptions>
}

/** A client of the service on the embedded chain, and the requests that it has made. */
async function standing({ network, options }: Standing) {
  const asked: string[] = []
  const front = await serve(async (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const said = request.url === '/network' ? network?.() : undefined
    if (typeof said === 'number') return void response.writeHead(said).end('{"message":"No."}')
    if (typeof said === 'string') return void response.end(JSON.stringify({ networkName: said }))
    const body = request.method === 'POST' ? Buffer.concat(await request.toArray()).toString() : null
    const answer = await fetch(url + request.url, { method: request.method ?? '', body })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  const clock = pausedClock()
  return { asked, clock, client: createClient({ baseUrl: front.url, clock, ...options }) }
}

const settle = async () => undefined
const queue = { commands: async () => [{ signed: payment, hash: '5J' }], settle }
const calls: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ['checkNetwork', (client) => client.checkNetwork()],
  ['broadcastPayment', (client) => client.broadcastPayment(payment)],
  ['broadcastDelegation', (client) => client.broadcastDelegation(delegation)],
  ['sendUntilKnown', (client) => client.sendUntilKnown(payment)],
  ['waitForInclusion', (client) => client.waitForInclusion(payment, '5J')],
  ['sendQueue', (client) => client.sendQueue(queue)],
]

describe('on another network than the caller’s', () => {
  test.each([
    ...calls,
    ['watchBlocks', (client: Client) => client.watchBlocks(() => Promise.reject(new Error('unreachable')))] as const,
    [
      'the example that pays',
      (client: Client) => {
        const payer = { signer: new Signer({ network: 'mainnet' }), privateKey: alice.privateKey, maxFee: 1_000_000n }
        return pay(client, payer, { to: bob.publicKey, amount: 1n, reference: 'one' }, async () =>
          Promise.reject(new Error('unreachable')),
        )
      },
    ] as const,
  ])('%s names both, and asks for nothing else', async (_, call) => {
    const { client, asked } = await standing({ options: { network: 'mainnet' } })
    await expect(call(client)).rejects.toMatchObject({
      name: 'NetworkMismatchError',
      message: 'the service is on testnet, and the client is for mainnet',
      ...{ expected: 'mainnet', actual: 'testnet' },
    })
    expect(asked).toEqual(['GET /network'])
  })

  test('a wait for a payment ends within a minute of the change: the other chain says nothing about it', async () => {
    let name = 'testnet'
    const { client, clock } = await standing({ network: () => name, options: { network: 'testnet' } })
    const unsent = signPayment(chain, wallet(chain, 'ivan'), bob, { amount: String(10n ** 18n) })
    const waiting = client.waitForInclusion(unsent, '5J', { pollMs: 20_000, patienceMs: 3_600_000 })
    name = 'mainnet'
    await expect(waiting).rejects.toMatchObject({ expected: 'testnet', actual: 'mainnet' })
    expect(clock.pausesMs.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(60_000)
  })
})

describe('a caller who names no network', () => {
  test.each(calls)('is refused by %s', async (_, call) => {
    const { client, asked } = await standing({})
    await expect(call(client)).rejects.toMatchObject({
      message: 'the service is on testnet, and the client is for no network',
      actual: 'testnet',
    })
    expect(asked).toEqual(['GET /network'])
  })

  test('reads, and follows the chain', async () => {
    const { client, asked } = await standing({})
    const controller = new AbortController()
    await client.watchBlocks(() => controller.abort(), { signal: controller.signal })
    expect(asked.filter((path) => path.includes('network'))).toEqual([])
  })
})

test('the network is asked for once a minute', async () => {
  const { client, asked, clock } = await standing({ options: { network: 'testnet' } })
  await client.checkNetwork()
  await clock.wait(59_999)
  expect(await client.broadcastPayment(payment)).toMatchObject({ outcome: 'accepted' })
  expect(asked).toEqual(['GET /network', 'POST /broadcast/transaction'])
  await clock.wait(1)
  await client.checkNetwork()
  expect(asked).toEqual(['GET /network', 'POST /broadcast/transaction', 'GET /network'])
})

test('a machine whose clock is set back asks for the network again', async () => {
  let name = 'testnet'
  const setBack = pausedClock()
  let backMs = 0
  const clock = { ...setBack, now: () => setBack.now() - backMs }
  const { client } = await standing({ network: () => name, options: { network: 'testnet', clock } })
  await client.checkNetwork()
  backMs = 8 * 3_600_000
  name = 'mainnet'
  await expect(client.checkNetwork()).rejects.toMatchObject({ actual: 'mainnet' })
})

describe('a service that does not name its network', () => {
  test.each([429, 500, 503])('for now (%i) gets nothing, and the outcome is unknown', async (status) => {
    const { client, asked } = await standing({ network: () => status, options: { network: 'testnet', retries: 0 } })
    const unknown = { outcome: 'unknown', code: 'no-answer', retriable: true, status, message: 'No.' }
    expect(await client.broadcastPayment(payment)).toMatchObject(unknown)
    expect(asked).toEqual(['GET /network'])
  })

  test('at all gets nothing, and the broadcast rejects', async () => {
    const { client, asked } = await standing({ network: () => 404, options: { network: 'testnet' } })
    await expect(client.sendUntilKnown(payment)).rejects.toMatchObject({ name: 'ServiceError', status: 404 })
    expect(asked).toEqual(['GET /network'])
  })

  test('at first gets the payment as soon as it does', async () => {
    const said = [503, 503, 'testnet']
    const { client, asked } = await standing({
      network: () => said.shift() ?? 404,
      options: { network: 'testnet', retries: 0 },
    })
    const again = signPayment(chain, wallet(chain, 'carol'), bob)
    expect(await client.sendUntilKnown(again)).toMatchObject({ outcome: 'accepted' })
    expect(asked).toEqual([...Array(3).fill('GET /network'), 'POST /broadcast/transaction'])
  })
})

test('a check of the network that was made a minute ago still listens to its signal', async () => {
  const { client } = await standing({ options: { network: 'testnet' } })
  await client.checkNetwork()
  const reason = new Error('left the screen')
  await expect(client.checkNetwork({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
