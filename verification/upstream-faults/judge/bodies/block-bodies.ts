// Blocks as a node sends them, in the contract's shape.
import type { Block } from '../../../../shared/contract/block.ts'
import type { EpochData, ProtocolState } from '../../../../shared/contract/protocol-state.ts'
import type { Exact } from '../../../../shared/mapping/exact-json.ts'
import { at } from '../../exact-json.ts'
import { flag, integer, integers, isoTime, keyed, list, text, texts } from '../sent/values.ts'
import { includedCommand, isConsistent } from './commands.ts'
import { includedZkapp, isCut } from './zkapp-commands.ts'

const epochData = (data: unknown): Exact<EpochData> => ({
  epochLength: integer(data, 'epochLength'),
  ledger: { hash: text(data, 'ledger', 'hash'), totalCurrency: integer(data, 'ledger', 'totalCurrency') },
  ...texts(data, 'lockCheckpoint', 'seed', 'startCheckpoint'),
})

function protocolState(state: unknown): Exact<ProtocolState> {
  const [chain, consensus] = [at(state, 'blockchainState'), at(state, 'consensusState')]
  return {
    blockchainState: {
      ...integers(chain, 'date', 'utcDate'),
      ...texts(chain, 'snarkedLedgerHash', 'stagedLedgerHash'),
    },
    consensusState: {
      ...integers(consensus, 'blockHeight', 'blockchainLength', 'epoch', 'epochCount', 'minWindowDensity'),
      ...integers(consensus, 'slot', 'slotSinceGenesis', 'totalCurrency'),
      hasAncestorInSameCheckpointWindow: flag(consensus, 'hasAncestorInSameCheckpointWindow'),
      lastVrfOutput: text(consensus, 'lastVrfOutput'),
      ...keyed(['nextEpochData', 'stakingEpochData'], (key) => epochData(at(consensus, key))),
    },
    previousStateHash: text(state, 'previousStateHash'),
  }
}

export const heightOf = (block: unknown): bigint => integer(block, 'protocolState', 'consensusState', 'blockHeight')

/** True if a node's block contradicts itself in what the contract shows twice; to refuse it is right too. */
export function isDoubtful(block: unknown): boolean {
  const isLonger = integer(block, 'protocolState', 'consensusState', 'blockchainLength') !== heightOf(block)
  return isLonger || at(block, 'creatorAccount', 'publicKey') !== at(block, 'creator')
}

export const hasConsistentCommands = (block: unknown): boolean =>
  list(block, 'transactions', 'userCommands').every(isConsistent)

/** Fields of a node's blocks that the contract cannot show as a whole. */
export const cutIn = (blocks: readonly unknown[]): readonly string[] =>
  blocks.some((block) => list(block, 'transactions', 'zkappCommands').some(isCut))
    ? ['transactions.zkappCommands.balanceChanges']
    : []

/**
 * @param receivedTime as the indexer has it
 * @throws RangeError or TypeError for what the contract cannot show
 */
export function nodeBlockBody(block: unknown, canonical: boolean, receivedTime: string | undefined): Exact<Block> {
  const [state, transactions] = [at(block, 'protocolState'), at(block, 'transactions')]
  // Commands and SNARK jobs show it of their block.
  const enclosing = {
    blockHeight: heightOf(block),
    blockStateHash: text(block, 'stateHash'),
    dateTime: isoTime(integer(state, 'blockchainState', 'date')),
  }
  const receiver =
    at(transactions, 'coinbaseReceiverAccount', 'publicKey') ?? at(state, 'consensusState', 'coinbaseReceiever')
  return {
    ...texts(block, 'creator', 'stateHash', 'stateHashField'),
    ...keyed(['creatorAccount', 'winnerAccount'], (key) => texts(at(block, key), 'publicKey')),
    blockHeight: enclosing.blockHeight,
    canonical,
    dateTime: enclosing.dateTime,
    protocolState: protocolState(state),
    ...(receivedTime !== undefined && { receivedTime: new Date(receivedTime).toISOString() }),
    snarkJobs: list(block, 'snarkJobs').map((job) => ({
      ...enclosing,
      fee: integer(job, 'fee'),
      prover: text(job, 'prover'),
      workIds: list(job, 'workIds').map((workId) => ({ workId: integer(workId) })),
    })),
    transactions: {
      coinbase: integer(transactions, 'coinbase'),
      coinbaseReceiverAccount: { publicKey: text(receiver) },
      feeTransfer: list(transactions, 'feeTransfer').map((transfer) => ({
        fee: integer(transfer, 'fee'),
        recipient: text(transfer, 'recipient'),
      })),
      // A daemon lists them in the reverse of their application.
      userCommands: list(transactions, 'userCommands')
        .toReversed()
        .map((command) => includedCommand(command, enclosing)),
      zkappCommandCount: list(transactions, 'zkappCommands').length,
      zkappCommands: list(transactions, 'zkappCommands')
        .toReversed()
        .map((command) => includedZkapp(command, enclosing)),
    },
  }
}
