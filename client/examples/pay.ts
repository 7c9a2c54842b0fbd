import Signer from 'mina-signer'
import type { Client, PaymentToSend } from '../src/client.ts'
import { walletOf } from './wallet.ts'

/** Pays, and waits until three blocks are on top. `keep` stores what was signed: see the next example. */
export async function pay(
  client: Client,
  privateKey: string,
  to: string,
  amount: bigint,
  keep: (signed: PaymentToSend, sentAtMs: number) => Promise<void>,
) {
  const signer = new Signer({ network: 'testnet' })
  const from = signer.derivePublicKey(privateKey)
  const { nextNonce: nonce } = await walletOf(client, from)
  const signed = signer.signPayment({ from, to, amount, fee: 10_000_000n, nonce }, privateKey)
  await keep(signed, Date.now())
  const outcome = await client.sendUntilKnown(signed)
  if (outcome.outcome === 'refused') throw new Error(`${outcome.code}: ${outcome.message}`)
  return client.waitForInclusion(signed, { ...outcome, depth: 3 })
}
