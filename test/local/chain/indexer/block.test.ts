import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { EpochData } from '../../../../local/chain/block.ts'
import { encodeBase58Check } from '../../../../shared/mapping/base58check.ts'
import { startMs, startSession } from '../session.ts'
import type { IndexerClient } from './client.ts'
import { askOnce, startIndexer } from './client.ts'

const { chain, pay, wallet, advance } = startSession({ historyBlocks: 40 })
pay({ from: 'alice', to: 'erin', amount: 1_000_000_009n, memo: 'grüße, erin' })
advance(10_000)
const paid = chain.produceBlock()
chain.reorganise(3)
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain)
})
afterAll(() => indexer.close())

const fullBlock = `query ($hash: String!) { block(query: {stateHash: $hash}) {
  canonical stateHash blockHeight globalSlotSinceGenesis genesisStateHash dateTime receivedTime
  creator creatorUsername creatorAccount { publicKey username } winner winnerAccount { publicKey }
  coinbaseReceiver txFees snarkFees block_num_snarks block_num_user_commands
  protocolState { previousStateHash
    blockchainState { date utcDate snarkedLedgerHash stagedLedgerHash }
    consensusState { totalCurrency blockchainLength blockHeight epoch hasAncestorInSameCheckpointWindow
      minWindowDensity slot slotSinceGenesis
      nextEpochData { seed epochLength startCheckpoint lockCheckpoint ledger { hash totalCurrency } }
      stakingEpochData { seed epochLength startCheckpoint lockCheckpoint ledger { hash totalCurrency } } } }
  transactions { coinbase coinbaseReceiver coinbaseReceiverAccount { publicKey }
    feeTransfer { fee recipient type }
    userCommands { hash kind amount fee from sender to receiver receiver_account { publicKey } nonce memo isApplied
      failureReason canonical blockHeight globalSlot tokens } }
  snarkJobs { blockStateHash blockHeight dateTime fee prover } } }`

/** An integer as `parseExactJson` returns it: a number where that is exact. */
const integer = (value: bigint) => (value <= 2n ** 53n - 1n ? Number(value) : value)

const epoch = ({ seed, epochLength, startCheckpoint, lockCheckpoint, ledgerHash, totalCurrency }: EpochData) => ({
  ...{ seed, epochLength, startCheckpoint, lockCheckpoint },
  ledger: { hash: ledgerHash, totalCurrency: integer(totalCurrency) },
})

const total = (amounts: readonly bigint[]) => String(amounts.reduce((sum, amount) => sum + amount, 0n))

describe('a block', () => {
  test('has the chain’s values: large integers as numbers, some amounts as text, memos decoded', async () => {
    const dateTime = new Date(paid.date).toISOString()
    expect(paid.userCommands.length).toBeGreaterThan(1)
    expect(await indexer.ask(fullBlock, { hash: paid.stateHash })).toEqual({
      data: {
        block: {
          canonical: false,
          stateHash: paid.stateHash,
          blockHeight: 41,
          globalSlotSinceGenesis: paid.slot,
          genesisStateHash: chain.genesisBlock().stateHash,
          dateTime,
          receivedTime: new Date(startMs + 10_000).toISOString(),
          creator: paid.creator,
          creatorUsername: expect.any(String),
          creatorAccount: { publicKey: paid.creator, username: expect.any(String) },
          winner: paid.winner,
          winnerAccount: { publicKey: paid.winner },
          coinbaseReceiver: paid.coinbaseReceiver,
          txFees: total(paid.userCommands.map(({ command }) => command.fee)),
          snarkFees: total(paid.snarkJobs.map(({ fee }) => fee)),
          block_num_snarks: paid.snarkJobs.length,
          block_num_user_commands: paid.userCommands.length,
          protocolState: {
            previousStateHash: paid.previousStateHash,
            blockchainState: {
              date: String(paid.date),
              utcDate: String(paid.date),
              snarkedLedgerHash: expect.any(String),
              stagedLedgerHash: paid.stagedLedgerHash,
            },
            consensusState: {
              totalCurrency: paid.totalCurrency,
              blockchainLength: 41,
              blockHeight: 41,
              epoch: 1,
              hasAncestorInSameCheckpointWindow: true,
              minWindowDensity: paid.minWindowDensity,
              slot: paid.slot - 40,
              slotSinceGenesis: paid.slot,
              nextEpochData: epoch(paid.nextEpoch),
              stakingEpochData: { ...epoch(paid.stakingEpoch), epochLength: paid.nextEpoch.epochLength },
            },
          },
          transactions: {
            coinbase: '720000000000',
            coinbaseReceiver: paid.coinbaseReceiver,
            coinbaseReceiverAccount: { publicKey: paid.coinbaseReceiver },
            feeTransfer: paid.feeTransfers.map(({ fee, recipient, type }) => ({ fee: String(fee), recipient, type })),
            userCommands: paid.userCommands.map(({ command, failureReason }) => ({
              hash: command.hash,
              kind: command.kind,
              amount: integer(command.amount),
              fee: integer(command.fee),
              from: command.from,
              sender: command.from,
              to: command.to,
              receiver: command.to,
              receiver_account: { publicKey: command.to },
              nonce: command.nonce,
              memo: command.from === wallet('alice').publicKey ? 'grüße, erin' : command.memo,
              isApplied: failureReason === null,
              failureReason,
              canonical: false,
              blockHeight: 41,
              globalSlot: paid.slot,
              tokens: ['wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'],
            })),
          },
          snarkJobs: paid.snarkJobs.map(({ fee, prover }) => ({
            ...{ blockStateHash: paid.stateHash, blockHeight: 41, dateTime, prover },
            fee: integer(fee),
          })),
        },
      },
    })
  })

  test('includes the failed commands', async () => {
    const failed = chain.bestChain().find(({ userCommands }) => userCommands.some((one) => one.failureReason !== null))
    const body = await indexer.ask(
      'query ($hash: String) { block(query: {stateHash: $hash}) { transactions { userCommands { isApplied failureReason } } } }',
      { hash: failed?.stateHash },
    )
    const outcomes = failed?.userCommands.map(({ failureReason }) => ({
      isApplied: failureReason === null,
      failureReason,
    }))
    expect(outcomes).toContainEqual({ isApplied: false, failureReason: 'Amount_insufficient_to_create_account' })
    expect(body).toEqual({ data: { block: { transactions: { userCommands: outcomes } } } })
  })

  test('lists its zkApp commands behind the others, without a receiver', async () => {
    const block = chain.bestChain().find(({ zkappCommands }) => zkappCommands.length > 0)
    const body = await indexer.ask(
      `query ($hash: String) { block(query: {stateHash: $hash}) { block_num_user_commands block_num_zkapp_commands txFees
        transactions { userCommands { hash kind amount fee sender to receiver_account { publicKey } nonce isApplied } } } }`,
      { hash: block?.stateHash },
    )
    const { userCommands = [], zkappCommands = [] } = block ?? {}
    expect(body).toEqual({
      data: {
        block: {
          block_num_user_commands: userCommands.length + zkappCommands.length,
          block_num_zkapp_commands: zkappCommands.length,
          txFees: total([...userCommands.map(({ command }) => command.fee), ...zkappCommands.map(({ fee }) => fee)]),
          transactions: {
            userCommands: [
              ...userCommands.map(({ command }) => expect.objectContaining({ hash: command.hash, kind: command.kind })),
              ...zkappCommands.map(({ hash, from, fee, nonce }) => ({
                ...{
                  hash,
                  kind: 'ZKAPP',
                  amount: 0,
                  fee: integer(fee),
                  sender: from,
                  to: null,
                  receiver_account: null,
                },
                ...{ nonce, isApplied: true },
              })),
            ],
          },
        },
      },
    })
  })

  test('has the 32 bytes of its VRF output in URL-safe base64', async () => {
    const query = '{ blocks(query: {canonical: true}) { protocolState { consensusState { lastVrfOutput } } } }'
    const texts = [...JSON.stringify(await indexer.ask(query)).matchAll(/"lastVrfOutput":"([\w-]{43}=)"/g)]
    const base58check = texts.map(([, text = '']) => {
      return encodeBase58Check(Uint8Array.from([0x15, 0x20, ...Buffer.from(text, 'base64url')]))
    })
    expect(texts.join()).toMatch(/[-_]/)
    expect(base58check).toEqual(
      chain
        .bestChain()
        .slice(1)
        .map(({ vrfOutput }) => vrfOutput)
        .toReversed(),
    )
  })

  test('without a filter is the best one, and the genesis block can be found', async () => {
    const hash = chain.genesisBlock().stateHash
    expect(
      await indexer.ask(
        `{ block { stateHash } first: block(query: {stateHash: "${hash}"}) { canonical blockHeight } }`,
      ),
    ).toEqual({ data: { block: { stateHash: chain.tip().stateHash }, first: { canonical: true, blockHeight: 1 } } })
  })

  test('that does not exist is null, or missing from the list', async () => {
    const other = startSession({ seed: 'elsewhere', historyBlocks: 1 }).chain.tip().stateHash
    const query = `{ block(query: {stateHash: "${other}"}) { stateHash } blocks(query: {stateHash: "${other}"}) { stateHash } }`
    expect(await indexer.ask(query)).toEqual({ data: { block: null, blocks: [] } })
  })

  test('is refused for a malformed state hash', async () => {
    const bad = chain.tip().stateHash.slice(1)
    expect(await indexer.ask(`{ block(query: {stateHash: "${bad}"}) { stateHash } }`)).toMatchObject({
      data: null,
      errors: [{ message: `Invalid state hash: ${bad}`, path: ['block'] }],
    })
  })
})

test('the field epoch counts epochs with a block, so an empty epoch does not raise it', async () => {
  const quiet = startSession({ historyBlocks: 2, slotsPerEpoch: 10 })
  quiet.advance(35 * 10_000)
  const { stateHash, epoch } = quiet.chain.produceBlock()
  const query = '{ block { stateHash protocolState { consensusState { epoch } } } }'
  expect(epoch).toBe(3)
  expect(await askOnce(quiet.chain, query)).toEqual({
    data: { block: { stateHash, protocolState: { consensusState: { epoch: 1 } } } },
  })
})
