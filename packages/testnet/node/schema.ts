// The daemon's queries and mutations that the embedded node serves, with its arguments and nullability. o1js can read what a
// transaction needs, and nobody can send it a zkApp command: its proofs and signatures cannot be verified here.
import { nodeTypes } from './schema-types.ts'
import { zkappTypes } from './zkapp-types.ts'

const operations = /* GraphQL */ `
schema {
  query: query
  mutation: mutation
}

enum SyncStatus {
  CONNECTING
  LISTENING
  OFFLINE
  BOOTSTRAP
  SYNCED
  CATCHUP
}

enum TransactionStatus {
  INCLUDED
  PENDING
  UNKNOWN
}

input SignatureInput {
  rawSignature: String
  scalar: String
  field: String
}

input SendPaymentInput {
  nonce: UInt32
  memo: String
  validUntil: UInt32
  fee: UInt64!
  amount: UInt64!
  to: PublicKey!
  from: PublicKey!
}

input SendDelegationInput {
  nonce: UInt32
  memo: String
  validUntil: UInt32
  fee: UInt64!
  to: PublicKey!
  from: PublicKey!
}

type SendPaymentPayload {
  payment: UserCommand!
}

type SendDelegationPayload {
  delegation: UserCommand!
}

type GenesisConstants {
  accountCreationFee: Fee!
  coinbase: Amount!
  genesisTimestamp: String!
}

type ConsensusConfiguration {
  delta: Int!
  k: Int!
  slotsPerEpoch: Int!
  slotDuration: Int!
  epochDuration: Int!
  genesisStateTimestamp: Time!
  acceptableNetworkDelay: Int!
}

type ConsensusTime {
  epoch: UInt32!
  slot: UInt32!
  globalSlot: GlobalSlotSinceHardFork!
  startTime: BlockTime!
  endTime: BlockTime!
}

type Peer {
  host: String!
  libp2pPort: Int!
  peerId: String!
}

type AddrsAndPorts {
  externalIp: String!
  bindIp: String!
  peer: Peer
  libp2pPort: Int!
  clientPort: Int!
}

type DaemonStatus {
  numAccounts: Int
  blockchainLength: Int
  highestBlockLengthReceived: Int!
  highestUnvalidatedBlockLengthReceived: Int!
  uptimeSecs: Int!
  ledgerMerkleRoot: String
  stateHash: String
  chainId: String!
  commitId: String!
  confDir: String!
  peers: [Peer!]!
  userCommandsSent: Int!
  snarkWorker: String
  snarkWorkFee: Int!
  syncStatus: SyncStatus!
  catchupStatus: [String!]
  blockProductionKeys: [String!]!
  coinbaseReceiver: String
  consensusTimeBestTip: ConsensusTime
  globalSlotSinceGenesisBestTip: Int
  consensusTimeNow: ConsensusTime!
  consensusMechanism: String!
  consensusConfiguration: ConsensusConfiguration!
  addrsAndPorts: AddrsAndPorts!
}

type query {
  syncStatus: SyncStatus!
  daemonStatus: DaemonStatus!
  version: String
  account(token: TokenId, publicKey: PublicKey!): Account
  accounts(publicKey: PublicKey!): [Account!]!
  bestChain(maxLength: Int): [Block!]
  block(height: Int, stateHash: String): Block!
  genesisBlock: Block!
  pooledUserCommands(ids: [ID!], hashes: [String!], publicKey: PublicKey): [UserCommand!]!
  pooledZkappCommands(ids: [ID!], hashes: [String!], publicKey: PublicKey): [ZkappCommandResult!]!
  transactionStatus(zkappTransaction: ID, payment: ID): TransactionStatus!
  genesisConstants: GenesisConstants!
  timeOffset: Int!
  networkID: String!
  signatureKind: String!
}

type mutation {
  sendPayment(signature: SignatureInput, input: SendPaymentInput!): SendPaymentPayload!
  sendDelegation(signature: SignatureInput, input: SendDelegationInput!): SendDelegationPayload!
}
`

/** The schema of the embedded node: a subset of the daemon's, so that a query that works here works there. */
export const nodeSchemaText = `${nodeTypes}${zkappTypes}${operations}`
