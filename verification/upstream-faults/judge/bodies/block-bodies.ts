// Blocks as the upstreams send them, in the contract's shape.
import type { Block } from '../../../../shared/contract/block.ts'
import type { EpochData, ProtocolState } from '../../../../shared/contract/protocol-state.ts'
import type { Exact } from '../../../../shared/mapping/json.ts'
import { at } from '../../exact-json.ts'
import { flag, integer, isoTime, list, text } from '../sent/values.ts'
import { includedCommand, isConsistent } from './commands.ts'

const epochData = (data: unknown): Exact<EpochData> => ({
  epochLength: integer(data, 'epochLength'),
  ledger: { hash: text(data, 'ledger', 'hash'), totalCurrency: integer(data, 'ledger', 'totalCurrency') },
  lockCheckpoint: text(data, 'lockCheckpoint'),
  seed: text(data, 'seed'),
  startCheckpoint: text(data, 'startCheckpoint'),
})

/** @param given what an upstream has under another name or in another form */
export function protocolState(
  state: unknown,
  given: { readonly epochCount: bigint; readonly lastVrfOutput: string },
): Exact<ProtocolState> {
  const [chain, consensus] = [at(state, 'blockchainState'), at(state, 'consensusState')]
  return {
    blockchainState: {
      date: integer(chain, 'date'),
      snarkedLedgerHash: text(chain, 'snarkedLedgerHash'),
      stagedLedgerHash: text(chain, 'stagedLedgerHash'),
      utcDate: integer(chain, 'utcDate'),
    },
    consensusState: {
      blockHeight: integer(consensus, 'blockHeight'),
      blockchainLength: integer(consensus, 'blockchainLength'),
      epoch: integer(consensus, 'epoch'),
      hasAncestorInSameCheckpointWindow: flag(consensus, 'hasAncestorInSameCheckpointWindow'),
      minWindowDensity: integer(consensus, 'minWindowDensity'),
      nextEpochData: epochData(at(consensus, 'nextEpochData')),
      slot: integer(consensus, 'slot'),
      slotSinceGenesis: integer(consensus, 'slotSinceGenesis'),
      stakingEpochData: epochData(at(consensus, 'stakingEpochData')),
      totalCurrency: integer(consensus, 'totalCurrency'),
      ...given,
    },
    previousStateHash: text(state, 'previousStateHash'),
  }
}

export const heightOf = (block: unknown): bigint => integer(block, 'protocolState', 'consensusState', 'blockHeight')

/** What commands and SNARK jobs show of their block. */
export const enclosingOf = (block: unknown) => ({
  blockHeight: heightOf(block),
  blockStateHash: text(block, 'stateHash'),
  dateTime: isoTime(integer(block, 'protocolState', 'blockchainState', 'date')),
})

/** Whether a node's block contradicts itself in what the contract shows twice; to refuse that is right too. */
export function isDoubtful(block: unknown): boolean {
  const consensus = at(block, 'protocolState', 'consensusState')
  const twice = [at(block, 'creatorAccount', 'publicKey'), at(block, 'creator')]
  return integer(consensus, 'blockHeight') !== integer(consensus, 'blockchainLength') || twice[0] !== twice[1]
}

export const hasConsistentCommands = (block: unknown): boolean =>
  list(block, 'transactions', 'userCommands').every(isConsistent)

/**
 * @param receivedTime as the indexer has it
 * @throws RangeError or TypeError for what the contract cannot show
 */
export function nodeBlockBody(block: unknown, canonical: boolean, receivedTime: string | undefined): Exact<Block> {
  const [state, transactions] = [at(block, 'protocolState'), at(block, 'transactions')]
  const consensus = at(state, 'consensusState')
  const enclosing = enclosingOf(block)
  const receiver = at(transactions, 'coinbaseReceiverAccount', 'publicKey') ?? at(consensus, 'coinbaseReceiever')
  return {
    blockHeight: enclosing.blockHeight,
    canonical,
    creator: text(block, 'creator'),
    creatorAccount: { publicKey: text(block, 'creatorAccount', 'publicKey') },
    dateTime: enclosing.dateTime,
    protocolState: protocolState(state, {
      epochCount: integer(consensus, 'epochCount'),
      lastVrfOutput: text(consensus, 'lastVrfOutput'),
    }),
    ...(receivedTime !== undefined && { receivedTime: new Date(receivedTime).toISOString() }),
    snarkJobs: list(block, 'snarkJobs').map((job) => ({
      ...enclosing,
      fee: integer(job, 'fee'),
      prover: text(job, 'prover'),
      workIds: list(job, 'workIds').map((workId) => ({ workId: integer(workId) })),
    })),
    stateHash: text(block, 'stateHash'),
    stateHashField: text(block, 'stateHashField'),
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
    },
    winnerAccount: { publicKey: text(block, 'winnerAccount', 'publicKey') },
  }
}
