import type { Static } from 'typebox'
import { minaText, number, text } from './scalars.ts'

/** The chain at its best tip. Contract gap: which fields are required is not shown; a node knows them all. */
export const summary = {
  type: 'object',
  properties: {
    blockchainLength: number,
    chainId: { ...text, description: 'hexadecimal; a hard fork changes it' },
    circulatingSupply: minaText,
    dateTime: { ...text, description: 'HTTP-date', examples: ['Wed, 17 Mar 2021 00:00:00 GMT'] },
    epoch: { ...number, description: 'counted from the last hard fork' },
    globalSlot: { ...number, description: 'counted over hard forks' },
    lockedSupply: minaText,
    minWindowDensity: number,
    nextEpochLedgerHash: text,
    previousStateHash: text,
    slot: { ...number, description: 'within the epoch' },
    snarkedLedgerHash: text,
    stagedLedgerHash: text,
    stakingEpochLedgerHash: text,
    stateHash: text,
    totalCurrency: minaText,
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
