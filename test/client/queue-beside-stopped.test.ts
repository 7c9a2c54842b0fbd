// A queue behind one address with two daemons, one of which stopped: it answers in turn with an account of long ago.
import { expect, test } from '@jest/globals'
import { createClient, type Fetch } from '../../packages/client/src/client.ts'
import { storeOf } from './queued.ts'
import { network, pausedClock } from './scripted-service.ts'
import { accepted, payload, payment } from './signed.ts'

/** Later than the nonce that the chain waits for, and than the one that the stopped daemon still waits for. */
const later = { hash: '5Jlater', signed: { ...payment, payload: { ...payload, nonce: '9' } } }

const stopped = { height: 950, nonce: 2 }
const current = { height: 1000, nonce: 7 }

type Daemon = typeof current

/** Ends the queue by the request after its last round. */
const endOf = (queue: AbortController): Daemon => {
  queue.abort()
  return current
}

/** The nonces that the queues of one client had filled, one queue after the other, each for a round of each of these daemons. */
async function filledBeside(...queues: readonly (readonly Daemon[])[]) {
  let controller = new AbortController()
  let left: Daemon[] = []
  const fetching: Fetch = async (url) => {
    if (url.endsWith('/network')) return Response.json({ networkName: network })
    const { height, nonce } = left.shift() ?? endOf(controller)
    const headers = { 'x-chain-height': `${height}`, 'x-chain-state-hash': `3N${height}`, 'x-chain-time': '2026' }
    return Response.json({ account: { publicKey: payload.from, nonce, nextNonce: nonce } }, { headers })
  }
  const client = createClient({ baseUrl: 'https://service.example', network, fetch: fetching, clock: pausedClock() })
  const filled: number[] = []
  const fillGap = async (nonce: number) => filled.push(nonce)
  for (const daemons of queues) {
    left = [...daemons]
    controller = new AbortController()
    await client.sendQueue({ ...storeOf([later]).store, fillGap }, { signal: controller.signal })
  }
  return new Set(filled)
}

test.each([
  ['in turn', [current, stopped, current, stopped, current]],
  ['several times in a row', [current, stopped, stopped, current, stopped, stopped, stopped]],
  ['first', [stopped, current, stopped, stopped, current]],
])(
  'has the nonce filled that the chain waits for, and none that it has used, where the stopped daemon answers %s',
  async (_, daemons) => expect(await filledBeside(daemons)).toEqual(new Set([current.nonce])),
)

test('has no nonce filled that the queue before it has seen used', async () => {
  expect(await filledBeside([current], [stopped, stopped, stopped])).toEqual(new Set())
})

test('has a nonce filled that the chain has not used any more, once a longer chain says so', async () => {
  const reorganised = { height: 1001, nonce: 6 }
  expect(await filledBeside([current, reorganised])).toEqual(new Set())
  expect(await filledBeside([current, current, reorganised, reorganised])).toEqual(new Set([7, 6]))
})

test('settles what has expired, though the stopped daemon takes it each time that it is sent', async () => {
  const { store, ends } = storeOf([{ hash: '5Jexpired', signed: payment }])
  let height = 1000
  const transaction = { hash: '5Jexpired', state: 'expired', confirmations: 15, searched: {} }
  const account = { publicKey: payload.from, nonce: 7, nextNonce: 7 }
  const controller = new AbortController()
  const sent: string[] = []
  const fetching: Fetch = async (url, { method }) => {
    if (url.endsWith('/network')) return Response.json({ networkName: network })
    height += 1
    const headers = { 'x-chain-height': `${height}`, 'x-chain-state-hash': `3N${height}`, 'x-chain-time': '2026' }
    if (method !== 'POST')
      return Response.json(url.includes('/transactions/') ? { transaction } : { account }, { headers })
    sent.push(url)
    if (sent.length === 5) controller.abort()
    return Response.json(accepted(), { status: 201, headers: { 'x-broadcast-outcome': 'already-known' } })
  }
  const client = createClient({ baseUrl: 'https://service.example', network, fetch: fetching, clock: pausedClock() })
  await client.sendQueue(store, { signal: controller.signal })
  expect([ends, sent.length]).toEqual([[['5Jexpired', { state: 'expired', confirmations: 15 }]], 1])
})

test('outlives that its account is absent, at the stopped daemon and for fewer than 15 blocks after a reorganisation, and then ends', async () => {
  const { store } = storeOf([later])
  const absent = Array.from({ length: 14 }, (_, above) => 1001 + above)
  // The good daemon, the stopped one, the good one, and blocks without the wallet's first deposit, twice.
  const heights = [1000, 950, 1000, 1000, ...absent, 950, 1014, 1000, ...absent, 1015, 1016]
  const isThere = new Set([0, 2, 20])
  const controller = new AbortController()
  let asked = -1
  const fetching: Fetch = async (url) => {
    if (url.endsWith('/network')) return Response.json({ networkName: network })
    asked += 1
    if (asked === heights.length) controller.abort()
    const height = heights[asked]
    const headers = { 'x-chain-height': `${height}`, 'x-chain-state-hash': `3N${height}`, 'x-chain-time': '2026' }
    const account = { publicKey: payload.from, nonce: 9, nextNonce: 10 }
    if (isThere.has(asked)) return Response.json({ account }, { headers })
    return Response.json({ message: 'No account found for that public key.' }, { status: 404, headers })
  }
  const client = createClient({ baseUrl: 'https://service.example', network, fetch: fetching, clock: pausedClock() })
  const troubles: unknown[] = []
  const queue = client.sendQueue(store, {
    signal: controller.signal,
    onTrouble: ({ status, code }) => troubles.push([status, code]),
  })
  await expect(queue).rejects.toMatchObject({ status: 404, isFinal: true, chain: { height: 1016 } })
  expect(asked).toBe(heights.length - 1)
  expect(troubles).toEqual(Array(heights.length - isThere.size - 1).fill([404, 'not-found']))
})
