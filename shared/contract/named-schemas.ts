// The schemas by the names that the contract, the types and the OpenAPI document give them.
import { account, accountResponse, balance, stakingRecord } from './account.ts'
import { block, blockResponse, blocksResponse, blockTransactions, feeTransfer, snarkJob } from './block.ts'
import {
  delegationRequest,
  delegationResponse,
  signature,
  transactionRequest,
  transactionResponse,
} from './broadcast.ts'
import { accountRef, broadcastResultCommand } from './command.ts'
import { broadcastError, message } from './error.ts'
import { blockchainState, consensusState, epochData, protocolState, stakingEpochData } from './protocol-state.ts'
import { signersDelegation, signersPayment } from './signer-body.ts'
import { summary } from './summary.ts'
import { pendingCommand, tokenAccount, userCommand } from './user-command.ts'
import { rawDelegationRequest, rawSignature, rawTransactionRequest } from './wallet-body.ts'

export const namedSchemas: Readonly<Record<string, object>> = {
  Account: account,
  AccountRef: accountRef,
  AccountResponse: accountResponse,
  Balance: balance,
  Block: block,
  BlockResponse: blockResponse,
  BlockTransactions: blockTransactions,
  BlockchainState: blockchainState,
  BlocksResponse: blocksResponse,
  BroadcastError: broadcastError,
  BroadcastResultCommand: broadcastResultCommand,
  ConsensusState: consensusState,
  DelegationRequest: delegationRequest,
  DelegationResponse: delegationResponse,
  EpochData: epochData,
  FeeTransfer: feeTransfer,
  Message: message,
  PendingCommand: pendingCommand,
  ProtocolState: protocolState,
  RawDelegationRequest: rawDelegationRequest,
  RawSignature: rawSignature,
  RawTransactionRequest: rawTransactionRequest,
  Signature: signature,
  SignedDelegation: signersDelegation,
  SignedPayment: signersPayment,
  SnarkJob: snarkJob,
  StakingEpochData: stakingEpochData,
  StakingRecord: stakingRecord,
  Summary: summary,
  TokenAccount: tokenAccount,
  TransactionRequest: transactionRequest,
  TransactionResponse: transactionResponse,
  UserCommand: userCommand,
}
