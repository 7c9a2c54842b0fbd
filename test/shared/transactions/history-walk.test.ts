// A history's walk where its sources fail.
import { expect, test } from '@jest/globals'
import type { ChainView } from '../../../shared/chain/port.ts'
import { segments } from '../../../shared/transactions/history-walk.ts'
import { WireError } from '../../../shared/upstream/errors.ts'

const tip = { height: 300, stateHash: '3Ntip', atMs: 0, syncStatus: 'SYNCED', genesisStateHash: '3Ngenesis' }

test('a node that does not say the network’s k after the walk has failed is a fault that nobody waits for', async () => {
  const failed = Promise.withResolvers<never>()
  const chain = { nodes: [], request: () => failed.promise } as unknown as ChainView
  const indexer = { ask: () => Promise.reject(new WireError('unreachable', 'the indexer is down')) }
  const source = { chain, indexer, settledHeight: 290, tipHeight: 300, nodeHeight: 300, isReadByHeights: false }
  const value = { ...source, genesisStateHash: tip.genesisStateHash, parent: undefined }
  const question = { publicKey: 'B62q', limit: 1, before: { height: 200, stateHash: '3Ncursor' } }
  const start = { nodeChain: { node: 0, tip, bottom: 1 }, latest: [], pending: undefined }
  const walk = segments(question, { ...start, sources: [{ state: 'known', value }] }, chain)

  await expect(walk.next()).rejects.toMatchObject({ fault: 'busy' })
  // An unhandled rejection would fail this test, and end a function's instance.
  failed.reject(new WireError('timeout', 'time-out'))
  await new Promise((resolve) => setImmediate(resolve))
})
