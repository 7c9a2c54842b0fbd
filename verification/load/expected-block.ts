// Blocks of the contract, worked out from the chain's own records and without the service's mapping.
import type { ChainBlock, EpochData as ChainEpochData, FeeTransfer } from '../../local/chain/block.ts'
import { encodeMemo, type IncludedCommand } from '../../local/chain/command.ts'
import type { Block } from '../../shared/contract/block.ts'
import type { EpochData } from '../../shared/contract/protocol-state.ts'
import type { UserCommand } from '../../shared/contract/user-command.ts'
import { decodeBase58Check } from '../../shared/mapping/base58check.ts'
import type { Exact } from '../../shared/mapping/json.ts'
import type { Complete } from './complete.ts'

/** A state hash as a number: the 32 bytes after its version, least significant first. */
const fieldOf = (stateHash: string): string =>
  String(BigInt(`0x${Buffer.from(decodeBase58Check(stateHash)?.slice(2).reverse() ?? []).toString('hex')}`))

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

function expectedEpoch(data: ChainEpochData): Complete<EpochData> {
  const { ledgerHash, totalCurrency, seed, startCheckpoint, lockCheckpoint, epochLength } = data
  return { epochLength, ledger: { hash: ledgerHash, totalCurrency }, lockCheckpoint, seed, startCheckpoint }
}

type OfBlock = Pick<UserCommand, 'blockHeight' | 'blockStateHash' | 'dateTime'>

/** With `failureReason` where the command failed. */
function expectedCommand({ command, failureReason }: IncludedCommand, ofBlock: OfBlock): Complete<UserCommand> {
  const { amount, fee, from, to, hash, id, kind, memo, nonce } = command
  return {
    ...ofBlock,
    amount,
    fee,
    feePayer: { publicKey: from, token: 1 },
    feeToken: 1,
    from,
    fromAccount: { publicKey: from, token: 1 },
    hash,
    id,
    isDelegation: kind === 'STAKE_DELEGATION',
    kind,
    memo: encodeMemo(memo),
    nonce,
    receiver: { publicKey: to },
    source: { publicKey: from },
    to,
    toAccount: { publicKey: to, token: 1 },
    token: 1,
    ...(failureReason !== null && { failureReason }),
  }
}

/** A block that a node holds and an indexer has ingested, on a chain without forks. Amounts in nanomina. */
export function expectedBlock(block: ChainBlock, slotsPerEpoch: number): Complete<Block> {
  const { height, stateHash, date } = block
  const ofBlock = { blockHeight: height, blockStateHash: stateHash, dateTime: iso(date) }
  return {
    blockHeight: height,
    canonical: true,
    creator: block.creator,
    creatorAccount: { publicKey: block.creator },
    dateTime: iso(date),
    protocolState: {
      blockchainState: {
        date,
        snarkedLedgerHash: block.snarkedLedgerHash,
        stagedLedgerHash: block.stagedLedgerHash,
        utcDate: date,
      },
      consensusState: {
        blockHeight: height,
        blockchainLength: height,
        epoch: block.epoch,
        epochCount: block.epochCount,
        hasAncestorInSameCheckpointWindow: block.hasAncestorInSameCheckpointWindow,
        lastVrfOutput: block.vrfOutput,
        minWindowDensity: block.minWindowDensity,
        nextEpochData: expectedEpoch(block.nextEpoch),
        slot: block.slot % slotsPerEpoch,
        slotSinceGenesis: block.slot,
        stakingEpochData: expectedEpoch(block.stakingEpoch),
        totalCurrency: block.totalCurrency,
      },
      previousStateHash: block.previousStateHash,
    },
    receivedTime: iso(block.receivedAt),
    snarkJobs: block.snarkJobs.map(({ fee, prover, workIds }) => ({
      ...ofBlock,
      fee,
      prover,
      workIds: workIds.map((workId) => ({ workId })),
    })),
    stateHash,
    stateHashField: fieldOf(stateHash),
    transactions: {
      coinbase: block.coinbase,
      coinbaseReceiverAccount: { publicKey: block.coinbaseReceiver },
      feeTransfer: block.feeTransfers.map(({ fee, recipient }) => ({ fee, recipient })),
      userCommands: block.userCommands.map((command) => expectedCommand(command, ofBlock)),
      zkappCommandCount: block.zkappCommands.length,
    },
    winnerAccount: { publicKey: block.winner },
  }
}

/** An indexer has a row for each recipient: transfers via the coinbase first, then by amount and key. */
function rowsOf({ feeTransfers }: ChainBlock) {
  const rows = new Map<string, FeeTransfer>()
  for (const transfer of feeTransfers) {
    const key = `${transfer.type === 'Fee_transfer'} ${transfer.recipient}`
    rows.set(key, { ...transfer, fee: transfer.fee + (rows.get(key)?.fee ?? 0n) })
  }
  const placeOf = ({ type, fee, recipient }: FeeTransfer) =>
    `${type === 'Fee_transfer'} ${String(fee).padStart(20, '0')} ${recipient}`
  const sorted = [...rows.values()].toSorted((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1))
  return sorted.map(({ fee, recipient }) => ({ fee, recipient }))
}

/**
 * A block that the node no longer holds, after the Berkeley fork. An indexer knows neither `workIds` nor the `id` of a
 * command nor the snarked ledger, and lists the SNARK jobs of the second part first.
 */
export function expectedOldBlock(block: ChainBlock, slotsPerEpoch: number): Exact<Block> {
  const complete = expectedBlock(block, slotsPerEpoch)
  const { protocolState, transactions, snarkJobs } = complete
  const { snarkedLedgerHash, ...blockchainState } = protocolState.blockchainState
  const parts = [2, 1].map((part) => snarkJobs.filter((_, index) => block.snarkJobs[index]?.part === part))
  return {
    ...complete,
    protocolState: { ...protocolState, blockchainState },
    snarkJobs: parts.flat().map(({ workIds, ...job }) => job),
    transactions: {
      ...transactions,
      feeTransfer: rowsOf(block),
      userCommands: transactions.userCommands.map(({ id, ...command }) => command),
    },
  }
}
