import { additionOperations, additionsTo, startAdditions } from '../account-additions.ts'
import { type Endpoint, notFound } from '../endpoint.ts'
import { lacking } from '../indexer.ts'
import { accountFromNode, nodeAccount } from '../mapping/account.ts'
import { isPublicKey } from '../mapping/base58check.ts'
import { bestTip } from '../mapping/best-chain.ts'
import { nodeCommand } from '../mapping/command.ts'
import { called, count, listOf, nullable, operation, shape, text } from '../mapping/wire.ts'
import { dataOf, listed } from '../reply.ts'

const epochData = shape({ ledger: shape({ hash: text }) })

const tip = shape({
  protocolState: shape({
    consensusState: shape({ blockHeight: count, nextEpochData: epochData, stakingEpochData: epochData }),
  }),
})

const accountByPublicKey = operation(
  'node',
  'query',
  'accountByPublicKey',
  '$publicKey: PublicKey!',
  shape({
    account: called(
      'account(publicKey: $publicKey)',
      nullable(nodeAccount),
      (account, { publicKey }) => account === null || account.publicKey === publicKey,
    ),
    pooledUserCommands: called(
      'pooledUserCommands(publicKey: $publicKey)',
      listOf(nodeCommand),
      (commands, { publicKey }) => commands.every(({ from }) => from === publicKey),
    ),
    bestChain: bestTip(tip),
    genesisBlock: shape({ stateHash: text }),
  }),
)

const noAccount = notFound('No account found for that public key.')

/** GET /accounts/{public_key}: one account of the best tip's ledger, its pooled commands, and what an indexer adds. */
export const getAccount: Endpoint<{ readonly publicKey: string }> = {
  name: 'getAccount',
  method: 'GET',
  path: '/accounts/{public_key}',
  tag: 'accounts',
  summary: 'Details of one account by its public key',
  operations: [accountByPublicKey, ...additionOperations],

  input: ({ path }) => ({ publicKey: path.public_key ?? '' }),

  async run({ publicKey }, ask) {
    if (!isPublicKey(publicKey)) return noAccount
    const additions = startAdditions(publicKey, ask)
    const node = dataOf(accountByPublicKey, { publicKey }, await ask(accountByPublicKey, { publicKey }))
    // A node without a frontier answers null for every account.
    const { blockHeight, nextEpochData, stakingEpochData } = listed(node.bestChain)[0].protocolState.consensusState
    if (node.account === null) return noAccount
    const view = {
      blockHeight,
      genesisStateHash: node.genesisBlock.stateHash,
      stakingLedgerHash: stakingEpochData.ledger.hash,
      nextLedgerHash: nextEpochData.ledger.hash,
    }
    const { fields, lacks } = await additionsTo(publicKey, view, additions, ask)
    const account = { ...accountFromNode(node.account, node.pooledUserCommands), ...fields }
    return lacking({ status: 200, body: { account }, maxAgeSeconds: 3 }, lacks)
  },
}
