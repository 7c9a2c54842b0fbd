import type { Static } from 'typebox'
import { epochNumber, height, ledgerHash, minaText, minWindowDensity, number, stateHash, text } from './scalars.ts'

/** The chain at its best tip. Contract gap: required fields are not shown; a node knows them all. */
export const summary = {
  type: 'object',
  title: 'Summary',
  description: 'the chain at its best tip',
  properties: {
    blockchainLength: height,
    chainId: { ...text, description: 'hexadecimal; a hard fork changes it' },
    circulatingSupply: { ...minaText, description: 'total less locked: MINA, with nine decimals' },
    dateTime: { ...text, description: 'time of the tip, as an HTTP date', examples: ['Wed, 17 Mar 2021 00:00:00 GMT'] },
    epoch: epochNumber,
    globalSlot: { ...number, description: 'slot of the tip, counted over hard forks' },
    lockedSupply: { ...minaText, description: 'by the table of this deployment, else 0: MINA, with nine decimals' },
    minWindowDensity,
    nextEpochLedgerHash: { ...ledgerHash, description: 'hash of the staking ledger of the next epoch' },
    previousStateHash: { ...stateHash, description: 'state hash of the parent of the tip' },
    slot: { ...number, description: 'slot of the tip within the epoch' },
    snarkedLedgerHash: { ...ledgerHash, description: 'hash of the last ledger with a proof' },
    stagedLedgerHash: { ...ledgerHash, description: 'hash of the ledger after the tip' },
    stakingEpochLedgerHash: { ...ledgerHash, description: 'hash of the staking ledger of the epoch' },
    stateHash: { ...stateHash, description: 'state hash of the tip' },
    totalCurrency: { ...minaText, description: 'all balances: MINA, with nine decimals' },
  },
  required: [
    'blockchainLength',
    'chainId',
    'circulatingSupply',
    'dateTime',
    'epoch',
    'globalSlot',
    'lockedSupply',
    'minWindowDensity',
    'nextEpochLedgerHash',
    'previousStateHash',
    'slot',
    'snarkedLedgerHash',
    'stagedLedgerHash',
    'stakingEpochLedgerHash',
    'stateHash',
    'totalCurrency',
  ],
} as const

export type Summary = Static<typeof summary>
