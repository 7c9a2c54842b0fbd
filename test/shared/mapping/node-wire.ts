// Answers of a daemon, as text scalars, for tests of everything that reads them.

export const token = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
export const alice = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'
export const bob = 'B62qptmpH9PVe76ZEfS1NWVV27XjZJEJyr8mWZFjfohxppmS11DfKFG'
export const stateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
export const parentHash = '3NKfgwKwq3qWFFMNcr6BcAzv1BkZip3m6ADtr9htfjD6WftD3TrS'
const emptyMemo = 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH'

export const paymentWire = {
  amount: '10000000000000001',
  fee: '1000000',
  feePayer: { publicKey: alice, token },
  feeToken: token,
  from: alice,
  fromAccount: { publicKey: alice, token },
  hash: '5JuV1y4fvY9RUnhDgfhFKDLzFzSD2ZEZYzCvoY7D3Vp2SWkBqBWz',
  id: 'Av1AQg8AzTU6Z2mG',
  isDelegation: false,
  kind: 'PAYMENT',
  memo: emptyMemo,
  nonce: 7,
  receiver: { publicKey: bob, token },
  source: { publicKey: alice, token },
  to: bob,
  token,
  toAccount: { publicKey: bob, token },
}

export const delegationWire = { ...paymentWire, amount: '0', isDelegation: true, kind: 'STAKE_DELEGATION', nonce: 8 }

/** The delegation and, under it, the payment as a block lists them: with the reason where one failed. */
export const includedDelegationWire = { ...delegationWire, failureReason: null }
export const includedPaymentWire = { ...paymentWire, failureReason: 'Source_insufficient_balance' }

/** An update of one account: a change by these digits, with their sign. */
export const zkappUpdate = (
  publicKey: string,
  change: string,
  { tokenId = token, implicitAccountCreationFee = false } = {},
) => ({
  body: {
    balanceChange: { magnitude: change.replace('-', ''), sgn: change.startsWith('-') ? 'Negative' : 'Positive' },
    implicitAccountCreationFee,
    publicKey,
    tokenId,
  },
})

/** A zkApp command that pays bob. */
export const zkappWire = {
  failureReason: null,
  hash: '5JumadnVhmf7w7h8Jy3bQ2yLkv4eYDAMCwq1eWpjj5d4hAssv88g',
  zkappCommand: {
    accountUpdates: [zkappUpdate(alice, '-2000000000'), zkappUpdate(bob, '2000000000')],
    feePayer: { body: { fee: '100000000', nonce: '77', publicKey: alice } },
    memo: 'E4Z6SU8DEmNRnD5vn9WFTVx8fjUtQAKxX8XFZaDg9prFcG8FZs1EG',
  },
}

const laterZkappWire = {
  ...zkappWire,
  hash: '5JtvEs11suFcibcz5oSsZrPrtTjxYzFXQ7x1dSc2WKLDnv5fVd8T',
  zkappCommand: { ...zkappWire.zkappCommand, feePayer: { body: { fee: '100000000', nonce: '78', publicKey: alice } } },
}

const epochData = (name: string, epochLength: string, totalCurrency: string) => ({
  epochLength,
  ledger: { hash: `jx-${name}`, totalCurrency },
  lockCheckpoint: `3N-${name}-lock`,
  seed: `2v-${name}`,
  startCheckpoint: `3N-${name}-start`,
})

/** Equal types have different values, even where a chain's would agree, so that a mapper that swaps two fields is seen. */
export const blockWire = {
  creator: alice,
  creatorAccount: { publicKey: 'B62creatorAccount' },
  protocolState: {
    blockchainState: {
      date: '1615939380000',
      snarkedLedgerHash: 'jx7buQVWFLsXTtzRgSxbYcT8EYLS8KCZbLrfDcJxMtyy4thw2Ee',
      stagedLedgerHash: 'jwCtBkoHByTR65wDXSWXFJBQQ59trDsH3NfCh4czw7ur8ZtjkiV',
      utcDate: '1615939380001',
    },
    consensusState: {
      blockHeight: '2',
      blockchainLength: '3',
      coinbaseReceiever: bob,
      epoch: '4',
      epochCount: '5',
      hasAncestorInSameCheckpointWindow: true,
      lastVrfOutput: 'EiRsmt3oZoYW1H9eQvorsemTVQvjeMbj9wAQyiiXp6MZZz3mDw3LG',
      minWindowDensity: '77',
      nextEpochData: epochData('next', '8', '805385692840039234'),
      slot: '6',
      slotSinceGenesis: '7',
      stakingEpochData: epochData('staking', '9', '805385692840039233'),
      totalCurrency: '1166062074840039233',
    },
    previousStateHash: parentHash,
  },
  snarkJobs: [{ fee: '250000000', prover: 'B62prover', workIds: [11, 12] }],
  stateHash,
  stateHashField: '9884505309989150310604636992054488263310056292998048242928359357807664465744',
  transactions: {
    coinbase: '720000000000',
    coinbaseReceiverAccount: { publicKey: 'B62coinbase' },
    feeTransfer: [
      { fee: '120000001', recipient: alice },
      { fee: '120000000', recipient: bob },
    ],
    // The payment came first.
    userCommands: [includedDelegationWire, includedPaymentWire],
    // The one of nonce 77 came first.
    zkappCommands: [laterZkappWire, zkappWire],
  },
  winnerAccount: { publicKey: 'B62winner' },
}

/** The child of a block, with another state hash and all else alike. */
export const childWire = (parent: typeof blockWire, hash: string): typeof blockWire => ({
  ...parent,
  stateHash: hash,
  protocolState: {
    ...parent.protocolState,
    consensusState: {
      ...parent.protocolState.consensusState,
      blockHeight: String(Number(parent.protocolState.consensusState.blockHeight) + 1),
    },
    previousStateHash: parent.stateHash,
  },
})

export const accountWire = {
  balance: { locked: '0', total: '10000000000000001', unknown: '10000000000000002' },
  delegate: bob,
  nonce: '7',
  publicKey: alice,
  receiptChainHash: '2n2K1aziimdYu5QCf8mU4gducZCB5u5s78sGnp56zT2tig4ugVHD',
  timing: {
    cliffAmount: null,
    cliffTime: null,
    initialMinimumBalance: null,
    vestingIncrement: null,
    vestingPeriod: null,
  },
  votingFor: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
  zkappState: null,
  zkappUri: null,
  provedState: null,
  verificationKey: null,
}

/** The account of a zkApp. */
export const zkappAccountWire = {
  ...accountWire,
  zkappState: ['0', '28948022309329048855892746252171976963363056481941560715954676764349967630336'],
  zkappUri: 'https://example.org/zkapp',
  provedState: true,
  verificationKey: { hash: '1234567890123456789012345678901234567890' },
}

/** The account with a vesting schedule, of which this much is locked. */
export const timedAccountWire = (locked: string | null) => ({
  ...accountWire,
  balance: { ...accountWire.balance, locked },
  timing: {
    cliffAmount: '1',
    cliffTime: '100',
    initialMinimumBalance: '5000000000',
    vestingIncrement: '1',
    vestingPeriod: '1',
  },
})

export const nodeTipWire = {
  stateHash,
  protocolState: {
    blockchainState: { date: '1615939380000' },
    consensusState: {
      blockHeight: '300',
      epoch: '41',
      nextEpochData: { ledger: { hash: 'jx-next' } },
      stakingEpochData: { ledger: { hash: 'jx-staking' } },
    },
  },
}

/** The tip of a node whose tip is at this height, by default the block of these tests. */
export const nodeTipAt = (height: number, tipHash = stateHash) => ({
  height,
  stateHash: tipHash,
  atMs: 1_615_939_380_000,
  syncStatus: 'SYNCED',
  genesisStateHash: 'genesis',
})

/** The same as a node's answer to the question for its tip. */
export const tipReplyAt = (height: number, tipHash = stateHash) => ({
  data: {
    syncStatus: 'SYNCED',
    bestChain: [
      {
        stateHash: tipHash,
        protocolState: {
          blockchainState: { date: '1615939380000' },
          consensusState: { blockHeight: String(height) },
        },
      },
    ],
  },
})

const genesisAt = (height: number, previousStateHash: string | null, slotSinceGenesis: number) => ({
  consensusState: { blockchainLength: `${height}`, blockHeight: `${height}`, slotSinceGenesis: `${slotSinceGenesis}` },
  previousStateHash,
})

/** A genesis block that no fork made. It names a parent, which never was. */
export const firstGenesisWire = genesisAt(1, parentHash, 0)

/** The constants of the public networks before Mesa. */
export const constantsWire = { k: 290, slotDuration: 180_000, slotsPerEpoch: 7140 }

/**
 * A node's description of its network.
 *
 * @param constants those that are not the usual ones; null for a node that does not say any
 */
export const networkReply = (
  constants: Partial<typeof constantsWire> | null = {},
  { height = 1, parent = parentHash as string | null, slot = 0 } = {},
) => ({
  data: {
    ...tipReplyAt(300).data,
    daemonStatus: { chainId: 'chain', consensusConfiguration: constants && { ...constantsWire, ...constants } },
    genesisBlock: { protocolState: genesisAt(height, parent, slot) },
  },
})
