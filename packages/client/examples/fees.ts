import type { Client } from '../src/client.ts'

/** What payments moved in the latest blocks, and the fees of all commands, in nanomina, to the last digit. */
export async function turnover(client: Client) {
  const { value: blocks } = await client.blocks({ limit: 10 })
  const payments = blocks.flatMap(({ transactions }) => transactions.userCommands)
  const zkapps = blocks.flatMap(({ transactions }) => transactions.zkappCommands ?? [])
  const applied = payments.filter(({ failureReason }) => failureReason === undefined)
  return {
    paid: applied.reduce((sum, { amount }) => sum + amount, 0n),
    fees: [...payments, ...zkapps].reduce((sum, { fee }) => sum + fee, 0n),
  }
}
