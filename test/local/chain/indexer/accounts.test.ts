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
  test('count the activity of their keys in all blocks, abandoned ones too', async () => {
    const blocks = chain.allBlocks()
    const total = activityIn(blocks)
    const kinds = ['blocks', 'snarks', 'user_commands']
    expect(blocks.length).toBeGreaterThan(chain.bestChain().length)
    expect(total('user_commands', wallet('alice').publicKey)).toBe(4)
    const accounts = [...chain.ledger().keys()].map((publicKey) => ({
      publicKey,
      ...Object.fromEntries(kinds.map((kind) => [`pk_total_num_${kind}`, total(kind, publicKey)])),
    }))
    expect(
      await indexer.ask(`{ accounts { publicKey ${kinds.map((kind) => `pk_total_num_${kind}`).join(' ')} } }`),
    ).toEqual({ data: { accounts: expect.arrayContaining(accounts) } })
  })

  test('have their state in the ledger of the best tip, the largest balance first, and a username if it is known', async () => {
    const accounts = [...chain.ledger().values()].toSorted((left, right) => (left.balance > right.balance ? -1 : 1))
    const names = new Map<string | undefined, string | null>([
      [wallet('carol').publicKey, null],
      [wallet('alice').publicKey, 'Alice'],
      [wallet('bob').publicKey, 'Bob'],
      [chain.producers[1]?.publicKey, 'Heron Staking'],
    ])
    const query = '{ accounts { publicKey username balance nonce delegate block_height } }'
    expect(await indexer.ask(query)).toMatchObject({
      data: {
        accounts: accounts.map(({ publicKey, balance, nonce, delegate }) => ({
          ...{ publicKey, balance: integer(balance), nonce, delegate, block_height: chain.tip().height },
          ...(names.has(publicKey) && { username: names.get(publicKey) }),
        })),
      },
    })
  })

  test('are an empty list for an unknown key and an error for a malformed one', async () => {
    const one = (key: string) =>
      indexer.ask('query ($key: String) { accounts(query: {publicKey: $key}) { nonce } }', { key })
    const { publicKey } = startSession({ seed: 'elsewhere', historyBlocks: 1 }).wallet('alice')
    expect(await one(publicKey)).toEqual({ data: { accounts: [] } })
    expect(await one('B62x')).toMatchObject({ data: null, errors: [{ message: 'Invalid public key: B62x' }] })
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
    const query = '{ accounts { publicKey balance nonce delegate block_height } }'
    const accounts = [...(ledgers[60 - behind]?.values() ?? [])]
    const expected = accounts.map(({ publicKey, balance, nonce, delegate }) => ({
      ...{ publicKey, balance: integer(balance), nonce, delegate, block_height: 61 - behind },
    }))
    const answer = await askIndexer(grown.chain, query, { behind })
    expect(Object(answer).data.accounts).toHaveLength(expected.length)
    expect(answer).toEqual({ data: { accounts: expect.arrayContaining(expected) } })
  })
})
