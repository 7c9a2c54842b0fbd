// Blocks of the contract as the chain's own records give them, without the service's mapping.
import type { ChainBlock, EpochData } from '../../local/chain/block.ts'
import { encodeMemo, type IncludedCommand } from '../../local/chain/command.ts'
import { decodeBase58Check } from '../../shared/mapping/base58check.ts'

/** A node knows command ids and work ids, an indexer does not. */
export type Source = 'node' | 'indexer'

/** A state hash as a number: the 32 bytes behind its version, least significant first. */
const fieldOf = (stateHash: string): string =>
  String(BigInt(`0x${Buffer.from(decodeBase58Check(stateHash)?.slice(2).reverse() ?? []).toString('hex')}`))

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

const expectedEpoch = ({
  ledgerHash,
  totalCurrency,
  seed,
  startCheckpoint,
  lockCheckpoint,
  epochLength,
}: EpochData) => ({
  epochLength,
  ledger: { hash: ledgerHash, totalCurrency },
  lockCheckpoint,
  seed,
  startCheckpoint,
})

function expectedCommand({ command }: IncludedCommand, enclosing: object, source: Source): object {
  const { amount, fee, from, to, hash, id, kind, memo, nonce } = command
  return {
    ...enclosing,
    amount,
    fee,
    feePayer: { publicKey: from, token: 1 },
    feeToken: 1,
    from,
    fromAccount: { publicKey: from, token: 1 },
    hash,
    ...(source === 'node' && { id }),
    isDelegation: kind === 'STAKE_DELEGATION',
    kind,
    memo: encodeMemo(memo),
    nonce,
    receiver: { publicKey: to },
    source: { publicKey: from },
    to,
    toAccount: { publicKey: to, token: 1 },
    token: 1,
  }
}

/** A block of a chain without forks: always canonical. Amounts in nanomina. */
export function expectedBlock(block: ChainBlock, slotsPerEpoch: number, source: Source): object {
  const { height, stateHash, date } = block
  const enclosing = { blockHeight: height, blockStateHash: stateHash, dateTime: iso(date) }
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
      ...enclosing,
      fee,
      prover,
      ...(source === 'node' && { workIds: workIds.map((workId) => ({ workId })) }),
    })),
    stateHash,
    stateHashField: fieldOf(stateHash),
    transactions: {
      coinbase: block.coinbase,
      coinbaseReceiverAccount: { publicKey: block.coinbaseReceiver },
      feeTransfer: block.feeTransfers.map(({ fee, recipient }) => ({ fee, recipient })),
      userCommands: block.userCommands.map((command) => expectedCommand(command, enclosing, source)),
    },
    winnerAccount: { publicKey: block.winner },
  }
}
