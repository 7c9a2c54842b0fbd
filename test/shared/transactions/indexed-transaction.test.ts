// What the indexer's word for a command is worth beside the nodes'.
import { describe, expect, test } from '@jest/globals'
import type { ChainPort } from '../../../shared/chain/port.ts'
import { indexedTransaction } from '../../../shared/transactions/indexed-transaction.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { NodeLabel } from '../../../shared/upstream/query.ts'

const tipAt = (height: number): NodeLabel => ({
  height,
  stateHash: `block ${height}`,
  atMs: 0,
  syncStatus: 'SYNCED',
  genesisStateHash: 'genesis',
})

const hit = {
  hash: 'asked',
  sender: 'alice',
  nonce: 7,
  failureReason: null,
  blockHeight: 75,
  canonical: true,
  block: { stateHash: 'block 75', dateTime: 0 },
  command: 'zkApp',
} as const

interface Upstreams {
  /** Height of the indexer's tip. */
  readonly indexer?: number
  readonly hits?: readonly (typeof hit)[]
  /** Height of the tip of the node that is asked for a block, which it holds. */
  readonly node?: number
}

/** Asks about a command that a node does not show in its blocks 81 to 100. */
function ask({ indexer = 100, hits = [], node = 100 }: Upstreams) {
  const feePayer = { body: { nonce: hit.nonce, publicKey: hit.sender } }
  const zkapp = { hash: hit.hash, failureReason: null, zkappCommand: { feePayer } }
  const block = {
    stateHash: hit.block.stateHash,
    protocolState: { blockchainState: { date: 0 }, consensusState: { blockHeight: hit.blockHeight } },
    transactions: { userCommands: [], zkappCommands: [zkapp] },
  }
  const answers: Readonly<Record<string, object>> = {
    indexedTransaction: { byHash: hits, tip: { blockHeight: indexer, genesisStateHash: 'genesis' } },
    commandsAtHeight: { block },
  }
  const answer = async ({ name }: Operation) => ({ node: 0, data: answers[name], label: tipAt(node) })
  const chain = { configured: { indexer: true }, ask: answer, find: answer } as unknown as ChainPort
  const question = { hash: hit.hash, terms: undefined, nonceIsUsed: false, fromHeight: 81, tip: tipAt(100) }
  return indexedTransaction(question, chain)
}

describe('an absence at the indexer', () => {
  test('counts while its tip lies well above the earliest block that the nodes were searched for', async () => {
    expect(await ask({ indexer: 90 })).toEqual({ state: 'none' })
  })

  test('does not count where its last blocks may be abandoned ones and the nodes were not searched so deep', async () => {
    const error = expect.objectContaining({ fault: 'busy' })
    expect(await ask({ indexer: 89 })).toEqual({ state: 'unknown', error })
  })
})

describe('an inclusion that the indexer shows', () => {
  test('is confirmed by the block of a node at the tip', async () => {
    expect(await ask({ hits: [hit] })).toMatchObject({ state: 'held', depth: 25 })
  })

  test('is not confirmed by a node that lies behind, whose block may be abandoned', async () => {
    await expect(ask({ hits: [hit], node: 99 })).rejects.toMatchObject({ fault: 'busy' })
  })
})
