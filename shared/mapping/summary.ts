// The chain's summary, read off the node's best tip.
import type { Summary } from '../contract/summary.ts'
import { bestTip, nodeQuery } from '../upstream/node-query.ts'
import { count, hash, instant, nanomina, shape, shortText, type Wire } from '../upstream/wire.ts'
import { minaDecimal } from './amounts.ts'
import type { Exact } from './exact-json.ts'
import { httpDate } from './times.ts'

const epochData = shape({ ledger: shape({ hash: shortText }) })

export const nodeTip = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant, snarkedLedgerHash: shortText, stagedLedgerHash: shortText }),
    consensusState: shape({
      blockHeight: count,
      blockchainLength: count,
      epoch: count,
      minWindowDensity: count,
      nextEpochData: epochData,
      slot: count,
      slotSinceGenesis: count,
      stakingEpochData: epochData,
      totalCurrency: nanomina,
    }),
    previousStateHash: shortText,
  }),
  stateHash: hash,
})

export type NodeTip = Wire<typeof nodeTip>

export const chainSummary = nodeQuery('chainSummary', '', { bestChain: bestTip(nodeTip) })

/**
 * The summary of the contract.
 *
 * @param chainId of the running chain; a hard fork changes it
 * @param locked nanomina that do not circulate
 * @returns supplies in MINA with nine decimals; the circulating one never below zero
 * @throws WireError for an impossible date
 */
export function summaryFromNode(tip: NodeTip, chainId: string, locked: bigint): Exact<Summary> {
  const { blockchainState, consensusState, previousStateHash } = tip.protocolState
  const total = consensusState.totalCurrency
  return {
    blockchainLength: consensusState.blockchainLength,
    chainId,
    circulatingSupply: minaDecimal(total > locked ? total - locked : 0n),
    dateTime: httpDate(blockchainState.date),
    epoch: consensusState.epoch,
    globalSlot: consensusState.slotSinceGenesis,
    lockedSupply: minaDecimal(locked),
    minWindowDensity: consensusState.minWindowDensity,
    nextEpochLedgerHash: consensusState.nextEpochData.ledger.hash,
    previousStateHash,
    slot: consensusState.slot,
    snarkedLedgerHash: blockchainState.snarkedLedgerHash,
    stagedLedgerHash: blockchainState.stagedLedgerHash,
    stakingEpochLedgerHash: consensusState.stakingEpochData.ledger.hash,
    stateHash: tip.stateHash,
    totalCurrency: minaDecimal(total),
  }
}
