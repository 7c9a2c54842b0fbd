// With an indexer every field of the contract is there and true; without one, just those that nobody can know are absent.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeMemo } from '../../local/chain/command.ts'
import { type Service, type ServiceOptions, startService } from '../../local/start/service.ts'
import { accountResponse } from '../../shared/contract/account.ts'
import { blockResponse, blocksResponse } from '../../shared/contract/block.ts'
import { summary } from '../../shared/contract/summary.ts'
import { get, now, patience } from './running-service.ts'

const start = (environment: ServiceOptions['environment'] = {}) =>
  startService({
    now: () => now,
    slotsPerEpoch: 12,
    repeat: () => () => undefined,
    log: () => undefined,
    environment: { ...patience, ...environment },
  })

interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** Only commands that failed have it: see reads/commands-of-a-block.test.ts. */
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

const mina = (nanomina: bigint) => `${nanomina / 10n ** 9n}.${String(nanomina % 10n ** 9n).padStart(9, '0')}`

describe('on a deployment with an indexer', () => {
  let service: Service
  let chain: NonNullable<Service['chain']>
  beforeAll(async () => {
    service = await start()
    if (service.chain === undefined) throw new Error('there is no chain')
    chain = service.chain
  })
  afterAll(() => service.close())

  test('the summary has every field', async () => {
    expect(absent(summary, [(await get(`${service.url}/summary`)).body])).toEqual([])
  })

  test('the latest blocks have every field, each received when the chain says', async () => {
    const { body, headers } = await get(`${service.url}/blocks?limit=10`)
    expect(absent(blocksResponse, [body])).toEqual([`.blocks[]${failureReason}`])
    expect(headers.get('x-missing-fields')).toBeNull()
    expect(body).toMatchObject({
      blocks: chain
        .bestChain()
        .slice(-10)
        .toReversed()
        .map(({ stateHash, receivedAt }) => ({ stateHash, receivedTime: new Date(receivedAt).toISOString() })),
    })
  })

  test('a block of the beginning, which the node no longer holds, has every field but the snarked ledger and the ids of work and commands', async () => {
    const block = chain.bestChain().find(({ height }) => height === 4)
    const { status, headers, body } = await get(`${service.url}/blocks/${block?.stateHash}`)
    expect(status).toBe(200)
    expect(headers.get('x-missing-fields')).toBe('protocolState.blockchainState.snarkedLedgerHash')
    expect(headers.get('cache-control')).toMatch(/max-age=(?:1800|86400),/)
    expect(absent(blockResponse, [body])).toEqual([
      '.block.protocolState.blockchainState.snarkedLedgerHash',
      '.block.snarkJobs[].workIds',
      `.block${failureReason}`,
      '.block.transactions.userCommands[].id',
    ])
    expect(body).toMatchObject({
      block: {
        blockHeight: 4,
        canonical: true,
        creator: block?.creator,
        dateTime: new Date(block?.date ?? 0).toISOString(),
        receivedTime: new Date(block?.receivedAt ?? 0).toISOString(),
        protocolState: {
          previousStateHash: block?.previousStateHash,
          consensusState: {
            slotSinceGenesis: block?.slot,
            epochCount: block?.epochCount,
            lastVrfOutput: block?.vrfOutput,
            stakingEpochData: {
              epochLength: block?.stakingEpoch.epochLength,
              ledger: { hash: block?.stakingEpoch.ledgerHash },
            },
          },
        },
        transactions: {
          coinbase: Number(block?.coinbase),
          feeTransfer: block?.feeTransfers
            .toSorted((left, right) => Number(left.fee - right.fee))
            .map(({ fee, recipient }) => ({ fee: Number(fee), recipient })),
          userCommands: block?.userCommands.map(({ command }) => ({
            amount: Number(command.amount),
            fee: Number(command.fee),
            from: command.from,
            to: command.to,
            hash: command.hash,
            memo: encodeMemo(command.memo),
            nonce: command.nonce,
            kind: command.kind,
          })),
        },
        winnerAccount: { publicKey: block?.winner },
      },
    })
  })

  test('blocks of all heights are found, and say the same as while the node held them', async () => {
    const [oldest, root] = [chain.genesisBlock(), chain.frontier()[0]]
    const answers = await Promise.all([oldest, root].map((block) => get(`${service.url}/blocks/${block?.stateHash}`)))
    expect(answers).toMatchObject([
      { status: 200, body: { block: { blockHeight: 1, stateHash: oldest.stateHash } } },
      { status: 200, body: { block: { stateHash: root?.stateHash } } },
    ])
  })

  test.each(['alice', 'carol', 'erin', 'grace'])(
    'the account of %s has every field, each as the ledgers have it',
    async (name) => {
      const publicKey = service.wallets.find((wallet) => wallet.name === name)?.publicKey ?? ''
      const { body, headers } = await get(`${service.url}/accounts/${publicKey}`)
      expect(absent(accountResponse, [body])).toEqual([])
      expect(headers.get('x-missing-fields')).toBeNull()

      const blocks = chain.allBlocks()
      const { stakingEpoch, nextEpoch } = chain.tip()
      const expected = (ledgerHash: string) => {
        const rows = [...(chain.stakingLedgerByHash(ledgerHash)?.values() ?? [])]
        const record = (row: (typeof rows)[number]) => ({
          pk: row.publicKey,
          public_key: row.publicKey,
          balance: mina(row.balance),
          delegate: row.delegate,
          nonce: row.nonce,
          chainId: chain.chainId,
          token: 1,
          receipt_chain_hash: row.receiptChainHash,
          voting_for: row.votingFor,
        })
        const delegators = rows.filter(({ delegate }) => delegate === publicKey)
        return {
          account: rows.filter((row) => row.publicKey === publicKey).map(record),
          delegators: delegators.toSorted((left, right) => (left.balance > right.balance ? -1 : 1)).map(record),
          total: mina(delegators.reduce((sum, { balance }) => sum + balance, 0n)),
        }
      }
      const [current, next] = [expected(stakingEpoch.ledgerHash), expected(nextEpoch.ledgerHash)]
      expect(body).toMatchObject({
        account: {
          publicKey,
          totalTx: blocks
            .flatMap(({ userCommands }) => userCommands)
            .filter(({ command }) => [command.from, command.to].includes(publicKey)).length,
          totalBlocks: blocks.filter(({ creator }) => creator === publicKey).length,
          totalSnarks: blocks.flatMap(({ snarkJobs }) => snarkJobs).filter(({ prover }) => prover === publicKey).length,
          epochStakingAccount: current.account,
          epochDelegators: current.delegators,
          epochTotalStakingBalance: current.total,
          nextEpochStakingAccount: next.account,
          nextEpochDelegators: next.delegators,
          nextEpochTotalStakingBalance: next.total,
        },
      })
      expect(current.account).toHaveLength(1)
    },
  )

  test('staking records say in which epoch they hold', async () => {
    const { epoch } = chain.tip()
    const { publicKey = '' } = service.wallets[0] ?? {}
    expect((await get(`${service.url}/accounts/${publicKey}`)).body).toMatchObject({
      account: { epochStakingAccount: [{ epoch }], nextEpochStakingAccount: [{ epoch: epoch + 1 }] },
    })
    expect(epoch).toBeGreaterThan(1)
  })
})

describe('on a deployment without one', () => {
  test('the fields that nobody can know are absent, old blocks are not found, and nothing is called missing', async () => {
    const service = await start({ INDEXER_GRAPHQL_URL: '' })
    const { publicKey = '' } = service.wallets[0] ?? {}
    const [latest, account, tip, old] = await Promise.all(
      [
        '/blocks?limit=10',
        `/accounts/${publicKey}`,
        '/summary',
        `/blocks/${service.chain?.genesisBlock().stateHash}`,
      ].map((path) => get(service.url + path)),
    )
    await service.close()
    expect(absent(blocksResponse, [latest?.body])).toEqual(['.blocks[].receivedTime', `.blocks[]${failureReason}`])
    expect(absent(accountResponse, [account?.body])).toEqual(
      [
        'totalTx',
        'totalBlocks',
        'totalSnarks',
        'epochStakingAccount',
        'nextEpochStakingAccount',
        'epochDelegators',
        'nextEpochDelegators',
        'epochTotalStakingBalance',
        'nextEpochTotalStakingBalance',
      ].map((field) => `.account.${field}`),
    )
    expect(account?.body).toMatchObject({ account: { username: 'Unknown' } })
    expect(absent(summary, [tip?.body])).toEqual([])
    expect(old).toMatchObject({ status: 404, body: { message: 'No blocks found for that state hash.' } })
    expect([latest, account].map((answer) => answer?.headers.get('x-missing-fields'))).toEqual([null, null])
    expect(latest?.headers.get('cache-control')).toBe('public, max-age=5, stale-while-revalidate=10, stale-if-error=60')
  })
})
