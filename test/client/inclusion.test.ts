// waitForInclusion before the whole service, on a chain that gets a block in each pause.
import { describe, expect, test } from '@jest/globals'
import MinaSigner from 'mina-signer'
import { createClient, type Fetch, type InclusionOptions, type Update } from '../../packages/client/src/client.ts'
import { createChain } from '../../packages/testnet/chain.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { createZkappCommand } from '../../packages/testnet/zkapp-command.ts'
import { unheldValues } from '../../shared/contract/parameters.ts'
import { commandBlock, hashOf, now, post, serviceOver, signPayment, wallet } from '../end-to-end/running-service.ts'
import { network, noon, pausedClock } from './scripted-service.ts'

const chain = createChain({
  seed: 'inclusion',
  now: () => now,
  frontierBlocks: 350,
  blockSeconds: 60,
  signsOwnCommands: false,
})
const url = await serviceOver([nodeServer(chain)])
const signer = new MinaSigner({ network })
const receiver = wallet(chain, 'bob')

const produce = (blocks = 1) => {
  for (let made = 0; made < blocks; made++) chain.produceBlock()
}

type Payment = ReturnType<typeof signPayment>
const nonceOf = (name: string) => chain.account(wallet(chain, name).publicKey)?.nonce ?? 0

/** A payment of the wallet's next nonce, which nobody has sent. */
const paymentOf = (name: string, changes: object = {}): Payment =>
  signPayment(chain, wallet(chain, name), receiver, { nonce: String(nonceOf(name)), ...changes })

async function sent(payment: Payment): Promise<Payment> {
  expect(await post(`${url}/broadcast/transaction`, payment)).toMatchObject({ status: 201 })
  return payment
}

/** Uses the wallet's next nonce for a zkApp command. */
const queueZkapp = (name: string) =>
  chain.queueZkapp(createZkappCommand({ from: wallet(chain, name).publicKey, fee: 1n, nonce: nonceOf(name) }))

interface Waiting extends InclusionOptions {
  /** Called in each pause with its number; by default it adds a block. */
  readonly onPause?: (pauses: number) => unknown
  readonly hash?: string
  /** Replace the first answers: a status, 0 for a lost one, undefined for none. */
  readonly failures?: (number | undefined)[]
  /** Called at each broadcast with the time since the wait began. */
  readonly onPost?: (passedMs: number) => unknown
  /** As before a service that does not list zkApp commands in blocks. */
  readonly hidesZkapps?: boolean
}

/** Its result, the pauses, and the paths that were asked. */
async function waited(payment: Payment, waiting: Waiting = {}) {
  const {
    onPause = () => produce(),
    hash = hashOf(payment),
    failures = [],
    hidesZkapps = false,
    onPost,
    ...options
  } = waiting
  const asked: string[] = []
  const fetching: Fetch = async (address, request) => {
    if (address.endsWith('/network')) return fetch(address, request)
    asked.push(`${request.method} ${new URL(address).pathname.replace(/[^/]{50,}/, '*')}`)
    if (request.method === 'POST') onPost?.(clock.now() - noon)
    const failure = failures.shift()
    if (failure === 0) throw new TypeError('fetch failed')
    if (hidesZkapps && failure === undefined) {
      const answer = await fetch(address, request)
      const text = (await answer.text()).replaceAll('"zkappCommands":', '"other":')
      return new Response(answer.status === 304 ? null : text, { status: answer.status, headers: answer.headers })
    }
    return failure === undefined ? fetch(address, request) : new Response('{"message":"No."}', { status: failure })
  }
  const clock = pausedClock(() => onPause(clock.pausesMs.length))
  const client = createClient({ baseUrl: url, network, fetch: fetching, clock })
  const inclusion = await client.waitForInclusion(payment, hash, options)
  return { inclusion, pausesMs: clock.pausesMs, asked, waitedMs: clock.now() - noon }
}
const still = { onPause: () => undefined }

/** The block at a height, as results name it: the client passes on what else the service says of it. */
const blockAt = (height: number) =>
  expect.objectContaining(commandBlock(chain.bestChain().find((block) => block.height === height) ?? chain.tip()))
const command = (payment: Payment) =>
  expect.objectContaining({ hash: hashOf(payment), fee: BigInt(payment.payload.fee) })

describe('a command', () => {
  test('is included when as many blocks are on top as were asked for', async () => {
    const payment = await sent(paymentOf('alice'))
    const { inclusion, pausesMs, asked } = await waited(payment, { confirmations: 3 })
    const block = blockAt(chain.tip().height - 3)
    expect(inclusion).toEqual({
      state: 'included',
      status: 'applied',
      block,
      confirmations: 3,
      command: command(payment),
    })
    expect(pausesMs).toEqual([10_000, 10_000, 10_000, 10_000])
    expect(asked).toEqual(Array(5).fill('GET /transactions/*'))
  })

  test('that failed on the chain is reported as failed, with 15 blocks on top', async () => {
    const payment = await sent(paymentOf('alice', { to: signer.genKeys().publicKey, amount: '1' }))
    const { inclusion } = await waited(payment)
    const failureReason = 'Amount_insufficient_to_create_account'
    const place = { block: blockAt(chain.tip().height - 15), confirmations: 15 }
    expect(inclusion).toEqual({ state: 'failed', status: 'failed', failureReason, ...place, command: command(payment) })
  })

  test('that failed is told of at once, and paid after all where a reorganisation lets it, though one confirmation was asked for', async () => {
    // The receiver has no account yet, so that the payment fails.
    const newcomer = signer.genKeys().publicKey
    const payment = await sent(paymentOf('erin', { to: newcomer, amount: '1' }))
    const updates: unknown[] = []
    const reorganise = async () => {
      chain.reorganise(6)
      await sent(paymentOf('alice', { to: newcomer, fee: '90000000' }))
    }
    const steps = [() => produce(6), reorganise]
    const { inclusion } = await waited(payment, {
      ...{ confirmations: 1, onPause: (pauses) => (steps[pauses - 1] ?? produce)() },
      onUpdate: ({ state, sofar, confirmations }) => updates.push([state, sofar, confirmations]),
    })
    expect(inclusion).toMatchObject({ state: 'included', confirmations: 1 })
    const pending = ['undecided', undefined, undefined]
    const sofar = [pending, ['unconfirmed', 'failed', 5], pending, ['unconfirmed', 'included', 0]]
    expect(updates.slice(0, 4)).toEqual(sofar)
  })

  test('whose block is reorganised is waited for until another block holds it', async () => {
    const payment = await sent(paymentOf('carol'))
    const steps = [() => produce(), () => chain.reorganise(1)]
    const { inclusion, pausesMs } = await waited(payment, {
      onPause: (pauses) => (steps[pauses - 1] ?? produce)(),
      confirmations: 2,
    })
    expect(inclusion).toMatchObject({ state: 'included', confirmations: 2 })
    expect(pausesMs).toHaveLength(steps.length + 3)
  })

  test('that is nowhere is sent while there is time, and followed under the hash of the answer', async () => {
    const late = await waited(paymentOf('dave'), { patienceMs: 0 })
    expect(late.inclusion).toMatchObject({ state: 'undecided', because: 'possible' })
    expect(late.asked).toEqual(['GET /transactions/*'])
    const { inclusion, asked } = await waited(paymentOf('dave'), { hash: unheldValues.hash, confirmations: 0 })
    expect(inclusion).toMatchObject({ state: 'included', confirmations: 0 })
    expect(asked).toEqual(['GET /transactions/*', 'POST /broadcast/transaction', 'GET /transactions/*'])
  })

  test('is replaced when another one has its nonce and 15 blocks on top, and unconfirmed before', async () => {
    const payment = await sent(paymentOf('dave'))
    const rival = await sent(paymentOf('dave', { fee: '20000000' }))
    const options = { confirmations: 2, patienceMs: 40_000 }
    const replaced = (confirmations: number) => {
      const block = blockAt(chain.tip().height - confirmations)
      return { state: 'replaced', by: hashOf(rival), block, confirmations, command: command(rival) }
    }
    const { inclusion, pausesMs } = await waited(payment, options)
    expect(inclusion).toEqual({ state: 'unconfirmed', sofar: replaced(3) })
    expect(pausesMs).toHaveLength(4)
    expect((await waited(payment)).inclusion).toEqual(replaced(15))
  })

  test('whose rival is reorganised away is included after all', async () => {
    const payment = await sent(paymentOf('dave'))
    queueZkapp('dave')
    const again = async () => {
      chain.reorganise(3)
      await sent(payment)
    }
    const { inclusion } = await waited(payment, { onPause: (pauses) => (pauses === 4 ? again() : produce()) })
    expect(inclusion).toMatchObject({ state: 'included', confirmations: 15 })
  })

  test('is expired when 15 blocks are on top of one past its last slot', async () => {
    const { slot } = chain.tip()
    const payment = paymentOf('erin', { nonce: '3', validUntil: String(slot + 1) })
    const { inclusion } = await waited(payment, { patienceMs: 160_000 })
    expect(inclusion).toEqual({ state: 'unconfirmed', sofar: { state: 'expired', confirmations: 14 } })
    const late = await waited(payment)
    expect(late.inclusion).toEqual({ state: 'expired', confirmations: 15 })
    expect(late.asked).toEqual(Array(2).fill('GET /transactions/*'))
    // The service shows no more.
    const patient = await waited(payment, { confirmations: 40 })
    expect(patient.inclusion).toEqual({ state: 'expired', confirmations: 19 })
  })

  const tooMuch = { amount: String(10n ** 15n) }

  test('that is refused is reported as refused when a second look finds it nowhere, if it was never sent before', async () => {
    const { inclusion, pausesMs } = await waited(paymentOf('ivan', tooMuch), { neverSent: true })
    expect(inclusion).toMatchObject({ state: 'refused', code: 'insufficient-funds', retriable: true })
    expect(pausesMs).toEqual([10_000])
  })

  test('that is refused, and may have been sent before, stays open, and is sent again with pauses that grow to an hour', async () => {
    const sentAtMs: number[] = []
    const updates: Update[] = []
    const { inclusion } = await waited(paymentOf('ivan', tooMuch), {
      ...still,
      pollMs: 60_000,
      patienceMs: 185 * 60_000,
      onPost: (passedMs) => sentAtMs.push(passedMs / 60_000),
      onUpdate: (update) => updates.push(update),
    })
    const open = { state: 'undecided', because: 'refused', code: 'insufficient-funds' }
    expect(inclusion).toMatchObject(open)
    expect(sentAtMs).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183])
    const hash = expect.any(String)
    expect(updates).toEqual([
      { hash, state: 'undecided', because: 'possible', sending: 'possible' },
      { hash, ...open, sending: 'possible' },
    ])
  })

  test('that is refused is sent once more at the next look where an answer is lost, and not again and again until then', async () => {
    const sentAtMs: number[] = []
    await waited(paymentOf('ivan', tooMuch), {
      ...still,
      pollMs: 60_000,
      patienceMs: 67 * 60_000,
      onPost(passedMs) {
        if (sentAtMs.push(passedMs / 60_000) % 3 === 0) throw new TypeError('the answer was lost')
      },
    })
    expect(sentAtMs).toEqual([0, 1, 3, 4, 8, 16, 17, 33, 65, 66])
  })

  test('is told about each time its state or its confirmations change, and not where a look fails', async () => {
    const payment = await sent(paymentOf('bob'))
    const updates: Update[] = []
    const steps = [() => undefined, () => produce(), () => undefined, () => chain.reorganise(1), () => produce()]
    await waited(payment, {
      confirmations: 2,
      failures: [undefined, undefined, 503, ...Array(3), 503],
      onPause: (pauses) => (steps[pauses - 1] ?? produce)(),
      onUpdate: (update) => updates.push(update),
    })
    const hash = hashOf(payment)
    expect(updates).toEqual([
      { hash, state: 'undecided', because: 'pending' },
      { hash, state: 'unconfirmed', sofar: 'included', confirmations: 0 },
      { hash, state: 'undecided', because: 'pending' },
      { hash, state: 'unconfirmed', sofar: 'included', confirmations: 0 },
      { hash, state: 'included', confirmations: 2 },
    ])
  })
})

test('a command of which its node tells no other one is sent again after 15 minutes, and each 15 after, until a block has it', async () => {
  const payment = await sent(paymentOf('bob'))
  const stop = () => {
    for (const command of chain.pool(payment.payload.from)) chain.stopGossip(command)
  }
  stop()
  const sentAtMinutes: number[] = []
  const failures: (number | undefined)[] = []
  const { inclusion } = await waited(payment, {
    confirmations: 1,
    patienceMs: Number.POSITIVE_INFINITY,
    // The first two times the answers are lost, or are refusals that mean nothing.
    onPost: (passedMs) => {
      sentAtMinutes.push(passedMs / 60_000)
      if (sentAtMinutes.length < 3) failures.push(sentAtMinutes.length === 1 ? 0 : 400)
    },
    failures,
    pollMs: 60_000,
  })
  expect(inclusion).toMatchObject({ state: 'included', confirmations: 1 })
  expect(sentAtMinutes).toEqual([15, 30, 45])
})

describe('patience', () => {
  test.each([
    ['a pool holds the command', { because: 'pending' }, 'frank', {}, true],
    [
      'a predecessor is missing',
      { because: 'waits-for-nonce', fate: { missingNonces: [0] } },
      'mallory',
      { nonce: '1' },
    ],
    ['another one with its nonce waits', { because: 'rival-pending', fate: { by: expect.any(String) } }, 'frank', {}],
  ])('ends with the latest reason where %s', async (_, expected, name, changes, isSent = false) => {
    const payment = paymentOf(name, { ...changes, memo: String(isSent) })
    if (isSent) await sent(payment)
    const { inclusion, waitedMs } = await waited(payment, { ...still, patienceMs: 25_000 })
    expect(inclusion).toMatchObject({ state: 'undecided', ...expected })
    expect(waitedMs).toBe(25_000)
  })

  test('is 90 slots of the network, here of a minute, whose last look is at its end', async () => {
    const { pausesMs, asked } = await waited(await sent(paymentOf('heidi')), { ...still, pollMs: 2_000_000 })
    const looks = asked.filter((path) => path.startsWith('GET /transactions')).length
    expect({ pausesMs, looks }).toEqual({ pausesMs: [2e6, 2e6, 1.4e6], looks: 4 })
  })

  test('outlives trouble with longer pauses, the last of which fits into what is left', async () => {
    const payment = await sent(paymentOf('judy'))
    const failures = [0, 503, 504, 429]
    const options = { ...still, pollMs: 2000, patienceMs: 22_000 }
    const passing = await waited(payment, { ...options, failures: [...failures] })
    expect(passing.pausesMs).toEqual([4000, 8000, 10_000])
    expect(passing.inclusion).toEqual({ state: 'undecided', because: 'no-answer' })
    const last = await waited(payment, { ...options, patienceMs: 15_000, failures: failures.slice(0, 3) })
    expect(last.pausesMs).toEqual([4000, 8000, 3000])
    expect(last.inclusion).toMatchObject({ state: 'undecided', because: 'pending' })
    const known = await waited(payment, { ...options, patienceMs: 2000, failures: [undefined, 503] })
    expect(known.inclusion).toEqual(last.inclusion)
  })

  test('ends with an error of the service itself, or with the reason of its signal', async () => {
    const payment = paymentOf('judy')
    await expect(waited(payment, { hash: 'none' })).rejects.toMatchObject({ status: 404 })
    const controller = new AbortController()
    const onPause = () => controller.abort('enough')
    await expect(waited(payment, { onPause, signal: controller.signal })).rejects.toBe('enough')
  })
})

describe('a nonce that was used in a block older than those in which the service looks', () => {
  const heights = (asked: readonly string[]) =>
    asked.flatMap((path) => (path.includes('/height/') ? [Number(path.split('/').at(-1))] : []))

  test('was used by the command itself, under whatever hash, or by another one', async () => {
    const name = 'oscar'
    const payment = await sent(paymentOf(name))
    const rival = paymentOf(name, { amount: '1' })
    produce(25)
    const place = { block: blockAt(chain.tip().height - 24), confirmations: 24 }
    // A block whose answer is lost is asked for again at once, so that a long search comes to its end.
    const { inclusion, asked } = await waited(payment, { ...still, failures: [undefined, 503] })
    expect(inclusion).toMatchObject({ state: 'included', ...place, command: command(payment) })
    const down = Array.from({ length: 25 }, (_, below) => chain.tip().height - below)
    expect(heights(asked)).toEqual([chain.tip().height, ...down])
    const replaced = { state: 'replaced', by: hashOf(payment), ...place, command: command(payment) }
    expect((await waited(rival)).inclusion).toEqual(replaced)
    // Its wallet may have computed another hash.
    const ofWallet = await waited(payment, { hash: unheldValues.hash, patienceMs: 0 })
    expect(ofWallet.inclusion).toMatchObject({ state: 'included', ...place, chainHash: hashOf(payment) })
  })

  test('was used by a zkApp command: the command is replaced by it', async () => {
    const payment = paymentOf('mallory')
    queueZkapp('mallory')
    produce(25)
    const [zkapp] =
      chain
        .bestChain()
        .at(-25)
        ?.zkappCommands.filter(({ from }) => from === payment.payload.from) ?? []
    const { inclusion, pausesMs } = await waited(payment, still)
    expect(inclusion).toEqual({
      ...{ state: 'replaced', block: blockAt(chain.tip().height - 24), confirmations: 24, by: zkapp?.hash },
      command: expect.objectContaining({ kind: 'ZKAPP', nonce: Number(payment.payload.nonce), balanceChanges: [] }),
    })
    expect(pausesMs).toEqual([])
  })

  test('was used by what no block lists: the command is replaced 15 blocks after that was first seen', async () => {
    produce()
    await sent(paymentOf('alice'))
    produce()
    const payment = paymentOf('alice')
    queueZkapp('alice')
    produce(21)
    const { inclusion, pausesMs, asked } = await waited(payment, {
      // The second block is counted anew on a fork, which has one more.
      onPause: (pauses) => (pauses === 2 ? chain.reorganise(2) : produce()),
      hidesZkapps: true,
    })
    expect(inclusion).toEqual({ state: 'replaced', confirmations: 15 })
    expect(pausesMs).toHaveLength(2 + 15)
    // The earlier command of the sender ends the search, which is repeated for the fork only.
    expect(heights(asked)).toHaveLength(22 + 24)
  })
})

test('a command that the network refuses because it is paused before a hard fork is sent on, and nobody calls it refused', async () => {
  const payment = paymentOf('judy')
  // The chain takes none from here on.
  chain.pauseCommands()
  const { inclusion, asked } = await waited(payment, { ...still, patienceMs: 150_000 })
  expect(inclusion).toMatchObject({ state: 'undecided', because: 'network-paused', fate: { sending: 'possible' } })
  expect(asked.filter((path) => path.startsWith('POST')).length).toBeGreaterThan(10)
})
