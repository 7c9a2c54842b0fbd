// A queue in which nothing waits to be sent: how much it asks on a day, and how soon it takes up what comes.
import { describe, expect, test } from '@jest/globals'
import { createClient, type Fetch } from '../../packages/client/src/client.ts'
import { storeOf } from './queued.ts'
import { network, noon, pausedClock } from './scripted-service.ts'
import { payload, payment } from './signed.ts'

const tipHeight = 1000
const dayMs = 86_400_000
const heldBlocks = 290

const bid = (fee: string, hash: string, nonce = payload.nonce) => ({
  hash,
  signed: { ...payment, payload: { ...payload, fee, nonce } },
})
const bids = [bid('10000000', '5Jfirst'), bid('20000000', '5Jraise')]

/**
 * A chain that gets a block every so many ms. The nonce of the payments is used, no node has the block any more, and there is no
 * indexer.
 */
function serviceOf(blockMs: number, clock: { now(): number }) {
  const asked: { readonly kind: string; readonly method: string; readonly atMs: number }[] = []
  const height = () => tipHeight + Math.floor((clock.now() - noon) / blockMs)
  const labelled = (headers: object = {}) => {
    const tip = height()
    return {
      headers: { 'x-chain-height': `${tip}`, 'x-chain-state-hash': `3N${tip}`, 'x-chain-time': '2026', ...headers },
    }
  }
  const absent = { state: 'absent', sending: 'nonce-used' }
  const answers: Record<string, (place: string) => object | undefined> = {
    network: () => ({ networkName: network }),
    accounts: () => ({ account: { publicKey: payload.from, nonce: 8, nextNonce: 8, balance: { total: '1' } } }),
    transactions: (hash) => {
      const searched = { pool: true, fromHeight: height() - 19, toHeight: height(), nodes: 1, indexer: false }
      return { transaction: { hash, ...absent, searched } }
    },
    blocks: (place) => {
      const blockHeight = Number(/\d+$/.exec(place))
      if (blockHeight <= height() - heldBlocks) return undefined
      const protocolState = { previousStateHash: `3N${blockHeight - 1}` }
      const transactions = { userCommands: [] }
      return { block: { stateHash: `3N${blockHeight}`, blockHeight, canonical: true, protocolState, transactions } }
    },
  }
  const fetching: Fetch = async (url, { method }) => {
    const [, kind = '', ...places] = new URL(url).pathname.split('/')
    asked.push({ kind, method, atMs: clock.now() - noon })
    if (method === 'POST') throw new TypeError('the answer was lost')
    const body = answers[kind]?.(places.at(-1) ?? '')
    return body ? Response.json(body, labelled()) : Response.json({ message: 'No.' }, { status: 404, ...labelled() })
  }
  return { asked, fetching }
}

/** Runs a queue for so long, and what the test does in each pause. */
async function queued(blockMs: number, lastsMs: number, onPause: (passedMs: number) => unknown = () => undefined) {
  const controller = new AbortController()
  const clock = pausedClock(() => {
    const passedMs = clock.now() - noon
    if (passedMs >= lastsMs) controller.abort()
    return onPause(passedMs)
  })
  const { asked, fetching } = serviceOf(blockMs, clock)
  const { store, add, ends } = storeOf(bids)
  const client = createClient({ baseUrl: 'https://service.example', network, fetch: fetching, clock })
  const run = client.sendQueue(store, { signal: controller.signal })
  return { run, asked, add, ends, clock }
}

describe('a queue of two commands that nobody can settle without an indexer', () => {
  test.each([
    ['75 of 100 slots of 90 s have a block, the aim of the protocol', 120_000],
    ['44 of 100 have', 204_545],
    ['the chain stands still', 10 * dayMs],
  ])('asks at most 4,000 times a day, and looks once a block at most, where %s', async (_, blockMs) => {
    const { run, asked, ends } = await queued(blockMs, dayMs)
    await run
    expect(ends).toEqual([])
    const ofKind = (wanted: string) => asked.filter(({ kind }) => kind === wanted).length
    expect(asked.length).toBeLessThanOrEqual(4000)
    expect(ofKind('transactions')).toBeLessThanOrEqual(2 * (1 + Math.ceil(dayMs / blockMs)))
  })

  test('sends what comes into the store within the pause of any other queue', async () => {
    const comesAtMs = dayMs / 24
    const { run, asked, add } = await queued(90_000, comesAtMs + 60_000, (passedMs) => {
      if (passedMs === comesAtMs) add(bid('10000000', '5Jnext', '8'))
    })
    await run
    const [first] = asked.filter(({ method }) => method === 'POST')
    expect(first?.atMs).toBeGreaterThanOrEqual(comesAtMs)
    expect(first?.atMs).toBeLessThanOrEqual(comesAtMs + 5000)
  })
})
