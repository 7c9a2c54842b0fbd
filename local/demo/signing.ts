// The two commands of the demo, signed as a wallet does it.
import type MinaSigner from 'mina-signer'
import type { DelegationToSend, PaymentToSend } from '../../client/src/client.ts'

/** A key pair and the nonce of its next command. */
export interface Signer {
  readonly name: string
  readonly publicKey: string
  readonly privateKey: string
  readonly nonce: number
}

export interface SignedCommand {
  readonly title: string
  readonly signed: PaymentToSend | DelegationToSend
}

const feeNanomina = '10000000'
const neverExpires = '4294967295'

export function signedPayment(mina: MinaSigner, signer: Signer, to: string, amountNanomina: string): SignedCommand {
  const payload = {
    to,
    from: signer.publicKey,
    fee: feeNanomina,
    amount: amountNanomina,
    nonce: String(signer.nonce),
    memo: 'demo payment',
    validUntil: neverExpires,
  }
  const { signature } = mina.signPayment(payload, signer.privateKey)
  return {
    title: `payment of ${amountNanomina} nanomina by ${signer.name}, nonce ${signer.nonce}`,
    signed: { publicKey: signer.publicKey, signature, payload },
  }
}

export function signedDelegation(mina: MinaSigner, signer: Signer, to: string): SignedCommand {
  const payload = {
    to,
    from: signer.publicKey,
    fee: feeNanomina,
    nonce: String(signer.nonce),
    memo: 'demo delegation',
    validUntil: neverExpires,
  }
  const { signature } = mina.signStakeDelegation(payload, signer.privateKey)
  return {
    title: `delegation by ${signer.name}, nonce ${signer.nonce}`,
    signed: { publicKey: signer.publicKey, signature, payload },
  }
}
