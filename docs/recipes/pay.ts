import Client from 'mina-signer'
import { parseExact } from './parse-exact.ts'

/** Signs and sends a payment. Amount and fee are nanomina: 1 MINA is 1000000000. */
export async function pay(url: string, network: 'mainnet' | 'testnet', privateKey: string, to: string, amount: bigint) {
  const client = new Client({ network })
  const from = client.derivePublicKey(privateKey)
  const { account } = parseExact(await (await fetch(`${url}/accounts/${from}`)).text())
  const nonce = account.nextNonce
  const payment = { to, from, amount, fee: 10_000_000n, nonce, memo: 'hello', validUntil: 4_294_967_295 }
  const signed = client.signPayment(payment, privateKey)
  const body = JSON.stringify(signed, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  const response = await fetch(`${url}/broadcast/transaction`, { method: 'POST', body })
  return { signed: body, status: response.status, headers: response.headers, answer: parseExact(await response.text()) }
}
