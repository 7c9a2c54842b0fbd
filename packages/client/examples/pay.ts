import type Signer from 'mina-signer'
import type { ChainLabel, Client, Inclusion, SignerPayment, SignerResult } from '../src/client.ts'
import { walletOf } from './wallet.ts'

/** What you decide, whatever the service says. */
export interface Payer {
  /** `new Signer({ network })` with what the network is signed for: `mainnet` on mainnet, `testnet` on devnet. */
  readonly signer: Signer
  readonly privateKey: string
  /** Nanomina: the most that you pay for the payment itself. */
  readonly maxFee: bigint
}

/** A wallet stores this before it sends a payment; the next example reads it. */
export interface Kept {
  readonly signed: SignerResult<SignerPayment>
  readonly hash: string
  readonly sentAtTip: ChainLabel | undefined
}

/** Pays, and waits until three blocks are on top. */
export async function pay(
  client: Client,
  { signer, privateKey, maxFee }: Payer,
  to: string,
  amount: bigint,
  keep: (payment: Kept) => Promise<void>,
): Promise<Inclusion> {
  await client.checkNetwork()
  const from = signer.derivePublicKey(privateKey)
  const wallet = await walletOf(client, from)
  if (wallet === undefined) return { state: 'no-account' }
  const fee = await client.suggestedFee({ maxFee })
  const signed = signer.signPayment({ from, to, amount, fee, nonce: wallet.nextNonce }, privateKey)
  const hash = signer.hashPayment(signed, { berkeley: true })
  await keep({ signed, hash, sentAtTip: wallet.tip })
  const { outcome } = await client.sendUntilKnown(signed)
  return client.waitForInclusion(signed, hash, {
    confirmations: 3,
    sentAtTip: wallet.tip,
    neverSent: outcome === 'refused',
  })
}
