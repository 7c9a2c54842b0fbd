import { describe, expect, test } from '@jest/globals'
import { nodeTip, summaryFromNode } from '../../../shared/mapping/summary.ts'
import { blockWire, parentHash, stateHash } from './node-wire.ts'

const tip = nodeTip.read(blockWire, 'tip')

const whole = {
  blockchainLength: 3,
  chainId: '5f704cc0',
  circulatingSupply: '1166062074.840039233',
  dateTime: 'Wed, 17 Mar 2021 00:03:00 GMT',
  epoch: 4,
  globalSlot: 7,
  lockedSupply: '0.000000000',
  minWindowDensity: 77,
  nextEpochLedgerHash: 'jx-next',
  previousStateHash: parentHash,
  slot: 6,
  snarkedLedgerHash: blockWire.protocolState.blockchainState.snarkedLedgerHash,
  stagedLedgerHash: blockWire.protocolState.blockchainState.stagedLedgerHash,
  stakingEpochLedgerHash: 'jx-staking',
  stateHash,
  totalCurrency: '1166062074.840039233',
}

describe('the summary', () => {
  test('has every field of the contract', () => {
    expect(summaryFromNode(tip, '5f704cc0', 0n)).toEqual(whole)
  })

  test('never has a negative circulating supply', () => {
    expect(summaryFromNode(tip, '5f704cc0', 2n * 10n ** 18n)).toEqual({
      ...whole,
      lockedSupply: '2000000000.000000000',
      circulatingSupply: '0.000000000',
    })
  })
})
