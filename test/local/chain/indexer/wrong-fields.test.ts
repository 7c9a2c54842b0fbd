// Fields of a block that a mina-indexer has wrong, or in another form or order than a node.
import { describe, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../../../local/chain/block.ts'
import { startSession } from '../session.ts'
import { askIndexer, indexerOf } from '../upstream.ts'

const { chain } = startSession({ historyBlocks: 100 })
const oldestFirst = chain.bestChain()
const indexer = indexerOf(chain)

/** One field of every canonical block, oldest first, in the shape of its selection. */
async function inEveryBlock<T>(selection: string): Promise<T[]> {
  const answer = await indexer.ask(`{ blocks(query: {canonical: true}, limit: 100) { ${selection} } }`)
  return (answer as { data: { blocks: T[] } }).data.blocks.toReversed()
}

describe('in the blocks of an indexer', () => {
  test('the length of the staking epoch is that of the next one', async () => {
    expect(await inEveryBlock('protocolState { consensusState { stakingEpochData { epochLength } } }')).toEqual(
      oldestFirst.map(({ nextEpoch: { epochLength } }) => ({
        protocolState: { consensusState: { stakingEpochData: { epochLength } } },
      })),
    )
    const isRight = oldestFirst.filter(
      ({ stakingEpoch, nextEpoch }) => stakingEpoch.epochLength === nextEpoch.epochLength,
    )
    expect(isRight.length).toBeLessThan(5)
  })

  test('the snarked ledger is right in the genesis block only', async () => {
    type Selected = { protocolState: { blockchainState: { snarkedLedgerHash: string } } }
    const reported = (await inEveryBlock<Selected>('protocolState { blockchainState { snarkedLedgerHash } }')).map(
      ({ protocolState }) => protocolState.blockchainState.snarkedLedgerHash,
    )
    expect(reported.join(' ')).toMatch(/^(j[wxy]\w{49} ?){100}$/)
    expect(reported.map((hash, index) => hash === oldestFirst[index]?.snarkedLedgerHash)).toEqual(
      oldestFirst.map(({ height }) => height === 1),
    )
  })

  test('the SNARK jobs of the second part come first', async () => {
    const inOrder = (parts: readonly number[]) =>
      oldestFirst.map((block) => ({
        snarkJobs: parts
          .flatMap((wanted) => block.snarkJobs.filter(({ part }) => part === wanted))
          .map(({ prover, fee }) => ({ prover, fee: Number(fee) })),
      }))
    const jobs = await inEveryBlock('snarkJobs { prover fee }')
    expect(jobs).toEqual(inOrder([2, 1]))
    expect(jobs).not.toEqual(inOrder([1, 2]))
  })

  test('fee transfers are one for each recipient, those via coinbase first, the smallest next', async () => {
    type Row = { fee: string; recipient: string; type: string }
    const blocks = await inEveryBlock<{ transactions: { feeTransfer: Row[] } }>(
      'transactions { feeTransfer { fee recipient type } }',
    )
    const rows = blocks.map(({ transactions }) => transactions.feeTransfer)
    const keyOf = ({ recipient, type }: Pick<Row, 'recipient' | 'type'>) => `${type} ${recipient}`
    const merged = oldestFirst.map(({ feeTransfers }) => {
      const fees = new Map<string, bigint>()
      for (const transfer of feeTransfers) fees.set(keyOf(transfer), (fees.get(keyOf(transfer)) ?? 0n) + transfer.fee)
      return fees
    })
    expect(rows.map((list) => new Map(list.map((row) => [keyOf(row), BigInt(row.fee)])))).toEqual(merged)
    expect(rows.map(({ length }) => length)).toEqual(merged.map(({ size }) => size))
    // A prover of jobs in both parts is paid twice by a node.
    expect(oldestFirst.some(({ feeTransfers }, index) => feeTransfers.length > (merged[index]?.size ?? 0))).toBe(true)
    const place = ({ fee, recipient, type }: Row) =>
      `${type === 'Fee_transfer' ? 1 : 0} ${fee.padStart(20, '0')} ${recipient}`
    const places = rows.map((list) => list.map(place))
    expect(places).toEqual(places.map((list) => list.toSorted()))
    expect(rows.flat().some(({ type }) => type === 'Fee_transfer_via_coinbase')).toBe(true)
  })

  test('before Berkeley the coinbase receiver’s fee transfer is gross, and the snarked ledger right', async () => {
    const genesisStateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
    const selection =
      'protocolState { blockchainState { snarkedLedgerHash } } transactions { feeTransfer { fee recipient type } }'
    const question = `{ blocks(query: {canonical: true}, limit: 100) { ${selection} } }`
    const direct = ({ feeTransfers }: ChainBlock) => feeTransfers.filter(({ type }) => type === 'Fee_transfer')
    const gross = oldestFirst.flatMap((block) => {
      const { coinbaseReceiver, snarkedLedgerHash } = block
      if (direct(block).every(({ recipient }) => recipient === coinbaseReceiver)) return []
      const fee = String(direct(block).reduce((sum, transfer) => sum + transfer.fee, 0n))
      const row = { fee, recipient: coinbaseReceiver, type: 'Fee_transfer' }
      const feeTransfer = expect.arrayContaining([row])
      return [{ protocolState: { blockchainState: { snarkedLedgerHash } }, transactions: { feeTransfer } }]
    })
    expect(gross.length).toBeGreaterThan(50)
    expect(await askIndexer(chain, question, { genesisStateHash })).toEqual({
      data: { blocks: expect.arrayContaining(gross) },
    })
  })
})
