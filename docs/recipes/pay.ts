import Client from 'mina-signer'
import { parseExact } from './parse-exact.ts'

/** Signs a payment of so many nanomina (1 MINA is 1000000000). Undefined for a key without an account. */
export async function signedPayment(url: string, privateKey: string, to: string, amount: bigint) {
  const client = new Client({ network: 'testnet' })
  const from = client.derivePublicKey(privateKey)
  const answer = await fetch(`${url}/accounts/${from}`)
  if (answer.status === 404) return undefined
  const { account } = parseExact(await answer.text())
  const terms = { from, nonce: String(account.nextNonce), validUntil: '4294967295' }
  const signed = client.signPayment({ to, amount: String(amount), fee: '10000000', ...terms }, privateKey)
  return { ...terms, hash: client.hashPayment(signed, { berkeley: true }), body: JSON.stringify(signed) }
}
