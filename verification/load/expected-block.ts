// Blocks of the contract, worked out without the service's mapping: from what a node sends of them, as the judge of faults
// reads it.
import type { ChainBlock, FeeTransfer } from '../../local/chain/block.ts'
import type { Block } from '../../shared/contract/block.ts'
import { getBlock } from '../../shared/endpoints/get-block.ts'
import type { Exact } from '../../shared/mapping/exact-json.ts'
import { at } from '../upstream-faults/exact-json.ts'
import { nodeBlockBody } from '../upstream-faults/judge/bodies/block-bodies.ts'
import { type ChainState, nodeData } from './recorded-chain.ts'

/** A block that a node holds and an indexer has ingested, on a chain without forks. Amounts in nanomina. */
export function expectedBlock(state: ChainState, { stateHash, receivedAt }: ChainBlock): Exact<Block> {
  const block = at(nodeData(state, getBlock, 'blockByStateHash', { stateHash }), 'block')
  return nodeBlockBody(block, true, new Date(receivedAt).toISOString())
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
 * command nor the snarked ledger nor what pays the fee for a new account, lists the SNARK jobs of the second part first,
 * and of a failed zkApp command names the first account update's failure alone.
 */
export function expectedOldBlock(state: ChainState, block: ChainBlock): Exact<Block> {
  const complete = expectedBlock(state, block)
  const { protocolState, transactions, snarkJobs } = complete
  const { snarkedLedgerHash, ...blockchainState } = protocolState.blockchainState
  const namedFailures = new Map(block.zkappCommands.map(({ hash, failures }) => [hash, failures?.at(-1)?.failures[0]]))
  const parts = [2, 1].map((part) => snarkJobs.filter((_, index) => block.snarkJobs[index]?.part === part))
  return {
    ...complete,
    protocolState: { ...protocolState, blockchainState },
    snarkJobs: parts.flat().map(({ workIds, ...job }) => job),
    transactions: {
      ...transactions,
      feeTransfer: rowsOf(block),
      userCommands: transactions.userCommands.map(({ id, ...command }) => command),
      zkappCommands: (transactions.zkappCommands ?? []).map((command) => ({
        ...command,
        ...(command.failureReason !== undefined && { failureReason: namedFailures.get(command.hash) ?? 'no failure' }),
        balanceChanges: command.balanceChanges
          .filter(({ amount }) => BigInt(amount) !== 0n)
          .map(({ implicitAccountCreationFee, ...change }) => change),
        tokenChanges: command.tokenChanges
          .filter(({ amount }) => BigInt(amount) !== 0n)
          .map(({ implicitAccountCreationFee, ...change }) => change),
      })),
    },
  }
}
