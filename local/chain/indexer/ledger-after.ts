// The ledger after an earlier block, computed as an indexer does: by applying blocks to a known ledger.
import type { ChainBlock } from '../block.ts'
import type { Chain } from '../chain.ts'
import type { DraftLedger, Ledger } from '../ledger/ledger.ts'
import { applyCommand, chargeFee, credit } from '../ledger/ledger.ts'

function applyBlock(draft: DraftLedger, block: ChainBlock): void {
  for (const { command } of block.userCommands) applyCommand(draft, command, block.slot)
  for (const command of block.zkappCommands) chargeFee(draft, command, block.slot)
  for (const { recipient, fee } of block.feeTransfers) credit(draft, recipient, fee)
  if (block.coinbaseReceiverAccount === null) return
  const viaCoinbase = block.feeTransfers.find(({ type }) => type === 'Fee_transfer_via_coinbase')
  credit(draft, block.coinbaseReceiverAccount, block.coinbase - (viaCoinbase?.fee ?? 0n))
}

/** The ledger after a block of the best chain. At most the blocks of one epoch have to be applied. */
export function ledgerAfter(chain: Chain, block: ChainBlock): Ledger {
  if (block.stateHash === chain.tip().stateHash) return chain.ledger()
  const path = chain.bestChain().filter(({ height }) => height <= block.height)
  const start = path.findLastIndex(({ stagedLedgerHash }) => chain.stakingLedgerByHash(stagedLedgerHash) !== undefined)
  const draft: DraftLedger = new Map(chain.stakingLedgerByHash(path[start]?.stagedLedgerHash ?? ''))
  for (const later of path.slice(start + 1)) applyBlock(draft, later)
  return draft
}
