// The mina-indexer's types that the embedded indexer serves, with its names and nullability.

const epochData = /* GraphQL */ `
  seed: String!
  epochLength: Int!
  startCheckpoint: String!
  lockCheckpoint: String!`

const ledger = /* GraphQL */ `
  hash: String!
  totalCurrency: U64!`

const command = /* GraphQL */ `
  hash: String!
  kind: String!
  amount: U64!
  fee: U64!
  from: String!
  sender: String!
  to: String
  receiver_account: PublicKey
  nonce: Int!
  memo: String!
  isApplied: Boolean!
  failureReason: String
  canonical: Boolean!
  blockHeight: Int!
  globalSlot: Int!
  zkapp: TransactionZkapp
  tokens: [String!]!`

/** SDL. `U64` is a JSON number of any length; the real server calls that type `Int`, too. */
export const indexerTypes = /* GraphQL */ `
scalar U64
scalar DateTime

type PublicKey {
  publicKey: String!
}

type Block {
  canonical: Boolean!
  stateHash: String!
  blockHeight: Int!
  block_num_snarks: Int!
  block_num_user_commands: Int!
  block_num_zkapp_commands: Int!
  genesisStateHash: String!
  dateTime: String!
  receivedTime: String!
  creator: String!
  winner: String!
  coinbaseReceiver: String!
  txFees: String!
  snarkFees: String!
  protocolState: ProtocolState!
  transactions: Transactions!
  snarkJobs: [SnarkJob!]!
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

type NextEpochData {${epochData}
  ledger: NextEpochDataLedger!
}

type NextEpochDataLedger {${ledger}
}

type StakingEpochData {${epochData}
  ledger: StakingEpochDataLedger!
}

type StakingEpochDataLedger {${ledger}
}

type Transactions {
  coinbase: String!
  feeTransfer: [BlockFeeTransfer!]!
  userCommands: [TransactionWithoutBlock!]!
}

type BlockFeeTransfer {
  fee: String!
  recipient: String!
  type: String!
}

type TransactionWithoutBlock {${command}
}

type Transaction {${command}
  block: TransactionBlock!
}

type TransactionZkapp {
  accounts_updated: [TokenAccount!]!
  actions: [String!]!
  events: [String!]!
}

type TokenAccount {
  pk: String!
  public_key: String!
  token: String!
  symbol: String!
  balance_change: U64!
  balance_change_str: String!
  increment_nonce: Boolean!
}

type TransactionBlock {
  stateHash: String!
  dateTime: DateTime!
}

type SnarkJob {
  fee: U64!
  prover: String!
}
`
