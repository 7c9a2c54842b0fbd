// With an indexer every field of the contract is there and true; without one, only those that no node knows are absent.
import { describe, expect, test } from '@jest/globals'
import { accountResponse } from '../../shared/contract/account.ts'
import { blockResponse, blocksResponse } from '../../shared/contract/block.ts'
import { summary } from '../../shared/contract/summary.ts'
import { minaDecimal } from '../../shared/mapping/amounts.ts'
import { checkDeclared, type Schema } from './declared-fields.ts'
import { get, startQuietService } from './running-service.ts'

/** A command has them where it failed (see the last test), a change where it may pay for a new account. */
const optionalOfCommands = [
  '.transactions.userCommands[].failureReason',
  '.transactions.zkappCommands[].balanceChanges[].implicitAccountCreationFee',
  '.transactions.zkappCommands[].failureReason',
]
const optionalIn = (block: string) => optionalOfCommands.map((path) => block + path)

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

const service = await startQuietService()
const { chain } = service

test('a field that the contract lacks fails whatever test reads it, of an error too', async () => {
  const zkapp = `${service.url}/accounts/${service.wallets.find(({ name }) => name === 'judy')?.publicKey}`
  const { text } = await get(zkapp)
  const check = (status: number, body: string) => () => checkDeclared('GET', zkapp, status, JSON.parse(body))
  expect(check(200, text.replace('"uri":', '"nonsense":1,$&'))).toThrow(
    'GET /accounts/{public_key} answers 200 with what shared/contract/ does not declare: .account.zkapp.nonsense',
  )
  expect(check(502, '{"message":"","nonsense":1}')).toThrow('does not declare: .nonsense')
})

describe('on a deployment with an indexer', () => {
  test('the summary and the latest blocks have every field, each block received when the chain says', async () => {
    expect(absent(summary, [(await get(`${service.url}/summary`)).body])).toEqual([])
    const { body, headers } = await get(`${service.url}/blocks?limit=10`)
    expect(absent(blocksResponse, [body])).toEqual(optionalIn('.blocks[]'))
    expect(headers.get('x-missing-fields')).toBeNull()
    expect(body).toMatchObject({
      blocks: chain
        .bestChain()
        .slice(-10)
        .toReversed()
        .map(({ stateHash, receivedAt }) => ({ stateHash, receivedTime: new Date(receivedAt).toISOString() })),
    })
  })

  test('an early block, which the node no longer holds, has every field but the snarked ledger and the ids of work and commands', async () => {
    const block = chain.bestChain().find(({ height }) => height === 4)
    const { status, headers, body } = await get(`${service.url}/blocks/${block?.stateHash}`)
    expect([status, headers.get('x-missing-fields'), headers.get('cache-control')]).toEqual([
      200,
      'protocolState.blockchainState.snarkedLedgerHash',
      expect.stringMatching(/max-age=(?:1800|86400),/),
    ])
    expect(absent(blockResponse, [body])).toEqual([
      '.block.protocolState.blockchainState.snarkedLedgerHash',
      '.block.snarkJobs[].workIds',
      `.block${optionalOfCommands[0]}`,
      '.block.transactions.userCommands[].id',
    ])
    const { receivedAt = 0, stateHash } = block ?? {}
    const receivedTime = new Date(receivedAt).toISOString()
    expect(body).toMatchObject({ block: { blockHeight: 4, stateHash, canonical: true, receivedTime } })
  })

  const accountOf = (name: string) =>
    get(`${service.url}/accounts/${service.wallets.find((wallet) => wallet.name === name)?.publicKey}`)

  test('an account has every field that applies to it: a schedule where it vests, a state where it is a zkApp', async () => {
    const lacking = async (name: string) => absent(accountResponse, [(await accountOf(name)).body])
    const [timing, zkapp, missingNonces] = ['.account.timing', '.account.zkapp', '.account.missingNonces']
    expect(await lacking('alice')).toEqual([timing, zkapp, missingNonces])
    expect(await lacking('grace')).toEqual([zkapp, missingNonces])
    expect(await lacking('judy')).toEqual([timing, missingNonces])
  })

  test.each(['alice', 'carol', 'erin', 'grace'])(
    'the account of %s has the stakes that the ledgers have',
    async (name) => {
      const publicKey = service.wallets.find((wallet) => wallet.name === name)?.publicKey ?? ''
      const { body, headers } = await accountOf(name)
      expect(headers.get('x-missing-fields')).toBeNull()

      const blocks = chain.allBlocks()
      const { epoch, stakingEpoch, nextEpoch } = chain.tip()
      const expected = (ledgerHash: string, ofEpoch: number) => {
        const rows = [...(chain.stakingLedgerByHash(ledgerHash)?.values() ?? [])]
        const record = (row: (typeof rows)[number]) => ({
          pk: row.publicKey,
          public_key: row.publicKey,
          balance: minaDecimal(row.balance),
          delegate: row.delegate,
          nonce: row.nonce,
          epoch: ofEpoch,
          chainId: chain.chainId,
          token: 1,
          receipt_chain_hash: row.receiptChainHash,
          voting_for: row.votingFor,
        })
        const delegators = rows.filter(({ delegate }) => delegate === publicKey)
        return {
          account: rows.filter((row) => row.publicKey === publicKey).map(record),
          delegators: delegators.toSorted((left, right) => (left.balance > right.balance ? -1 : 1)).map(record),
          total: minaDecimal(delegators.reduce((sum, { balance }) => sum + balance, 0n)),
        }
      }
      const [current, next] = [expected(stakingEpoch.ledgerHash, epoch), expected(nextEpoch.ledgerHash, epoch + 1)]
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
          epochDelegatorCount: current.delegators.length,
          epochTotalStakingBalance: current.total,
          nextEpochStakingAccount: next.account,
          nextEpochDelegators: next.delegators,
          nextEpochDelegatorCount: next.delegators.length,
          nextEpochTotalStakingBalance: next.total,
        },
      })
      expect([current.account.length, epoch > 1]).toEqual([1, true])
    },
  )
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
  expect(absent(blocksResponse, [latest.body])).toEqual(['.blocks[].receivedTime', ...optionalIn('.blocks[]')])
  const ofOthers = ['timing', 'zkapp']
  const ofIndexer = ['totalTx', 'totalBlocks', 'totalSnarks', 'epochStakingAccount', 'nextEpochStakingAccount']
  const lists = ['epochDelegators', 'nextEpochDelegators', 'epochDelegatorCount', 'nextEpochDelegatorCount']
  const staking = [...lists, 'epochTotalStakingBalance', 'nextEpochTotalStakingBalance']
  expect(absent(accountResponse, [account.body])).toEqual(
    [...ofOthers, ...ofIndexer, ...staking, 'missingNonces'].map((field) => `.account.${field}`),
  )
  expect(account.body).toMatchObject({ account: { username: 'Unknown' } })
  expect(absent(summary, [tip.body])).toEqual([])
  expect(old).toMatchObject({ status: 404, body: { message: 'No blocks found for that state hash.' } })
  expect([latest, account].map(({ headers }) => headers.get('x-missing-fields'))).toEqual([null, null])
  expect(latest.headers.get('cache-control')).toBe('public, max-age=5, stale-while-revalidate=10, stale-if-error=60')
})

/** A block as it is shown. An indexer keeps neither the order of proofs nor fee transfers to one recipient apart. */
async function shownBlock({ stateHash }: { readonly stateHash: string }) {
  const { block } = Object((await get(`${service.url}/blocks/${stateHash}`)).body)
  const place = ({ fee, prover }: { fee: number; prover: string }) => `${String(fee).padStart(12, '0')} ${prover}`
  block.snarkJobs.sort((left: Parameters<typeof place>[0], right: typeof left) => (place(left) < place(right) ? -1 : 1))
  // Of a zkApp command's failures an indexer names one.
  for (const zkapp of block.transactions.zkappCommands) {
    if ('failureReason' in zkapp) zkapp.failureReason = zkapp.failureReason.split(', ').at(-1)
  }
  const received: Record<string, number> = {}
  for (const { fee, recipient } of block.transactions.feeTransfer)
    received[recipient] = (received[recipient] ?? 0) + fee
  block.transactions.feeTransfer = received
  return block
}

test('the indexer tells of every block what the node told, its commands in the order of their application', async () => {
  const held = chain.frontier()
  const outcomes = held.map(({ userCommands }) => new Set(userCommands.map((one) => one.failureReason)).size)
  const epochLengths = new Set(held.map(({ stakingEpoch }) => stakingEpoch.epochLength))
  const isEventful = held.some(({ zkappCommands }) => zkappCommands.length > 0) && epochLengths.size > 1
  expect([isEventful, Math.max(...outcomes)]).toEqual([true, 2])
  const fromNode = await Promise.all(held.map(shownBlock))
  for (let made = 0; made < chain.frontierBlocks; made++) chain.produceBlock()
  expect(held.filter(({ stateHash }) => chain.frontierBlock(stateHash) !== undefined)).toEqual([])
  const fromIndexer = await Promise.all(held.map(shownBlock))
  expect(fromNode).toMatchObject(fromIndexer)
  const commands = fromIndexer.map(({ transactions: { userCommands, zkappCommandCount } }) => [
    zkappCommandCount,
    userCommands.map(({ hash, kind, failureReason = null }: Record<string, unknown>) => [hash, kind, failureReason]),
  ])
  expect(commands).toEqual(
    held.map(({ zkappCommands, userCommands }) => [
      zkappCommands.length,
      userCommands.map(({ command: { hash, kind }, failureReason }) => [hash, kind, failureReason]),
    ]),
  )
})
