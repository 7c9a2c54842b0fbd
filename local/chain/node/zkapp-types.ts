// The daemon's types of zkApp commands, without account updates and authorizations.

export const zkappTypes = /* GraphQL */ `
scalar GlobalSlotSinceGenesis
scalar Index

type FeePayerBody {
  publicKey: PublicKey!
  fee: Fee!
  validUntil: GlobalSlotSinceGenesis
  nonce: UInt32!
}

type ZkappFeePayer {
  body: FeePayerBody!
}

type ZkappCommand {
  feePayer: ZkappFeePayer!
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
