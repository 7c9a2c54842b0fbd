// The code of client/README.md, run as a reader would run it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { turnover } from '../../client/examples/fees.ts'
import { pay } from '../../client/examples/pay.ts'
import { resume } from '../../client/examples/resume.ts'
import { walletOf } from '../../client/examples/wallet.ts'
import { watchBlocks } from '../../client/examples/watch.ts'
import { createClient, type PaymentToSend } from '../../client/src/client.ts'
import { type RunningService, runService, signPayment, wallet } from '../end-to-end/running-service.ts'
import { pausedClock } from './scripted-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service.close())

const named = (name: string) => wallet(service.chain, name)
const nextBlock = () => service.chain.produceBlock()
const nobody = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'

/** A client that sees a new block after each of its pauses. */
const clientOf = () => createClient({ baseUrl: service.url, clock: pausedClock(nextBlock) })

describe('the code of the README', () => {
  test('shows a wallet, and one without an account', async () => {
    expect(await walletOf(clientOf(), named('oscar').publicKey)).toEqual({
      balance: 2n ** 53n + 1n,
      nextNonce: 0,
      secondsOld: expect.any(Number),
      isComplete: true,
    })
    expect(await walletOf(clientOf(), nobody)).toEqual({ balance: 0n, nextNonce: 0 })
  })

  test('pays, and waits for three blocks on top', async () => {
    const [{ publicKey: from, privateKey }, { publicKey: to }] = [named('alice'), named('bob')]
    const kept: (PaymentToSend | number)[] = []
    const keep = async (signed: PaymentToSend, sentAtMs: number) => void kept.push(signed, sentAtMs)
    const command = { from, to, amount: 1_500_000_001n, nonce: 0 }
    const inclusion = await pay(clientOf(), privateKey, to, command.amount, keep)
    expect(inclusion).toMatchObject({ state: 'included', confirmations: 3, command })
    expect(kept).toEqual([expect.objectContaining({ publicKey: from }), expect.any(Number)])
    const tooMuch = pay(clientOf(), named('ivan').privateKey, to, 10n ** 12n, keep)
    await expect(tooMuch).rejects.toThrow(/^insufficient-funds: /)
  })

  test('goes on after a restart, and reports the fate of the payment', async () => {
    const { chain } = service
    const [judy, carol] = [named('judy'), named('carol')]
    const resumed = (signed: PaymentToSend) => resume(clientOf(), signed, Date.now())
    const first = signPayment(chain, judy, carol, { fee: '10000000' })
    const second = signPayment(chain, judy, carol, { fee: '20000000' })
    expect([await resumed(first), await resumed(first)]).toEqual(['paid', 'paid'])
    expect(await resumed(second)).toBe('not known yet: ask again, and do not sign another one')
    for (let block = 0; block < 15; block++) nextBlock()
    expect(await resumed(second)).toBe('not paid, and never will be: it is safe to sign another one')
    const tooLittle = signPayment(chain, judy, { ...carol, publicKey: nobody }, { nonce: '1', amount: '1' })
    expect(await resumed(tooLittle)).toBe('failed, its fee is paid: Amount_insufficient_to_create_account')
  })

  test('follows the chain through a reorganisation', async () => {
    const { chain } = service
    const controller = new AbortController()
    const steps = [() => [nextBlock(), nextBlock()], () => chain.reorganise(2), () => controller.abort()]
    const client = createClient({ baseUrl: service.url, clock: pausedClock(() => steps.shift()?.()) })
    const before = chain.bestChain().length
    const seen: string[] = []
    await watchBlocks(client, ({ stateHash }) => seen.push(stateHash), controller.signal)
    const forked = chain.allBlocks().slice(-5)
    expect(seen.slice(-5)).toEqual(forked.map(({ stateHash }) => stateHash))
    expect([seen.length, chain.bestChain().length]).toEqual([20 + 5, before + 3])
  })

  test('adds up the amounts and fees of the latest blocks', async () => {
    const latest = service.chain.bestChain().slice(-10)
    const commands = latest.flatMap(({ userCommands }) => userCommands)
    const moved = commands.filter(({ failureReason }) => failureReason === null)
    expect(await turnover(clientOf())).toEqual({
      moved: moved.reduce((sum, { command }) => sum + command.amount, 0n),
      fees: commands.reduce((sum, { command }) => sum + command.fee, 0n),
    })
  })
})
