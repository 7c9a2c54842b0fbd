// The summary of the contract, worked out from the chain's own records and without the service's mapping.
import type { Chain } from '../../local/chain/chain.ts'
import type { Summary } from '../../shared/contract/summary.ts'
import type { Complete } from './complete.ts'
import { mina } from './mina.ts'
import type { ChainState } from './recorded-chain.ts'

/** The summary of a deployment without a table of locked supply. */
export function expectedSummary(chain: Chain, { tip, ledger }: ChainState): Complete<Summary> {
  const total = mina([...ledger.values()].reduce((sum, { balance }) => sum + balance, 0n))
  return {
    blockchainLength: tip.height,
    chainId: chain.chainId,
    circulatingSupply: total,
    dateTime: new Date(tip.date).toUTCString(),
    epoch: tip.epoch,
    globalSlot: tip.slot,
    lockedSupply: mina(0n),
    minWindowDensity: tip.minWindowDensity,
    nextEpochLedgerHash: tip.nextEpoch.ledgerHash,
    previousStateHash: tip.previousStateHash,
    slot: tip.slot % chain.slotsPerEpoch,
    snarkedLedgerHash: tip.snarkedLedgerHash,
    stagedLedgerHash: tip.stagedLedgerHash,
    stakingEpochLedgerHash: tip.stakingEpoch.ledgerHash,
    stateHash: tip.stateHash,
    totalCurrency: total,
  }
}
