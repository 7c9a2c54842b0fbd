// Payments that share a nonce or were refused, through a queue: each comes to its end, and none is falsely called unpaid.
import { describe, expect, jest, test } from '@jest/globals'
import {
  type Client,
  createClient,
  type Fetch,
  type PaymentToSend,
  type QueuedCommand,
  type Update,
} from '../../packages/client/src/client.ts'
import type { Chain } from '../../packages/testnet/chain.ts'
import { post, runService, startQuietService, wallet } from '../end-to-end/running-service.ts'
import { notSent, queuedPayments, storeOf } from './queued.ts'
import { network, noon, pausedClock } from './scripted-service.ts'

// Hundreds of questions, perhaps on a busy machine.
jest.setTimeout(120_000)

/** A payment of alice with her first nonce, or another one. */
function paymentOf(chain: Chain, changes: object = {}, nonce = 0): QueuedCommand {
  const [payment] = queuedPayments(chain, 'alice', [nonce], changes)
  if (payment === undefined) throw new Error('there is none')
  return payment
}

interface Day {
  readonly url: string
  /** Called in each pause with its number; the queue ends after the last of these pauses. */
  readonly onPause: (pauses: number) => unknown
  readonly maxPauses: number
  readonly pollMs?: number
  readonly confirmations?: number
  /** Answers in place of the service where it returns one. */
  readonly answer?: (request: {
    readonly method: string
    readonly body: string
    readonly path: string
  }) => Response | undefined
}

/** A client whose queue ends after so many pauses, if it has not before; and what it asked, told, and when it sent what. */
function dayOf({ url, onPause, maxPauses, pollMs, confirmations, answer }: Day) {
  const controller = new AbortController()
  const updates: Update[] = []
  const asked: string[] = []
  const posted: { readonly body: string; readonly minute: number }[] = []
  const clock = pausedClock(async () => {
    if (clock.pausesMs.length > maxPauses) controller.abort()
    await onPause(clock.pausesMs.length)
  })
  const fetching: Fetch = async (address, init) => {
    const path = new URL(address).pathname
    asked.push(path)
    if (init.method === 'POST') posted.push({ body: String(init.body), minute: (clock.now() - noon) / 60_000 })
    return answer?.({ method: init.method, body: String(init.body), path }) ?? fetch(address, init as RequestInit)
  }
  const client = createClient({ baseUrl: url, network, clock, fetch: fetching })
  return {
    ...{ updates, asked, posted, clock },
    send: (store: Parameters<typeof client.sendQueue>[0]) =>
      client.sendQueue(store, {
        ...{ pollMs, confirmations, signal: controller.signal },
        onUpdate: (update) => updates.push(update),
      }),
  }
}

const raisedFee = { fee: '90000000' }

describe('an exchange raises the fee of a withdrawal, and a hard fork comes', () => {
  test.each([
    ['the indexer follows the node at once', 1, 1],
    ['the indexer follows it ten blocks later', 11, 1],
    ['the program is away for 310 blocks', 1, 310],
  ])('both entries are settled, and the queue ends, where %s', async (_, followsAt, blocksAway) => {
    const { chain, url, controlUrl } = await startQuietService()
    const first = paymentOf(chain)
    const dearer = paymentOf(chain, raisedFee)
    const { store, open, add, ends } = storeOf([first])
    const control = async (step: string) =>
      expect(await post(`${controlUrl}/${step}`, '')).toMatchObject({ status: 200 })
    const { send, asked } = dayOf({
      url,
      maxPauses: 30,
      async onPause(pauses) {
        if (pauses === 1) add(dearer)
        if (pauses < 3) return
        if (pauses === 4) await control('fork?discard=0')
        else chain.produceBlock()
        if (pauses === 4 + followsAt) {
          await control('follow')
          for (let made = 1; made < blocksAway; made++) chain.produceBlock()
        }
      },
    })
    await send(store)
    expect(open.size).toBe(0)
    // The one in a block is the last, so that after a crash between the two it still settles the other.
    expect(ends).toEqual([
      [first.hash, expect.objectContaining({ state: 'replaced', by: dearer.hash })],
      [dearer.hash, expect.objectContaining({ state: 'included' })],
    ])
    expect(asked.length).toBeLessThan(250)
  })
})

describe('of two payments with one nonce', () => {
  test.each([
    ['that differ in their last slot alone, the chain’s hash tells which was paid', { validUntil: '900000' }, {}],
    ['the first to have few enough blocks on top waits for the other one', raisedFee, { confirmations: 3 }],
  ])('%s', async (_what, changes, options) => {
    const { chain, url } = await runService()
    const [first, paid] = [paymentOf(chain), paymentOf(chain, changes)]
    expect(await post(`${url}/broadcast/transaction`, paid.signed)).toMatchObject({ status: 201 })
    const { store, ends } = storeOf([first, paid])
    await dayOf({ url, maxPauses: 30, ...options, onPause: () => chain.produceBlock() }).send(store)
    expect(ends).toEqual([
      [first.hash, expect.objectContaining({ state: 'replaced', by: paid.hash, confirmations: 15 })],
      [paid.hash, expect.objectContaining({ state: 'included', confirmations: 15 })],
    ])
  })

  test('one of 0 to its sender with a higher fee cancels the other', async () => {
    const { chain, url } = await runService()
    const { publicKey: to } = wallet(chain, 'alice')
    const payment = paymentOf(chain)
    const cancelling = paymentOf(chain, { ...raisedFee, to, amount: '0' })
    const { store, add, ends } = storeOf([payment])
    const onPause = (pauses: number) => (pauses === 1 ? add(cancelling) : pauses > 3 && chain.produceBlock())
    await dayOf({ url, maxPauses: 30, onPause }).send(store)
    expect(ends).toEqual([
      [payment.hash, expect.objectContaining({ state: 'replaced', by: cancelling.hash })],
      [cancelling.hash, expect.objectContaining({ state: 'included' })],
    ])
  })

  test('from two devices of one owner, both are paid where the second follows the advice of its refusal', async () => {
    const { chain, url } = await runService()
    const from = wallet(chain, 'alice').publicKey
    const [first, second] = [paymentOf(chain), paymentOf(chain, { memo: 'of the second device' })]
    const client = createClient({ baseUrl: url, network, clock: pausedClock() })
    await client.sendUntilKnown(first.signed as PaymentToSend)
    const refused = await client.sendUntilKnown(second.signed as PaymentToSend)
    const advice = expect.stringContaining('if the pool has another payment of yours with it, sign with nextNonce')
    expect(refused).toMatchObject({ outcome: 'refused', code: 'replace-fee-too-low', message: advice })
    const { value: pool } = await client.pool({ account: from })
    expect(pool.commands.map(({ hash }) => hash)).toEqual([first.hash])
    const { nextNonce } = (await client.account(from)).value
    const anew = paymentOf(chain, { memo: 'of the second device' }, Number(nextNonce))
    await client.sendUntilKnown(anew.signed as PaymentToSend)
    chain.produceBlock()
    const paid = chain.tip().userCommands.filter(({ command }) => command.from === from)
    expect(paid.map(({ command }) => command.hash)).toEqual([first.hash, anew.hash])
  })

  test('the one in a block settles the other, of which the service says nothing', async () => {
    const { chain, url } = await runService()
    const [first, dearer] = [paymentOf(chain), paymentOf(chain, raisedFee)]
    expect(await post(`${url}/broadcast/transaction`, dearer.signed)).toMatchObject({ status: 201 })
    const { store, ends } = storeOf([first, dearer])
    const answer: Day['answer'] = ({ path }) =>
      path.endsWith(first.hash) ? new Response('{"message":"Later."}', { status: 503 }) : undefined
    await dayOf({ url, maxPauses: 30, answer, onPause: () => chain.produceBlock() }).send(store)
    expect(ends).toEqual([
      [first.hash, expect.objectContaining({ state: 'replaced', by: dearer.hash, confirmations: 15 })],
      [dearer.hash, expect.objectContaining({ state: 'included', confirmations: 15 })],
    ])
  })

  test('the one that comes into the store while the other is settled is replaced by it, though the service looks in newer blocks alone', async () => {
    const { chain, url } = await runService()
    const first = paymentOf(chain)
    const dearer = paymentOf(chain, raisedFee)
    const { store, add, ends } = storeOf([first])
    const settle: typeof store.settle = async (command, end) => {
      await store.settle(command, end)
      if (command.hash !== first.hash) return
      for (let made = 0; made < 10; made++) chain.produceBlock()
      add(dearer)
    }
    await dayOf({ url, maxPauses: 40, onPause: () => chain.produceBlock() }).send({ ...store, settle })
    expect(ends).toEqual([
      [first.hash, expect.objectContaining({ state: 'included' })],
      [dearer.hash, expect.objectContaining({ state: 'replaced', by: first.hash })],
    ])
  })

  describe('the first is paid after a reorganisation of 20 blocks, though the same client has settled the raise under 15,', () => {
    const options = { confirmations: 25, patienceMs: 3_600_000 }
    test.each<[string, (client: Client, payment: QueuedCommand, rival?: QueuedCommand) => Promise<unknown>]>([
      [
        'in a wait',
        async (client, { signed, hash }, rival) =>
          client.waitForInclusion(signed, hash, rival && { ...options, rivals: [rival] }),
      ],
      [
        'in a queue',
        async (client, payment, rival) => {
          const { store, ends } = storeOf([payment])
          await client.sendQueue(store, rival && options)
          return ends[0]?.[1]
        },
      ],
    ])('%s', async (_, follow) => {
      const { chain, url } = await runService()
      const payment = paymentOf(chain)
      const raise = paymentOf(chain, raisedFee)
      const clock = pausedClock(() => chain.produceBlock())
      const client = createClient({ baseUrl: url, network, clock })
      expect(await follow(client, raise)).toMatchObject({ state: 'included', confirmations: 15 })
      chain.reorganise(20)
      for (const queued of chain.pool()) chain.evict(queued)
      expect(await post(`${url}/broadcast/transaction`, payment.signed)).toMatchObject({ status: 201 })
      expect(await follow(client, payment, raise)).toMatchObject({ state: 'included', confirmations: 25 })
    })
  })

  test('whose blocks no upstream has any more both stay open, at a handful of questions for each block', async () => {
    const { chain, url } = await runService()
    const payments = [paymentOf(chain), paymentOf(chain, raisedFee)]
    expect(await post(`${url}/broadcast/transaction`, payments[0]?.signed)).toMatchObject({ status: 201 })
    for (let made = 0; made < 60; made++) chain.produceBlock()
    const { store, ends } = storeOf(payments)
    // A block every three minutes for an hour.
    const onPause = (pauses: number) => pauses % 3 === 0 && chain.produceBlock()
    const { send, asked, updates } = dayOf({ url, maxPauses: 60, pollMs: 60_000, onPause })
    await send(store)
    expect(ends).toEqual([])
    const open = { state: 'undecided', because: 'nonce-used', sending: 'nonce-used', needsIndexer: true }
    expect(updates).toEqual(payments.toReversed().map(({ hash }) => ({ hash, ...open })))
    expect(asked.filter((path) => path.startsWith('/transactions/')).length).toBeLessThan(21 * 4 + 1)
    // Each of the three searches for either reads some thirty blocks, all that the node has.
    expect(asked.filter((path) => path.startsWith('/blocks/')).length).toBeLessThan(200)
  })
})

describe('a payment that is refused', () => {
  test('after it was accepted and lost from the pool is paid by a block on its way, and never called refused', async () => {
    const { chain, url } = await runService()
    const payment = paymentOf(chain)
    const { store, ends } = storeOf([payment])
    const { send, updates } = dayOf({
      url,
      maxPauses: 40,
      async onPause(pauses) {
        if (pauses === 1) for (const command of chain.pool(wallet(chain, 'alice').publicKey)) chain.evict(command)
        if (pauses === 3) await post(`${url}/broadcast/transaction`, payment.signed)
        if (pauses > 3) chain.produceBlock()
      },
      answer: ({ method }) =>
        method === 'POST' && updates.length > 0 ? notSent('refused', 'fee-too-low', false) : undefined,
    })
    await send(store)
    expect(ends).toEqual([[payment.hash, expect.objectContaining({ state: 'included' })]])
    const { hash } = payment
    expect(updates.slice(0, 3)).toEqual([
      { hash, state: 'undecided', because: 'pending' },
      { hash, state: 'undecided', because: 'refused', code: 'fee-too-low', sending: 'possible' },
      // The embedded chain's slots are those of real time: the queue may look a block later.
      { hash, state: 'unconfirmed', sofar: 'included', confirmations: expect.any(Number) },
    ])
  })

  test('and may have been sent before a restart stays open, and another one with its nonce lets the later ones go', async () => {
    const { chain, url } = await runService()
    const [first, next] = [paymentOf(chain), paymentOf(chain, {}, 1)]
    const filler = paymentOf(chain, { memo: 'filler' })
    const { store, ends, add } = storeOf([{ ...first, maySent: true }, next])
    const text = JSON.stringify(first.signed)
    const { send, posted } = dayOf({
      url,
      maxPauses: 200,
      onPause: (pauses) => pauses > 100 && chain.produceBlock(),
      answer: ({ body }) => (body === text ? notSent('refused', 'fee-too-low', false) : undefined),
    })
    const filled: number[] = []
    const fillGap = async (nonce: number) => {
      filled.push(nonce)
      // Its owner takes his time.
      if (filled.length === 2) add(filler)
    }
    await send({ ...store, fillGap })
    expect(posted.filter(({ body }) => body === text).map(({ minute }) => minute)).toEqual([0, 1, 3])
    expect(filled).toEqual([0, 0])
    expect(ends).toEqual([
      [first.hash, expect.objectContaining({ state: 'replaced', by: filler.hash })],
      [filler.hash, expect.objectContaining({ state: 'included' })],
      [next.hash, expect.objectContaining({ state: 'included' })],
    ])
  })

  test.each<[string, string, boolean, string]>([
    ['for a fee that is too low, and was never sent before, ends as refused', 'fee-too-low', false, 'refused'],
    ['for its signature ends as refused, sent before or not', 'invalid-signature', true, 'refused'],
    ['because it has expired is open until the chain says so', 'expired', false, 'undecided'],
    ['for words that nobody foresaw, by a store that cannot know, is open', 'other', true, 'undecided'],
  ])('%s', async (_, code, isWithoutSending, state) => {
    const { chain, url } = await runService()
    const payment = paymentOf(chain)
    const { store: full, ends } = storeOf([payment])
    const { sending: _sending, ...without } = full
    const answer: Day['answer'] = ({ method }) => (method === 'POST' ? notSent('refused', code, false) : undefined)
    const { send, updates } = dayOf({ url, maxPauses: 5, onPause: () => chain.produceBlock(), answer })
    await send(isWithoutSending ? without : full)
    expect(updates.at(-1)).toMatchObject({ hash: payment.hash, state, code })
    expect(ends.map(([, end]) => end.state)).toEqual(state === 'refused' ? ['refused'] : [])
  })
})
