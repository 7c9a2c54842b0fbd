// An indexer's answer about a command counts only as far as the nodes support it.
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
  /** The commands that used the nonce, where the question is about it. */
  readonly rivals?: readonly (typeof hit)[]
  /** Height of the tip of the node that is asked for a block, which it holds. */
  readonly node?: number
}

/** Asks about a command that a node does not show in its blocks 81 to 100. */
function ask({ indexer = 100, hits = [], rivals, node = 100 }: Upstreams) {
  const feePayer = { body: { nonce: hit.nonce, publicKey: hit.sender } }
  const zkapp = { hash: hit.hash, failureReason: null, zkappCommand: { feePayer } }
  const block = {
    stateHash: hit.block.stateHash,
    protocolState: { blockchainState: { date: 0 }, consensusState: { blockHeight: hit.blockHeight } },
    transactions: { userCommands: [], zkappCommands: [zkapp] },
  }
  const tip = { blockHeight: indexer, genesisStateHash: 'genesis' }
  const answers: Readonly<Record<string, object | undefined>> = {
    indexedTransaction: { byHash: hits, tip },
    indexedNonce: { byHash: hits, byNonce: rivals, tip },
    // Only a command that is asked for by its hash is in a block that the node holds.
    commandsAtHeight: rivals === undefined ? { block } : undefined,
  }
  const answer = async ({ name }: Operation) => ({ node: 0, data: answers[name], label: tipAt(node) })
  const chain = { configured: { indexer: true }, ask: answer, find: answer } as unknown as ChainPort
  const terms = rivals === undefined ? undefined : { from: hit.sender, nonce: hit.nonce, validUntil: 1000 }
  const nonceIsUsed = terms !== undefined
  return indexedTransaction({ hash: hit.hash, terms, nonceIsUsed, fromHeight: 81, tip: tipAt(100) }, chain)
}

describe('an absence at the indexer', () => {
  test('counts while its tip lies well above the earliest block that the nodes were searched for', async () => {
    expect(await ask({ indexer: 90 })).toEqual({ state: 'none' })
  })

  test.each([
    ['', undefined],
    [', though it shows another command with the nonce', [hit]],
  ])(
    'does not count where it may be at abandoned blocks above those that nodes were searched for%s',
    async (_, rivals) => {
      const error = expect.objectContaining({ fault: 'busy' })
      expect(await ask({ indexer: 89, ...(rivals && { rivals }) })).toEqual({ state: 'unknown', error })
    },
  )
})

describe('an inclusion that the indexer shows', () => {
  test('is confirmed by the block of a node at the tip', async () => {
    expect(await ask({ hits: [hit] })).toMatchObject({ state: 'held', depth: 25 })
  })

  test('is not confirmed by a node that lies behind, whose block may be abandoned', async () => {
    await expect(ask({ hits: [hit], node: 99 })).rejects.toMatchObject({ fault: 'busy' })
  })
})
