import { askSample } from '../chain/actions/sample.ts'
import type { getAccountTokensContract } from '../contract/endpoints/get-account-tokens.ts'
import { publicKeyForm } from '../contract/forms.ts'
import { current, failureCaching } from '../http/answer-headers.ts'
import { isMinaToken } from '../mapping/amounts.ts'
import { isPublicKey } from '../mapping/base58check.ts'
import { nodeQuery, nonEmptyChain } from '../upstream/node-query.ts'
import { anyText, called, listOf, nanomina, nullable, shape, shortText } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'
import { noAccount } from './no-account.ts'

const tokenAccount = shape({
  balance: shape({ total: nanomina }),
  publicKey: shortText,
  tokenId: shortText,
  tokenSymbol: nullable(anyText),
})

const accountsByPublicKey = nodeQuery(
  'accountsByPublicKey',
  '$publicKey: PublicKey!',
  {
    accounts: called(
      'accounts(publicKey: $publicKey)',
      listOf(tokenAccount),
      (accounts, asked) =>
        accounts.every(({ publicKey }) => publicKey === asked.publicKey) &&
        new Set(accounts.map(({ tokenId }) => tokenId)).size === accounts.length,
    ),
  },
  { lacks: ({ accounts }) => accounts.length === 0 },
)

/** GET /accounts/{public_key}/tokens: the balance of a key in every token. */
export const getAccountTokens: Endpoint<typeof getAccountTokensContract, { readonly publicKey: string }> = {
  name: 'getAccountTokens',
  method: 'GET',
  path: '/accounts/{public_key}/tokens',
  tag: 'accounts',
  summary: 'Balances of a public key in all tokens',
  caching: { 200: { complete: current }, 404: { missing: current }, '5xx': { failure: failureCaching } },
  operations: [accountsByPublicKey],
  identifier: { parameter: 'public_key', forms: [publicKeyForm], unknown: noAccount },

  input: ({ path: { public_key } }) => (isPublicKey(public_key) ? { publicKey: public_key } : undefined),

  async run({ publicKey }, chain) {
    const { accounts, bestChain } = (await askSample(chain, accountsByPublicKey, { publicKey })).data
    // A node without a frontier lists no account of any key.
    nonEmptyChain(bestChain)
    const isMina = ({ tokenId }: (typeof accounts)[number]) => isMinaToken(tokenId)
    const minaFirst = [...accounts.filter(isMina), ...accounts.filter((account) => !isMina(account))]
    const tokens = minaFirst.map(({ tokenId, balance, tokenSymbol }) => ({
      tokenId,
      balance: String(balance.total),
      ...(tokenSymbol !== null && tokenSymbol !== '' && { symbol: tokenSymbol }),
    }))
    return { status: 200, body: { tokens }, caching: current }
  },
}
