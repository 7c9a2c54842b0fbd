// Deposits to many keys, found in written blocks, and before the whole service on a chain that reorganises.
import { describe, expect, test } from '@jest/globals'
import { demonstrateDeposits } from '../../local/demo/deposits.ts'
import { type Cursor, createClient, type DepositStep, type ServiceError } from '../../packages/client/src/client.ts'
import { runService } from '../end-to-end/running-service.ts'
import { serve } from '../serving.ts'
import { network, pausedClock, scriptedClient } from './scripted-service.ts'

const [ours, other] = ['B62ours', 'B62other']
const keys = new Set([ours])

/** The first step, and nothing of those that follow. */
async function firstOf(steps: AsyncIterable<DepositStep>): Promise<DepositStep | undefined> {
  for await (const step of steps) return step
  return undefined
}

describe('deposits', () => {
  const mina = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
  const payment = { hash: '5Jp', nonce: 1, from: other, to: ours, amount: 5, isDelegation: false }
  const change = { publicKey: ours, tokenId: mina, amount: 7 }
  const zkapp = { hash: '5Jz', nonce: 8, feePayer: { publicKey: other }, balanceChanges: [change] }
  const deposit = {
    publicKey: ours,
    amount: 5n,
    commandHash: '5Jp',
    blockHeight: 9,
    stateHash: '3N',
    id: 'B62other/1/B62ours',
  }

  test('are payments and positive changes of MINA, and nothing else that a block can hold', async () => {
    const userCommands = [
      payment,
      { ...payment, nonce: 2, amount: '9223372036854775808' },
      { ...payment, nonce: 3, failureReason: 'Amount_insufficient_to_create_account' },
      { ...payment, nonce: 4, isDelegation: true },
      { ...payment, nonce: 5, to: other },
      { ...payment, nonce: 6, from: ours },
      { ...payment, nonce: 7, amount: 0 },
    ]
    const others = [
      { ...change, publicKey: other },
      { ...change, tokenId: 'wOther' },
    ]
    const zkappCommands = [
      { ...zkapp, balanceChanges: [change, ...others] },
      { ...zkapp, nonce: 9, balanceChanges: [{ ...change, amount: -7 }] },
      { ...zkapp, nonce: 10, failureReason: 'Overflow' },
      { ...zkapp, nonce: 11, balanceChanges: [] },
    ]
    const place = { stateHash: '3N', blockHeight: 9, protocolState: { previousStateHash: '3M' } }
    const block = { ...place, transactions: { userCommands, zkappCommands } }
    const headers = { 'x-chain-height': '24', 'x-chain-state-hash': '3Ntip', 'x-chain-time': '2026' }
    const tip = { blockchainLength: 24, stateHash: '3Ntip' }
    const { client } = scriptedClient([
      { body: tip, headers },
      { body: { block }, headers },
    ])
    expect(await firstOf(client.deposits({ keys }))).toEqual({
      state: 'credited',
      stateHash: '3N',
      deposits: [
        deposit,
        { ...deposit, id: 'B62other/2/B62ours', amount: 2n ** 63n },
        { ...deposit, id: 'B62other/8/B62ours', amount: 7n, commandHash: '5Jz' },
      ],
      cursor: { height: 9, stateHash: '3N', below: [] },
    })
  })

  test('pass no block whose zkApp commands are missing, and wait for them', async () => {
    const { chain, url } = await runService()
    const { height, stateHash } = chain.tip()
    const from: Cursor = { height, stateHash, below: [] }
    const next = chain.produceBlock()
    let isPartial = true
    const { url: partial } = await serve(async (request, response) => {
      const answer = await fetch(`${url}${request.url}`)
      const body = await answer.text()
      const labels = [...answer.headers].filter(([name]) => name.startsWith('x-chain'))
      response
        .writeHead(answer.status, Object.fromEntries(labels))
        .end(isPartial ? body.replace('"zkappCommands":', '"other":') : body)
    })
    const clock = pausedClock(() => {
      isPartial = false
    })
    const client = createClient({ baseUrl: partial, network, clock })
    const troubles: string[] = []
    const onTrouble = ({ message }: ServiceError) => troubles.push(message)
    const step = await firstOf(client.deposits({ keys, from, confirmations: 0, onTrouble }))
    expect(troubles).toEqual([`the zkApp commands of block ${next.stateHash} are missing`])
    expect(step).toMatchObject({ state: 'credited', deposits: [], cursor: { height: height + 1, below: [stateHash] } })
  })

  test('of another network than yours, or for a client without one, are none', async () => {
    const { url } = await runService()
    for (const named of ['mainnet', undefined]) {
      const client = createClient({ baseUrl: url, network: named, clock: pausedClock() })
      await expect(firstOf(client.deposits({ keys }))).rejects.toMatchObject({ name: 'NetworkMismatchError' })
    }
  })

  test('are each credited once through the reorganisations, failures and the restart of the demo, and none is missed', async () => {
    expect(await demonstrateDeposits(100, () => undefined)).toEqual({
      addresses: 100,
      paid: { byPayments: 20, byZkappCommands: 80, nanomina: 5_150_000_000_100n },
      failed: 2,
      credited: { deposits: 100, nanomina: 5_150_000_000_100n },
      takenBack: 15,
      twice: 0,
      missed: 0,
      reconciled: 100,
    })
  })
})
