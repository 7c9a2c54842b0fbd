// The mina-indexer's types that the embedded indexer serves, with its names and nullability.

/** SDL. `U64` is a JSON number of any length; the real server calls that type `Int`, too. */
export const indexerTypes = /* GraphQL */ `
scalar U64
scalar DateTime

type PublicKey {
  publicKey: String!
  username: String
}

type Block {
  canonical: Boolean!
  stateHash: String!
  blockHeight: Int!
  globalSlotSinceGenesis: Int!
  genesisStateHash: String!
  dateTime: String!
  receivedTime: String!
  creator: String!
  creatorUsername: String
  creatorAccount: PublicKey!
  winner: String!
  winnerUsername: String
  winnerAccount: PublicKey!
  coinbaseReceiver: String!
  coinbaseReceiverUsername: String
  txFees: String!
  snarkFees: String!
  protocolState: ProtocolState!
  transactions: Transactions!
  snarkJobs: [SnarkJob!]!
  block_num_snarks: Int!
  block_num_user_commands: Int!
  block_num_zkapp_commands: Int!
}

type ProtocolState {
  previousStateHash: String!
  blockchainState: BlockchainState!
  consensusState: ConsensusState!
}

type BlockchainState {
  date: String!
  utcDate: String!
  snarkedLedgerHash: String!
  stagedLedgerHash: String!
}

type ConsensusState {
  totalCurrency: U64!
  blockchainLength: Int!
  blockHeight: Int!
  epoch: Int!
  hasAncestorInSameCheckpointWindow: Boolean!
  lastVrfOutput: String!
  minWindowDensity: Int!
  slot: Int!
  slotSinceGenesis: Int!
  nextEpochData: NextEpochData!
  stakingEpochData: StakingEpochData!
}

type NextEpochData {
  seed: String!
  epochLength: Int!
  startCheckpoint: String!
  lockCheckpoint: String!
  ledger: NextEpochDataLedger!
}

type NextEpochDataLedger {
  hash: String!
  totalCurrency: U64!
}

type StakingEpochData {
  seed: String!
  epochLength: Int!
  startCheckpoint: String!
  lockCheckpoint: String!
  ledger: StakingEpochDataLedger!
}

type StakingEpochDataLedger {
  hash: String!
  totalCurrency: U64!
}

type Transactions {
  coinbase: String!
  coinbaseReceiver: String!
  coinbaseReceiverUsername: String
  coinbaseReceiverAccount: PublicKey!
  feeTransfer: [BlockFeeTransfer!]!
  userCommands: [TransactionWithoutBlock!]!
}

type BlockFeeTransfer {
  fee: String!
  recipient: String!
  recipientUsername: String
  type: String!
}

type TransactionWithoutBlock {
  hash: String!
  kind: String!
  amount: U64!
  fee: U64!
  from: String!
  sender: String!
  senderUsername: String
  to: String
  receiver: String
  receiver_account: PublicKey
  nonce: Int!
  memo: String!
  isApplied: Boolean!
  failureReason: String
  canonical: Boolean!
  blockHeight: Int!
  globalSlot: Int!
  tokens: [String!]!
}

type Transaction {
  block: TransactionBlock!
  hash: String!
  kind: String!
  amount: U64!
  fee: U64!
  from: String!
  sender: String!
  senderUsername: String
  to: String
  receiver: String
  receiver_account: PublicKey
  nonce: Int!
  memo: String!
  isApplied: Boolean!
  failureReason: String
  canonical: Boolean!
  blockHeight: Int!
  globalSlot: Int!
  tokens: [String!]!
}

type TransactionBlock {
  stateHash: String!
  dateTime: DateTime!
}

type SnarkJob {
  blockStateHash: String!
  blockHeight: Int!
  dateTime: String!
  fee: U64!
  prover: String!
  proverUsername: String
}
`
