// Blocks from the node that holds them, and from the indexer later.
import { expect, test } from '@jest/globals'
import { get, startQuietService } from '../running-service.ts'

const service = await startQuietService()
const { chain } = service

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
