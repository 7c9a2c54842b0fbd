// Several addresses of the service, of which some are down, broken, silent, on another network, or behind.
import { describe, expect, jest, test } from '@jest/globals'
import {
  type Client,
  createClient,
  type Fetch,
  NetworkMismatchError,
  type Outcome,
} from '../../packages/client/src/client.ts'
import { createRandom, integerBetween, pick } from '../../packages/testnet/random.ts'
import { hashOf, runService, signPayment, wallet } from '../end-to-end/running-service.ts'
import { network, pausedClock } from './scripted-service.ts'

// Many signatures, perhaps on a busy machine.
jest.setTimeout(300_000)

// The time limits of requests, and nothing else. `passTime` says when they run out.
jest.useFakeTimers({
  doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
})

const [service, behind] = [await runService(), await runService()]
const { chain } = service
for (let made = 0; made < 5; made++) chain.produceBlock()

/** Requests that hang, and others that have no whole answer yet. */
let hanging = 0
let underWay = 0

/**
 * Limits run out only while every request hangs. By the machine's clock a busy machine makes the good address late: the one that
 * lags counts then, and what it accepts is in the pool of its own chain, which tells the other one nothing.
 */
function passTime(): void {
  if (underWay > 0 || hanging === 0) return
  jest.advanceTimersToNextTimer()
  setImmediate(passTime)
}

/** An answer whose body has arrived, so that nothing of it can be late. */
async function answered(answer: ReturnType<Fetch>): ReturnType<Fetch> {
  underWay++
  try {
    const given = await answer
    const text = await given.text()
    return { status: given.status, headers: given.headers, text: async () => text }
  } finally {
    underWay--
    setImmediate(passTime)
  }
}

/** Stands for an address at which requests meet this. */
const troubles: Readonly<Record<string, Fetch>> = {
  'that is down': async () => {
    throw new TypeError('fetch failed')
  },
  'that answers 502': async () => new Response('<html>', { status: 502 }),
  'that hangs': (_url, { signal }) =>
    new Promise((_resolve, reject) => {
      hanging++
      signal.addEventListener('abort', () => {
        hanging--
        reject(new TypeError('aborted'))
      })
      setImmediate(passTime)
    }),
  'of a portal': async () => new Response('<html>'),
  'on another network': async (url, init) =>
    url.endsWith('/network')
      ? Response.json({ networkName: 'mainnet' }, { headers: { 'x-chain-height': '900000' } })
      : fetch(url.replace('http://trouble', service.url), init as RequestInit),
  'that lags by five blocks': (url, init) => fetch(url.replace('http://trouble', behind.url), init as RequestInit),
}

/** A client of addresses, the troubled ones under `http://trouble`. */
const clientOf = (baseUrls: readonly string[], trouble: Fetch, asked: string[] = []): Client =>
  createClient({
    ...{ baseUrls, network, clock: pausedClock(() => chain.produceBlock()), retries: 0 },
    fetch: (url, init) => {
      asked.push(`${init.method} ${url}`)
      if (!url.startsWith('http://trouble')) return answered(fetch(url, init as RequestInit))
      return trouble === troubles['that hangs'] ? trouble(url, init) : answered(trouble(url, init))
    },
  })

describe.each(Object.keys(troubles))('an address %s', (name) => {
  const trouble = troubles[name] as Fetch
  const { publicKey } = wallet(chain, 'alice')

  test('does not count beside a good one, whichever comes first', async () => {
    for (const baseUrls of [
      ['http://trouble', service.url],
      [service.url, 'http://trouble'],
    ]) {
      const client = clientOf(baseUrls, trouble)
      expect((await client.account(publicKey)).value.nextNonce).toBe(0)
      expect((await client.summary()).value.stateHash).toBe(chain.tip().stateHash)
      const missing = client.block('3NKZ1bpCs41kfvXJsEid2ujV93JKB6GMkk8snBk9s8ceH3RX4puv')
      await expect(missing).rejects.toMatchObject({ code: 'not-found' })
    }
  })

  test('alone gives no wrong answer, and nothing of another network or of a lower height', async () => {
    const asked: string[] = []
    const client = clientOf(['http://trouble', service.url], trouble, asked)
    await client.summary()
    const { fetch } = globalThis
    // Now the good one is gone.
    globalThis.fetch = (async (url, init) => {
      if (String(url).startsWith(service.url)) throw new TypeError('fetch failed')
      return fetch(url, init)
    }) as typeof fetch
    try {
      for (const call of [client.summary(), client.account(publicKey), client.transaction('5Jnone')]) {
        await expect(call).rejects.toMatchObject({ name: 'ServiceError' })
      }
    } finally {
      globalThis.fetch = fetch
    }
  })
})

test('of addresses that are all on another network, each call says so, and sends nothing', async () => {
  const asked: string[] = []
  const client = clientOf(['http://trouble/a', 'http://trouble/b'], troubles['on another network'] as Fetch, asked)
  const payment = signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'))
  await expect(client.summary()).rejects.toThrow(NetworkMismatchError)
  await expect(client.sendUntilKnown(payment)).rejects.toThrow(NetworkMismatchError)
  expect(asked.filter((request) => !request.endsWith('/network'))).toEqual([])
})

test('several addresses need a network, and each of them a host', () => {
  const baseUrls = ['https://a.example', 'https://b.example']
  expect(() => createClient({ baseUrls })).toThrow('several baseUrls need a network')
  expect(() => createClient({ baseUrls: ['https://a.example', 'b'], network })).toThrow('"b" is not a baseUrl')
  expect(() => createClient({ baseUrls: [], network })).toThrow(TypeError)
})

/** A thousand take some minutes. */
const broadcasts = Number(process.env.CLIENT_TEST_BROADCASTS ?? 60)

test('broadcasts over such pairs are each paid once, and each outcome is true', async () => {
  const random = createRandom('addresses')
  const receiver = wallet(chain, 'judy')
  const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'mallory', 'oscar']
  const before = chain.account(receiver.publicKey)?.balance ?? 0n
  const paidBy = async (name: string) => {
    const outcomes: (readonly [hash: string, outcome: Outcome])[] = []
    const fetches = Object.values(troubles)
    for (let nonce = 0; nonce < broadcasts / names.length; nonce++) {
      const signed = signPayment(chain, wallet(chain, name), receiver, { nonce: String(nonce), amount: '1000001' })
      const baseUrls = integerBetween(random, 0, 1) ? ['http://trouble', service.url] : [service.url, 'http://trouble']
      outcomes.push([hashOf(signed), await clientOf(baseUrls, pick(random, fetches)).sendUntilKnown(signed)])
    }
    return outcomes
  }
  const outcomes = (await Promise.all(names.map(paidBy))).flat()
  while (chain.pool().length > 0) chain.produceBlock()
  const included = chain
    .bestChain()
    .flatMap(({ userCommands }) => userCommands.map(({ command }) => command))
    .filter(({ to }) => to === receiver.publicKey)
    .map(({ hash }) => hash)
  const sent = outcomes.filter(([, { outcome }]) => outcome === 'accepted' || outcome === 'already-known')
  const notThere = sent.filter(([hash, { hash: said }]) => said !== hash || !included.includes(hash))
  const falselyRefused = outcomes.filter(([hash, { outcome }]) => outcome === 'refused' && included.includes(hash))
  expect({ notThere, falselyRefused, sent: sent.length }).toEqual({
    notThere: [],
    falselyRefused: [],
    sent: broadcasts,
  })
  expect((chain.account(receiver.publicKey)?.balance ?? 0n) - before).toBe(BigInt(broadcasts) * 1_000_001n)
})
