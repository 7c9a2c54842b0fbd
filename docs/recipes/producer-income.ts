interface Fee {
  readonly fee: number
  readonly recipient?: string
}

const sumOf = (all: readonly Fee[]) => all.reduce((sum, { fee }) => sum + BigInt(fee), 0n)

/** What a block adds to the receiver of its coinbase, in nanomina: `transactions` of a block of this API. */
export function producerIncome(transactions: {
  readonly coinbase: number
  readonly coinbaseReceiverAccount: { readonly publicKey: string }
  readonly feeTransfer: readonly Fee[]
  readonly userCommands: readonly Fee[]
  readonly zkappCommands: readonly Fee[]
}) {
  const { coinbase, coinbaseReceiverAccount, feeTransfer, userCommands, zkappCommands } = transactions
  const receiver = coinbaseReceiverAccount.publicKey
  const fees = sumOf(userCommands) + sumOf(zkappCommands)
  const outOfCoinbase = sumOf(feeTransfer) - fees
  const toReceiver = sumOf(feeTransfer.filter(({ recipient }) => recipient === receiver))
  return { receiver, income: BigInt(coinbase) + toReceiver - outOfCoinbase }
}
