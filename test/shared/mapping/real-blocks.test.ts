// Blocks of mainnet with failed payments and with zkApp commands, from a node and from an indexer.
import { describe, expect, test } from '@jest/globals'
import { blockFromIndexer, indexerBlock } from '../../../shared/indexer/indexer-block.ts'
import { decodeBase58Check } from '../../../shared/mapping/base58check.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { berkeleyGenesis, mainnetGenesis } from '../indexer/indexer-wire.ts'
import { failedPaymentsBlock } from './real-failed-payments.ts'
import { zkappBlock } from './real-zkapp-commands.ts'

const received = '2024-06-05T00:54:08.882Z'

const fromNode = (wire: object) => blockFromNode(nodeBlock.read(wire, 'block'), true, Date.parse(received))

type RealBlock = typeof failedPaymentsBlock | typeof zkappBlock

/** The block in the indexer's form. Its memos are empty, and it holds no SNARK job. */
function indexerForm({ protocolState, transactions, winnerAccount, ...block }: RealBlock, genesis: string) {
  const { consensusState } = protocolState
  const payments = transactions.userCommands.toReversed().map((command) => ({
    amount: BigInt(command.amount),
    failureReason: command.failureReason,
    fee: BigInt(command.fee),
    hash: command.hash,
    isApplied: command.failureReason === null,
    kind: 'PAYMENT',
    memo: '',
    nonce: command.nonce,
    receiver_account: { publicKey: command.to },
    sender: command.from,
    to: command.to,
  }))
  const zkapps = transactions.zkappCommands.map(({ hash }) => ({ hash, kind: 'ZKAPP', to: null }))
  const vrfBytes = decodeBase58Check(consensusState.lastVrfOutput) ?? new Uint8Array()
  return {
    ...block,
    canonical: true,
    coinbaseReceiver: transactions.coinbaseReceiverAccount.publicKey,
    genesisStateHash: genesis,
    protocolState: {
      ...protocolState,
      consensusState: { ...consensusState, lastVrfOutput: Buffer.from(vrfBytes.slice(-32)).toString('base64') },
    },
    receivedTime: received,
    transactions: {
      ...transactions,
      feeTransfer: transactions.feeTransfer.map((entry) => ({ ...entry, type: 'Fee_transfer' })),
      userCommands: [...zkapps, ...payments],
    },
    winner: winnerAccount.publicKey,
  }
}

describe.each([
  ['four payments that failed', failedPaymentsBlock, mainnetGenesis],
  ['zkApp commands', zkappBlock, berkeleyGenesis],
] as const)('a block of mainnet with %s', (_with, block, genesis) => {
  test('reads the same from both upstreams, but for what an indexer does not know', () => {
    const { transactions, ...others } = fromNode(block)
    const userCommands = transactions.userCommands.map(({ id, ...command }) => command)
    const indexed = indexerBlock.read(indexerForm(block, genesis), 'block')
    const epochLength = others.protocolState.consensusState.stakingEpochData.epochLength
    const { snarkedLedgerHash, ...blockchainState } = others.protocolState.blockchainState
    const isOld = genesis === mainnetGenesis
    expect(blockFromIndexer(indexed, Number(epochLength))).toEqual({
      ...others,
      protocolState: {
        ...others.protocolState,
        blockchainState: { ...blockchainState, ...(isOld && { snarkedLedgerHash }) },
      },
      transactions: { ...transactions, userCommands },
    })
  })
})

test('each payment of block 3 of mainnet was too small to create its receiver, and says so', () => {
  const { userCommands, zkappCommandCount } = fromNode(failedPaymentsBlock).transactions
  const shown = userCommands.map(({ amount, failureReason, fee, nonce }) => ({ amount, failureReason, fee, nonce }))
  const failureReason = 'Amount_insufficient_to_create_account'
  expect(shown).toEqual([
    { amount: 1000, failureReason, fee: 10000000, nonce: 0 },
    { amount: 10000, failureReason, fee: 50000000, nonce: 1 },
    { amount: 1000, failureReason, fee: 10000000, nonce: 2 },
    { amount: 10000, failureReason, fee: 50000000, nonce: 3 },
  ])
  expect(zkappCommandCount).toBe(0)
})

test('block 359609 of mainnet lists its two payments, which were applied, and counts three zkApp commands', () => {
  const { userCommands, zkappCommandCount } = fromNode(zkappBlock).transactions
  expect(userCommands.map(({ fee, kind }) => ({ fee, kind }))).toEqual([
    { fee: 100000000, kind: 'PAYMENT' },
    { fee: 1100000, kind: 'PAYMENT' },
  ])
  expect(userCommands.filter((command) => Object.hasOwn(command, 'failureReason'))).toEqual([])
  expect(zkappCommandCount).toBe(3)
})
