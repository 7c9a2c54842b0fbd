// Payments of one wallet through outages of the node, before the whole service on a chain that gets a block every 10 seconds.
import { expect, jest, test } from '@jest/globals'
import MinaSigner from 'mina-signer'
import {
  createClient,
  type Fetch,
  type PaymentToSend,
  type QueuedCommand,
  type Update,
} from '../../packages/client/src/client.ts'
import { hashesOnChain, runService, wallet } from '../end-to-end/running-service.ts'
import { notSent, queuedPayments, storeOf } from './queued.ts'
import { network, noon, pausedClock } from './scripted-service.ts'

// Fifty signatures and some hundred questions, perhaps on a busy machine.
jest.setTimeout(120_000)

const { chain, url } = await runService()
const signer = new MinaSigner({ network })

const paymentsOf = (name: string, nonces: readonly number[], changes: object = {}) =>
  queuedPayments(chain, name, nonces, changes)

/** A client in whose pauses time passes: a block every 10 seconds, and what the test does in each pause. */
function clientOf(onPause: (passedMs: number) => unknown = () => undefined, fetch?: Fetch, firstBlockMs = 10_000) {
  let blocks = 0
  const clock = pausedClock(() => {
    const passedMs = clock.now() - noon
    for (; blocks < Math.floor((passedMs - firstBlockMs) / 10_000) + 1; blocks++) chain.produceBlock()
    return onPause(passedMs)
  })
  return { clock, client: createClient({ baseUrl: url, network, clock, fetch }) }
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)
const queued = (name: string) => chain.pool(wallet(chain, name).publicKey).map(({ hash }) => hash)
const onChain = (name: string) => hashesOnChain(chain, wallet(chain, name))
const included = (commands: readonly QueuedCommand[]) => commands.map(({ hash }) => [hash, 'included'])

test('30 payments reach the pool within 10 seconds of the return of a node, and each is paid once', async () => {
  const payments = paymentsOf('dave', range(0, 30))
  const { store, states } = storeOf(payments)
  const returnsAtMs = 60_000
  let isGone = true
  let recoveredAtMs: number | undefined
  // As the service answers while its node is gone. Its own pauses are in real time, the client's are not.
  const answering: Fetch = async (address, init) => {
    if (!isGone) return fetch(address, init as RequestInit)
    if (init.method === 'POST') return notSent('unknown', 'node-unreachable', true)
    return new Response('{}', { status: 503, headers: { 'retry-after': '5' } })
  }
  const { client } = clientOf((passedMs) => {
    isGone = passedMs < returnsAtMs
    if (queued('dave').length + onChain('dave').length === 30) recoveredAtMs ??= passedMs
  }, answering)
  await client.sendQueue(store)
  const hashes = payments.map(({ hash }) => hash)
  expect(onChain('dave')).toEqual(hashes)
  expect(states()).toEqual(included(payments))
  expect((recoveredAtMs ?? Number.POSITIVE_INFINITY) - returnsAtMs).toBeLessThanOrEqual(10_000)
})

test('a node that restarts without its pool gets them again from the lowest, also from a program that was restarted', async () => {
  const payments = paymentsOf('carol', range(0, 20))
  const { store, open, states } = storeOf(payments)
  const controller = new AbortController()
  const first = clientOf((passedMs) => passedMs >= 5000 && controller.abort())
  await first.client.sendQueue(store, { signal: controller.signal })
  expect([queued('carol').length, open.size]).toEqual([20, 20])
  for (const command of chain.pool(wallet(chain, 'carol').publicKey)) chain.evict(command)
  const { client } = clientOf()
  await client.sendQueue(store)
  expect(states()).toEqual(included(payments))
  expect(onChain('carol')).toEqual(payments.map(({ hash }) => hash))
})

test('answers that are lost on the way change nothing', async () => {
  const payments = paymentsOf('bob', range(0, 12))
  const { store, states } = storeOf(payments)
  let asked = 0
  const losing: Fetch = async (address, init) => {
    const answer = await fetch(address, init as RequestInit)
    if (asked++ % 3 === 1) throw new TypeError('the answer was lost')
    return answer
  }
  const inBlock = new Set<string>()
  const unlearnt: Update[] = []
  const onUpdate = (update: Update) => {
    if (update.sofar) inBlock.add(update.hash)
    else if (inBlock.has(update.hash) && update.state === 'undecided') unlearnt.push(update)
  }
  await clientOf(undefined, losing).client.sendQueue(store, { onUpdate })
  expect([inBlock.size, unlearnt]).toEqual([12, []])
  expect(states().sort()).toEqual(included(payments).sort())
  expect(onChain('bob')).toEqual(payments.map(({ hash }) => hash))
})

test('a payment that no node will ever take ends as refused, and its nonce is filled so that the others go', async () => {
  const [first, last] = [paymentsOf('erin', [0, 1]), paymentsOf('erin', [3, 4])]
  const [cheap] = paymentsOf('erin', [2], { fee: '1' })
  const { store, open, ends, states } = storeOf([...first, ...(cheap ? [cheap] : []), ...last])
  const filled: number[] = []
  const [filler] = paymentsOf('erin', [2], { memo: 'filler' })
  const fillGap = async (nonce: number) => {
    filled.push(nonce)
    if (filler) open.set(filler.hash, filler)
  }
  await clientOf().client.sendQueue({ ...store, fillGap })
  expect(filled).toEqual([2])
  expect(ends[0]).toEqual([cheap?.hash, expect.objectContaining({ state: 'refused', code: 'fee-too-low' })])
  const paid = [...first, ...(filler ? [filler] : []), ...last]
  expect(states().slice(1)).toEqual(included(paid))
  expect(onChain('erin')).toEqual(paid.map(({ hash }) => hash))
})

test('a payment whose nonce another program has used ends as replaced, and the next one is paid', async () => {
  const [rival] = paymentsOf('alice', [0], { memo: 'rival' })
  await clientOf().client.sendUntilKnown(rival?.signed as never)
  chain.produceBlock()
  const payments = paymentsOf('alice', [0, 1])
  const { store, states } = storeOf(payments)
  await clientOf().client.sendQueue(store)
  expect(states()).toEqual([
    [payments[0]?.hash, 'replaced'],
    [payments[1]?.hash, 'included'],
  ])
})

test('the queue sends a payment signed again with a higher fee while the first is pending, and settles both', async () => {
  const first = paymentsOf('mallory', [0, 1, 2])
  const [dearer] = paymentsOf('mallory', [1], { fee: '90000000' })
  const { store, open, states } = storeOf(first)
  let beforeTheBlock: readonly string[] = []
  const { client } = clientOf(
    (passedMs) => {
      if (passedMs === 10_000 && dearer) open.set(dearer.hash, dearer)
      if (passedMs === 30_000) beforeTheBlock = queued('mallory')
    },
    undefined,
    40_000,
  )
  await client.sendQueue(store)
  const paid = [first[0]?.hash, dearer?.hash, first[2]?.hash]
  expect(beforeTheBlock).toEqual(paid)
  expect(onChain('mallory')).toEqual(paid)
  expect(states().sort()).toEqual([...paid.map((hash) => [hash, 'included']), [first[1]?.hash, 'replaced']].sort())
})

test('the queue settles payments before a service whose accounts name no tip', async () => {
  const payments = paymentsOf('heidi', range(0, 2))
  const { store, states } = storeOf(payments)
  const hiding: Fetch = async (address, init) => {
    const answer = await fetch(address, init as RequestInit)
    const isAccount = address.includes('/accounts/')
    return isAccount ? new Response(await answer.text(), { status: answer.status }) : answer
  }
  await clientOf(undefined, hiding).client.sendQueue(store)
  expect(states().sort()).toEqual(included(payments).sort())
})

test('the queue sends a replacement without a higher fee only once, and later payments still go out', async () => {
  const first = paymentsOf('oscar', [0])
  const [tooCheap] = paymentsOf('oscar', [0], { memo: 'too cheap' })
  const [next] = paymentsOf('oscar', [1])
  const { store, open, states } = storeOf(first)
  const sent: string[] = []
  const counting: Fetch = async (address, init) => {
    if (init.method === 'POST') sent.push(String(init.body))
    return fetch(address, init as RequestInit)
  }
  const { client } = clientOf(
    (passedMs) => {
      if (passedMs === 10_000) for (const one of [tooCheap, next]) if (one) open.set(one.hash, one)
    },
    counting,
    40_000,
  )
  await client.sendQueue(store)
  expect(sent.filter((body) => body.includes('too cheap'))).toHaveLength(1)
  expect(onChain('oscar')).toEqual([first[0]?.hash, next?.hash])
  expect(states().sort()).toEqual(
    [...included([...first, ...(next ? [next] : [])]), [tooCheap?.hash ?? '', 'replaced']].sort(),
  )
})

test('a payment whose nonce only a node calls used is sent with longer and longer pauses, and the next one waits for it', async () => {
  const payments = paymentsOf('frank', [0, 1])
  const controller = new AbortController()
  let sent = 0
  const answering: Fetch = async (address, init) => {
    if (init.method !== 'POST') return fetch(address, init as RequestInit)
    sent += 1
    return notSent('unknown', 'bad-nonce', false)
  }
  const { client } = clientOf((passedMs) => passedMs >= 840_000 && controller.abort(), answering)
  const told: [hash: string, because: string | undefined][] = []
  await client.sendQueue(storeOf(payments).store, {
    signal: controller.signal,
    onUpdate: ({ hash, because }) => told.push([hash, because]),
  })
  // At once, and after 1, 3 and 7 minutes.
  expect(sent).toBe(4)
  expect(told).toEqual(payments.map(({ hash }, index) => [hash, index === 0 ? 'possible' : 'waits-for-nonce']))
})

test('a payment that nodes refuse for now is sent again after pauses that grow with the time, to a minute', async () => {
  const [payment] = paymentsOf('frank', [0])
  const controller = new AbortController()
  const sentAtMs: number[] = []
  const answering: Fetch = async (address, init) => {
    if (init.method !== 'POST') return fetch(address, init as RequestInit)
    sentAtMs.push(clock.now() - noon)
    return notSent('refused', 'pool-overloaded', true)
  }
  const { client, clock } = clientOf((passedMs) => passedMs >= 3_600_000 && controller.abort(), answering)
  await client.sendQueue(storeOf(payment ? [payment] : []).store, { signal: controller.signal })
  const inMinute = (minute: number) => sentAtMs.filter((ms) => Math.floor(ms / 60_000) === minute).length
  expect([0, 1, 2, 10, 30, 59].map(inMinute)).toEqual([26, 10, 6, 1, 1, 1])
})

test('ends with an error that does not pass: another wallet in the queue, no account, a store that fails', async () => {
  const mixed = [...paymentsOf('alice', [5]), ...paymentsOf('bob', [50])]
  const { client } = clientOf()
  await expect(client.sendQueue(storeOf(mixed).store)).rejects.toThrow('the commands of a queue have one sender')
  const { publicKey, privateKey } = signer.genKeys()
  const data = { from: publicKey, to: publicKey, amount: '1', fee: '10000000', nonce: '0' }
  const stranger = { signed: signer.signPayment(data, privateKey), hash: 'none' }
  const { height } = chain.tip()
  await expect(client.sendQueue(storeOf([stranger]).store)).rejects.toMatchObject({ status: 404 })
  // Until then a reorganisation may have taken off its first deposit.
  expect(chain.tip().height).toBeGreaterThanOrEqual(height + 15)
  const failing = { ...storeOf([]).store, commands: async () => Promise.reject(new Error('mine')) }
  await expect(client.sendQueue(failing)).rejects.toThrow('mine')
})

test('a wait for a payment of a key without an account sends nothing, and ends under 15 more blocks', async () => {
  const data = { from: signer.genKeys().publicKey, to: wallet(chain, 'alice').publicKey }
  const [{ signed, hash = '' } = {}] = paymentsOf('alice', [9])
  const payment = { ...signed, payload: { ...Object(signed).payload, ...data } } as PaymentToSend
  const asked: string[] = []
  const noting: Fetch = async (address, init) => {
    if (!address.endsWith('/network')) asked.push(init.method)
    return fetch(address, init as RequestInit)
  }
  const told: unknown[] = []
  const inclusion = await clientOf(undefined, noting).client.waitForInclusion(payment, hash, {
    onUpdate: ({ state, because }) => told.push(because ?? state),
    onTrouble: ({ code }) => told.push(code),
  })
  expect([inclusion, asked]).toEqual([{ state: 'no-account' }, Array(16).fill('GET')])
  expect(told).toEqual(['not-found', 'no-account', ...Array(14).fill('not-found'), 'no-account'])
})

test('the queue sends again what has been pending for 15 minutes, the lowest nonce first, six a minute, after what is new', async () => {
  const payments = paymentsOf('grace', range(0, 9))
  const [first, second] = payments
  const [added] = paymentsOf('grace', [9])
  const { store, add, states } = storeOf(payments)
  let refusals = 0
  const posted: { atMs: number; nonce: number }[] = []
  const noting: Fetch = async (address, init) => {
    if (init.method === 'POST') {
      posted.push({ atMs: clock.now() - noon, nonce: Number(JSON.parse(String(init.body)).payload.nonce) })
      // Nothing that is said of a command in a pool settles it.
      if (clock.now() - noon > 60_000 && posted.at(-1)?.nonce === 1 && refusals++ === 0)
        return notSent('refused', 'invalid-signature', false)
    }
    return fetch(address, init as RequestInit)
  }
  const { client, clock } = clientOf(
    (passedMs) => {
      if (passedMs === 15_000)
        for (const command of chain.pool(wallet(chain, 'grace').publicKey)) chain.stopGossip(command)
      if (passedMs === 900_000 && added) add(added)
    },
    noting,
    20_000,
  )
  await client.sendQueue(store, { confirmations: 3 })
  expect(states().sort()).toEqual(included([...payments, ...(added ? [added] : [])]).sort())
  const later = posted.filter(({ atMs }) => atMs > 60_000)
  const inMinute = (from: number) =>
    later.filter(({ atMs }) => atMs >= from && atMs < from + 60_000).map(({ nonce }) => nonce)
  expect(later[0]?.nonce).toBe(9)
  expect(later.slice(1, 10).map(({ nonce }) => nonce)).toEqual(range(0, 9))
  for (const { atMs } of later) expect(inMinute(atMs).filter((nonce) => nonce !== 9).length).toBeLessThanOrEqual(6)
  expect([first?.hash, second?.hash]).toEqual(onChain('grace').slice(0, 2))
})
