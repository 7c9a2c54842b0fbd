// Fields of a block that a mina-indexer has wrong, or in another form or order than a node.
import { describe, expect, test } from '@jest/globals'
import type { IndexerState } from '../../../../local/chain/indexer/ingested.ts'
import { startSession } from '../session.ts'
import { askIndexer } from '../upstream.ts'

const { chain } = startSession({ historyBlocks: 100 })
const oldestFirst = chain.bestChain()

/** One field of every canonical block, oldest first, in the shape of its selection. */
async function inEveryBlock<T>(selection: string, state?: IndexerState): Promise<T[]> {
  const query = `{ blocks(query: {canonical: true}, limit: 100) { ${selection} } }`
  return ((await askIndexer(chain, query, state)) as { data: { blocks: T[] } }).data.blocks.toReversed()
}

type Row = { fee: string; recipient: string; type: string }
const transfersIn = async (state?: IndexerState) => {
  const selection = 'transactions { feeTransfer { fee recipient type } }'
  const blocks = await inEveryBlock<{ transactions: { feeTransfer: Row[] } }>(selection, state)
  return blocks.map(({ transactions }) => transactions.feeTransfer)
}
const hashesIn = async (state?: IndexerState) => {
  type Selected = { protocolState: { blockchainState: { snarkedLedgerHash: string } } }
  const blocks = await inEveryBlock<Selected>('protocolState { blockchainState { snarkedLedgerHash } }', state)
  return blocks.map(({ protocolState }) => protocolState.blockchainState.snarkedLedgerHash)
}
const rightHashes = oldestFirst.map(({ snarkedLedgerHash }) => snarkedLedgerHash)

describe('in the blocks of an indexer', () => {
  test('the length of the staking epoch is that of the next one', async () => {
    expect(await inEveryBlock('protocolState { consensusState { stakingEpochData { epochLength } } }')).toEqual(
      oldestFirst.map(({ nextEpoch: { epochLength } }) => ({
        protocolState: { consensusState: { stakingEpochData: { epochLength } } },
      })),
    )
    const lengths = oldestFirst.map(({ stakingEpoch, nextEpoch }) => [stakingEpoch.epochLength, nextEpoch.epochLength])
    expect(lengths.filter(([staking, next]) => staking === next).length).toBeLessThan(5)
  })

  test('the snarked ledger is right in the genesis block only', async () => {
    const reported = await hashesIn()
    expect(reported.join(' ')).toMatch(/^(j[wxy]\w{49} ?){100}$/)
    expect(reported.filter((hash, index) => hash === rightHashes[index])).toEqual([rightHashes[0]])
  })

  test('the SNARK jobs of the second part come first', async () => {
    const inOrder = (...parts: readonly number[]) =>
      oldestFirst.map(({ snarkJobs }) => ({
        snarkJobs: parts
          .flatMap((wanted) => snarkJobs.filter(({ part }) => part === wanted))
          .map(({ prover, fee }) => ({ prover, fee: Number(fee) })),
      }))
    expect(await inEveryBlock('snarkJobs { prover fee }')).toEqual(inOrder(2, 1))
    expect(inOrder(2, 1)).not.toEqual(inOrder(1, 2))
  })

  test('fee transfers are one for each recipient, those via coinbase first, the smallest next', async () => {
    const merged = oldestFirst.map(({ feeTransfers }) => {
      const fees = new Map<string, bigint>()
      for (const { recipient, type, fee } of feeTransfers)
        fees.set(`${type} ${recipient}`, (fees.get(`${type} ${recipient}`) ?? 0n) + fee)
      const place = ([name, fee]: readonly [string, bigint]) =>
        `${name.startsWith('Fee_transfer ') ? 1 : 0} ${String(fee).padStart(20, '0')} ${name}`
      return [...fees]
        .toSorted((left, right) => (place(left) < place(right) ? -1 : 1))
        .map(([name, fee]) => `${name} ${fee}`)
    })
    const rows = await transfersIn()
    expect(rows.map((list) => list.map(({ fee, recipient, type }) => `${type} ${recipient} ${fee}`))).toEqual(merged)
    // A prover of jobs in both parts is paid twice by a node.
    expect(oldestFirst.flatMap(({ feeTransfers }) => feeTransfers).length).toBeGreaterThan(rows.flat().length)
    expect(rows.flat().some(({ type }) => type === 'Fee_transfer_via_coinbase')).toBe(true)
  })

  test('before Berkeley the coinbase receiver’s fee transfer is gross, and the snarked ledger right', async () => {
    const state = { genesisStateHash: '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ' }
    expect(await hashesIn(state)).toEqual(rightHashes)
    const rows = await transfersIn(state)
    const gross = oldestFirst.flatMap(({ feeTransfers, coinbaseReceiver: recipient }, index) => {
      const direct = feeTransfers.filter(({ type }) => type === 'Fee_transfer')
      const fee = String(direct.reduce((sum, transfer) => sum + transfer.fee, 0n))
      const isGross = direct.some((transfer) => transfer.recipient !== recipient)
      return isGross ? [{ shown: rows[index], row: { fee, recipient, type: 'Fee_transfer' } }] : []
    })
    expect(gross.length).toBeGreaterThan(50)
    for (const { shown, row } of gross) expect(shown).toContainEqual(row)
  })
})
