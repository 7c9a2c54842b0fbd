// What a block says of its commands, while the node holds it and when only the indexer has it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../../local/chain/block.ts'
import { type Service, startService } from '../../../local/start/service.ts'
import { get, now, patience } from '../running-service.ts'

describe('the commands of a block', () => {
  let service: Service
  let chain: NonNullable<Service['chain']>
  beforeAll(async () => {
    service = await startService({
      now: () => now,
      repeat: () => () => undefined,
      log: () => undefined,
      environment: patience,
    })
    if (service.chain === undefined) throw new Error('there is no chain')
    chain = service.chain
  })
  afterAll(() => service.close())

  const held = (fits: (block: ChainBlock) => boolean): ChainBlock => {
    const block = chain.frontier().find(fits)
    if (block === undefined) throw new Error('no such block')
    return block
  }

  /** The answer of the node, then of the indexer. */
  async function askBoth({ stateHash }: ChainBlock): Promise<readonly unknown[]> {
    const fromNode = await get(`${service.url}/blocks/${stateHash}`)
    for (let made = 0; made < chain.frontierBlocks; made++) chain.produceBlock()
    expect(chain.frontierBlock(stateHash)).toBeUndefined()
    const fromIndexer = await get(`${service.url}/blocks/${stateHash}`)
    return [fromNode, fromIndexer].map(({ status, body }) => ({ status, body }))
  }

  const showing = (transactions: object) => ({ status: 200, body: { block: { transactions } } })

  test('are in the order of their application', async () => {
    const block = held(({ userCommands }) => userCommands.length > 1)
    const shown = showing({ userCommands: block.userCommands.map(({ command: { hash } }) => ({ hash })) })
    expect(await askBoth(block)).toMatchObject([shown, shown])
  })

  test('say why they failed, and nothing where they were applied', async () => {
    const block = held(({ userCommands }) => new Set(userCommands.map((one) => one.failureReason)).size > 1)
    const outcomes = block.userCommands.map(({ command: { hash }, failureReason }) =>
      failureReason === null ? { hash } : { hash, failureReason },
    )
    expect(outcomes).toContainEqual({
      hash: expect.any(String),
      failureReason: 'Amount_insufficient_to_create_account',
    })
    const shown = (answer: unknown) =>
      Object(answer).body.block.transactions.userCommands.map((command: object) =>
        Object.fromEntries(Object.entries(command).filter(([key]) => ['hash', 'failureReason'].includes(key))),
      )
    expect((await askBoth(block)).map(shown)).toEqual([outcomes, outcomes])
  })

  test('are payments and delegations; the zkApp commands beside them are counted', async () => {
    const block = held(({ zkappCommands }) => zkappCommands.length > 0)
    const shown = showing({
      userCommands: block.userCommands.map(({ command: { hash, kind } }) => ({ hash, kind })),
      zkappCommandCount: 2,
    })
    expect(await askBoth(block)).toMatchObject([shown, shown])
  })
})
