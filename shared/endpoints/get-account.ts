import { accountByKey, pooledUserCommands, pooledZkappCommands } from '../chain/actions/recent-commands.ts'
import { askSample } from '../chain/actions/sample.ts'
import type { ChainView } from '../chain/port.ts'
import type { getAccountContract } from '../contract/endpoints/get-account.ts'
import { publicKeyForm } from '../contract/forms.ts'
import { current, failureCaching, incompleteMaxAgeSeconds } from '../http/answer-headers.ts'
import { additionOperations, additionsTo, startAdditions } from '../indexer/account-additions.ts'
import { withMissingFields } from '../indexer/indexed.ts'
import { accountFromNode, nodeAccount } from '../mapping/account.ts'
import { isPublicKey } from '../mapping/base58check.ts'
import { listedCommand } from '../mapping/command.ts'
import { paidZkapp } from '../mapping/paid-zkapp.ts'
import { WireError } from '../upstream/errors.ts'
import { lacksQuery } from '../upstream/node-errors.ts'
import { bestTip, nodeQuery, nonEmptyChain } from '../upstream/node-query.ts'
import { count, hash, instant, shape, shortText } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'
import { noAccount } from './no-account.ts'

const epochData = shape({ ledger: shape({ hash: shortText }) })

const tip = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count, epoch: count, nextEpochData: epochData, stakingEpochData: epochData }),
  }),
  stateHash: hash,
})

const fields = {
  account: accountByKey(nodeAccount),
  pooledUserCommands: pooledUserCommands(listedCommand),
  bestChain: bestTip(tip),
}

const lacksAccount = { lacks: ({ account }: { readonly account: unknown }) => account === null }

const accountByPublicKey = nodeQuery(
  'accountByPublicKey',
  '$publicKey: PublicKey!',
  { ...fields, pooledZkappCommands: pooledZkappCommands(paidZkapp) },
  lacksAccount,
)

const accountWithoutZkapps = nodeQuery('accountWithoutZkapps', '$publicKey: PublicKey!', fields, lacksAccount)

/** The account, and the nonces of its pooled zkApp commands: none if the node is too old to know them. */
async function askNode(chain: ChainView, publicKey: string) {
  try {
    const { data } = await askSample(chain, accountByPublicKey, { publicKey })
    return { data, zkappNonces: data.pooledZkappCommands.map((command) => command.zkappCommand.feePayer.body.nonce) }
  } catch (error) {
    if (!(error instanceof WireError && lacksQuery(error.message, 'pooledZkappCommands'))) throw error
    const { data } = await askSample(chain, accountWithoutZkapps, { publicKey })
    return { data, zkappNonces: [] }
  }
}

const caching = {
  complete: current,
  incomplete: { ...current, maxAgeSeconds: incompleteMaxAgeSeconds, when: 'fields are missing' },
}

/** GET /accounts/{public_key}: one account of the best tip's ledger, its pooled commands, and what an indexer adds. */
export const getAccount: Endpoint<typeof getAccountContract, { readonly publicKey: string }> = {
  name: 'getAccount',
  method: 'GET',
  path: '/accounts/{public_key}',
  tag: 'accounts',
  summary: 'Details of one account by its public key',
  caching: { 200: caching, 404: { missing: current }, '5xx': { failure: failureCaching } },
  operations: [accountByPublicKey, accountWithoutZkapps, ...additionOperations],
  identifier: { parameter: 'public_key', forms: [publicKeyForm], unknown: noAccount },

  input: ({ path: { public_key } }) => (isPublicKey(public_key) ? { publicKey: public_key } : undefined),

  async run({ publicKey }, chain) {
    const additions = startAdditions(publicKey, chain)
    const { data: node, zkappNonces } = await askNode(chain, publicKey)
    // A node without a frontier answers null for every account.
    const { blockHeight, epoch, nextEpochData, stakingEpochData } = nonEmptyChain(node.bestChain)[0].protocolState
      .consensusState
    if (node.account === null) return noAccount
    const view = {
      blockHeight,
      genesisStateHash: node.genesisBlock.stateHash,
      epoch,
      stakingLedgerHash: stakingEpochData.ledger.hash,
      nextLedgerHash: nextEpochData.ledger.hash,
    }
    const { fields, missing } = await additionsTo(publicKey, view, additions)
    const account = { ...accountFromNode(node.account, node.pooledUserCommands, zkappNonces, blockHeight), ...fields }
    const status = { syncStatus: node.syncStatus, blockchainLength: blockHeight }
    const answer = { status: 200, body: { account, status }, caching: caching.complete } as const
    return withMissingFields(answer, missing, caching.incomplete)
  },
}
