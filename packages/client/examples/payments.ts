import { type Client, memoText } from '../src/client.ts'

/** Payments to a key that no block holds yet: nanomina, and the memo for people. */
export async function incoming(client: Client, publicKey: string) {
  const { value: pool } = await client.pool({ account: publicKey })
  return pool.commands.flatMap((command) =>
    'balanceChanges' in command || command.isDelegation || command.to !== publicKey
      ? []
      : [{ hash: command.hash, from: command.from, amount: command.amount, memo: memoText(command.memo) }],
  )
}

/**
 * The newest 25 commands of a key and the others of the last one's block, or those below a page: `before` is its `next`. A
 * ServiceError with status 409 means that a reorganisation has replaced the page's last block: begin again without `before`.
 */
export async function history(client: Client, publicKey: string, before?: string) {
  const { value: page } = await client.accountTransactions(publicKey, { limit: 25, before })
  const lines = page.transactions.map(({ command, direction, role, amount, confirmations }) => ({
    hash: command.hash,
    part: direction ?? role,
    amount: 'balanceChanges' in command ? amount : command.amount,
    memo: memoText(command.memo),
    failureReason: command.failureReason,
    confirmations,
  }))
  return { lines, next: page.next }
}
