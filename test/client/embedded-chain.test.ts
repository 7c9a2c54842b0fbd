// The client before the whole service, on a chain that grows, reorganises and refuses.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Client, createClient, nanominaOf } from '../../client/src/client.ts'
import type { Wallet } from '../../local/chain/chain.ts'
import { type RunningService, runService, signDelegation, signPayment, wallet } from '../end-to-end/running-service.ts'
import { pausedClock } from './scripted-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service.close())

const named = (name: string): Wallet => wallet(service.chain, name)

/** @param onPause called with the number of the pause */
function clientOf(onPause: (pauses: number) => unknown = () => undefined): Client {
  const clock = pausedClock(() => onPause(clock.pausesMs.length))
  return createClient({ baseUrl: service.url, clock })
}

const nextBlock = () => service.chain.produceBlock()

describe('reads', () => {
  test('give the chain to the digit', async () => {
    const { chain } = service
    const client = clientOf()
    const tip = chain.tip()
    const { value: summary, chain: label } = await client.summary()
    expect(nanominaOf(summary.totalCurrency)).toBe(tip.totalCurrency)
    expect(label).toEqual({
      height: tip.height,
      stateHash: tip.stateHash,
      time: new Date(tip.date).toISOString(),
      nodeSync: 'SYNCED',
    })
    const { value: block } = await client.block(tip.stateHash)
    const { consensusState } = block.protocolState
    expect([consensusState.totalCurrency, consensusState.stakingEpochData.ledger.totalCurrency]).toEqual([
      tip.totalCurrency,
      tip.stakingEpoch.totalCurrency,
    ])
    expect(block.transactions.userCommands.map(({ amount, fee }) => [amount, fee])).toEqual(
      tip.userCommands.map(({ command }) => [command.amount, command.fee]),
    )
    const oscar = named('oscar')
    const { value: account } = await client.account(oscar.publicKey)
    expect(nanominaOf(account.balance.total)).toBe(2n ** 53n + 1n)
    const { value: blocks } = await client.blocks({ limit: 3 })
    expect(blocks.map(({ stateHash }) => stateHash)).toEqual(
      chain
        .bestChain()
        .slice(-3)
        .map(({ stateHash }) => stateHash)
        .reverse(),
    )
  })

  test('of what does not exist say so', async () => {
    await expect(clientOf().block('3Nnone')).rejects.toMatchObject({
      status: 404,
      message: 'No blocks found for that state hash.',
      requestId: expect.any(String),
    })
  })

  test('cost the service one small question while nothing is new', async () => {
    const client = clientOf()
    await client.blocks({ limit: 10 })
    const asked = service.received.length
    const { value, chain } = await client.blocks({ limit: 10 })
    expect([value.length, chain?.stateHash, service.received.length - asked]).toEqual([
      10,
      service.chain.tip().stateHash,
      1,
    ])
    nextBlock()
    expect((await client.blocks({ limit: 10 })).value[0]?.stateHash).toBe(service.chain.tip().stateHash)
  })

  test('that watch the tip see each block, and a fork', async () => {
    const controller = new AbortController()
    const expected = [service.chain.tip().stateHash]
    const client = clientOf((pauses) => {
      if (pauses === 4) return controller.abort()
      if (pauses === 2) service.chain.reorganise(2)
      else nextBlock()
      return expected.push(service.chain.tip().stateHash)
    })
    const seen: string[] = []
    await client.watchTip(({ value }) => seen.push(value.stateHash), { signal: controller.signal })
    expect(seen).toEqual(expected)
  })
})

describe('a command', () => {
  test('is sent and included, payments and delegations alike, by hash and without', async () => {
    const { chain } = service
    const [alice, carol] = [named('alice'), named('carol')]
    const signed = [signPayment(chain, alice, carol), signDelegation(chain, carol, alice)]
    for (const each of signed) {
      const client = clientOf(nextBlock)
      const outcome = await client.sendUntilKnown(each)
      expect(outcome).toMatchObject({ outcome: 'accepted', command: { fee: 10_000_000n } })
      expect(await client.sendUntilKnown(each)).toMatchObject({ outcome: 'accepted', hash: outcome.hash })
      const inclusion = await client.waitForInclusion(each, { ...outcome })
      expect(inclusion).toMatchObject({ state: 'included', command: { hash: outcome.hash }, confirmations: 0 })
      expect(await client.waitForInclusion(each)).toEqual(inclusion)
      expect(await client.sendUntilKnown(each)).toMatchObject({ outcome: 'already-known', hash: outcome.hash })
    }
  })

  test('that is reorganised away is waited for until it is included again', async () => {
    const { chain } = service
    const signed = signPayment(chain, named('bob'), named('carol'))
    const states: (number | undefined)[] = []
    const client = clientOf((pauses) => {
      if (pauses === 2) chain.reorganise(1)
      else nextBlock()
      states.push(chain.account(named('bob').publicKey)?.nonce)
    })
    const outcome = await client.sendUntilKnown(signed)
    expect(await client.waitForInclusion(signed, { ...outcome, depth: 2 })).toMatchObject({
      state: 'included',
      confirmations: 2,
      command: { hash: outcome.hash },
    })
    expect(states).toEqual([1, 0, 1, 1, 1])
  })

  test('is superseded by the one that replaced it, after 15 blocks', async () => {
    const { chain } = service
    const [dave, carol] = [named('dave'), named('carol')]
    const [first, second] = ['10000000', '20000000'].map((fee) => signPayment(chain, dave, carol, { fee }))
    if (first === undefined || second === undefined) throw new Error('nothing is signed')
    const client = clientOf(nextBlock)
    const outcome = await client.sendUntilKnown(first)
    const rival = await client.sendUntilKnown(second)
    nextBlock()
    const { height } = chain.tip()
    expect(await client.waitForInclusion(first, { ...outcome })).toMatchObject({
      state: 'superseded',
      by: { hash: rival.hash, fee: 20_000_000n },
    })
    expect(chain.tip().height - height).toBe(15)
    // Behind an address that several nodes may share only the chain shows it.
    expect(await client.sendUntilKnown(first)).toMatchObject({
      outcome: 'unknown',
      code: 'bad-nonce',
      retriable: false,
    })
  })

  test('expires 15 blocks after its last slot', async () => {
    const { chain } = service
    const { slot } = chain.tip()
    const signed = signPayment(chain, named('erin'), named('carol'), { nonce: '3', validUntil: String(slot + 1) })
    const client = clientOf(nextBlock)
    expect(await client.broadcastPayment(signed)).toMatchObject({
      outcome: 'refused',
      code: 'bad-nonce',
      expectedNonce: 0,
    })
    expect(await client.waitForInclusion(signed, { sentAtMs: Date.now() })).toEqual({ state: 'expired' })
    expect(chain.tip().slot).toBe(slot + 2 + 15)
  })

  test('is refused for its reason, which is never thrown', async () => {
    const { chain } = service
    const judy = named('judy')
    const { signature, publicKey, payload } = signPayment(chain, judy, named('carol'), { amount: '1' })
    const forged = { publicKey, signature, payload: { ...payload, amount: '2' } }
    expect(await clientOf().broadcastPayment(forged)).toMatchObject({
      outcome: 'refused',
      code: 'invalid-signature',
      retriable: false,
    })
    const incomplete = { ...forged, payload: { ...payload, fee: '' } }
    expect(await clientOf().sendUntilKnown(incomplete)).toMatchObject({
      outcome: 'refused',
      code: 'invalid-request',
      message: expect.stringContaining('/payload/fee'),
    })
  })
})
