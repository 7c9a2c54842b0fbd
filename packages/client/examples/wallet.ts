import { type Client, nanominaOf, ServiceError } from '../src/client.ts'
import { changeOf } from './payments.ts'

/** A wallet's first screen: its balances in nanomina, the nonce of its next command, and the tip; undefined without an account. */
export async function walletOf(client: Client, publicKey: string) {
  try {
    // Before the account, so that a block in between takes nothing off twice.
    const { value: pool } = await client.pool({ account: publicKey })
    const { value: account, chain, ageMs, missingFields } = await client.account(publicKey)
    const total = nanominaOf(account.balance.total)
    const leaving = pool.commands
      .filter(({ feePayer, nonce }) => feePayer.publicKey !== publicKey || nonce >= account.nonce)
      .flatMap((command) => [
        changeOf(command, publicKey),
        command.feePayer.publicKey === publicKey ? -command.fee : 0n,
      ])
      .filter((change) => change < 0n)
      .reduce((sum, change) => sum + change, 0n)
    return {
      balance: total,
      /** Less what a vesting schedule (`account.timing`) still locks, and what is on its way out. */
      spendable: total - nanominaOf(account.balance.lockedBalance ?? '0') + leaving,
      nextNonce: account.nextNonce,
      tip: chain,
      secondsOld: Math.round((ageMs ?? 0) / 1000),
      isComplete: missingFields.length === 0,
    }
  } catch (error) {
    // No payment to this key yet.
    if (error instanceof ServiceError && error.status === 404) return
    throw error
  }
}
