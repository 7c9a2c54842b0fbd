// The daemon's types that the service, wallets and explorers read, with the daemon's own names, nullability and
// spelling.

/** Accounts, commands and blocks; the queries are in `schema.ts`. */
export const nodeTypes = /* GraphQL */ `
scalar AccountNonce
scalar Action
scalar Amount
scalar Balance
scalar BlockTime
scalar ChainHash
scalar Epoch
scalar EpochSeed
scalar Fee
scalar FeeTransferType
scalar FieldElem
scalar GlobalSlotSinceHardFork
scalar GlobalSlotSpan
scalar Globalslot
scalar LedgerHash
scalar Length
scalar PublicKey
scalar Slot
scalar StateHash
scalar StateHashAsDecimal
scalar Time
scalar TokenId
scalar TransactionHash
scalar TransactionId
scalar TransactionStatusFailure
scalar UInt32
scalar UInt64
scalar UserCommandKind
scalar VerificationKey
scalar VerificationKeyHash

type AccountTiming {
  initialMinimumBalance: Balance
  cliffTime: Globalslot
  cliffAmount: Amount
  vestingPeriod: GlobalSlotSpan
  vestingIncrement: Amount
}

type AnnotatedBalance {
  total: Balance!
  unknown: Balance!
  liquid: Balance
  locked: Balance
  blockHeight: Length!
  stateHash: StateHash
}

type Account {
  publicKey: PublicKey!
  tokenId: TokenId!
  token: TokenId! @deprecated(reason: "Use tokenId")
  timing: AccountTiming!
  balance: AnnotatedBalance!
  nonce: AccountNonce
  inferredNonce: AccountNonce
  epochDelegateAccount: Account
  receiptChainHash: ChainHash
  delegate: PublicKey @deprecated(reason: "use delegateAccount instead")
  delegateAccount: Account
  delegators: [Account!]
  lastEpochDelegators: [Account!]
  votingFor: ChainHash
  stakingActive: Boolean!
  privateKeyPath: String!
  locked: Boolean
  index: Int
  tokenSymbol: String
  zkappUri: String
  zkappState: [FieldElem!]
  provedState: Boolean
  permissions: AccountPermissions
  verificationKey: AccountVerificationKeyWithHash
  actionState: [Action!]
}

enum AccountAuthRequired {
  None
  Either
  Proof
  Signature
  Impossible
}

type VerificationKeyPermission {
  auth: AccountAuthRequired!
  txnVersion: String!
}

type AccountPermissions {
  editState: AccountAuthRequired!
  send: AccountAuthRequired!
  receive: AccountAuthRequired!
  access: AccountAuthRequired!
  setDelegate: AccountAuthRequired!
  setPermissions: AccountAuthRequired!
  setVerificationKey: VerificationKeyPermission!
  setZkappUri: AccountAuthRequired!
  editActionState: AccountAuthRequired!
  setTokenSymbol: AccountAuthRequired!
  incrementNonce: AccountAuthRequired!
  setVotingFor: AccountAuthRequired!
  setTiming: AccountAuthRequired!
}

type AccountVerificationKeyWithHash {
  verificationKey: VerificationKey!
  hash: VerificationKeyHash!
}

interface UserCommand {
${commandFields('')}
}

type UserCommandPayment implements UserCommand {
${commandFields('@deprecated(reason: "use source field instead")')}
}

type UserCommandDelegation implements UserCommand {
  delegator: Account!
  delegatee: Account!
${commandFields('@deprecated(reason: "use source field instead")')}
}

type FeeTransfer {
  recipient: PublicKey!
  fee: Fee!
  type: FeeTransferType!
}

type CompletedWork {
  prover: PublicKey!
  fee: Fee!
  workIds: [Int!]!
}

type Transactions {
  userCommands: [UserCommand!]!
  zkappCommands: [ZkappCommandResult!]!
  feeTransfer: [FeeTransfer!]!
  coinbase: Amount!
  coinbaseReceiverAccount: Account
}

type epochLedger {
  hash: LedgerHash!
  totalCurrency: Amount!
}

type StakingEpochData {
${epochFields()}
}

type NextEpochData {
${epochFields()}
}

type ConsensusState {
  blockchainLength: Length! @deprecated(reason: "use blockHeight instead")
  blockHeight: Length!
  epochCount: Length!
  minWindowDensity: Length!
  lastVrfOutput: String!
  totalCurrency: Amount!
  stakingEpochData: StakingEpochData!
  nextEpochData: NextEpochData!
  hasAncestorInSameCheckpointWindow: Boolean!
  slot: Slot!
  slotSinceGenesis: Globalslot!
  epoch: Epoch!
  superchargedCoinbase: Boolean!
  blockStakeWinner: PublicKey!
  blockCreator: PublicKey!
  coinbaseReceiever: PublicKey!
}

type BlockchainState {
  date: BlockTime!
  utcDate: BlockTime!
  snarkedLedgerHash: LedgerHash!
  stagedLedgerHash: LedgerHash!
  stagedLedgerProofEmitted: Boolean
}

type ProtocolState {
  previousStateHash: StateHash!
  blockchainState: BlockchainState!
  consensusState: ConsensusState!
}

type Block {
  creator: PublicKey! @deprecated(reason: "use creatorAccount field instead")
  creatorAccount: Account!
  winnerAccount: Account!
  stateHash: StateHash!
  stateHashField: StateHashAsDecimal!
  protocolState: ProtocolState!
  transactions: Transactions!
  commandTransactionCount: Int!
  snarkJobs: [CompletedWork!]!
}
`

function commandFields(feePayerDirective: string): string {
  return `  id: TransactionId!
  hash: TransactionHash!
  kind: UserCommandKind!
  nonce: Int!
  source: Account!
  receiver: Account!
  feePayer: Account! ${feePayerDirective}
  validUntil: Globalslot!
  token: TokenId!
  amount: Amount!
  feeToken: TokenId!
  fee: Fee!
  memo: String!
  isDelegation: Boolean! @deprecated(reason: "use kind field instead")
  from: PublicKey! @deprecated(reason: "use feePayer field instead")
  fromAccount: Account! @deprecated(reason: "use feePayer field instead")
  to: PublicKey! @deprecated(reason: "use receiver field instead")
  toAccount: Account! @deprecated(reason: "use receiver field instead")
  failureReason: TransactionStatusFailure`
}

function epochFields(): string {
  return `  ledger: epochLedger!
  seed: EpochSeed!
  startCheckpoint: StateHash!
  lockCheckpoint: String!
  epochLength: Length!`
}
