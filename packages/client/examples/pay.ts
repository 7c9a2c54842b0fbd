import type Signer from 'mina-signer'
import {
  type ChainLabel,
  type Client,
  type Inclusion,
  isPublicKey,
  memoOnChain,
  type SignerPayment,
  type SignerResult,
} from '../src/client.ts'
import { walletOf } from './wallet.ts'

/** What you decide, whatever the service says. */
export interface Payer {
  /** `new Signer({ network })` with what the network is signed for: `mainnet` on mainnet, `testnet` on devnet. */
  readonly signer: Signer
  readonly privateKey: string
  /** Nanomina: the most that you pay for the payment itself. */
  readonly maxFee: bigint
}

export interface Terms {
  readonly to: string
  /** Nanomina. */
  readonly amount: bigint
  /** The memo, another one for each payment of the key. */
  readonly reference: string
  /** That of a payment which was refused or has expired, to pay it anew under its reference; otherwise the key's next one. */
  readonly nonce?: number
}

/** A wallet stores this before it sends a payment; the next example reads it. */
export interface Kept {
  readonly network: string
  readonly signed: SignerResult<SignerPayment>
  readonly hash: string
  readonly sentAtTip: ChainLabel | undefined
}

/** Then it expires: after a day at 180 s, half a day at 90 s. */
const lastingSlots = 480

/** Refusals that are no end. */
const passing = ['expired', 'network-paused']

/**
 * Pays, and waits until three blocks are on top.
 *
 * @param keep stores the payment, and throws if one of its reference with another nonce is there: the service shows the key's
 * latest 100 commands, without an indexer those of 20 blocks
 */
export async function pay(
  client: Client,
  { signer, privateKey, maxFee }: Payer,
  { to, amount, reference, nonce }: Terms,
  keep: (payment: Kept) => Promise<void>,
): Promise<Inclusion> {
  if (!isPublicKey(to)) throw new TypeError(`no public key: ${to}`)
  await client.checkNetwork()
  const { value: network } = await client.network()
  const from = signer.derivePublicKey(privateKey)
  const wallet = await walletOf(client, from)
  if (wallet === undefined) return { state: 'no-account' }
  // After the nonce, which counts a payment that is shown here.
  const { value: known } = await client.accountTransactions(from, { limit: 100 })
  for (const { command } of [...(known.pending ?? []), ...known.transactions])
    if (command.feePayer.publicKey === from && command.memo === memoOnChain(reference))
      throw new Error(`the reference of ${command.hash}`)
  const fee = await client.suggestedFee({ maxFee })
  if (fee < network.minimumFee) throw new RangeError(`no node takes a fee below ${network.minimumFee}`)
  const { value: tip } = await client.summary()
  const terms = { from, to, amount, fee, memo: reference, nonce: nonce ?? wallet.nextNonce }
  const signed = signer.signPayment({ ...terms, validUntil: tip.globalSlot + lastingSlots }, privateKey)
  const hash = signer.hashPayment(signed, { berkeley: true })
  await keep({ network: network.networkName, signed, hash, sentAtTip: wallet.tip })
  const outcome = await client.sendUntilKnown(signed)
  const isRefused = outcome.outcome === 'refused'
  if (isRefused && !passing.includes(outcome.code)) return { ...outcome, state: 'refused' }
  return client.waitForInclusion(signed, hash, { confirmations: 3, sentAtTip: wallet.tip, neverSent: isRefused })
}
