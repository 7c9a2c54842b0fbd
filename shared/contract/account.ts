// The contract states a minimum string length for the other resources only, hence no minLength here.
import type { Static } from 'typebox'
import { anyText, number } from './scalars.ts'

const minaAmount = { ...anyText, 'x-unit': 'MINA', description: 'MINA, with nine decimals' } as const

/** Contract gap: which fields are required is not shown; all three are known whenever the account is. */
export const balance = {
  type: 'object',
  properties: {
    total: minaAmount,
    unknown: { ...minaAmount, description: 'MINA, with nine decimals; equal to total' },
    lockedBalance: {
      // Contract gap: its type other than null is not shown.
      type: ['string', 'null'],
      'x-unit': 'MINA',
      description: 'MINA, with nine decimals; null for an account without a vesting schedule',
    },
  },
  required: ['total', 'unknown', 'lockedBalance'],
} as const

export type Balance = Static<typeof balance>

/** Contract gap: which fields are required is not shown; those without which a record says nothing about a stake. */
export const stakingRecord = {
  type: 'object',
  properties: {
    pk: anyText,
    balance: minaAmount,
    delegate: anyText,
    token: { ...number, description: '1, the MINA token' },
    receipt_chain_hash: anyText,
    voting_for: anyText,
    nonce: number,
    epoch: number,
    chainId: anyText,
    public_key: { ...anyText, description: 'equal to pk' },
  },
  required: ['pk', 'balance', 'delegate', 'token', 'epoch', 'public_key'],
} as const

export type StakingRecord = Static<typeof stakingRecord>

/** An array of which the contract shows only that its elements are objects. */
const objects = { type: 'array', items: { type: 'object' } } as const

/**
 * Contract gap: which fields are required is not shown; those that every upstream knows of every account. A field that
 * no configured upstream can know is absent.
 */
export const account = {
  type: 'object',
  properties: {
    publicKey: anyText,
    balance,
    nonce: { ...number, description: 'of the ledger; pending transactions are not counted' },
    receiptChainHash: anyText,
    delegate: { ...anyText, description: "public key; the account's own where it delegates to nobody" },
    votingFor: anyText,
    totalTx: number,
    totalBlocks: number,
    totalSnarks: number,
    countPendingTransactions: { ...number, description: 'outgoing ones in the pool of the node' },
    firstPendingTransaction: {
      ...objects,
      // Contract gap: the shape of an element is not shown.
      description: 'At most one: the pending user command of the lowest nonce, without the fields of a block.',
    },
    username: { ...anyText, description: 'Unknown where no upstream knows it' },
    epochStakingAccount: { type: 'array', items: stakingRecord },
    nextEpochStakingAccount: { ...objects, description: 'StakingRecord objects' },
    epochDelegators: { type: 'array', items: stakingRecord },
    nextEpochDelegators: { ...objects, description: 'StakingRecord objects' },
    epochTotalStakingBalance: minaAmount,
    nextEpochTotalStakingBalance: minaAmount,
  },
  required: ['publicKey', 'balance', 'nonce', 'delegate', 'username'],
} as const

export type Account = Static<typeof account>

/** The answer of GET /accounts/{public_key}. */
export const accountResponse = {
  type: 'object',
  properties: { account },
  required: ['account'],
} as const

export type AccountResponse = Static<typeof accountResponse>
