// What an indexer adds to the node's account: counters, username, and the staking ledgers of this epoch and the next.
import type { Account } from '../contract/account.ts'
import type { Exact } from '../mapping/json.ts'
import { WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import { operation } from '../upstream/operation.ts'
import type { EndpointContext } from '../upstream/query.ts'
import { queryData } from '../upstream/reply.ts'
import { called, count, listOf, nullable, shape, text, type Wire } from '../upstream/wire.ts'
import { attempt, type Indexed, type MissingFields, queryIndexer } from './indexed.ts'
import { countersFromIndexer, indexerAccount } from './indexer-account.ts'
import { type StakingView, stakesInLedger, stakingView } from './staking.ts'

/** Apart from the account: a daemon gathers its peers for it, and only staking records show the chain id. */
const nodeChainId = nodeQuery('nodeChainId', '', { daemonStatus: shape({ chainId: text }) })

const indexedAccount = operation(
  'indexer',
  'query',
  'indexedAccount',
  '$publicKey: String!',
  shape({
    accounts: called(
      'accounts(limit: 1, query: {publicKey: $publicKey})',
      listOf(indexerAccount),
      (accounts, asked) => accounts.length <= 1 && accounts.every(({ publicKey }) => publicKey === asked.publicKey),
    ),
    tip: called('block', nullable(shape({ blockHeight: count, genesisStateHash: text }))),
  }),
)

export const additionOperations = [indexedAccount, nodeChainId, stakesInLedger]

/** The node's view at the time of its answer. */
export interface NodeView {
  readonly blockHeight: number
  readonly genesisStateHash: string
  readonly stakingLedgerHash: string
  readonly nextLedgerHash: string
}

export interface Additions {
  readonly fields: Partial<Exact<Account>>
  readonly missing: readonly MissingFields[]
}

type FirstAnswer = Indexed<Wire<typeof indexedAccount.data>>

/** The questions that need not wait for the node's account, each with its answer still to come. */
export interface Started {
  readonly account: Promise<FirstAnswer>
  /** Rejects when the node does not answer. */
  readonly chainId: Promise<string>
}

/** Asks what can be asked at once; undefined without an indexer. */
export function startAdditions(publicKey: string, context: EndpointContext): Started | undefined {
  if (!context.configured.indexer) return undefined
  const account = queryIndexer(context, indexedAccount, { publicKey })
  const chainId = queryData(context.query, nodeChainId, {}).then(({ daemonStatus }) => daemonStatus.chainId)
  // Both are awaited later. When the node's account fails first they never are, so a failure here has to be handled.
  for (const promise of [account, chainId]) promise.catch(() => undefined)
  return { account, chainId }
}

/** An indexer this far behind the node's tip counts as missing: its counters are of the past. */
export const mostBlocksBehind = 10

/** @throws WireError when the indexer is on another chain, far behind, or has not seen the account */
function countersOf({ accounts, tip }: Wire<typeof indexedAccount.data>, node: NodeView) {
  if (tip === null) throw new WireError('unreadable', 'the indexer has no block')
  if (tip.genesisStateHash !== node.genesisStateHash) {
    throw new WireError('unreadable', `the indexer is on another chain, of genesis ${tip.genesisStateHash}`)
  }
  if (tip.blockHeight < node.blockHeight - mostBlocksBehind) {
    throw new WireError('unreadable', `the indexer is at block ${tip.blockHeight}, the node at ${node.blockHeight}`)
  }
  const [account] = accounts
  if (account === undefined) throw new WireError('unreadable', 'the indexer does not have the account')
  return countersFromIndexer(account)
}

/** Settles only when the indexer is down, to skip the slow staking query; never when it answers, however badly. */
const indexerDown = (first: Promise<FirstAnswer>): Promise<Indexed<never>> =>
  new Promise((resolve, reject) => {
    first.then((answer) => {
      if (answer.state === 'missing' && !['unreadable', 'mismatched'].includes(answer.fault)) resolve(answer)
    }, reject)
  })

const stakingViewOf = (ledgerHash: string, publicKey: string, chainId: Promise<string>, { query }: EndpointContext) =>
  attempt(async () => {
    const stakes = queryData(query, stakesInLedger, { ledgerHash, publicKey })
    const [found, chain] = await Promise.all([stakes, chainId])
    return stakingView(found, ledgerHash, chain)
  })

function additionsFrom<T>(
  answer: Indexed<T>,
  names: readonly (keyof Account)[],
  fieldsOf: (value: T) => Partial<Exact<Account>>,
): Additions {
  if (answer.state === 'known') return { fields: fieldsOf(answer.value), missing: [] }
  return { fields: {}, missing: answer.state === 'missing' ? [{ fields: names, reason: answer.reason }] : [] }
}

/**
 * Everything that the indexer adds, and what it should have added and did not.
 *
 * @param started what `startAdditions` gave
 */
export async function additionsTo(
  publicKey: string,
  node: NodeView,
  started: Started | undefined,
  context: EndpointContext,
): Promise<Additions> {
  if (started === undefined) return { fields: {}, missing: [] }
  const { account: first, chainId } = started
  const viewOf = (ledgerHash: string): Promise<Indexed<StakingView>> =>
    Promise.race([stakingViewOf(ledgerHash, publicKey, chainId, context), indexerDown(first)])
  const [current, next] = await Promise.all([viewOf(node.stakingLedgerHash), viewOf(node.nextLedgerHash)])
  const answer = await first
  const counters = answer.state === 'known' ? await attempt(async () => countersOf(answer.value, node)) : answer
  const parts = [
    additionsFrom(counters, ['totalTx', 'totalBlocks', 'totalSnarks', 'username'], (fields) => fields),
    additionsFrom(
      current,
      ['epochStakingAccount', 'epochDelegators', 'epochTotalStakingBalance'],
      ({ account, delegators, totalBalance }) => ({
        epochStakingAccount: account,
        epochDelegators: delegators,
        epochTotalStakingBalance: totalBalance,
      }),
    ),
    additionsFrom(
      next,
      ['nextEpochStakingAccount', 'nextEpochDelegators', 'nextEpochTotalStakingBalance'],
      ({ account, delegators, totalBalance }) => ({
        nextEpochStakingAccount: account,
        nextEpochDelegators: delegators,
        nextEpochTotalStakingBalance: totalBalance,
      }),
    ),
  ]
  return {
    fields: Object.assign({}, ...parts.map(({ fields }) => fields)),
    missing: parts.flatMap(({ missing }) => missing),
  }
}
