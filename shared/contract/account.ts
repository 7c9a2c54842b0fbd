// No minLength here: the contract states one for the other resources only.
import type { Static } from 'typebox'
import { maxDelegators, maxMissingNonces } from './limits.ts'
import { anyText, epochNumber, height, number } from './scalars.ts'
import { pendingCommand } from './user-command.ts'

const publicKey = { ...anyText, description: 'public key: base58check, 55 characters, B62…' } as const

const receiptChainHash = {
  ...anyText,
  description: 'hash over the commands that the account has sent, base58check',
} as const

const votingFor = {
  ...anyText,
  description: 'the state hash that the account votes for; by default that of zero',
} as const

const minaAmount = { ...anyText, 'x-unit': 'MINA', description: 'MINA, with nine decimals' } as const

/** Contract gap: which fields are required is not shown; all of them are known whenever the account is. */
export const balance = {
  type: 'object',
  title: 'Balance',
  description: 'balances at the best tip',
  properties: {
    total: { ...minaAmount, description: 'with what is locked: MINA, with nine decimals' },
    unknown: { ...minaAmount, description: 'MINA, with nine decimals; equal to total' },
    lockedBalance: {
      // Contract gap: its type other than null is not shown.
      type: ['string', 'null'],
      'x-unit': 'MINA',
      description:
        'at the slot of the tip: MINA, with nine decimals; null for an account without a vesting schedule. A node takes payments by the present slot, so it may already take what this still counts as locked',
    },
    blockHeight: {
      ...height,
      description: 'height of that tip, counted over hard forks',
      'x-contract-addition': 'Wallets and explorers of the old service read it.',
    },
  },
  required: ['total', 'unknown', 'lockedBalance', 'blockHeight'],
} as const

const accountTiming = {
  type: 'object',
  title: 'AccountTiming',
  description:
    'a vesting schedule: nothing of `initialMinimumBalance` is free before the slot `cliffTime`, then `cliffAmount`, and `vestingIncrement` more with every `vestingPeriod`',
  properties: {
    initialMinimumBalance: { ...minaAmount, description: 'locked at first: MINA, with nine decimals' },
    cliffTime: { ...number, description: 'global slot since genesis' },
    cliffAmount: { ...minaAmount, description: 'free at the cliff: MINA, with nine decimals' },
    vestingPeriod: { ...number, description: 'slots; 0 where all is free at the cliff' },
    vestingIncrement: { ...minaAmount, description: 'free with each period: MINA, with nine decimals' },
  },
  required: ['initialMinimumBalance', 'cliffTime', 'cliffAmount', 'vestingPeriod', 'vestingIncrement'],
} as const

export type AccountTiming = Static<typeof accountTiming>

const accountZkapp = {
  type: 'object',
  title: 'AccountZkapp',
  description: "the state that a zkApp keeps in its account, in its owner's words, which nobody has checked",
  properties: {
    state: {
      type: 'array',
      description: 'field elements as decimal digits: 8 before the Mesa fork, 32 since',
      items: anyText,
    },
    provedState: { type: 'boolean', description: 'true if a proof set every element of the state' },
    verificationKeyHash: { ...anyText, description: 'a field element as decimal digits; absent without a key' },
    uri: { ...anyText, description: 'free text, by custom the address of the source' },
  },
  required: ['state'],
} as const

export type AccountZkapp = Static<typeof accountZkapp>

/** Contract gap: required fields are not shown. Here they are those that a record needs to describe a stake. */
export const stakingRecord = {
  type: 'object',
  title: 'StakingRecord',
  description: 'an account in the staking ledger of an epoch',
  properties: {
    pk: publicKey,
    balance: {
      ...minaAmount,
      description: 'the balance that the account stakes in the epoch: MINA, with nine decimals',
    },
    delegate: { ...publicKey, description: 'public key of the delegate in the epoch' },
    token: { ...number, description: '1, the MINA token' },
    receipt_chain_hash: receiptChainHash,
    voting_for: votingFor,
    nonce: { ...number, description: 'nonce of the account in the staking ledger' },
    epoch: epochNumber,
    chainId: { ...anyText, description: 'hexadecimal; a hard fork changes it, and starts the epochs anew' },
    public_key: { ...anyText, description: 'equal to pk' },
  },
  required: ['pk', 'balance', 'delegate', 'token', 'epoch', 'public_key'],
} as const

export type StakingRecord = Static<typeof stakingRecord>

/** Contract gap: for the next epoch the shape of an element is not shown. */
const stakingRecords = (description: string, maxItems: number) =>
  ({ type: 'array', description, items: stakingRecord, maxItems }) as const

/**
 * Contract gap: required fields are not shown. Here they are those that every upstream knows of every account. A field
 * that no configured upstream can know is absent.
 */
export const account = {
  type: 'object',
  title: 'Account',
  description: 'an account at the best tip',
  properties: {
    publicKey,
    balance,
    timing: {
      ...accountTiming,
      'x-contract-addition': 'Wallets show when locked MINA comes free. Absent of an account without a schedule.',
    },
    zkapp: {
      ...accountZkapp,
      'x-contract-addition': 'Explorers show the state of a zkApp. Absent of every other account.',
    },
    nonce: { ...number, description: 'of the ledger; pending transactions are not counted' },
    receiptChainHash,
    delegate: {
      ...publicKey,
      description:
        "public key; the account's own where it delegates to nobody else. Absent of an account that stakes with nobody, itself included: the node names none",
    },
    votingFor,
    totalTx: { ...number, description: 'commands sent or received, as an indexer counts them: an upper bound' },
    totalBlocks: { ...number, description: 'blocks made, as an indexer counts them: an upper bound' },
    totalSnarks: { ...number, description: 'proofs sold, as an indexer counts them: an upper bound' },
    countPendingTransactions: {
      ...number,
      description:
        'commands that it has sent and that wait in the pool of the node; those on their way to it are in `GET /pool?account=`',
    },
    firstPendingTransaction: {
      type: 'array',
      // Contract gap: the shape of an element is not shown.
      description: 'at most one: of the commands that it has sent and that wait, the one of the lowest nonce',
      items: pendingCommand,
      maxItems: 1,
    },
    username: { ...anyText, description: 'display name; Unknown where no upstream knows it' },
    epochStakingAccount: stakingRecords('its own record in the staking ledger of the epoch: none or one', 1),
    nextEpochStakingAccount: stakingRecords('the same for the next epoch', 1),
    epochDelegators: stakingRecords(
      `the accounts that delegate to it in the epoch, the largest stakes first, at most ${maxDelegators.toLocaleString('en')}; itself among them where it delegates to itself. Of more, the smallest are left out, and \`x-missing-fields\` names the list: a pool with so many cannot pay from it alone. Shares are parts of \`epochTotalStakingBalance\`, never of the sum of this list`,
      maxDelegators,
    ),
    nextEpochDelegators: stakingRecords('the same for the next epoch', maxDelegators),
    epochDelegatorCount: {
      ...number,
      description: 'how many delegate to it in the epoch, those that the list leaves out too',
      'x-contract-addition': 'Nothing else shows that a list of delegators is cut.',
    },
    nextEpochDelegatorCount: {
      ...number,
      description: 'the same for the next epoch',
      'x-contract-addition': 'Nothing else shows that a list of delegators is cut.',
    },
    epochTotalStakingBalance: {
      ...minaAmount,
      description: 'all that delegates to it in the epoch: MINA, with nine decimals',
    },
    nextEpochTotalStakingBalance: { ...minaAmount, description: 'the same for the next epoch' },
    nextNonce: {
      ...number,
      description:
        'the nonce for its next command: the least that neither the ledger nor a command in the pool of the node uses, zkApp commands included. zkApp commands of other senders can raise it too, which cannot be foreseen. After a 201 count on from the nonce that you sent, since another node may not have heard of it',
      'x-contract-addition': 'nonce and countPendingTransactions do not show a gap, nor zkApp commands that wait.',
    },
    missingNonces: {
      type: 'array',
      description: `the least nonces that commands in that pool wait for, at most ${maxMissingNonces}; absent if none do`,
      items: number,
      maxItems: maxMissingNonces,
      'x-contract-addition': 'Commands above a gap wait until it is filled.',
    },
  },
  required: ['publicKey', 'balance', 'nonce', 'username', 'nextNonce'],
} as const

export type Account = Static<typeof account>

/** The node that answered, and its best tip. */
const chainStatus = {
  type: 'object',
  title: 'ChainStatus',
  description: 'the node behind the answer, and its best tip',
  properties: {
    syncStatus: { ...anyText, description: "the node's connection to its network: SYNCED, CATCHUP …" },
    blockchainLength: { ...height, description: 'height of the best tip, counted over hard forks' },
  },
  required: ['syncStatus', 'blockchainLength'],
  'x-contract-addition': 'Wallets and explorers of the old service read it.',
} as const

export type ChainStatus = Static<typeof chainStatus>

/** The answer of GET /accounts/{public_key}. */
export const accountResponse = {
  type: 'object',
  title: 'AccountResponse',
  properties: { account, status: chainStatus },
  required: ['account', 'status'],
} as const
