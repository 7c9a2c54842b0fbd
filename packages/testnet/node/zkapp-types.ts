// The daemon's types of zkApp commands: what they pay, without proofs, code and conditions.

export const zkappTypes = /* GraphQL */ `
scalar GlobalSlotSinceGenesis
scalar Index
scalar CurrencyAmount
scalar Memo
scalar Sign

type FeePayerBody {
  publicKey: PublicKey!
  fee: Fee!
  validUntil: GlobalSlotSinceGenesis
  nonce: UInt32!
}

type ZkappFeePayer {
  body: FeePayerBody!
}

type BalanceChange {
  magnitude: CurrencyAmount!
  sgn: Sign!
}

type AccountUpdateBody {
  publicKey: PublicKey!
  tokenId: TokenId!
  balanceChange: BalanceChange!
  incrementNonce: Boolean!
  implicitAccountCreationFee: Boolean!
}

type ZkappAccountUpdate {
  body: AccountUpdateBody!
}

type ZkappCommand {
  feePayer: ZkappFeePayer!
  accountUpdates: [ZkappAccountUpdate!]!
  memo: Memo!
}

type ZkappCommandFailureReason {
  index: Index
  failures: [TransactionStatusFailure!]!
}

type ZkappCommandResult {
  id: TransactionId!
  hash: TransactionHash!
  zkappCommand: ZkappCommand!
  failureReason: [ZkappCommandFailureReason]
}
`
