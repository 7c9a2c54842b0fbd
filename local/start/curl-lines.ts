// curl commands to paste: one for each endpoint.
import Client from 'mina-signer'
import { filledPath, heldValues, type NamedInBlock, queryText } from '../../shared/contract/parameters.ts'
import { contracts, endpoints } from '../../shared/endpoints/all.ts'
import type { Chain, Wallet } from '../chain/chain.ts'

/** A line for each GET; without a block that names what to look up, for those that need none. */
export const readingLines = (url: string, block: Partial<NamedInBlock> = {}): string[] =>
  endpoints.flatMap(({ name, method, path }) => {
    const filled = filledPath(path, heldValues(block))
    if (method !== 'GET' || filled === undefined) return []
    return [`curl -sS '${url}${filled}${queryText(contracts[name].samples[200]?.query)}'`]
  })

const posting = (url: string, path: string, body: object): string =>
  `curl -sS -H 'content-type: application/json' -d '${JSON.stringify(body)}' '${url}${path}'`

/**
 * Lines for the two POSTs: a payment and a delegation by two test wallets, with real signatures and the current nonces.
 * A line works until its wallet sends another command.
 */
export function broadcastingLines(url: string, chain: Chain): string[] {
  const [payer, receiver, delegator, delegate] = chain.wallets
  if (!payer || !receiver || !delegator || !delegate) throw new RangeError('the chain has fewer than four wallets')
  const client = new Client({ network: chain.network })
  const common = (from: Wallet, to: Wallet, memo: string) => {
    const account = chain.account(from.publicKey)
    const nonce = account === undefined ? 0 : chain.inferredNonce(account)
    return {
      to: to.publicKey,
      from: from.publicKey,
      fee: '10000000',
      nonce: String(nonce),
      memo,
      validUntil: '4294967295',
    }
  }
  const payment = { ...common(payer, receiver, 'hello'), amount: '1500000000' }
  const delegation = common(delegator, delegate, 'my stake')
  return [
    posting(url, '/broadcast/transaction', {
      publicKey: payer.publicKey,
      signature: client.signPayment(payment, payer.privateKey).signature,
      payload: payment,
    }),
    posting(url, '/broadcast/delegation', {
      publicKey: delegator.publicKey,
      signature: client.signStakeDelegation(delegation, delegator.privateKey).signature,
      payload: delegation,
    }),
  ]
}
