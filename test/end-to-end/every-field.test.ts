// With an indexer every field of the contract is there; without one, only those that no node knows are absent. The judge of
// mixed loads compares their values: see test/verification/load/judge.test.ts.
import { describe, expect, test } from '@jest/globals'
import { accountResponse } from '../../shared/contract/account.ts'
import { blockResponse, blocksResponse } from '../../shared/contract/block.ts'
import { summary } from '../../shared/contract/summary.ts'
import { get, startQuietService } from './running-service.ts'

interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** Only commands that failed have it. */
const failureReason = '.transactions.userCommands[].failureReason'

/** Every field of a schema that no instance in the value has, by its path. */
function absent(schema: Schema, values: readonly unknown[], path = ''): readonly string[] {
  if (schema.items !== undefined) return absent(schema.items, values.flat(), `${path}[]`)
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const found = values.flatMap((value) => {
      const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
      return inner === undefined ? [] : [inner]
    })
    return found.length < values.length ? [`${path}.${key}`] : absent(field, found, `${path}.${key}`)
  })
}

type Answer = Awaited<ReturnType<typeof get>>

const service = await startQuietService()
const { chain } = service

describe('on a deployment with an indexer', () => {
  test('the summary, the latest blocks and an account have every field, and none is named as missing', async () => {
    const { publicKey } = service.wallets[0] ?? {}
    const asked = ['/summary', '/blocks?limit=10', `/accounts/${publicKey}`].map((path) => get(service.url + path))
    const [tip, latest, account] = (await Promise.all(asked)) as [Answer, Answer, Answer]
    expect(absent(summary, [tip.body])).toEqual([])
    expect(absent(blocksResponse, [latest.body])).toEqual([`.blocks[]${failureReason}`])
    expect(absent(accountResponse, [account.body])).toEqual(['.account.missingNonces'])
    expect([latest, account].map(({ headers }) => headers.get('x-missing-fields'))).toEqual([null, null])
  })

  test('an early block, which the node no longer holds, has every field but the snarked ledger and the ids of work and commands', async () => {
    const block = chain.bestChain().find(({ height }) => height === 4)
    const { headers, body } = await get(`${service.url}/blocks/${block?.stateHash}`)
    expect([headers.get('x-missing-fields'), headers.get('cache-control')]).toEqual([
      'protocolState.blockchainState.snarkedLedgerHash',
      expect.stringMatching(/max-age=(?:1800|86400),/),
    ])
    expect(absent(blockResponse, [body])).toEqual([
      '.block.protocolState.blockchainState.snarkedLedgerHash',
      '.block.snarkJobs[].workIds',
      `.block${failureReason}`,
      '.block.transactions.userCommands[].id',
    ])
  })
})

test('without an indexer the fields that no node knows are absent, not named as missing, and old blocks are not found', async () => {
  const alone = await startQuietService({ INDEXER_GRAPHQL_URL: '' })
  const { publicKey = '' } = alone.wallets[0] ?? {}
  const ask = (path: string) => get(alone.url + path)
  const [latest, account, tip] = [
    await ask('/blocks?limit=10'),
    await ask(`/accounts/${publicKey}`),
    await ask('/summary'),
  ]
  const old = await ask(`/blocks/${alone.chain.genesisBlock().stateHash}`)
  expect(absent(blocksResponse, [latest.body])).toEqual(['.blocks[].receivedTime', `.blocks[]${failureReason}`])
  const ofIndexer = ['totalTx', 'totalBlocks', 'totalSnarks', 'epochStakingAccount', 'nextEpochStakingAccount']
  const staking = ['epochDelegators', 'nextEpochDelegators', 'epochTotalStakingBalance', 'nextEpochTotalStakingBalance']
  expect(absent(accountResponse, [account.body])).toEqual(
    [...ofIndexer, ...staking, 'missingNonces'].map((field) => `.account.${field}`),
  )
  expect(account.body).toMatchObject({ account: { username: 'Unknown' } })
  expect(absent(summary, [tip.body])).toEqual([])
  expect(old).toMatchObject({ status: 404, body: { message: 'No blocks found for that state hash.' } })
  expect([latest, account].map(({ headers }) => headers.get('x-missing-fields'))).toEqual([null, null])
  expect(latest.headers.get('cache-control')).toBe('public, max-age=5, stale-while-revalidate=10, stale-if-error=60')
})
