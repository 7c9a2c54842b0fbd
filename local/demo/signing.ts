// The two commands of the demo, signed as a wallet does it.
import type Client from 'mina-signer'

/** A key pair and the nonce of its next command. */
export interface Signer {
  readonly name: string
  readonly publicKey: string
  readonly privateKey: string
  readonly nonce: number
}

export interface SignedCommand {
  readonly title: string
  readonly path: string
  readonly body: object
}

const feeNanomina = '10000000'
const neverExpires = '4294967295'

export function signedPayment(client: Client, signer: Signer, to: string, amountNanomina: string): SignedCommand {
  const payload = {
    to,
    from: signer.publicKey,
    fee: feeNanomina,
    amount: amountNanomina,
    nonce: String(signer.nonce),
    memo: 'demo payment',
    validUntil: neverExpires,
  }
  const { signature } = client.signPayment(payload, signer.privateKey)
  return {
    title: `payment of ${amountNanomina} nanomina by ${signer.name}, nonce ${signer.nonce}`,
    path: '/broadcast/transaction',
    body: { publicKey: signer.publicKey, signature, payload },
  }
}

export function signedDelegation(client: Client, signer: Signer, to: string): SignedCommand {
  const payload = {
    to,
    from: signer.publicKey,
    fee: feeNanomina,
    nonce: String(signer.nonce),
    memo: 'demo delegation',
    validUntil: neverExpires,
  }
  const { signature } = client.signStakeDelegation(payload, signer.privateKey)
  return {
    title: `delegation by ${signer.name}, nonce ${signer.nonce}`,
    path: '/broadcast/delegation',
    body: { publicKey: signer.publicKey, signature, payload },
  }
}
