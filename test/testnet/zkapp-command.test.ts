// zkApp commands that pay: what moves in the ledger, what fails, and where node and indexer show it.
import { describe, expect, test } from '@jest/globals'
import { createZkappCommand, minaUpdate, transfer } from '../../packages/testnet/zkapp-command.ts'
import { startSession } from './session.ts'
import { askIndexer } from './upstream.ts'

const mina = 1_000_000_000n
const fee = 10_000_000n
const token = 'xbpZHeQ2ab6W65EyCzZsxaAtJWReHTAjxPEztQQgupbiQ9cAdS'
const { publicKey: newcomer } = startSession({ seed: 'elsewhere', historyBlocks: 1 }).wallet('alice')

/** A block with one zkApp command of alice's: its failures, and what her balance, bob's and a new key's have changed by. */
function included(updatesFor: (alice: string, bob: string) => Parameters<typeof createZkappCommand>[1]) {
  const { chain, wallet } = startSession()
  const [alice, bob] = [wallet('alice').publicKey, wallet('bob').publicKey]
  const balance = (publicKey: string) => chain.account(publicKey)?.balance ?? 0n
  const before = [alice, bob, newcomer].map(balance)
  chain.queueZkapp(createZkappCommand({ from: alice, fee, nonce: 0 }, updatesFor(alice, bob)))
  const { zkappCommands } = chain.produceBlock()
  const changes = [alice, bob, newcomer].map((publicKey, place) => balance(publicKey) - (before[place] ?? 0n))
  return {
    failures: zkappCommands[0]?.failures,
    changes,
    tokens: chain.account(bob)?.tokens,
    nonce: chain.account(alice)?.nonce,
  }
}

const applied = (changes: readonly bigint[], tokens = new Map()) => ({ failures: null, changes, tokens, nonce: 1 })
/** All updates but the failing one are cancelled. */
const failedAt = (count: number, failing: number, failure: string) => ({
  failures: Array.from({ length: count }, (_, place) => ({
    index: String(count - place),
    failures: [count - place === failing ? failure : 'Cancelled'],
  })),
  ...{ changes: [-fee, 0n, 0n], tokens: new Map(), nonce: 1 },
})
const tokenUpdate = (publicKey: string, balanceChange: bigint) => ({
  ...minaUpdate(publicKey, balanceChange),
  tokenId: token,
})

describe('a zkApp command', () => {
  test.each([
    ['pays another key', (a: string, b: string) => transfer(a, b, 7n), applied([-7n - fee, 7n, 0n])],
    ['without updates costs its fee', () => [], applied([-fee, 0n, 0n])],
    [
      'with one key in three updates pays their sum',
      (a: string, b: string) => [minaUpdate(a, -9n), minaUpdate(b, 5n), minaUpdate(a, 7n), minaUpdate(a, -3n)],
      applied([-5n - fee, 5n, 0n]),
    ],
    [
      'that names the creation fee takes it off what the new account gets',
      (a: string) => transfer(a, newcomer, 3n * mina),
      applied([-3n * mina - fee, 0n, 2n * mina]),
    ],
    [
      'that does not name the creation fee pays it besides',
      (a: string) => [minaUpdate(a, -4n * mina), minaUpdate(newcomer, 3n * mina)],
      applied([-4n * mina - fee, 0n, 3n * mina]),
    ],
    [
      'mints a token, whose new account costs 1 MINA',
      (a: string, b: string) => [minaUpdate(a, -mina), tokenUpdate(b, 2n ** 60n)],
      applied([-mina - fee, 0n, 0n], new Map([[token, 2n ** 60n]])),
    ],
  ])('%s', (_, updates, outcome) => {
    expect(included((alice, bob) => ({ updates: updates(alice, bob) }))).toEqual(outcome)
  })

  test.each([
    [
      'that pays more than there is',
      (a: string, b: string) => transfer(a, b, 10_000n * mina),
      failedAt(2, 1, 'Overflow'),
    ],
    [
      'whose updates do not add up',
      (a: string, b: string) => [minaUpdate(a, -2n), minaUpdate(b, 1n)],
      failedAt(2, 2, 'Invalid_fee_excess'),
    ],
    [
      'that pays too little for the account it makes',
      (a: string) => transfer(a, newcomer, mina - 1n),
      failedAt(2, 2, 'Amount_insufficient_to_create_account'),
    ],
    [
      'that moves more of a token than there is',
      (a: string, b: string) => [minaUpdate(a, 0n), tokenUpdate(b, -1n), minaUpdate(b, 0n)],
      failedAt(3, 2, 'Overflow'),
    ],
  ])('%s fails and costs its fee alone', (_, updates, outcome) => {
    expect(included((alice, bob) => ({ updates: updates(alice, bob) }))).toEqual(outcome)
  })

  test('whose precondition fails moves nothing', () => {
    expect(included((alice, bob) => ({ updates: transfer(alice, bob, 7n), fails: true }))).toEqual(
      failedAt(2, 2, 'Account_balance_precondition_unsatisfied'),
    )
  })

  test('of an orphaned block is queued again, and pays once', () => {
    const { chain, wallet } = startSession()
    const [alice, bob] = [wallet('alice').publicKey, wallet('bob').publicKey]
    const before = chain.account(bob)?.balance ?? 0n
    chain.queueZkapp(createZkappCommand({ from: alice, fee, nonce: 0 }, { updates: transfer(alice, bob, 7n) }))
    chain.produceBlock()
    chain.reorganise(1)
    expect([chain.zkappPool(alice).length, chain.account(bob)?.balance]).toEqual([1, before])
    chain.produceBlock()
    expect([chain.zkappPool(alice).length, chain.account(bob)?.balance]).toEqual([0, before + 7n])
  })
})

test('the chain’s own zkApp commands pay other keys, some fail, and some move a token', () => {
  const { chain } = startSession({ historyBlocks: 300 })
  const all = chain.bestChain().flatMap(({ zkappCommands }) => zkappCommands)
  const pays = all.filter(({ from, failures, updates }) =>
    updates.some(({ publicKey, balanceChange }) => failures === null && publicKey !== from && balanceChange > 0n),
  )
  const failing = all.filter(({ failures }) => failures !== null)
  const moving = pays.filter(({ updates }) => new Set(updates.map(({ tokenId }) => tokenId)).size > 1)
  expect([all.length, pays.length, failing.length, moving.length]).toEqual([56, 42, 14, 14])
})

describe('the indexer', () => {
  const { chain, wallet, pay } = startSession({ historyBlocks: 40 })
  const [alice, bob] = [wallet('alice').publicKey, wallet('bob').publicKey]
  pay({ from: 'alice', to: 'bob', nonce: 0 })
  pay({ from: 'alice', to: 'judy', nonce: 1 })
  const command = createZkappCommand({ from: alice, fee, nonce: 2 }, { updates: transfer(alice, bob, 7n), memo: 'x' })
  chain.queueZkapp(command)
  const { height } = chain.produceBlock()
  pay({ from: 'bob', to: 'alice' })
  chain.produceBlock()
  const list = async (query: string) => {
    const answer = await askIndexer(chain, `{ transactions(${query}) { kind nonce blockHeight } }`)
    return (
      answer as { data: { transactions: { kind: string; nonce: number; blockHeight: number }[] } }
    ).data.transactions.map(({ kind, nonce, blockHeight }) => `${kind} ${nonce} ${blockHeight - height}`)
  }

  test.each([
    [`query: {from: "${alice}", canonical: true}`, ['ZKAPP 2 0', 'PAYMENT 1 0', 'PAYMENT 0 0']],
    [`query: {from: "${alice}"}, sortBy: BLOCKHEIGHT_ASC, limit: 2`, ['PAYMENT 0 0', 'PAYMENT 1 0']],
    [`query: {to: "${bob}", blockHeight_lt: ${height + 1}}`, ['ZKAPP 2 0', 'PAYMENT 0 0']],
    [`query: {to: "${alice}", blockHeight_gt: ${height}}`, ['PAYMENT 0 1']],
    [`query: {to: "${alice}", blockHeight_lte: ${height}}`, ['ZKAPP 2 0']],
    [`query: {blockHeight: ${height}, zkapp: true, from: "${alice}"}`, ['ZKAPP 2 0']],
    [`query: {blockHeight_gte: ${height}, zkapp: false, from: "${bob}"}`, ['PAYMENT 0 1']],
  ])('finds a key’s commands by sender and by each updated account: %s', async (query, found) => {
    expect(await list(query)).toEqual(found)
  })

  test('refuses a malformed receiver in the real program’s words', async () => {
    expect(await askIndexer(chain, '{ transactions(query: {to: "B62"}) { hash } }')).toMatchObject({
      errors: [{ message: 'Invalid sender public key: B62' }],
    })
  })
})
