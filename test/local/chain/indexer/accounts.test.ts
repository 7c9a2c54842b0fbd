import { describe, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../../../local/chain/block.ts'
import { startSession } from '../session.ts'
import { indexerOf } from '../upstream.ts'

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
    for (const { from, updates } of zkappCommands) {
      const updated = updates.map(({ publicKey }) => publicKey)
      for (const key of updated.includes(from) ? updated : [from, ...updated]) add('user_commands', key)
    }
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

  test('are an empty list for an unknown key and an error for a malformed one', async () => {
    const one = (key: string) =>
      indexer.ask('query ($key: String) { accounts(query: {publicKey: $key}) { nonce } }', { key })
    const { publicKey } = startSession({ seed: 'elsewhere', historyBlocks: 1 }).wallet('alice')
    expect(await one(publicKey)).toEqual({ data: { accounts: [] } })
    expect(await one('B62x')).toMatchObject({ data: null, errors: [{ message: 'Invalid public key: B62x' }] })
  })
})
