import { type AnyCommand, type Client, memoText } from '../src/client.ts'

/** Nanomina that a command gives to a key, or takes from it where negative, beside the fee. */
export const changeOf = (command: AnyCommand, publicKey: string): bigint =>
  'balanceChanges' in command
    ? (command.balanceChanges.find((change) => change.publicKey === publicKey)?.amount ?? 0n)
    : (command.to === publicKey ? command.amount : 0n) - (command.from === publicKey ? command.amount : 0n)

/** None: a pool does not tell it, so a deposit past its last slot goes on waiting. */
const validUntil = 4_294_967_295

/** What is on its way to a key: nanomina, the memo for people, and the terms to follow it by. */
export async function incoming(client: Client, publicKey: string) {
  const { value: pool } = await client.pool({ account: publicKey })
  return pool.commands.flatMap((command) => {
    const amount = changeOf(command, publicKey)
    if (amount <= 0n) return []
    const { hash, nonce, fee, memo } = command
    const from = command.feePayer.publicKey
    const terms = { from, to: publicKey, nonce, fee, amount, memo, validUntil }
    return [{ hash, from, amount, memo: memoText(memo), terms: 'balanceChanges' in command ? undefined : terms }]
  })
}

/**
 * The newest 25 commands of a key and the others of the last one's block, or those below a page: `before` is its `next`; on the
 * first page also `pending`, what it has sent. The last page has `endOfKnown` where the service knows no older blocks: there may be
 * older commands. A ServiceError with status 409 means that a reorganisation has replaced the page's last block: begin again
 * without `before`.
 */
export async function history(client: Client, publicKey: string, before?: string) {
  const { value: page } = await client.accountTransactions(publicKey, { limit: 25, before })
  const lineOf = (command: AnyCommand) => ({
    hash: command.hash,
    kind: 'balanceChanges' in command ? 'zkApp' : command.isDelegation ? 'delegation' : 'payment',
    from: command.feePayer.publicKey,
    to: 'balanceChanges' in command ? undefined : command.to,
    fee: command.fee,
    amount: 'balanceChanges' in command ? changeOf(command, publicKey) : command.amount,
    memo: memoText(command.memo),
  })
  const lines = page.transactions.map(({ command, direction, role, change, block, confirmations }) => ({
    ...lineOf(command),
    part: direction ?? (change ? (change > 0n ? 'received' : 'sent') : role),
    failureReason: command.failureReason,
    time: block.dateTime,
    confirmations,
  }))
  return {
    pending: page.pending?.map(({ command }) => lineOf(command)),
    lines,
    next: page.next,
    endOfKnown: page.endOfKnown,
  }
}
