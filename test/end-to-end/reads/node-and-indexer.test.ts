// A block from the node that holds it, and from the indexer later.
import { afterAll, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../../local/chain/block.ts'
import { get, startQuietService } from '../running-service.ts'

const service = await startQuietService()
const { chain } = service
if (chain === undefined) throw new Error('the service has no chain')
afterAll(() => service.close())

/** An indexer does not keep the order of fee transfers. */
function byFee(body: unknown) {
  const { block } = structuredClone(Object(body))
  block.transactions.feeTransfer.sort((left: { fee: number }, right: { fee: number }) => left.fee - right.fee)
  return block
}

test.each<[string, (block: ChainBlock) => boolean]>([
  ['several commands, in the order of their application', ({ userCommands }) => userCommands.length > 1],
  [
    'a failed command, which has the reason, and an applied one, which has none',
    ({ userCommands }) => new Set(userCommands.map((one) => one.failureReason)).size > 1,
  ],
  ['zkApp commands, which are counted, not listed', ({ zkappCommands }) => zkappCommands.length === 2],
])('node and indexer tell the same of a block with %s', async (_what, fits) => {
  const block = chain.frontier().find(fits)
  const path = `${service.url}/blocks/${block?.stateHash}`
  const fromNode = await get(path)
  for (let made = 0; made < chain.frontierBlocks; made++) chain.produceBlock()
  const fromIndexer = await get(path)
  expect(chain.frontierBlock(block?.stateHash ?? '')).toBeUndefined()
  expect(byFee(fromNode.body)).toMatchObject(byFee(fromIndexer.body))
  const { userCommands, zkappCommandCount } = Object(fromIndexer.body).block.transactions
  expect(zkappCommandCount).toBe(block?.zkappCommands.length)
  expect(
    userCommands.map(({ hash, kind, failureReason = null }: Record<string, unknown>) => [hash, kind, failureReason]),
  ).toEqual(block?.userCommands.map(({ command: { hash, kind }, failureReason }) => [hash, kind, failureReason]))
})
