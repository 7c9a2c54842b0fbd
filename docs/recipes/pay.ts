import Client from 'mina-signer'
import { memoOnChain } from './memo.ts'
import { parseExact } from './parse-exact.ts'

/** Signs a payment of so many nanomina (1 MINA is 1000000000). Undefined for a key without an account. */
export async function signedPayment(url: string, privateKey: string, to: string, amount: bigint, memo = '') {
  const client = new Client({ network: 'testnet' })
  const from = client.derivePublicKey(privateKey)
  const answer = await fetch(`${url}/accounts/${from}`)
  if (answer.status === 404) return undefined
  const { account } = parseExact(await answer.text())
  const [nonce, validUntil] = [String(account.nextNonce), '4294967295']
  const terms = { from, nonce, to, fee: '10000000', amount: String(amount) }
  const signed = client.signPayment({ ...terms, validUntil, memo }, privateKey)
  const hash = client.hashPayment(signed, { berkeley: true })
  const asked = { ...terms, valid_until: validUntil, memo: await memoOnChain(memo) }
  return { hash, terms: asked, body: JSON.stringify(signed) }
}
