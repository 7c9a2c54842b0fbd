// What an indexer adds to the node's account: counters, username, and the staking ledgers of this epoch and the next.
import type { Ask } from './endpoint.ts'
import { WireError } from './errors.ts'
import { askIndexer, type Indexed, indexed, type Lack } from './indexer.ts'
import { countersFromIndexer, indexerAccount } from './mapping/indexer-account.ts'
import { type StakingView, stakesInLedger, stakingView } from './mapping/staking.ts'
import { called, count, listOf, nullable, operation, shape, text, type Wire } from './mapping/wire.ts'
import { dataOf } from './reply.ts'

/** Apart from the account: a daemon gathers its peers for it, and only staking records show the chain id. */
const nodeChainId = operation('node', 'query', 'nodeChainId', '', shape({ daemonStatus: shape({ chainId: text }) }))

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
  readonly fields: object
  readonly lacks: readonly Lack[]
}

type FirstAnswer = Indexed<Wire<typeof indexedAccount.data>>

/** The questions that need not wait for the node's account, each with its answer still to come. */
export interface Started {
  readonly account: Promise<FirstAnswer>
  /** Rejects where the node does not tell. */
  readonly chainId: Promise<string>
}

/** Asks what can be asked at once; undefined without an indexer. */
export function startAdditions(publicKey: string, ask: Ask): Started | undefined {
  if (!ask.hasIndexer) return undefined
  const account = askIndexer(ask, indexedAccount, { publicKey })
  const chainId = ask(nodeChainId, {}).then((reply) => dataOf(nodeChainId, {}, reply).daemonStatus.chainId)
  // Both are awaited later; where the node's account fails first, a failure here is nobody's.
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
const silence = (first: Promise<FirstAnswer>): Promise<Indexed<never>> =>
  new Promise((resolve, reject) => {
    first.then((answer) => {
      if (answer.state === 'missing' && !['unreadable', 'mismatched'].includes(answer.fault)) resolve(answer)
    }, reject)
  })

const stakingViewOf = (ledgerHash: string, publicKey: string, chainId: Promise<string>, ask: Ask) =>
  indexed(async () => {
    const asked = { ledgerHash, publicKey }
    const [reply, chain] = await Promise.all([ask(stakesInLedger, asked), chainId])
    return stakingView(dataOf(stakesInLedger, asked, reply), ledgerHash, chain)
  })

function taken<T>(answer: Indexed<T>, names: readonly string[], fields: (value: T) => object): Additions {
  if (answer.state === 'known') return { fields: fields(answer.value), lacks: [] }
  return { fields: {}, lacks: answer.state === 'missing' ? [{ fields: names, reason: answer.reason }] : [] }
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
  ask: Ask,
): Promise<Additions> {
  if (started === undefined) return { fields: {}, lacks: [] }
  const { account: first, chainId } = started
  const viewOf = (ledgerHash: string): Promise<Indexed<StakingView>> =>
    Promise.race([stakingViewOf(ledgerHash, publicKey, chainId, ask), silence(first)])
  const [current, next] = await Promise.all([viewOf(node.stakingLedgerHash), viewOf(node.nextLedgerHash)])
  const answer = await first
  const counters = answer.state === 'known' ? await indexed(async () => countersOf(answer.value, node)) : answer
  const parts = [
    taken(counters, ['totalTx', 'totalBlocks', 'totalSnarks', 'username'], (fields) => fields),
    taken(
      current,
      ['epochStakingAccount', 'epochDelegators', 'epochTotalStakingBalance'],
      ({ account, delegators, totalBalance }) => ({
        epochStakingAccount: account,
        epochDelegators: delegators,
        epochTotalStakingBalance: totalBalance,
      }),
    ),
    taken(
      next,
      ['nextEpochStakingAccount', 'nextEpochDelegators', 'nextEpochTotalStakingBalance'],
      ({ account, delegators, totalBalance }) => ({
        nextEpochStakingAccount: account,
        nextEpochDelegators: delegators,
        nextEpochTotalStakingBalance: totalBalance,
      }),
    ),
  ]
  return { fields: Object.assign({}, ...parts.map(({ fields }) => fields)), lacks: parts.flatMap(({ lacks }) => lacks) }
}
