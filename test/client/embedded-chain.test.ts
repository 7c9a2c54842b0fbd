// The code of the client's README before the whole service, on a chain that grows and forks.
import { describe, expect, test } from '@jest/globals'
import MinaSigner from 'mina-signer'
import { turnover } from '../../packages/client/examples/fees.ts'
import { type Kept, pay } from '../../packages/client/examples/pay.ts'
import { history, incoming } from '../../packages/client/examples/payments.ts'
import { resume } from '../../packages/client/examples/resume.ts'
import { walletOf } from '../../packages/client/examples/wallet.ts'
import { followChain } from '../../packages/client/examples/watch.ts'
import { yearOf } from '../../packages/client/examples/year.ts'
import { type BlockChange, createClient } from '../../packages/client/src/client.ts'
import { runService, wallet } from '../end-to-end/running-service.ts'
import { network, pausedClock } from './scripted-service.ts'

const service = await runService()
const { chain } = service

const named = (name: string) => wallet(chain, name)
const nextBlock = () => chain.produceBlock()
const signer = new MinaSigner({ network })

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

  test('lists a payment on its way to a key, and afterwards in its history', async () => {
    const [{ publicKey: from, privateKey }, { publicKey: to }] = [named('heidi'), named('mallory')]
    const data = { from, to, amount: 2_000_000_000n, fee: 10_000_000n, nonce: 0, memo: 'für Käse' }
    const outcome = await clientOf().broadcastPayment(signer.signPayment(data, privateKey))
    const shown = { hash: outcome.hash, amount: data.amount, memo: data.memo }
    const before = await Promise.all([incoming(clientOf(), to), incoming(clientOf(), from), history(clientOf(), to)])
    expect(before).toEqual([[{ ...shown, from }], [], { lines: [], next: undefined }])
    nextBlock()
    const after = await Promise.all([incoming(clientOf(), to), history(clientOf(), to), history(clientOf(), from)])
    const line = (part: string) => ({ ...shown, part, failureReason: undefined, confirmations: 0 })
    expect(after).toMatchObject([[], { lines: [line('received')] }, { lines: [line('sent')] }])
    const rows = (await yearOf(clientOf(), to, 2026)).split('\r\n')
    expect([rows.length, rows[1]?.replace(/.*,B62/, '')]).toEqual([3, `${to.slice(3)},2000000000,0,applied,für Käse`])
    expect(await yearOf(clientOf(), to, 2025)).toBe(`${rows[0]}\r\n`)
  })

  test('pays, waits for three blocks on top, and knows the fate of the payment after a restart', async () => {
    const [{ publicKey: from, privateKey }, { publicKey: to }] = [named('alice'), named('bob')]
    const kept: Kept[] = []
    const keep = async (payment: Kept) => void kept.push(payment)
    const command = { from, to, amount: 1_500_000_001n, nonce: 0 }
    const payer = { signer, privateKey, maxFee: 1_234_567n }
    const inclusion = await pay(clientOf(), payer, to, command.amount, keep)
    expect(inclusion).toMatchObject({ state: 'included', confirmations: 3, command: { ...command, fee: 1_234_567n } })
    await pay(clientOf(), payer, signer.genKeys().publicKey, 1n, keep)
    const data = { from, to, amount: 1n, fee: 10_000_000n, nonce: 0 }
    const signed = signer.signPayment(data, privateKey)
    const rival = { ...kept[0], signed, hash: signer.hashPayment(signed, { berkeley: true }), sentAtTip: undefined }
    const fates = [...kept, rival].map((payment) => resume(clientOf(), payment))
    expect(await Promise.all(fates)).toEqual([
      'paid',
      'failed, its fee is paid: Amount_insufficient_to_create_account',
      'not paid, and never will be: it is safe to sign another one',
    ])
    const [paid] = kept
    expect(paid && (await resume(clientOf(), rival, [paid]))).toBe('replaced by another one of yours: ask for that one')
    const late = { ...rival, signed: signer.signPayment({ ...data, nonce: 9 }, privateKey), hash: rival.hash }
    expect(await resume(clientOf(), late)).toBe('not known yet: ask again, and do not sign another one')
  })

  test('signs nothing for a key without an account, and reports a refusal', async () => {
    const keep = async () => undefined
    const paying = (privateKey: string) =>
      pay(clientOf(), { signer, privateKey, maxFee: 1_000_000n }, named('bob').publicKey, 10n ** 12n, keep)
    expect(await paying(signer.genKeys().privateKey)).toEqual({ state: 'no-account' })
    expect(await paying(named('ivan').privateKey)).toMatchObject({ state: 'refused', code: 'insufficient-funds' })
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

  test('adds up what payments moved in the latest blocks, and the fees of all commands', async () => {
    const latest = chain.bestChain().slice(-10)
    const commands = latest.flatMap(({ userCommands }) => userCommands)
    const zkapps = latest.flatMap(({ zkappCommands }) => zkappCommands)
    const applied = commands.filter(({ failureReason }) => failureReason === null)
    const paying = [...commands.map(({ command }) => command), ...zkapps]
    expect(await turnover(clientOf())).toEqual({
      paid: applied.reduce((sum, { command }) => sum + command.amount, 0n),
      fees: paying.reduce((sum, { fee }) => sum + fee, 0n),
    })
  })
})
