// The ledger after an earlier block, computed as an indexer does: by applying blocks to a known ledger.
import type { ChainBlock } from '../block.ts'
import type { Chain } from '../chain.ts'
import type { DraftLedger, Ledger } from '../ledger/ledger.ts'
import { applyCommand, applyZkapp, credit } from '../ledger/ledger.ts'

function applyBlock(draft: DraftLedger, block: ChainBlock): void {
  for (const { command } of block.userCommands) applyCommand(draft, command, block.slot)
  for (const command of block.zkappCommands) applyZkapp(draft, command, block.slot)
  for (const { recipient, fee } of block.feeTransfers) credit(draft, recipient, fee)
  if (block.coinbaseReceiverAccount === null) return
  const viaCoinbase = block.feeTransfers.find(({ type }) => type === 'Fee_transfer_via_coinbase')
  credit(draft, block.coinbaseReceiverAccount, block.coinbase - (viaCoinbase?.fee ?? 0n))
}

/**
 * The ledger after the last block of a path. At most the blocks of one epoch have to be applied.
 *
 * @param chains the best chain after the path's last hard fork, and those before it
 * @param path oldest first, from a block of the best chain on; without a block the ledger is empty
 */
export function ledgerAfter(chains: readonly Chain[], path: readonly ChainBlock[]): Ledger {
  const ending = chains.find((chain) => path.at(-1)?.stateHash === chain.tip().stateHash)
  if (ending !== undefined) return ending.ledger()
  const known = (ledgerHash: string) =>
    chains.map((chain) => chain.stakingLedgerByHash(ledgerHash)).find((ledger) => ledger !== undefined)
  const start = path.findLastIndex(({ stagedLedgerHash }) => known(stagedLedgerHash) !== undefined)
  const draft: DraftLedger = new Map(known(path[start]?.stagedLedgerHash ?? ''))
  for (const later of path.slice(start + 1)) applyBlock(draft, later)
  return draft
}
