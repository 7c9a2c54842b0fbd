// Fields of a block that a mina-indexer has wrong, or in another form or order than a node.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../../../local/chain/block.ts'
import { encodeBase58Check } from '../../../../shared/mapping/base58check.ts'
import { startSession } from '../session.ts'
import type { IndexerClient } from './client.ts'
import { askOnce, startIndexer } from './client.ts'

const { chain } = startSession({ historyBlocks: 100 })
const oldestFirst = chain.bestChain()
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain)
})
afterAll(() => indexer.close())

/** One field of every canonical block, oldest first, in the shape of its selection. */
async function inEveryBlock<T>(selection: string): Promise<T[]> {
  const answer = await indexer.ask(`{ blocks(query: {canonical: true}, limit: 100) { ${selection} } }`)
  return (answer as { data: { blocks: T[] } }).data.blocks.toReversed()
}
const where = (isWanted: (block: ChainBlock) => boolean) => oldestFirst.filter(isWanted)

test('the length of the staking epoch is that of the next one', async () => {
  const lengths = await inEveryBlock(
    'protocolState { consensusState { stakingEpochData { epochLength } nextEpochData { epochLength } } }',
  )
  expect(lengths).toEqual(
    oldestFirst.map(({ nextEpoch: { epochLength } }) => ({
      protocolState: { consensusState: { stakingEpochData: { epochLength }, nextEpochData: { epochLength } } },
    })),
  )
  expect(
    where(({ stakingEpoch, nextEpoch }) => stakingEpoch.epochLength === nextEpoch.epochLength).length,
  ).toBeLessThan(5)
})

test('the snarked ledger is right in the genesis block only', async () => {
  const selection = 'protocolState { blockchainState { snarkedLedgerHash } }'
  type Selected = { protocolState: { blockchainState: { snarkedLedgerHash: string } } }
  const reported = (await inEveryBlock<Selected>(selection)).map(
    ({ protocolState }) => protocolState.blockchainState.snarkedLedgerHash,
  )
  expect(reported.join(' ')).toMatch(/^(j[wxy]\w{49} ?){100}$/)
  expect(reported.map((hash, index) => hash === oldestFirst[index]?.snarkedLedgerHash)).toEqual(
    oldestFirst.map(({ height }) => height === 1),
  )
})

test('the VRF output of the genesis block is its whole base58check form in base64', async () => {
  const { stateHash, vrfOutput } = chain.genesisBlock()
  const answer = await indexer.ask(
    `{ block(query: {stateHash: "${stateHash}"}) { protocolState { consensusState { lastVrfOutput } } } }`,
  )
  const [, base64 = ''] = /"lastVrfOutput":"([^"]*)"/.exec(JSON.stringify(answer)) ?? []
  const bytes = Buffer.from(base64, 'base64url')
  expect(base64).toMatch(/^[\w-]{51}=$/)
  expect(encodeBase58Check(bytes.subarray(0, 34))).toBe(vrfOutput)
  expect(bytes.subarray(34).toString('hex')).toMatch(/^[0-9a-f]{8}$/)
})

describe('a block of two parts', () => {
  const twoParts = where(({ snarkJobs }) => snarkJobs.some(({ part }) => part === 2))

  test('has the SNARK jobs of its second part first', async () => {
    const jobs = await inEveryBlock('snarkJobs { prover fee }')
    const inParts = (block: ChainBlock, parts: readonly number[]) => ({
      snarkJobs: parts.flatMap((wanted) =>
        block.snarkJobs.filter(({ part }) => part === wanted).map(({ prover, fee }) => ({ prover, fee: Number(fee) })),
      ),
    })
    expect(jobs).toEqual(oldestFirst.map((block) => inParts(block, [2, 1])))
    expect(twoParts.length).toBeGreaterThan(5)
    expect(twoParts.map((block) => inParts(block, [2, 1]))).not.toEqual(twoParts.map((block) => inParts(block, [1, 2])))
  })

  test('may pay a prover in each, which is one fee transfer here', async () => {
    const twice = twoParts.filter(
      ({ snarkJobs }) => new Set(snarkJobs.map(({ prover }) => prover)).size < snarkJobs.length,
    )
    const transfers = await inEveryBlock<{ transactions: { feeTransfer: { recipient: string; type: string }[] } }>(
      'transactions { feeTransfer { recipient type } }',
    )
    const recipients = transfers.map(({ transactions: { feeTransfer } }) =>
      feeTransfer.map(({ recipient, type }) => `${recipient} ${type}`),
    )
    expect(recipients.map((keys) => new Set(keys).size)).toEqual(recipients.map((keys) => keys.length))
    expect(twice.some(({ height, feeTransfers }) => feeTransfers.length > (recipients[height - 1]?.length ?? 0))).toBe(
      true,
    )
  })
})

test('before Berkeley the coinbase receiver’s fee transfer is gross, and the snarked ledger right', async () => {
  const genesisStateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
  const selection =
    'protocolState { blockchainState { snarkedLedgerHash } } transactions { feeTransfer { fee recipient type } }'
  const question = `{ blocks(query: {canonical: true}, limit: 100) { ${selection} } }`
  const answer = await askOnce(chain, question, { genesisStateHash })
  const direct = ({ feeTransfers }: ChainBlock) => feeTransfers.filter(({ type }) => type === 'Fee_transfer')
  const total = (transfers: ChainBlock['feeTransfers']) => transfers.reduce((sum, { fee }) => sum + fee, 0n)
  const several = where((block) => direct(block).some(({ recipient }) => recipient !== block.coinbaseReceiver))
  const gross = several.map((block) => ({
    protocolState: { blockchainState: { snarkedLedgerHash: block.snarkedLedgerHash } },
    transactions: {
      feeTransfer: expect.arrayContaining([
        { fee: String(total(direct(block))), recipient: block.coinbaseReceiver, type: 'Fee_transfer' },
      ]),
    },
  }))
  expect(several.length).toBeGreaterThan(50)
  expect(answer).toEqual({ data: { blocks: expect.arrayContaining(gross) } })
})

test('fee transfers are those of the node by recipient, the ones via coinbase first, the smallest next', async () => {
  type Row = { fee: string; recipient: string; type: string }
  const blocks = await inEveryBlock<{ transactions: { feeTransfer: Row[] } }>(
    'transactions { feeTransfer { fee recipient type } }',
  )
  const rows = blocks.map(({ transactions }) => transactions.feeTransfer)
  const sums = (transfers: readonly { fee: bigint | string; recipient: string; type: string }[]) => {
    const paid = new Map<string, bigint>()
    for (const { fee, recipient, type } of transfers) {
      paid.set(`${type} ${recipient}`, (paid.get(`${type} ${recipient}`) ?? 0n) + BigInt(fee))
    }
    return paid
  }
  expect(rows.map(sums)).toEqual(oldestFirst.map(({ feeTransfers }) => sums(feeTransfers)))
  const place = ({ fee, recipient, type }: Row) =>
    `${type === 'Fee_transfer' ? 1 : 0} ${fee.padStart(20, '0')} ${recipient}`
  expect(rows.map((list) => list.map(place))).toEqual(rows.map((list) => list.map(place).toSorted()))
  expect(rows.flat().some(({ type }) => type === 'Fee_transfer_via_coinbase')).toBe(true)
})
