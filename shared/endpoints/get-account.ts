import { type Endpoint, notFound } from '../endpoint.ts'
import { accountFromNode, nodeAccount } from '../mapping/account.ts'
import { isPublicKey } from '../mapping/base58check.ts'
import { nodeCommand } from '../mapping/command.ts'
import { called, listOf, nullable, operation, shape, text } from '../mapping/wire.ts'
import { dataOf, listed } from '../reply.ts'

const accountByPublicKey = operation(
  'node',
  'query',
  'accountByPublicKey',
  '$publicKey: PublicKey!',
  shape({
    account: called('account(publicKey: $publicKey)', nullable(nodeAccount)),
    pooledUserCommands: called('pooledUserCommands(publicKey: $publicKey)', listOf(nodeCommand)),
    bestChain: called('bestChain(maxLength: 1)', nullable(listOf(shape({ stateHash: text })))),
  }),
)

const noAccount = notFound('No account found for that public key.')

/** GET /accounts/{public_key}: one account of the best tip's ledger, with its commands in the node's pool. */
export const getAccount: Endpoint<{ readonly publicKey: string }> = {
  name: 'getAccount',
  method: 'GET',
  path: '/accounts/{public_key}',
  tag: 'accounts',
  summary: 'Details of one account by its public key',
  operations: [accountByPublicKey],

  input: ({ path }) => ({ publicKey: path.public_key ?? '' }),

  async run({ publicKey }, ask) {
    if (!isPublicKey(publicKey)) return noAccount
    const reply = await ask(accountByPublicKey, { publicKey })
    const { account, pooledUserCommands, bestChain } = dataOf(accountByPublicKey, reply)
    // A node without a frontier answers null for every account.
    listed(bestChain)
    if (account === null) return noAccount
    return { status: 200, body: { account: accountFromNode(account, pooledUserCommands) }, maxAgeSeconds: 3 }
  },
}
