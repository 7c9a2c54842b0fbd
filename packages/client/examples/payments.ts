import { type AnyCommand, type Client, memoText } from '../src/client.ts'

/** Nanomina that a command gives to a key, or takes from it where negative, without the fee. */
export const changeOf = (command: AnyCommand, publicKey: string): bigint =>
  'balanceChanges' in command
    ? (command.balanceChanges.find((change) => change.publicKey === publicKey)?.amount ?? 0n)
    : (command.to === publicKey ? command.amount : 0n) - (command.from === publicKey ? command.amount : 0n)

/** A pool tells no last slot, so a deposit that passes its own is never `expired`, but goes on waiting. */
const validUntil = 4_294_967_295

/** What is on its way to a key, and in no block yet: nanomina, the memo for people, and the terms to follow it by. */
export async function incoming(client: Client, publicKey: string) {
  const { value: pool } = await client.pool({ account: publicKey })
  return pool.commands.flatMap((command) => {
    const amount = changeOf(command, publicKey)
    if (amount <= 0n) return []
    const { hash, nonce, fee, feePayer } = command
    const from = feePayer.publicKey
    const isZkapp = 'balanceChanges' in command
    const terms = isZkapp ? undefined : { from, to: publicKey, nonce, fee, amount, memo: command.memo, validUntil }
    return [{ hash, from, amount, memo: memoText(command.memo), terms }]
  })
}

/**
 * The newest 25 commands of a key and the others of the last one's block, or those below a page: `before` is its `next`. On the
 * first page also what the key has sent and no block has. A ServiceError with status 409 means that a reorganisation has
 * replaced the page's last block: begin again without `before`.
 */
export async function history(client: Client, publicKey: string, before?: string) {
  const { value: page } = await client.accountTransactions(publicKey, { limit: 25, before })
  const lines = page.transactions.map(({ command, direction, role, amount, change, confirmations }) => ({
    hash: command.hash,
    part: direction ?? (change ? (change > 0n ? 'received' : 'sent') : role),
    amount: 'balanceChanges' in command ? amount : command.amount,
    memo: memoText(command.memo),
    failureReason: command.failureReason,
    confirmations,
  }))
  const pending = (page.pending ?? []).map(({ command }) => ({
    hash: command.hash,
    part: 'sent',
    amount: 'balanceChanges' in command ? changeOf(command, publicKey) : command.amount,
    memo: memoText(command.memo),
  }))
  return { pending, lines, next: page.next }
}
