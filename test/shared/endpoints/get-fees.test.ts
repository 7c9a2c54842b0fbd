import { describe, expect, test } from '@jest/globals'
import { getFees } from '../../../shared/endpoints/get-fees.ts'
import { recording, replying } from './asking.ts'

const user = (fee: string, from = 'alice') => ({ fee, from, nonce: '7', source: { nonce: '7' } })
const zkapp = (fee: string, publicKey = 'alice') => ({
  zkappCommand: { feePayer: { body: { fee, nonce: '7', publicKey } } },
})

const block = (height: number, users: readonly string[], zkapps: readonly string[] = []) => ({
  stateHash: `block${height}`,
  protocolState: { blockchainState: { date: '1' }, consensusState: { blockHeight: `${height}` } },
  transactions: {
    userCommands: users.map((fee) => user(fee, 'carol')),
    zkappCommands: zkapps.map((fee) => zkapp(fee, 'carol')),
  },
})

const showing = (blocks: readonly object[] | null, users: readonly string[] = [], zkapps: readonly string[] = []) => ({
  data: {
    bestChain: blocks,
    pooledUserCommands: users.map((fee) => user(fee)),
    pooledZkappCommands: zkapps.map((fee) => zkapp(fee)),
  },
})

describe('GET /fees', () => {
  test('counts commands of all kinds, in blocks and in the pool, and asks once', async () => {
    const blocks = [block(7, ['10000000'], ['3000000']), block(8, []), block(9, ['2000000', '18446744073709551615'])]
    const { context, asked } = recording(showing(blocks, ['1000000'], ['7000000']))
    expect(await getFees.run({}, context)).toEqual({
      status: 200,
      body: {
        blocks: 3,
        included: { count: 4, min: '2000000', median: '3000000', p75: '10000000' },
        pool: { count: 2 },
        suggested: { economy: '2000000', normal: '3000000', fast: '10000000' },
      },
      caching: getFees.caching[200]?.complete,
      tip: expect.objectContaining({ height: 9 }),
    })
    expect(asked).toEqual([{ operation: 'latestFees', variables: {} }])
  })

  test('counts only what waits: no command of its blocks, and none whose nonce the ledger has used', async () => {
    const included = { ...user('1000000'), nonce: '8' }
    const data = {
      bestChain: [{ ...block(9, []), transactions: { userCommands: [included], zkappCommands: [] } }],
      pooledUserCommands: [
        included,
        { ...user('2000000'), nonce: '9' },
        { ...user('3000000'), from: 'bob', nonce: '6' },
      ],
      pooledZkappCommands: [zkapp('7000000')],
    }
    const body = { included: { count: 1 }, pool: { count: 1 } }
    expect(await getFees.run({}, replying({ data }))).toMatchObject({ body })
  })

  test('suggests the minimum if no block holds a command, whatever waits', async () => {
    expect(await getFees.run({}, replying(showing([block(7, [])], ['10000000000000'])))).toMatchObject({
      body: {
        blocks: 1,
        included: { count: 0 },
        pool: { count: 1 },
        suggested: { economy: '1000000', normal: '1000000', fast: '1000000' },
      },
    })
  })

  test.each([
    ['a node without a frontier', showing(null), 'busy'],
    ['a gap between blocks', showing([block(7, []), block(9, [])]), 'mismatched'],
    ['a negative fee', showing([block(7, ['-1'])]), 'unreadable'],
  ] as const)('is upstream trouble for %s', async (_what, reply, fault) => {
    await expect(getFees.run({}, replying(reply))).rejects.toMatchObject({ fault })
  })
})
