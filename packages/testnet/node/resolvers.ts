// The daemon's queries and mutations over the embedded chain, with its error messages.
import { GraphQLError } from 'graphql'
import { isStateHash } from '../../../shared/mapping/base58check.ts'
import type { ChainBlock } from '../block.ts'
import type { Chain } from '../chain.ts'
import { hashOfId } from '../command.ts'
import type { Submission } from '../pool/pool.ts'
import type { DelegationInput, PaymentInput, SignatureInput } from '../pool/submission.ts'
import { minaToken, type ZkappCommand } from '../zkapp-command.ts'
import { daemonStatus, genesisConstants, newPeerId, syncStatus, version } from './status.ts'
import { accountViews, blockView, commandView, zkappView } from './views.ts'

interface Submitted<Input> {
  readonly input: Input
  readonly signature?: SignatureInput | null
}

interface PoolFilter {
  readonly publicKey?: string | null
  readonly hashes?: readonly string[] | null
  readonly ids?: readonly string[] | null
}

const fail = (message: string): never => {
  throw new GraphQLError(message)
}

function findBlock(chain: Chain, stateHash: string | null | undefined, height: number | null | undefined): ChainBlock {
  if ((stateHash == null) === (height == null)) fail('Must provide exactly one of state hash, height')
  if (stateHash != null && !isStateHash(stateHash))
    fail('Error decoding state hash\nInvalid base58 check in State_hash')
  if (chain.bootstrapping) fail('Could not obtain transition frontier')
  if (stateHash != null) {
    const block = chain.frontierBlock(stateHash)
    return block ?? fail(`Block with state hash ${stateHash} not found in transition frontier`)
  }
  // A daemon searches the path from the root to the tip, which does not include the root.
  const block = chain.frontier().find((held, index) => index > 0 && held.height === height)
  return block ?? fail(`Could not find block in transition frontier with height ${height}`)
}

function bestChain(chain: Chain, maxLength: number | null | undefined): readonly ChainBlock[] {
  if (chain.bootstrapping) fail('Could not obtain best chain from transition frontier')
  if (maxLength == null) return chain.frontier()
  return maxLength > 0 ? chain.frontier().slice(-maxLength) : []
}

/** True for a queued command with one of the hashes and one of the ids, where any are given. */
const asked =
  ({ hashes, ids }: PoolFilter) =>
  ({ hash, id }: { readonly hash: string; readonly id: string | (() => string) }) =>
    (!hashes || hashes.includes(hash)) && (!ids || ids.includes(typeof id === 'string' ? id : id()))

function pooled(chain: Chain, filter: PoolFilter) {
  if (chain.bootstrapping) return []
  const found = chain.pool(filter.publicKey ?? undefined).filter(asked(filter))
  return found.map((command) => commandView(chain, command))
}

function pooledZkapps(chain: Chain, filter: PoolFilter) {
  if (chain.bootstrapping) return []
  const queued = chain.zkappPool(filter.publicKey ?? undefined)
  return queued.map((command) => zkappView(command)).filter(asked(filter))
}

interface StatusQuestion {
  readonly payment?: string | null
  readonly zkappTransaction?: string | null
}

function transactionStatus(chain: Chain, { payment: id, zkappTransaction }: StatusQuestion) {
  if (chain.bootstrapping) return 'UNKNOWN'
  if (zkappTransaction != null) {
    const isAsked = (zkapp: ZkappCommand) => zkappView(zkapp).id() === zkappTransaction
    if (chain.zkappPool().some(isAsked)) return 'PENDING'
    return chain.frontier().some(({ zkappCommands }) => zkappCommands.some(isAsked)) ? 'INCLUDED' : 'UNKNOWN'
  }
  if (id == null) return 'UNKNOWN'
  const hash = hashOfId(id)
  if (chain.pool().some((queued) => queued.hash === hash)) return 'PENDING'
  const included = chain.frontier().flatMap(({ userCommands }) => userCommands)
  return included.some(({ command }) => command.hash === hash) ? 'INCLUDED' : 'UNKNOWN'
}

function account(chain: Chain, publicKey: string, token: string | null | undefined) {
  return accountViews(chain, publicKey).find(({ tokenId }) => tokenId === (token ?? minaToken)) ?? null
}

/** Resolvers for the queries and the mutations of `nodeSchemaText`. */
export function nodeResolvers(chain: Chain) {
  const run = { startedAt: chain.now(), peerId: newPeerId() }
  let userCommandsSent = 0
  const accepted = (submission: Submission) => {
    if ('refused' in submission) return fail(submission.refused)
    userCommandsSent += 1
    return commandView(chain, submission.command)
  }
  return {
    query: {
      syncStatus: () => syncStatus(chain),
      daemonStatus: () => daemonStatus(chain, { ...run, userCommandsSent }),
      version: () => version,
      account: ({ publicKey, token }: { publicKey: string; token?: string | null }) => account(chain, publicKey, token),
      accounts: ({ publicKey }: { publicKey: string }) => accountViews(chain, publicKey),
      bestChain: ({ maxLength }: { maxLength?: number | null }) =>
        bestChain(chain, maxLength).map((block) => blockView(chain, block)),
      block: ({ stateHash, height }: { stateHash?: string | null; height?: number | null }) =>
        blockView(chain, findBlock(chain, stateHash, height)),
      genesisBlock: () => blockView(chain, chain.genesisBlock()),
      pooledUserCommands: (filter: PoolFilter) => pooled(chain, filter),
      pooledZkappCommands: (filter: PoolFilter) => pooledZkapps(chain, filter),
      transactionStatus: (question: StatusQuestion) => transactionStatus(chain, question),
      genesisConstants: () => genesisConstants(chain),
      timeOffset: () => 0,
      networkID: () => `mina:${chain.networkName}`,
      signatureKind: () => chain.network,
    },
    mutation: {
      sendPayment: ({ input, signature }: Submitted<PaymentInput>) => ({
        payment: accepted(chain.sendPayment(input, signature)),
      }),
      sendDelegation: ({ input, signature }: Submitted<DelegationInput>) => ({
        delegation: accepted(chain.sendDelegation(input, signature)),
      }),
    },
  }
}
