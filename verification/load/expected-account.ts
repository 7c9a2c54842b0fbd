// Accounts of the contract, worked out without the service's mapping: from what a node sends of them, as the judge of faults
// reads it, and from the chain's own ledgers.
import type { EpochData } from '../../local/chain/block.ts'
import type { Chain } from '../../local/chain/chain.ts'
import { usernamesOf } from '../../local/chain/indexer/usernames.ts'
import type { Account as ChainAccount } from '../../local/chain/ledger/ledger.ts'
import type { Account, StakingRecord } from '../../shared/contract/account.ts'
import { getAccount } from '../../shared/endpoints/get-account.ts'
import type { Exact } from '../../shared/mapping/exact-json.ts'
import { accountBody } from '../upstream-faults/judge/bodies/account-body.ts'
import { mina } from '../upstream-faults/judge/sent/values.ts'
import { type ChainState, nodeData } from './recorded-chain.ts'

interface ExpectedStakes {
  readonly own: readonly Exact<StakingRecord>[]
  /** Largest first. */
  readonly delegators: readonly Exact<StakingRecord>[]
  readonly total: string
}

function largestFirst(left: ChainAccount, right: ChainAccount): number {
  if (left.balance !== right.balance) return left.balance > right.balance ? -1 : 1
  return left.publicKey < right.publicKey ? -1 : 1
}

/** The staking fields of one epoch. */
function expectedStakes(chain: Chain, { ledgerHash }: EpochData, epoch: number, publicKey: string): ExpectedStakes {
  const accounts = [...(chain.stakingLedgerByHash(ledgerHash)?.values() ?? [])]
  const record = (account: ChainAccount): Exact<StakingRecord> => ({
    pk: account.publicKey,
    balance: mina(account.balance),
    delegate: account.delegate,
    token: 1,
    receipt_chain_hash: account.receiptChainHash,
    voting_for: account.votingFor,
    nonce: account.nonce,
    epoch,
    chainId: chain.chainId,
    public_key: account.publicKey,
  })
  const delegators = accounts.filter(({ delegate }) => delegate === publicKey)
  return {
    own: accounts.filter((account) => account.publicKey === publicKey).map(record),
    delegators: delegators.toSorted(largestFirst).map(record),
    total: mina(delegators.reduce((sum, { balance }) => sum + balance, 0n)),
  }
}

/**
 * An account without pending transactions.
 *
 * @param atNode the state in which the node was asked
 * @param atIndexer the state in which the indexer was asked; a block may have come in between
 * @throws TypeError for a key without an account
 */
export function expectedAccount(
  chain: Chain,
  atNode: ChainState,
  atIndexer: ChainState,
  publicKey: string,
): Exact<Account> {
  const { epoch, stakingEpoch, nextEpoch } = atNode.tip
  const current = expectedStakes(chain, stakingEpoch, epoch, publicKey)
  const next = expectedStakes(chain, nextEpoch, epoch + 1, publicKey)
  const commands = atIndexer.blocks.flatMap(({ userCommands }) => userCommands)
  const zkappParties = atIndexer.blocks
    .flatMap((block) => block.zkappCommands)
    .flatMap(({ from, updates }) => {
      const updated = updates.map((update) => update.publicKey)
      return updated.some((key) => key === from) ? updated : [...updated, from]
    })
  const snarkJobs = atIndexer.blocks.flatMap((block) => block.snarkJobs)
  return {
    ...accountBody(nodeData(atNode, getAccount, 'accountByPublicKey', { publicKey })),
    totalTx:
      commands.filter(({ command: { from, to } }) => from === publicKey || to === publicKey).length +
      zkappParties.filter((key) => key === publicKey).length,
    totalBlocks: atIndexer.blocks.filter(({ creator }) => creator === publicKey).length,
    totalSnarks: snarkJobs.filter(({ prover }) => prover === publicKey).length,
    username: usernamesOf(chain).get(publicKey) ?? 'Unknown',
    epochStakingAccount: current.own,
    nextEpochStakingAccount: next.own,
    epochDelegators: current.delegators,
    nextEpochDelegators: next.delegators,
    epochDelegatorCount: current.delegators.length,
    nextEpochDelegatorCount: next.delegators.length,
    epochTotalStakingBalance: current.total,
    nextEpochTotalStakingBalance: next.total,
  }
}
