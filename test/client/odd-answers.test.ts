// The long calls before a service of which now and then something else answers: a portal, a firewall, a proxy.
import { describe, expect, test } from '@jest/globals'
import { type Client, createClient, type PollOptions, type ServiceError } from '../../packages/client/src/client.ts'
import { runService } from '../end-to-end/running-service.ts'
import { serve } from '../serving.ts'
import { queuedPayments, storeOf } from './queued.ts'
import { network, pausedClock } from './scripted-service.ts'

const { chain, url } = await runService()

interface Odd {
  readonly status: number
  readonly body?: string
  /** Of a body that is cut off. */
  readonly length?: number
}

const page = '<!doctype html><title>Log in</title>'
const odd: readonly Odd[] = [
  ...[page, '', '{"stateHash":"3N', '{}', '[]', 'null', '"x"'].map((body) => ({ status: 200, body })),
  { status: 200, body: '{"account":', length: 100 },
  ...[204, 400, 403, 404, 409].map((status) => ({ status })),
  ...[400, 404, 409].map((status) => ({ status, body: page })),
  { status: 404, body: '{"message":"Not Found"}' },
  ...[401, 403, 405, 407, 408, 410, 418, 425, 429, 451, 500, 501, 502, 503, 504, 505, 511, 520, 530].map((status) => ({
    ...{ status, body: '{"message":"No."}' },
  })),
]

/** The service behind something that gives the next odd answer in place of every third one. */
async function interrupted() {
  const left = [...odd]
  let requests = 0
  const { url: front } = await serve(async (request, response) => {
    const body = request.method === 'POST' ? Buffer.concat(await request.toArray()).toString() : null
    const instead = requests++ % 3 === 1 ? left.shift() : undefined
    if (instead?.length !== undefined) {
      response.writeHead(200, { 'content-length': instead.length }).write(instead.body, () => response.destroy())
    } else if (instead) {
      response.writeHead(instead.status).end(instead.body)
    } else {
      const answer = await fetch(url + request.url, { method: request.method ?? '', body })
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    }
  })
  return { front, left }
}

const only = <Value>([value]: readonly Value[]): Value => {
  if (value === undefined) throw new Error('there is none')
  return value
}

/** A payment that waits in the pool until every odd answer was given. */
async function sentBy(name: string) {
  const payment = only(queuedPayments(chain, name, [0]))
  await createClient({ baseUrl: url, network }).sendUntilKnown(payment.signed)
  return payment
}

type Call = (client: Client, options: PollOptions) => Promise<unknown>

describe.each<[string, () => Promise<{ call: Call; expected: unknown }>]>([
  [
    'watchTip',
    async () => {
      const tips: number[] = []
      const call: Call = async (client, options) => {
        await client.watchTip(({ value }) => tips.push(value.blockchainLength), options)
        return new Set(tips).has(chain.tip().height)
      }
      return { call, expected: true }
    },
  ],
  [
    'watchBlocks',
    async () => {
      const heights: number[] = []
      const before = chain.tip().height
      const call: Call = async (client, options) => {
        await client.watchBlocks(({ cursor }) => heights.push(cursor.height), options)
        return heights.every((height, index) => height === before + index) && heights.at(-1) === chain.tip().height
      }
      return { call, expected: true }
    },
  ],
  [
    'waitForInclusion',
    async () => {
      const { signed, hash } = await sentBy('alice')
      const call: Call = async (client, options) =>
        (await client.waitForInclusion(signed, hash, { ...options, patienceMs: Number.POSITIVE_INFINITY })).state
      return { call, expected: 'included' }
    },
  ],
  [
    'sendQueue',
    async () => {
      const { store, states } = storeOf(queuedPayments(chain, 'bob', [0, 1]))
      const call: Call = async (client, options) => {
        await client.sendQueue(store, options)
        return states().map(([, state]) => state)
      }
      return { call, expected: ['included', 'included'] }
    },
  ],
])('%s', (name, prepare) => {
  test('goes on after every odd answer, and tells of it', async () => {
    const { front, left } = await interrupted()
    const controller = new AbortController()
    let pausesAfter = 0
    const clock = pausedClock(() => {
      if (left.length > 0) return
      if (name.startsWith('watch') && ++pausesAfter > 3) controller.abort()
      else chain.produceBlock()
    })
    const client = createClient({ baseUrl: front, network, clock, retries: 0 })
    const troubles: ServiceError[] = []
    const { call, expected } = await prepare()
    const onTrouble = (error: ServiceError) => troubles.push(error)
    expect(await call(client, { signal: controller.signal, onTrouble })).toEqual(expected)
    expect(left).toEqual([])
    // The platform rejects with its own error after one that is cut off, and after 407.
    const expectedStatuses = odd.map(({ status, length }) => (length !== undefined || status === 407 ? 0 : status))
    expect(troubles.map(({ status }) => status)).toEqual(expectedStatuses)
    expect(troubles.every(({ name: kind, isFinal }) => kind === 'ServiceError' && !isFinal)).toBe(true)
  })
})

test.each([400, 404, 409])('a %i in the words of the service ends each of them', async (status) => {
  const { url: front } = await serve((request, response) => {
    if (request.url === '/network') response.end(JSON.stringify({ networkName: network }))
    else response.writeHead(status).end('{"message":"No.","error":"why"}')
  })
  const client = createClient({ baseUrl: front, network, clock: pausedClock() })
  const payment = only(queuedPayments(chain, 'carol', [0]))
  const { store } = storeOf([payment])
  const onTrouble = () => expect('trouble').toBe('none')
  const error = { name: 'ServiceError', status, message: 'why', isFinal: true }
  const calls = [
    client.watchTip(() => undefined, { onTrouble }),
    client.watchBlocks(() => undefined, { onTrouble }),
    client.waitForInclusion(payment.signed, payment.hash, { onTrouble }),
    client.sendQueue(store, { onTrouble }),
  ]
  for (const call of calls) await expect(call).rejects.toMatchObject(error)
})

test('what a callback or the store throws ends a call, whatever its status', async () => {
  const client = createClient({ baseUrl: url, network, clock: pausedClock() })
  const { store } = storeOf(queuedPayments(chain, 'dave', [0]))
  const own = Object.assign(new Error('mine'), { status: 503 })
  const failing = async () => Promise.reject(own)
  await expect(client.sendQueue({ ...store, sending: failing })).rejects.toBe(own)
  await expect(client.sendQueue(store, { onUpdate: failing })).rejects.toBe(own)
  const lost = createClient({
    baseUrl: url,
    clock: pausedClock(),
    fetch: async () => Promise.reject(new TypeError('lost')),
  })
  await expect(lost.watchTip(() => undefined, { onTrouble: failing })).rejects.toBe(own)
})
