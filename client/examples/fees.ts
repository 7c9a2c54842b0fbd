import type { Client } from '../src/client.ts'

/** The amounts and fees of the latest blocks, in nanomina, to the last digit. */
export async function turnover(client: Client) {
  const { value: blocks } = await client.blocks({ limit: 10 })
  const commands = blocks.flatMap(({ transactions }) => transactions.userCommands)
  const applied = commands.filter(({ failureReason }) => failureReason === undefined)
  return {
    moved: applied.reduce((sum, { amount }) => sum + amount, 0n),
    fees: commands.reduce((sum, { fee }) => sum + fee, 0n),
  }
}
