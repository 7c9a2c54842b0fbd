import { describe, expect, test } from '@jest/globals'
import { getFees } from '../../../shared/endpoints/get-fees.ts'
import { recording, replying } from './asking.ts'

const user = (fee: string) => ({ fee })
const zkapp = (fee: string) => ({ zkappCommand: { feePayer: { body: { fee } } } })

const block = (height: number, users: readonly string[], zkapps: readonly string[] = []) => ({
  stateHash: `block${height}`,
  protocolState: { blockchainState: { date: '1' }, consensusState: { blockHeight: `${height}` } },
  transactions: { userCommands: users.map(user), zkappCommands: zkapps.map(zkapp) },
})

const showing = (blocks: readonly object[] | null, users: readonly string[] = [], zkapps: readonly string[] = []) => ({
  data: { bestChain: blocks, pooledUserCommands: users.map(user), pooledZkappCommands: zkapps.map(zkapp) },
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
    })
    expect(asked).toEqual([{ operation: 'latestFees', variables: {} }])
  })

  test('suggests the minimum where no block holds a command, whatever waits', async () => {
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
