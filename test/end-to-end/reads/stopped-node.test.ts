// A daemon that stands still goes on answering, and its pool goes on showing what the chain holds. Beside one that follows the
// chain, at two addresses and behind one, each request meets new instances.
import type { RequestListener } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { type Chain, createChain } from '../../../packages/testnet/chain.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createZkappCommand } from '../../../packages/testnet/zkapp-command.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { untilTestEnds } from '../../serving.ts'
import { get, hashOf, now, post, serviceOver, signPayment, wallet } from '../running-service.ts'

const queryOf = ({ payload }: ReturnType<typeof signPayment>): string => {
  const { validUntil, memo, ...others } = payload
  return new URLSearchParams({ ...others, valid_until: validUntil, memo: memoFromText(memo) }).toString()
}

const chainOf = () => createChain({ seed: 'stopped node', now: () => now, slotsPerEpoch: 12, signsOwnCommands: false })

/**
 * Two daemons of one chain. Both have a payment, and a zkApp command of somebody else, in their pools; then one stands still, and
 * the other makes blocks. Only the first hears of a payment that waits, at the fee payer's next nonce.
 */
async function afterStop(behind: number) {
  const [good, stopped] = [chainOf(), chainOf()]
  const [alice, bob, carol] = [wallet(good, 'alice'), wallet(good, 'bob'), wallet(good, 'carol')]
  const paid = signPayment(good, alice, bob)
  const zkapp = createZkappCommand({ from: carol.publicKey, fee: 20_000_000n, nonce: 0 })
  const waiting = signPayment(good, alice, bob, { nonce: '1' })
  const submit = (chain: Chain, { payload, signature }: typeof paid) => {
    const { fee, amount, nonce, validUntil, ...others } = payload
    const [charged, moved] = [BigInt(fee), BigInt(amount)]
    const input = { ...others, fee: charged, amount: moved, nonce: Number(nonce), validUntil: Number(validUntil) }
    expect(chain.sendPayment(input, signature)).toHaveProperty('command')
  }
  for (const chain of [good, stopped]) {
    submit(chain, paid)
    chain.queueZkapp(zkapp)
  }
  submit(stopped, waiting)
  for (let made = 0; made < behind; made++) good.produceBlock()
  return {
    good,
    stopped,
    alice,
    paid,
    waiting,
    hashes: { paid: hashOf(paid), zkapp: zkapp.hash, waiting: hashOf(waiting) },
  }
}

/** Each of these daemons in turn. */
const inTurn = (...daemons: readonly RequestListener[]): RequestListener => {
  let turn = 0
  return (request, response) => daemons[turn++ % daemons.length]?.(request, response)
}

/** The answers of new instances. */
const over =
  (...addresses: readonly RequestListener[]) =>
  async (path: string) =>
    get(`${await serviceOver(addresses, [], { until: untilTestEnds })}${path}`)

const states = ({ body }: { readonly body: unknown }) => {
  const { transaction, message } = Object(body)
  return transaction === undefined ? message : (transaction.sending ?? transaction.state)
}

describe.each([1, 5, 30])('beside a daemon that stopped %i blocks ago', (behind) => {
  const isDeep = behind > 20
  test.each<[string, (good: RequestListener, stopped: RequestListener) => readonly RequestListener[]]>([
    ['listed last', (good, stopped) => [good, stopped]],
    ['listed first', (good, stopped) => [stopped, good]],
    ['behind the same address, and first', (good, stopped) => [inTurn(stopped, good)]],
    ['behind the same address, and second', (good, stopped) => [inTurn(good, stopped)]],
  ])('%s, only what the chain does not hold is pending', async (_where, addresses) => {
    const { good, stopped, alice, paid, waiting, hashes } = await afterStop(behind)
    const given = addresses(nodeServer(good), nodeServer(stopped))
    const [ask, isShared] = [over(...given), given.length === 1]
    const fates = [
      `/transactions/${hashes.paid}`,
      `/transactions/${hashes.paid}?${queryOf(paid)}`,
      `/transactions/${hashes.zkapp}`,
      `/transactions/${hashes.waiting}`,
      `/transactions/${hashes.waiting}?${queryOf(waiting)}`,
    ]
    const none = 'No transaction found for that hash.'
    const answers = []
    for (const path of fates) answers.push(states(await ask(path)))
    // Where the stopped daemon of an address answers first, the blocks that are read again do not reach down to its tip.
    const open = expect.stringMatching(`^(${none}|nonce-used|unknown|Upstream unavailable.)$`)
    const [byHash, byTerms] = !isDeep ? ['included', 'included'] : isShared ? [open, open] : [none, 'nonce-used']
    expect(answers).toEqual([byHash, byTerms, byHash, 'pending', 'pending'])
    const label = String(good.tip().height)
    for (const path of ['/pool', `/pool?account=${alice.publicKey}`]) {
      const { body, headers } = await ask(path)
      expect([body, headers.get('x-chain-height')]).toEqual([
        { count: 1, commands: [expect.objectContaining({ hash: hashes.waiting })], searched: expect.anything() },
        label,
      ])
    }
  })
})

/** A daemon at the tip whose pool has kept what is in its blocks. */
test('a single daemon that keeps paid commands in its pool shows none of them as waiting, anywhere', async () => {
  const { good, stopped, alice, hashes, waiting } = await afterStop(2)
  const keeping: Chain = {
    ...good,
    pool: (publicKey) => stopped.pool(publicKey),
    zkappPool: (publicKey) => stopped.zkappPool(publicKey),
  }
  const ask = over(nodeServer(keeping))
  const { body: account } = await ask(`/accounts/${alice.publicKey}`)
  const { body: history } = await ask(`/accounts/${alice.publicKey}/transactions`)
  const { body: fees } = await ask('/fees')
  const { body: pool } = await ask('/pool')
  const shown = Object(account).account
  expect({
    count: shown.countPendingTransactions,
    first: shown.firstPendingTransaction.map(({ hash }: { hash: string }) => hash),
    next: [shown.nonce, shown.nextNonce, shown.missingNonces],
    history: Object(history).pending.map(({ command }: { command: { hash: string } }) => command.hash),
    fees: Object(fees).pool,
    pool: Object(pool).commands.map(({ hash }: { hash: string }) => hash),
  }).toEqual({
    count: 1,
    first: [hashes.waiting],
    next: [1, 2, undefined],
    history: [hashes.waiting],
    fees: { count: 1 },
    pool: [hashes.waiting],
  })
  const service = await serviceOver([nodeServer(keeping)])
  expect((await post(`${service}/broadcast/transaction`, waiting)).status).toBe(201)
})
