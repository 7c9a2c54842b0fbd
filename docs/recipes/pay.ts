import Client from 'mina-signer'
import { memoOnChain } from './memo.ts'
import { checkNetwork, kindOf, type Network } from './network.ts'
import { parseExact } from './parse-exact.ts'

export interface Payer extends Network {
  readonly privateKey: string
  /** In nanomina; 0.1 MINA by default. */
  readonly maxFee?: bigint
}

/** The suggested fee in nanomina, or your maximum where the service suggests more. */
async function feeWithin(url: string, maxFee: bigint) {
  const { suggested } = parseExact(await (await fetch(`${url}/fees`)).text())
  if (!/^\d+$/.test(suggested?.normal)) throw new Error('the service suggests no fee now')
  const fee = BigInt(suggested.normal)
  return fee < maxFee ? fee : maxFee
}

/**
 * Signs a payment of so many nanomina (1 MINA is 1000000000). Undefined for a key without an account: a reorganisation may have
 * taken off its first deposit, so call it again later, as after an error.
 */
export async function signedPayment(url: string, payer: Payer, to: string, amount: bigint, memo?: string | null) {
  const { network, privateKey, maxFee = 100_000_000n } = payer
  // For a memo that is null mina-signer signs the word.
  const text = memo ?? ''
  await checkNetwork(url, payer)
  const signatureKind = kindOf(payer)
  const isKnown = signatureKind === 'mainnet' || signatureKind === 'testnet'
  const client = new Client({ network: isKnown ? signatureKind : { custom: signatureKind } })
  const from = client.derivePublicKey(privateKey)
  const answer = await fetch(`${url}/accounts/${from}`)
  // Not a gateway's for a wrong path.
  if (answer.status === 404 && answer.headers.has('x-chain-height')) return undefined
  if (!answer.ok) throw new Error(`${answer.status}: the service does not show the account now`)
  const { account } = parseExact(await answer.text())
  const [nonce, validUntil] = [String(account.nextNonce), '4294967295']
  const fee = String(await feeWithin(url, maxFee))
  const terms = { from, nonce, to, fee, amount: String(amount) }
  const signed = client.signPayment({ ...terms, validUntil, memo: text }, privateKey)
  const hash = client.hashPayment(signed, { berkeley: true })
  const asked = { ...terms, valid_until: validUntil, memo: await memoOnChain(text) }
  return { network, signatureKind, hash, terms: asked, body: JSON.stringify(signed) }
}
