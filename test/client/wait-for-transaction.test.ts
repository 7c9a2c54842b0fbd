// A payment that somebody else has signed, followed by whoever receives it, on a chain that gets a block in each pause.
import { describe, expect, test } from '@jest/globals'
import MinaSigner from 'mina-signer'
import {
  createClient,
  type Fetch,
  memoOnChain,
  type Update,
  type WaitOptions,
} from '../../packages/client/src/client.ts'
import { unheldValues } from '../../shared/contract/parameters.ts'
import { hashOf, post, runService, signPayment, wallet } from '../end-to-end/running-service.ts'
import { network, pausedClock } from './scripted-service.ts'

const { chain, url } = await runService()
const signer = new MinaSigner({ network })

type Payment = ReturnType<typeof signPayment>

const brief = { confirmations: 2, pollMs: 1000, patienceMs: 60_000 }

/** Follows a payment that is sent in the first pause. */
async function followed(payment: Payment, options: WaitOptions = {}) {
  const methods = new Set<string>()
  let isSent = false
  const clock = pausedClock(async () => {
    if (isSent) return chain.produceBlock()
    isSent = true
    expect(await post(`${url}/broadcast/transaction`, payment)).toMatchObject({ status: 201 })
  })
  const fetching: Fetch = async (address, request) => {
    methods.add(request.method)
    return fetch(address, request as RequestInit)
  }
  const client = createClient({ baseUrl: url, network, clock, fetch: fetching })
  const updates: (readonly unknown[])[] = []
  const onUpdate = ({ state, because, sofar, confirmations }: Update) =>
    updates.push([state, because ?? sofar, confirmations])
  const inclusion = await client.waitForTransaction(hashOf(payment), { ...brief, onUpdate, ...options })
  return { inclusion, updates, methods }
}

describe('waitForTransaction', () => {
  test('tells of each step of a payment that is known by its hash alone, and sends nothing', async () => {
    const payment = signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'))
    expect(await followed(payment)).toMatchObject({
      inclusion: { state: 'included', confirmations: 2, command: { amount: 1_500_000_000n } },
      updates: [
        ['undecided', 'not-found', undefined],
        ['undecided', 'pending', undefined],
        ['unconfirmed', 'included', 0],
        ['unconfirmed', 'included', 1],
        ['included', undefined, 2],
      ],
      methods: new Set(['GET']),
    })
  })

  test('with all terms knows that a payment is on its way, and says that it failed', async () => {
    const changes = { to: signer.genKeys().publicKey, amount: '1' }
    const payment = signPayment(chain, wallet(chain, 'bob'), wallet(chain, 'alice'), changes)
    const { from, to, nonce, validUntil, fee, amount, memo } = payment.payload
    const amounts = { fee: BigInt(fee), amount: BigInt(amount) }
    const terms = {
      from,
      to,
      nonce: Number(nonce),
      validUntil: Number(validUntil),
      memo: memoOnChain(memo),
      ...amounts,
    }
    const { inclusion, updates } = await followed(payment, { terms })
    const failureReason = 'Amount_insufficient_to_create_account'
    // Its sender may sign another one then, whatever its receiver has asked for.
    expect(inclusion).toMatchObject({ state: 'failed', failureReason, confirmations: 15 })
    expect(updates.slice(0, 3)).toEqual([
      ['undecided', 'possible', undefined],
      ['undecided', 'pending', undefined],
      ['unconfirmed', 'failed', 0],
    ])
  })

  test('ends undecided with patience, and at once before a service on another network', async () => {
    const waiting = (name: string) =>
      createClient({ baseUrl: url, network: name, clock: pausedClock() }).waitForTransaction(unheldValues.hash, brief)
    expect(await waiting(network)).toEqual({ state: 'undecided', because: 'not-found' })
    await expect(waiting('mainnet')).rejects.toMatchObject({ name: 'NetworkMismatchError' })
  })

  test.each([
    [undefined, 180_000],
    [90_000, 90_000],
    [180_000, 180_000],
  ])(
    'lasts 90 slots of %j ms by default: where the service does not say how long they are, of %i',
    async (slotDurationMs, slotMs) => {
      const clock = pausedClock()
      const answer = (url: string) =>
        url.endsWith('/network') ? { networkName: network, slotDurationMs } : { message: 'No transaction found.' }
      const fetching: Fetch = async (url) =>
        Response.json(answer(url), { status: url.endsWith('/network') ? 200 : 404 })
      const client = createClient({ baseUrl: 'https://service.example', network, clock, fetch: fetching })
      await client.waitForTransaction(unheldValues.hash, { pollMs: 1_000_000 })
      expect(clock.pausesMs.reduce((sum, each) => sum + each, 0)).toBe(90 * slotMs)
    },
  )
})
