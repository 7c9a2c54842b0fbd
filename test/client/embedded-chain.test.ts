// The client before the whole service, on a chain that grows and refuses.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Client, createClient, nanominaOf } from '../../client/src/client.ts'
import { type RunningService, runService, signDelegation, signPayment, wallet } from '../end-to-end/running-service.ts'
import { pausedClock } from './scripted-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service.close())

const named = (name: string) => wallet(service.chain, name)
const nextBlock = () => service.chain.produceBlock()
const clientOf = (onPause?: () => unknown): Client =>
  createClient({ baseUrl: service.url, clock: pausedClock(onPause) })

describe('the client', () => {
  test('reads the chain to the digit', async () => {
    const { chain } = service
    const tip = chain.tip()
    const client = clientOf()
    const { value: summary, chain: label } = await client.summary()
    expect(nanominaOf(summary.totalCurrency)).toBe(tip.totalCurrency)
    expect(label).toEqual({
      height: tip.height,
      stateHash: tip.stateHash,
      time: new Date(tip.date).toISOString(),
      nodeSync: 'SYNCED',
    })
    expect((await client.block(tip.stateHash)).value).toMatchObject({
      protocolState: {
        consensusState: {
          totalCurrency: tip.totalCurrency,
          stakingEpochData: { ledger: { totalCurrency: tip.stakingEpoch.totalCurrency } },
        },
      },
      transactions: {
        userCommands: tip.userCommands.map(({ command: { amount, fee } }) => ({ amount, fee })),
      },
    })
    const { value: account } = await client.account(named('oscar').publicKey)
    expect(nanominaOf(account.balance.total)).toBe(2n ** 53n + 1n)
    await expect(client.block('3Nnone')).rejects.toMatchObject({ status: 404, requestId: expect.any(String) })
  })

  test('costs the service one small question while the tip stays the same', async () => {
    const client = clientOf()
    await client.blocks({ limit: 10 })
    const asked = service.received.length
    const { value, chain } = await client.blocks({ limit: 10 })
    const { stateHash } = service.chain.tip()
    expect([value.length, chain?.stateHash, service.received.length - asked]).toEqual([10, stateHash, 1])
    const next = nextBlock()
    expect((await client.blocks({ limit: 10 })).value[0]?.stateHash).toBe(next.stateHash)
  })

  test('sends payments and delegations and waits for their blocks, with and without the hash', async () => {
    const { chain } = service
    const [alice, carol] = [named('alice'), named('carol')]
    for (const signed of [signPayment(chain, alice, carol), signDelegation(chain, carol, alice)]) {
      const client = clientOf(nextBlock)
      const outcome = await client.sendUntilKnown(signed)
      const { hash } = outcome
      expect(outcome).toMatchObject({ outcome: 'accepted', command: { fee: 10_000_000n } })
      expect(await client.sendUntilKnown(signed)).toMatchObject({ outcome: 'accepted', hash })
      const inclusion = await client.waitForInclusion(signed, { ...outcome })
      expect(inclusion).toMatchObject({ state: 'included', command: { hash }, confirmations: 0 })
      expect(await client.waitForInclusion(signed)).toEqual(inclusion)
      expect(await client.sendUntilKnown(signed)).toMatchObject({ outcome: 'already-known', hash })
    }
  })

  test('finds that a replaced command is superseded, and that the service cannot tell', async () => {
    const { chain } = service
    const [first, second] = ['10000000', '20000000'].map((fee) =>
      signPayment(chain, named('dave'), named('carol'), { fee }),
    )
    if (first === undefined || second === undefined) throw new Error('there are no commands')
    const client = clientOf(nextBlock)
    const outcome = await client.sendUntilKnown(first)
    const rival = await client.sendUntilKnown(second)
    const by = { hash: rival.hash, fee: 20_000_000n }
    expect(await client.waitForInclusion(first, { ...outcome })).toMatchObject({ state: 'superseded', by })
    // Behind an address that several nodes may share only the chain shows it.
    const expected = { outcome: 'unknown', code: 'bad-nonce', retriable: false }
    expect(await client.sendUntilKnown(first)).toMatchObject(expected)
  })

  test('finds that a command has expired 15 blocks after its last slot', async () => {
    const { slot } = service.chain.tip()
    const expiring = { nonce: '3', validUntil: String(slot + 1) }
    const signed = signPayment(service.chain, named('erin'), named('carol'), expiring)
    const client = clientOf(nextBlock)
    const refusal = { outcome: 'refused', code: 'bad-nonce', expectedNonce: 0 }
    expect(await client.broadcastPayment(signed)).toMatchObject(refusal)
    expect(await client.waitForInclusion(signed, { sentAtMs: Date.now() })).toEqual({ state: 'expired' })
    expect(service.chain.tip().slot).toBe(slot + 2 + 15)
  })

  test('returns the reason of a refusal and throws none', async () => {
    const { payload, ...signed } = signPayment(service.chain, named('judy'), named('carol'), { amount: '1' })
    const send = (changes: object) => clientOf().sendUntilKnown({ ...signed, payload: { ...payload, ...changes } })
    expect([await send({ amount: '2' }), await send({ fee: '' })]).toMatchObject([
      { outcome: 'refused', code: 'invalid-signature', retriable: false },
      { outcome: 'refused', code: 'invalid-request', message: expect.stringContaining('/payload/fee') },
    ])
  })
})
