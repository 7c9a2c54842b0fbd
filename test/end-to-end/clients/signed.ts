// Commands signed as a row says, with the nonce that the chain takes next.
import Signer4 from 'mina-signer'
import Signer1 from 'mina-signer-1'
import Signer2 from 'mina-signer-2'
import Signer3 from 'mina-signer-3'
import type { Client, Kind, Signed } from '../../../docs/clients/row.ts'
import { rawSignatureOf } from '../../../local/examples/signed-forms.ts'
import type { Chain } from '../../../packages/testnet/chain.ts'
import { wallet } from '../running-service.ts'

type Terms = Signed['terms'] & { readonly amount: string }

/** The part that every version has; their types differ. */
interface Signer {
  signPayment(payment: Terms, privateKey: string): Pick<Signed, 'signature'>
  signStakeDelegation(delegation: Signed['terms'], privateKey: string): Pick<Signed, 'signature'>
  hashPayment(signed: object, options?: { readonly berkeley?: boolean }): string
  hashStakeDelegation(signed: object, options?: { readonly berkeley?: boolean }): string
}

const network = 'testnet'
const newest = new Signer4({ network })
/** By version. */
export const signers = {
  '1.7': new Signer1({ network }),
  '2.1': new Signer2({ network }),
  '3.1': new Signer3({ network }),
  '4.0': newest,
} as unknown as Readonly<Record<string, Signer>>

/** With a memo and an expiry that are null, and what Rosetta adds for other signers. */
function signedForRosetta(kind: Kind, { to, from, fee, nonce, amount }: Terms, privateKey: string) {
  const terms = { fee, nonce, memo: null, valid_until: null }
  const payment = kind === 'payment' ? { ...terms, to, from, amount, token: '1' } : null
  const stakeDelegation = kind === 'delegation' ? { ...terms, delegator: from, new_delegate: to } : null
  const unread = { randomOracleInput: '', signerInput: { prefix: [], suffix: [] } }
  return newest.signRosettaTransaction({ ...unread, payment, stakeDelegation }, privateKey)
}

/** A payment by erin, or a delegation by carol. */
export function signedBy(chain: Chain, kind: Kind, { signer = '4.0', terms }: Client): Signed {
  const { publicKey, privateKey } = wallet(chain, kind === 'payment' ? 'erin' : 'carol')
  const account = chain.account(publicKey)
  const common = {
    to: wallet(chain, 'bob').publicKey,
    from: publicKey,
    fee: '10000000',
    nonce: String(account && chain.inferredNonce(account)),
    memo: ' memo ä',
    validUntil: '4294967295',
    ...terms,
  }
  const payment = { ...common, amount: '1500000000' }
  const minaSigner = signers[signer] ?? newest
  const result =
    kind === 'payment'
      ? minaSigner.signPayment(payment, privateKey)
      : minaSigner.signStakeDelegation(common, privateKey)
  const raw = rawSignatureOf(result.signature)
  return {
    result: signer === 'Rosetta' ? signedForRosetta(kind, payment, privateKey) : result,
    publicKey,
    signature: result.signature,
    terms: kind === 'payment' ? payment : common,
    raw,
    rawOfDevice: [raw.slice(0, 64), raw.slice(64)].map((half) => half.match(/../g)?.reverse().join('')).join(''),
  }
}
