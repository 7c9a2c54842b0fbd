// The commands of the demo, signed as a wallet does it.
import type MinaSigner from 'mina-signer'
import type { DelegationToSend, PaymentToSend } from '../../packages/client/src/client.ts'

/** A key pair, and what its next command has unless its terms say otherwise. */
export interface Signer {
  readonly name: string
  readonly publicKey: string
  readonly privateKey: string
  readonly nonce: number
  /** Nanomina. */
  readonly fee: bigint
}

export interface SignedCommand {
  readonly title: string
  readonly signed: PaymentToSend | DelegationToSend
  /** Known before it is sent. */
  readonly hash: string
}

/** Its digits are texts, amounts nanomina; what it leaves out is as usual. */
export interface Terms {
  readonly to?: string
  readonly amount?: string
  readonly fee?: string
  readonly nonce?: number
  readonly validUntil?: string
}

const dataOf = ({ publicKey: from, ...signer }: Signer, to: string, { nonce = signer.nonce, ...terms }: Terms) => ({
  ...{ to, from, fee: String(signer.fee), memo: 'demo', validUntil: '4294967295' },
  ...{ ...terms, nonce: String(nonce) },
})

export function signedPayment(mina: MinaSigner, signer: Signer, to: string, terms: Terms, note = ''): SignedCommand {
  const data = { amount: '1500000000', ...dataOf(signer, to, terms) }
  const signed = mina.signPayment(data, signer.privateKey)
  const title = `payment by ${signer.name}, nonce ${data.nonce}${note && `, ${note}`}`
  return { title, signed, hash: mina.hashPayment(signed, { berkeley: true }) }
}

export function signedDelegation(mina: MinaSigner, signer: Signer, to: string, terms: Terms = {}): SignedCommand {
  const data = dataOf(signer, to, terms)
  const signed = mina.signStakeDelegation(data, signer.privateKey)
  const title = `delegation by ${signer.name}, nonce ${data.nonce}`
  return { title, signed, hash: mina.hashStakeDelegation(signed, { berkeley: true }) }
}
