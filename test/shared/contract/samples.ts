// One full object of each resource: every field of the contract's tables, and nothing else.
import type { Account } from '../../../shared/contract/account.ts'
import type { Block } from '../../../shared/contract/block.ts'
import type { DelegationRequest, TransactionRequest } from '../../../shared/contract/broadcast.ts'
import type { BroadcastResultCommand } from '../../../shared/contract/command.ts'
import type { Summary } from '../../../shared/contract/summary.ts'

const alice = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'
const bob = 'B62qptmpH9PVe76ZEfS1NWVV27XjZJEJyr8mWZFjfohxppmS11DfKFG'
const stateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
const parentHash = '3NKfgwKwq3qWFFMNcr6BcAzv1BkZip3m6ADtr9htfjD6WftD3TrS'
const ledgerHash = 'jx7buQVWFLsXTtzRgSxbYcT8EYLS8KCZbLrfDcJxMtyy4thw2Ee'
const token = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
const memo = 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH'
const dateTime = '2021-03-17T00:03:00.000Z'

const epochData = () => ({
  epochLength: 3,
  ledger: { hash: ledgerHash, totalCurrency: 805385692840039 },
  lockCheckpoint: parentHash,
  seed: '2va9BGv9JrLTtrzZttiEMDYw1Zj6a6EHzXjmP9evHDTG3oEquURA',
  startCheckpoint: parentHash,
})

const userCommand = {
  amount: 1000,
  blockHeight: 2,
  blockStateHash: stateHash,
  dateTime,
  failureReason: 'Source_insufficient_balance',
  fee: 10000000,
  feePayer: { publicKey: alice, token: 1 },
  feeToken: 1,
  from: alice,
  fromAccount: { publicKey: alice, token: 1 },
  hash: '5JuV1y4fvY9RUnhDgfhFKDLzFzSD2ZEZYzCvoY7D3Vp2SWkBqBWz',
  id: 'Av1AQg8AzTU6Z2mG',
  isDelegation: false,
  kind: 'PAYMENT',
  memo,
  nonce: 0,
  receiver: { publicKey: bob },
  source: { publicKey: alice },
  to: bob,
  toAccount: { publicKey: bob, token: 1 },
  token: 1,
}

export const block: Block = {
  blockHeight: 2,
  canonical: true,
  creator: alice,
  creatorAccount: { publicKey: alice },
  dateTime,
  protocolState: {
    blockchainState: {
      date: 1615939380000,
      snarkedLedgerHash: ledgerHash,
      stagedLedgerHash: ledgerHash,
      utcDate: 1615939380000,
    },
    consensusState: {
      blockHeight: 2,
      blockchainLength: 2,
      epoch: 0,
      epochCount: 0,
      hasAncestorInSameCheckpointWindow: true,
      lastVrfOutput: 'EiRsmt3oZoYW1H9eQvorsemTVQvjeMbj9wAQyiiXp6MZZz3mDw3LG',
      minWindowDensity: 77,
      nextEpochData: epochData(),
      slot: 1,
      slotSinceGenesis: 1,
      stakingEpochData: epochData(),
      totalCurrency: 805385692840039,
    },
    previousStateHash: parentHash,
  },
  receivedTime: '2021-03-17T00:03:01.000Z',
  snarkJobs: [{ blockHeight: 2, blockStateHash: stateHash, dateTime, fee: 0, prover: bob, workIds: [{ workId: 7 }] }],
  stateHash,
  stateHashField: '9884505309989150310604636992054488263310056292998048242928359357807664465744',
  transactions: {
    coinbase: 720000000000,
    coinbaseReceiverAccount: { publicKey: alice },
    feeTransfer: [{ fee: 10000000, recipient: alice }],
    userCommands: [userCommand],
    zkappCommandCount: 2,
  },
  winnerAccount: { publicKey: alice },
}

const stakingRecord = () => ({
  pk: alice,
  balance: '372093.000000000',
  delegate: bob,
  token: 1,
  receipt_chain_hash: '2mzbV7WevxLuchs2dAMY4vQBS6XttnCUF8Hvks4XNBQ5qiSGGBQe',
  voting_for: parentHash,
  nonce: 0,
  epoch: 1,
  chainId: '5f704cc0c82e0ed70e873f0893d7e06f148524e3f0bdae2afb02e7819a0c24d1',
  public_key: alice,
})

const {
  blockHeight: _height,
  blockStateHash: _hash,
  dateTime: _time,
  failureReason: _reason,
  ...pendingCommand
} = userCommand

export const account: Account = {
  publicKey: alice,
  balance: { total: '372093.000000000', unknown: '372093.000000000', lockedBalance: '1.000000000' },
  nonce: 4,
  receiptChainHash: '2mzbV7WevxLuchs2dAMY4vQBS6XttnCUF8Hvks4XNBQ5qiSGGBQe',
  delegate: bob,
  votingFor: parentHash,
  totalTx: 3,
  totalBlocks: 2,
  totalSnarks: 1,
  countPendingTransactions: 1,
  firstPendingTransaction: [pendingCommand],
  username: 'Unknown',
  epochStakingAccount: [stakingRecord()],
  nextEpochStakingAccount: [stakingRecord()],
  epochDelegators: [stakingRecord()],
  nextEpochDelegators: [stakingRecord()],
  epochTotalStakingBalance: '1.000000000',
  nextEpochTotalStakingBalance: '1.000000000',
}

export const summary: Summary = {
  blockchainLength: 2,
  chainId: '5f704cc0c82e0ed70e873f0893d7e06f148524e3f0bdae2afb02e7819a0c24d1',
  circulatingSupply: '805385692.840039233',
  dateTime: 'Wed, 17 Mar 2021 00:03:00 GMT',
  epoch: 0,
  globalSlot: 1,
  lockedSupply: '0.000000000',
  minWindowDensity: 77,
  nextEpochLedgerHash: ledgerHash,
  previousStateHash: parentHash,
  slot: 1,
  snarkedLedgerHash: ledgerHash,
  stagedLedgerHash: ledgerHash,
  stakingEpochLedgerHash: ledgerHash,
  stateHash,
  totalCurrency: '805385692.840039233',
}

export const command: BroadcastResultCommand = {
  amount: '1000',
  fee: '10000000',
  feePayer: { publicKey: alice, token },
  feeToken: token,
  from: alice,
  fromAccount: { publicKey: alice, token },
  hash: '5JuV1y4fvY9RUnhDgfhFKDLzFzSD2ZEZYzCvoY7D3Vp2SWkBqBWz',
  id: 'Av1AQg8AzTU6Z2mG',
  isDelegation: false,
  kind: 'PAYMENT',
  memo,
  nonce: 0,
  receiver: { publicKey: bob, token },
  source: { publicKey: alice, token },
  to: bob,
  token,
  toAccount: { publicKey: bob, token },
}

export const delegation: DelegationRequest = {
  publicKey: alice,
  signature: { field: '123', scalar: '456' },
  payload: { to: bob, from: alice, fee: '10000000', nonce: '0', memo: 'hello', validUntil: '4294967295' },
}

export const transaction: TransactionRequest = {
  ...delegation,
  payload: { ...delegation.payload, amount: '1000' },
}
