// Accounts and summary of the contract as the chain's own ledgers give them, without the service's mapping.
import type { EpochData } from '../../local/chain/block.ts'
import type { Chain } from '../../local/chain/chain.ts'
import { usernamesOf } from '../../local/chain/indexer/usernames.ts'
import { type Account, minimumBalance } from '../../local/chain/ledger/ledger.ts'
import type { ChainState } from './watched-chain.ts'

function mina(nanomina: bigint): string {
  const digits = String(nanomina).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}

/** The staking fields from one ledger. Staking ledgers here belong to one epoch each: the run starts after the first two. */
function expectedStakes(chain: Chain, { ledgerHash }: EpochData, epoch: number, publicKey: string) {
  const accounts = [...(chain.stakingLedgerByHash(ledgerHash)?.values() ?? [])]
  const record = (account: Account) => ({
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
  const largestFirst = delegators.toSorted((left, right) =>
    left.balance === right.balance
      ? left.publicKey < right.publicKey
        ? -1
        : 1
      : left.balance > right.balance
        ? -1
        : 1,
  )
  return {
    own: accounts.filter((account) => account.publicKey === publicKey).map(record),
    delegators: largestFirst.map(record),
    total: mina(delegators.reduce((sum, { balance }) => sum + balance, 0n)),
  }
}

/**
 * An account with nothing in the pool.
 *
 * @param seen the state that the node told of
 * @param counted the state that the indexer counted in; it may be asked before or after a block that the node is not
 * @throws RangeError for a key without an account
 */
export function expectedAccount(chain: Chain, seen: ChainState, counted: ChainState, publicKey: string): object {
  const account = seen.ledger.get(publicKey)
  if (account === undefined) throw new RangeError(`${publicKey} has no account`)
  const { epoch, stakingEpoch, nextEpoch, slot } = seen.tip
  const current = expectedStakes(chain, stakingEpoch, epoch, publicKey)
  const next = expectedStakes(chain, nextEpoch, epoch + 1, publicKey)
  const commands = counted.blocks.flatMap(({ userCommands }) => userCommands)
  return {
    publicKey,
    balance: {
      total: mina(account.balance),
      unknown: mina(account.balance),
      lockedBalance: account.timing === null ? null : mina(minimumBalance(account, slot)),
    },
    nonce: account.nonce,
    receiptChainHash: account.receiptChainHash,
    delegate: account.delegate,
    votingFor: account.votingFor,
    totalTx: commands.filter(({ command: { from, to } }) => from === publicKey || to === publicKey).length,
    totalBlocks: counted.blocks.filter(({ creator }) => creator === publicKey).length,
    totalSnarks: counted.blocks.flatMap(({ snarkJobs }) => snarkJobs).filter(({ prover }) => prover === publicKey)
      .length,
    countPendingTransactions: 0,
    firstPendingTransaction: [],
    username: usernamesOf(chain).get(publicKey) ?? 'Unknown',
    epochStakingAccount: current.own,
    nextEpochStakingAccount: next.own,
    epochDelegators: current.delegators,
    nextEpochDelegators: next.delegators,
    epochTotalStakingBalance: current.total,
    nextEpochTotalStakingBalance: next.total,
  }
}

/** The summary on a deployment without a table of locked supply. */
export function expectedSummary(chain: Chain, { tip, ledger }: ChainState): object {
  const total = mina([...ledger.values()].reduce((sum, { balance }) => sum + balance, 0n))
  return {
    blockchainLength: tip.height,
    chainId: chain.chainId,
    circulatingSupply: total,
    dateTime: new Date(tip.date).toUTCString(),
    epoch: tip.epoch,
    globalSlot: tip.slot,
    lockedSupply: mina(0n),
    minWindowDensity: tip.minWindowDensity,
    nextEpochLedgerHash: tip.nextEpoch.ledgerHash,
    previousStateHash: tip.previousStateHash,
    slot: tip.slot % chain.slotsPerEpoch,
    snarkedLedgerHash: tip.snarkedLedgerHash,
    stagedLedgerHash: tip.stagedLedgerHash,
    stakingEpochLedgerHash: tip.stakingEpoch.ledgerHash,
    stateHash: tip.stateHash,
    totalCurrency: total,
  }
}
