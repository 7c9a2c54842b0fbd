// The code of the client's README before the whole service, on a chain that grows and forks.
import { describe, expect, test } from '@jest/globals'
import MinaSigner from 'mina-signer'
import { type Kept, pay } from '../../packages/client/examples/pay.ts'
import { history, incoming } from '../../packages/client/examples/payments.ts'
import { resume } from '../../packages/client/examples/resume.ts'
import { walletOf } from '../../packages/client/examples/wallet.ts'
import { followChain } from '../../packages/client/examples/watch.ts'
import { yearOf } from '../../packages/client/examples/year.ts'
import { type BlockChange, createClient, memoText } from '../../packages/client/src/client.ts'
import { createZkappCommand, transfer } from '../../packages/testnet/zkapp-command.ts'
import { runService, wallet } from '../end-to-end/running-service.ts'
import { network, pausedClock, scriptedClient } from './scripted-service.ts'

const service = await runService()
const { chain } = service

const named = (name: string) => wallet(chain, name)
const nextBlock = () => chain.produceBlock()
const signer = new MinaSigner({ network })

const zkappFee = 10_000_000n

/** A zkApp command of the next nonce that pays. */
function queueZkapp(payer: string, receiver: string, amount: bigint) {
  const from = named(payer).publicKey
  const nonce = (chain.account(from)?.nonce ?? 0) + chain.pool(from).length
  const updates = transfer(from, named(receiver).publicKey, amount)
  const command = createZkappCommand({ from, fee: zkappFee, nonce }, { updates })
  chain.queueZkapp(command)
  return command.hash
}

/** A client that sees a new block after each of its pauses. */
const clientOf = (onPause: () => unknown = nextBlock) =>
  createClient({ baseUrl: service.url, network, clock: pausedClock(onPause) })

describe('the code of the README', () => {
  test('shows a wallet, and one without an account', async () => {
    expect(await walletOf(clientOf(), named('oscar').publicKey)).toEqual({
      balance: 2n ** 53n + 1n,
      spendable: 2n ** 53n + 1n,
      nextNonce: 0,
      tip: expect.objectContaining({ height: chain.tip().height, stateHash: chain.tip().stateHash }),
      secondsOld: expect.any(Number),
      isComplete: true,
    })
    expect(await walletOf(clientOf(), named('frank').publicKey)).toMatchObject({
      balance: 10_050n * 10n ** 9n,
      spendable: 50n * 10n ** 9n,
    })
    expect(await walletOf(clientOf(), signer.genKeys().publicKey)).toBeUndefined()
  })

  test('shows no wallet as one without an account where a gateway answers 404 in place of the service', async () => {
    const front = scriptedClient([
      { status: 404, body: { message: 'Not Found' } },
      { status: 404, body: '<h1>404</h1>' },
    ])
    for (const _ of ['of a wrong path', 'a page'])
      await expect(walletOf(front.client, named('oscar').publicKey)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('counts as spendable neither what a key has sent nor the fee, before a block has them', async () => {
    const [{ publicKey: from, privateKey }, { publicKey: to }] = [named('dave'), named('bob')]
    const before = await walletOf(clientOf(), from)
    const data = { from, to, amount: 3_000_000_000n, fee: 10_000_000n, nonce: 0 }
    await clientOf().broadcastPayment(signer.signPayment(data, privateKey))
    const delegation = { from, to, fee: 20_000_000n, nonce: 1 }
    await clientOf().broadcastDelegation(signer.signStakeDelegation(delegation, privateKey))
    queueZkapp('dave', 'bob', 5n)
    const spendable = (before?.spendable ?? 0n) - 3_030_000_000n - 5n - zkappFee
    expect(await walletOf(clientOf(), from)).toMatchObject({ balance: before?.balance, spendable, nextNonce: 3 })
    nextBlock()
    expect(await walletOf(clientOf(), from)).toMatchObject({ balance: spendable, spendable })
  })

  test('lists a payment on its way to a key, and afterwards in its history', async () => {
    const [{ publicKey: from, privateKey }, { publicKey: to }] = [named('heidi'), named('mallory')]
    const data = { from, to, amount: 2_000_000_000n, fee: 10_000_000n, nonce: 0, memo: 'für Käse' }
    const outcome = await clientOf().broadcastPayment(signer.signPayment(data, privateKey))
    const shown = { hash: outcome.hash, amount: data.amount, memo: data.memo }
    const both = () => Promise.all([to, from].flatMap((key) => [incoming(clientOf(), key), history(clientOf(), key)]))
    const terms = expect.objectContaining({ from, to, nonce: 0, fee: data.fee, amount: data.amount })
    const all = { ...shown, kind: 'payment', from, to, fee: data.fee }
    const line = (part: string) => ({
      ...all,
      part,
      failureReason: undefined,
      time: expect.stringMatching(/Z$/),
      confirmations: 0,
    })
    expect(await both()).toEqual([
      ...[[{ ...shown, from, terms }], { lines: [], pending: [], next: undefined, endOfKnown: true }],
      ...[[], { lines: [], pending: [all], next: undefined, endOfKnown: true }],
    ])
    nextBlock()
    expect(await both()).toMatchObject([
      ...[[], { lines: [line('received')], pending: [] }],
      ...[[], { lines: [line('sent')], pending: [] }],
    ])
    const rows = (await yearOf(clientOf(), to, 2026)).split('\r\n')
    expect([rows.length, rows[1]?.replace(/.*,B62/, '')]).toEqual([3, `${to.slice(3)},2000000000,0,applied,für Käse`])
    expect(await yearOf(clientOf(), to, 2025)).toBe(`${rows[0]}\r\n`)
  })

  test('lists what a zkApp command pays and takes, as on its way and as received and sent', async () => {
    const [{ publicKey: from }, { publicKey: to }] = [named('carol'), named('judy')]
    const hash = queueZkapp('carol', 'judy', 7n)
    expect([await incoming(clientOf(), to), await incoming(clientOf(), from)]).toMatchObject([
      [{ hash, from, amount: 7n }],
      [],
    ])
    expect(await history(clientOf(), from)).toMatchObject({ pending: [{ hash, amount: -7n }] })
    nextBlock()
    const [received, sent] = [await history(clientOf(), to), await history(clientOf(), from)]
    expect([received, sent]).toMatchObject([
      { lines: [{ hash, part: 'received', amount: 7n }] },
      { lines: [{ hash, part: 'sent', amount: -7n }] },
    ])
  })

  test('follows a deposit whose sender cancels it: it is replaced', async () => {
    const [{ publicKey: from, privateKey }, { publicKey: to }] = [named('erin'), named('mallory')]
    const data = { from, to, amount: 2_000_000_000n, fee: 10_000_000n, nonce: 0, validUntil: 100_000 }
    const { hash: paid } = await clientOf().broadcastPayment(signer.signPayment(data, privateKey))
    const [deposit] = await incoming(clientOf(), to)
    const cancelling = { ...data, to: from, amount: 0n, fee: 20_000_000n }
    const { hash: by } = await clientOf().broadcastPayment(signer.signPayment(cancelling, privateKey))
    expect(deposit?.hash).toBe(paid)
    expect(await clientOf().waitForTransaction(paid ?? '', deposit ?? {})).toMatchObject({ state: 'replaced', by })
    expect(await incoming(clientOf(), to)).toEqual([])
  })

  const keptOf = () => {
    const kept: Kept[] = []
    return { kept, keep: async (payment: Kept) => void kept.push(payment) }
  }
  const payerOf = (privateKey: string, maxFee = 1_234_567n) => ({ signer, privateKey, maxFee })

  test('pays, waits for three blocks on top, and knows the fate of the payment after a restart', async () => {
    const [{ publicKey: from, privateKey }, { publicKey: to }] = [named('alice'), named('bob')]
    const { kept, keep } = keptOf()
    const command = { from, to, amount: 1_500_000_001n, nonce: 0 }
    const payer = payerOf(privateKey)
    const inclusion = await pay(clientOf(), payer, { to, amount: command.amount, reference: 'order 1' }, keep)
    expect(inclusion).toMatchObject({ state: 'included', confirmations: 3, command: { ...command, fee: 1_234_567n } })
    await pay(clientOf(), payer, { to: signer.genKeys().publicKey, amount: 1n, reference: 'order 2' }, keep)
    const data = { from, to, amount: 1n, fee: 10_000_000n, nonce: 0 }
    const signed = signer.signPayment(data, privateKey)
    const hash = signer.hashPayment(signed, { berkeley: true })
    const rival: Kept = { network, signed, hash, sentAtTip: undefined }
    const fates = [...kept, rival].map((payment) => resume(clientOf(), payment))
    expect(await Promise.all(fates)).toEqual([
      'paid',
      'failed, its fee is paid: Amount_insufficient_to_create_account',
      'not paid, and never will be: it is safe to sign another one',
    ])
    const [paid] = kept
    expect(paid && { network: paid.network, memo: paid.signed.data.memo }).toEqual({ network, memo: 'order 1' })
    expect(paid && (await resume(clientOf(), rival, [paid]))).toBe('replaced by another one of yours: ask for that one')
  })

  test('tells what is known of a payment that was kept, as long as it has no end', async () => {
    const [{ publicKey: from, privateKey }, { publicKey: to }] = [named('grace'), named('bob')]
    const keptWith = (changes: object): Kept => {
      const data = { from, to, amount: 1n, fee: 10_000_000n, nonce: 0, ...changes }
      const signed = signer.signPayment(data, privateKey)
      return { network, signed, hash: signer.hashPayment(signed, { berkeley: true }), sentAtTip: undefined }
    }
    const told = async (payment: Kept, blocks: number) => {
      const controller = new AbortController()
      const client = clientOf(() => (blocks-- > 0 ? nextBlock() : controller.abort('closed')))
      const news: string[] = []
      const show = (text: string) => news.push(text)
      await expect(resume(client, payment, [], { show, signal: controller.signal })).rejects.toBe('closed')
      return news
    }
    const advice = 'do not sign another one'
    expect(await told(keptWith({}), 2)).toEqual([
      `possible: ${advice}`,
      `included, under 0 of 15 blocks: ${advice}`,
      `included, under 1 of 15 blocks: ${advice}`,
    ])
    expect(await told(keptWith({ nonce: 9 }), 1)).toEqual([`waits-for-nonce: ${advice}`])
    expect(await told(keptWith({ nonce: 1, fee: 1n }), 1)).toEqual([
      `possible: ${advice}`,
      'refused now, fee-too-low: sign another one only with its nonce',
    ])
  })

  test('pays one of two payments that two devices sign with one nonce, and says that the other is not paid', async () => {
    const { privateKey, publicKey: from } = named('heidi')
    const { keep } = keptOf()
    const before = chain.account(from)?.nonce ?? 0
    const payOf = (reference: string) =>
      pay(clientOf(), payerOf(privateKey), { to: named('bob').publicKey, amount: 5n, reference }, keep)
    const ends = await Promise.all([payOf('bread'), payOf('milk')])
    expect(ends.map(({ state }) => state).sort()).toEqual(['included', 'refused'])
    expect(chain.account(from)?.nonce).toBe(before + 1)
    const [paid] = ends.flatMap((end) => (end.state === 'included' ? [memoText(end.command?.memo ?? '')] : []))
    await expect(payOf(paid ?? '')).rejects.toThrow(`the reference of 5J`)
  })

  test('pays once what has expired on one device and waits, raised, on another', async () => {
    const [{ publicKey: from, privateKey }, { publicKey: to }] = [named('mallory'), named('bob')]
    const { kept, keep } = keptOf()
    const signWith = (fee: bigint, slots: number): Kept => {
      const nonce = chain.account(from)?.nonce ?? 0
      const validUntil = chain.tip().slot + slots
      const signed = signer.signPayment({ from, to, amount: 7n, fee, nonce, memo: 'rent', validUntil }, privateKey)
      return { network, signed, hash: signer.hashPayment(signed, { berkeley: true }), sentAtTip: undefined }
    }
    const bids = [signWith(10_000_000n, 2), signWith(20_000_000n, 1000)]
    for (const { signed } of bids) {
      await clientOf().broadcastPayment(signed)
      for (const command of chain.pool(from)) chain.withhold(command)
    }
    const [first, raise] = bids as [Kept, Kept]
    expect(await resume(clientOf(), first)).toBe('not paid, and never will be: sign another one only with its nonce')
    const payAgain = (reference: string) =>
      pay(clientOf(), payerOf(privateKey, 30_000_000n), { to, amount: 7n, reference, nonce: 0 }, keep)
    await expect(payAgain('rent')).rejects.toThrow(`the reference of ${raise.hash}`)
    expect(await payAgain('rent again')).toMatchObject({ state: 'included' })
    expect(await resume(clientOf(), raise, kept)).toBe('replaced by another one of yours: ask for that one')
  })

  test('signs nothing for a key without an account, a receiver with a typo, or a fee that no node takes', async () => {
    const { kept, keep } = keptOf()
    const terms = { to: named('bob').publicKey, amount: 1n, reference: 'none' }
    const [alice] = [named('alice').privateKey]
    expect(await pay(clientOf(), payerOf(signer.genKeys().privateKey), terms, keep)).toEqual({ state: 'no-account' })
    const to = terms.to.replace(/.$/, '1')
    await expect(pay(clientOf(), payerOf(alice), { ...terms, to }, keep)).rejects.toThrow(`no public key: ${to}`)
    const [cheap, error] = [payerOf(alice, 999_999n), 'no node takes a fee below 1000000']
    await expect(pay(clientOf(), cheap, terms, keep)).rejects.toThrow(error)
    expect(kept).toEqual([])
  })

  test('reports a refusal at once, and gives each payment an end', async () => {
    const { kept, keep } = keptOf()
    const clock = pausedClock()
    const client = createClient({ baseUrl: service.url, network, clock })
    const terms = { to: named('bob').publicKey, amount: 10n ** 12n, reference: 'too much' }
    const { privateKey } = named('ivan')
    expect(await pay(client, payerOf(privateKey), terms, keep)).toMatchObject({
      state: 'refused',
      code: 'insufficient-funds',
    })
    expect(clock.pausesMs).toEqual([])
    expect(Number(kept[0]?.signed.data.validUntil) - (await clientOf().summary()).value.globalSlot).toBe(480)
  })

  test('follows the chain through a reorganisation', async () => {
    const controller = new AbortController()
    const steps = [() => [nextBlock(), nextBlock()], () => chain.reorganise(2), () => controller.abort()]
    const client = clientOf(() => steps.shift()?.())
    const before = chain.bestChain().length
    const kept: BlockChange[] = []
    const place = {
      cursor: async () => kept.at(-1)?.cursor,
      save: async (change: BlockChange) => void kept.push(change),
    }
    await followChain(client, place, controller.signal)
    const [, , ...forked] = chain.bestChain().slice(before - 1)
    expect(kept.map(({ state, cursor }) => [state, cursor.height])).toEqual([
      ...[0, 1, 2].map((added) => ['added', before + added]),
      ['orphaned', before + 1],
      ['orphaned', before],
      ...[1, 2, 3].map((added) => ['added', before + added]),
    ])
    expect(kept.at(-1)?.cursor.stateHash).toBe(forked.at(-1)?.stateHash)
  })
})
