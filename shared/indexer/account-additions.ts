// Adds to the node's account what the indexer on its network knows: counters, username, and the key's entries in the staking
// ledgers of this epoch and the next.
import { requiredNetwork } from '../chain/actions/network.ts'
import type { ChainView } from '../chain/port.ts'
import type { Account } from '../contract/account.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { accountsByKey, countersFromIndexer, indexerAccount } from '../mapping/indexer-account.ts'
import { WireError } from '../upstream/errors.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { networkQuery } from '../upstream/network.ts'
import { shape, type Wire } from '../upstream/wire.ts'
import { type Attempted, attempt, type MissingFields, maxBlocksBehind, queryIndexer } from './indexed.ts'
import { indexerTip, otherChain, requireTip } from './indexer-tip.ts'
import { askEvery, type IndexerOfChain, onNetwork } from './responsible-indexers.ts'
import { type StakingNames, stakingFields } from './staking.ts'
import { readStakingLedger } from './staking-ledger.ts'
import { stakingOperations } from './staking-questions.ts'

const indexedAccount = indexerQuery(
  'indexedAccount',
  '$publicKey: String!',
  shape({ accounts: accountsByKey(indexerAccount), tip: indexerTip }),
)

export const additionOperations = [indexedAccount, networkQuery, ...stakingOperations]

/** The node's view at the time of its answer. */
interface NodeView {
  readonly blockHeight: number
  readonly genesisStateHash: string
  readonly epoch: number
  readonly stakingLedgerHash: string
  readonly nextLedgerHash: string
}

interface Additions {
  readonly fields: Partial<Exact<Account>>
  readonly missing: readonly MissingFields[]
}

type IndexedAccount = Wire<typeof indexedAccount.data>

/** The answers of each indexer, still to come: they need not wait for the node's account. */
export type Started = ReturnType<typeof askEvery<IndexedAccount>>

/** Sends the questions that can be sent at once. */
export function startAdditions(publicKey: string, chain: ChainView): Started {
  if (chain.scans !== undefined) chain.networks.start()
  return askEvery(chain, (each) => queryIndexer(each, indexedAccount, { publicKey }))
}

/** @throws WireError when the indexer has no block or is on another chain */
function tipOnChain({ tip }: IndexedAccount, node: NodeView) {
  const own = requireTip(tip)
  if (own.genesisStateHash !== node.genesisStateHash) throw otherChain(own)
  return own
}

/** @throws WireError when the indexer is on another chain, far behind, or has not seen the account */
function countersOf(indexed: IndexedAccount, node: NodeView) {
  const tip = tipOnChain(indexed, node)
  if (tip.blockHeight < node.blockHeight - maxBlocksBehind) {
    throw new WireError('unreadable', `the indexer is at block ${tip.blockHeight}, the node at ${node.blockHeight}`)
  }
  const [account] = indexed.accounts
  if (account === undefined) throw new WireError('unreadable', 'the indexer does not have the account')
  return countersFromIndexer(account)
}

const counterNames = ['totalTx', 'totalBlocks', 'totalSnarks', 'username'] as const

const ofCurrentEpoch: StakingNames = {
  account: 'epochStakingAccount',
  delegators: 'epochDelegators',
  count: 'epochDelegatorCount',
  total: 'epochTotalStakingBalance',
}

const ofNextEpoch: StakingNames = {
  account: 'nextEpochStakingAccount',
  delegators: 'nextEpochDelegators',
  count: 'nextEpochDelegatorCount',
  total: 'nextEpochTotalStakingBalance',
}

/** After this time no request waits for its turn or starts a walk, so that the account is answered in time. */
const startWalksWithinMs = 8000

/** The staking fields of both epochs, one ledger after the other. */
async function stakingAdditions(
  publicKey: string,
  node: NodeView,
  indexed: Attempted<IndexedAccount>,
  { chain, indexer }: IndexerOfChain,
): Promise<readonly Additions[]> {
  const { scans } = chain
  if (scans === undefined) return []
  const onChain = indexed.state === 'known' ? await attempt(async () => tipOnChain(indexed.value, node)) : indexed
  const doubt = onChain.state === 'missing' ? onChain : undefined
  const blocksMade = indexed.state === 'known' ? (indexed.value.accounts[0]?.pk_total_num_blocks ?? 0) : 0
  const staker = { publicKey, isProducer: blocksMade > 0 }
  const startUntilMs = chain.timeLeftMs() - startWalksWithinMs
  const read = (hash: string) => readStakingLedger(hash, staker, doubt, startUntilMs, { scans, chain, indexer })
  const current = await read(node.stakingLedgerHash)
  const next = await read(node.nextLedgerHash)
  const chainId = await attempt(async () => (await requiredNetwork(chain, node.genesisStateHash)).chainId)
  return [
    stakingFields(current, ofCurrentEpoch, node.epoch, chainId),
    stakingFields(next, ofNextEpoch, node.epoch + 1, chainId),
  ]
}

/**
 * The fields that the indexer adds, and those that it should have added and did not.
 *
 * @param started the result of `startAdditions`
 */
export async function additionsTo(publicKey: string, node: NodeView, started: Started): Promise<Additions> {
  const asked = await onNetwork(started, node.genesisStateHash)
  if (asked === undefined) return { fields: {}, missing: [] }
  const indexed = await asked.answer
  const counters = indexed.state === 'known' ? await attempt(async () => countersOf(indexed.value, node)) : indexed
  const counted: Additions =
    counters.state === 'known'
      ? { fields: counters.value, missing: [] }
      : { fields: {}, missing: [{ fields: counterNames, reason: counters.reason }] }
  const staking = await stakingAdditions(publicKey, node, indexed, asked)
  const parts = [counted, ...staking]
  return {
    fields: Object.assign({}, ...parts.map(({ fields }) => fields)),
    missing: parts.flatMap(({ missing }) => missing),
  }
}
