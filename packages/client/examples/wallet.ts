import { type Client, nanominaOf, ServiceError } from '../src/client.ts'

/** A wallet's first screen: its balances in nanomina, the nonce of its next command, and the tip; undefined without an account. */
export async function walletOf(client: Client, publicKey: string) {
  try {
    const { value: account, chain, ageMs, missingFields } = await client.account(publicKey)
    return {
      balance: nanominaOf(account.balance.total),
      /** Less what a vesting schedule (`account.timing`) still locks. */
      spendable: nanominaOf(account.balance.total) - nanominaOf(account.balance.lockedBalance ?? '0'),
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
