// The mina-indexer's queries that the embedded indexer serves, with its arguments, and the types of its ledgers.
import { indexerTypes } from './schema-types.ts'

const queries = /* GraphQL */ `
type Query {
  block(query: BlockQueryInput): Block
  blocks(query: BlockQueryInput, sortBy: BlockSortByInput, limit: Int! = 100): [Block!]!
  accounts(query: AccountQueryInput, limit: Int! = 100): [AccountWithMeta!]!
  stakes(query: StakesQueryInput, sortBy: StakesSortByInput, limit: Int! = 100): [StakesLedgerAccountWithMeta!]!
  transactions(query: TransactionQueryInput, sortBy: TransactionSortByInput, limit: Int! = 100): [Transaction!]!
  version: String!
}

enum BlockSortByInput {
  BLOCKHEIGHT_ASC
  BLOCKHEIGHT_DESC
}

enum StakesSortByInput {
  BALANCE_DESC
  BALANCE_ASC
  STAKE_DESC
  STAKE_ASC
}

enum TransactionSortByInput {
  BLOCKHEIGHT_ASC
  BLOCKHEIGHT_DESC
}

input BlockQueryInput {
  stateHash: String
  canonical: Boolean
  blockHeight: Int
  blockHeight_gte: Int
  blockHeight_lte: Int
}

input TransactionQueryInput {
  hash: String
  canonical: Boolean
  zkapp: Boolean
  from: String
  to: String
  blockHeight: Int
  blockHeight_gt: Int
  blockHeight_gte: Int
  blockHeight_lt: Int
  blockHeight_lte: Int
  nonce: Int
}

input AccountQueryInput {
  publicKey: String
}

input StakesQueryInput {
  delegate: String
  genesisStateHash: String
  ledgerHash: String
  public_key: String
}
`

const ledgerTypes = /* GraphQL */ `
type AccountWithMeta {
  publicKey: String!
  username: String
  balance: U64!
  nonce: Int!
  delegate: String!
  pk_total_num_blocks: Int!
  pk_total_num_snarks: Int!
  pk_total_num_user_commands: Int!
  block_height: Int!
}

type StakesLedgerAccountWithMeta {
  epoch: Int!
  ledgerHash: String!
  genesisStateHash: String!
  public_key: String!
  pk: String!
  delegate: String!
  balanceNanomina: U64!
  nonce: Int!
  token: Int!
  receipt_chain_hash: String!
  voting_for: String!
  delegationTotals: StakesDelegationTotals!
  epoch_num_accounts: Int!
  epoch_total_currency: U64!
}

type StakesDelegationTotals {
  totalDelegatedNanomina: U64!
  countDelegates: Int!
}
`

/**
 * The schema of the embedded indexer: the part of the mina-indexer's that the service asks for, with the same names and
 * nullability, but for `AccountWithMeta.username`: the mina-indexer declares it `String!` and answers null all the same.
 */
export const indexerSchemaText = queries + ledgerTypes + indexerTypes
