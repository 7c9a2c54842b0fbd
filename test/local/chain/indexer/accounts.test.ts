import { describe, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../../../local/chain/block.ts'
import { startSession } from '../session.ts'
import { askIndexer, indexerOf, integer } from '../upstream.ts'

const { chain, pay, wallet, advance } = startSession({ historyBlocks: 45, slotsPerEpoch: 20 })
pay({ from: 'alice', to: 'alice', amount: 5n })
pay({ from: 'alice', to: 'bob', amount: 7n, nonce: 1 })
advance(10_000)
chain.produceBlock()
chain.reorganise(2)
// The commands of the abandoned block are now in a second one, too.
chain.produceBlock()
const indexer = indexerOf(chain)

const one = (fields: string, publicKey: string) =>
  indexer.ask(`query ($key: String) { accounts(query: {publicKey: $key}) { ${fields} } }`, { key: publicKey })

/** Blocks made, jobs proved, and commands sent or received, by key. */
function activityIn(blocks: readonly ChainBlock[]) {
  const counts = new Map<string, number>()
  const add = (what: string, key: string) => counts.set(`${what} ${key}`, (counts.get(`${what} ${key}`) ?? 0) + 1)
  for (const { creator, snarkJobs, userCommands, zkappCommands } of blocks) {
    add('blocks', creator)
    for (const { prover } of snarkJobs) add('snarks', prover)
    for (const { from } of zkappCommands) add('user_commands', from)
    for (const { command } of userCommands)
      for (const key of new Set([command.from, command.to])) add('user_commands', key)
  }
  return (what: string, key: string) => counts.get(`${what} ${key}`) ?? 0
}

describe('the indexer’s accounts', () => {
  test('count the activity of their keys in all blocks, abandoned ones too, and in those of the current epoch', async () => {
    const blocks = chain.allBlocks()
    const total = activityIn(blocks)
    const current = activityIn(blocks.filter(({ epoch }) => epoch === chain.tip().epoch))
    const kinds = ['blocks', 'snarks', 'user_commands']
    const fields = kinds.flatMap((kind) => [`pk_total_num_${kind}`, `pk_epoch_num_${kind}`])
    const { publicKey: alice } = wallet('alice')
    expect([blocks.length > chain.bestChain().length, total('user_commands', alice)]).toEqual([true, 4])
    expect(await indexer.ask(`{ accounts { publicKey ${fields.join(' ')} } }`)).toEqual({
      data: {
        accounts: expect.arrayContaining(
          [...chain.ledger().keys()].map((key) => ({
            publicKey: key,
            ...Object.fromEntries(
              kinds.flatMap((kind) => [
                [`pk_total_num_${kind}`, total(kind, key)],
                [`pk_epoch_num_${kind}`, current(kind, key)],
              ]),
            ),
          })),
        ),
      },
    })
  })

  test('have their state in the ledger of the best tip, the largest balance first', async () => {
    const accounts = [...chain.ledger().values()].toSorted((left, right) => (left.balance > right.balance ? -1 : 1))
    const genesis = chain.stakingLedger(0)?.accounts
    const answer = await indexer.ask(`{ accounts { publicKey delegate balance nonce timeLocked
      timing { cliff_amount cliff_time initial_minimum_balance vesting_period vesting_increment }
      token receiptChainHash votingFor is_genesis_account genesis_account block_height } }`)
    expect(answer).toEqual({
      data: {
        accounts: accounts.map(({ publicKey, delegate, balance, nonce, timing, receiptChainHash, votingFor }) => ({
          ...{ publicKey, delegate, balance: integer(balance), nonce, receiptChainHash, votingFor },
          timeLocked: timing !== null,
          timing: timing && {
            cliff_amount: integer(timing.cliffAmount),
            cliff_time: timing.cliffTime,
            initial_minimum_balance: integer(timing.initialMinimumBalance),
            vesting_period: timing.vestingPeriod,
            vesting_increment: integer(timing.vestingIncrement),
          },
          token: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
          is_genesis_account: genesis?.has(publicKey),
          genesis_account: integer(genesis?.get(publicKey)?.balance ?? 0n) || null,
          block_height: chain.tip().height,
        })),
      },
    })
    expect(accounts.length).toBeGreaterThan(genesis?.size ?? 0)
  })

  test('have a username where one is known', async () => {
    const [, heron] = chain.producers
    const named = (publicKey: string) => one('username delegateUsername', publicKey)
    expect([await named(heron?.publicKey ?? ''), await named(wallet('carol').publicKey)]).toEqual([
      { data: { accounts: [{ username: 'Heron Staking', delegateUsername: 'Heron Staking' }] } },
      { data: { accounts: [{ username: null, delegateUsername: 'Alice' }] } },
    ])
  })

  test('are an empty list for an unknown key and an error for a malformed one', async () => {
    const { publicKey } = startSession({ seed: 'elsewhere', historyBlocks: 1 }).wallet('alice')
    expect(await one('nonce', publicKey)).toEqual({ data: { accounts: [] } })
    expect(await one('nonce', 'B62x')).toMatchObject({ data: null, errors: [{ message: 'Invalid public key: B62x' }] })
  })

  const grown = startSession({ historyBlocks: 1, slotsPerEpoch: 20 })
  const ledgers = [grown.chain.ledger()]
  for (let made = 0; made < 60; made++) {
    grown.advance(10_000)
    if (made % 20 === 7) grown.delegate({ from: 'carol', to: 'judy', nonce: Math.floor(made / 20) })
    grown.chain.produceBlock()
    ledgers.push(grown.chain.ledger())
  }

  test.each([2, 35, 60])('of an indexer that is %i blocks behind are those after its last block', async (behind) => {
    const query = '{ accounts { publicKey balance nonce delegate receiptChainHash block_height } }'
    const expected = [...(ledgers[60 - behind]?.values() ?? [])].map(({ timing: _, votingFor: __, ...account }) => ({
      ...account,
      balance: integer(account.balance),
      block_height: 61 - behind,
    }))
    const answer = await askIndexer(grown.chain, query, { behind })
    expect(answer).toEqual({ data: { accounts: expect.arrayContaining(expected) } })
    expect(answer).toMatchObject({ data: { accounts: { length: expected.length } } })
  })
})
