import { type Client, nanominaOf, ServiceError } from '../src/client.ts'
import { changeOf } from './payments.ts'

/** A wallet's first screen: its balances in nanomina, the nonce of its next command, and the tip; undefined without an account. */
export async function walletOf(client: Client, publicKey: string) {
  try {
    // First, so that no block in between counts twice.
    const { value: pool } = await client.pool({ account: publicKey })
    const { value: account, chain, ageMs, missingFields } = await client.account(publicKey)
    const total = nanominaOf(account.balance.total)
    const changes = pool.commands.flatMap((command) => {
      const isOwn = command.feePayer.publicKey === publicKey
      return isOwn && command.nonce < account.nonce ? [] : [changeOf(command, publicKey), isOwn ? -command.fee : 0n]
    })
    const leaving = changes.reduce((sum, change) => (change < 0n ? sum + change : sum), 0n)
    return {
      balance: total,
      /** Less what a vesting schedule (`account.timing`) still locks, and what is on its way. */
      spendable: total - nanominaOf(account.balance.lockedBalance ?? '0') + leaving,
      nextNonce: account.nextNonce,
      tip: chain,
      secondsOld: Math.round((ageMs ?? 0) / 1000),
      isComplete: missingFields.length === 0,
    }
  } catch (error) {
    // No payment to this key yet.
    if (error instanceof ServiceError && error.code === 'not-found') return
    throw error
  }
}
