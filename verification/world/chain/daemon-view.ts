// A simulated daemon in the GraphQL shapes of a real one.
import { encodeMemo } from '../../../local/chain/command.ts'
import { chainId, epochSeed, ledgerHash, receiptChainHash, stateHash, vrfOutput } from '../../../local/chain/hashes.ts'
import { minaToken } from '../../../local/chain/ledger/ledger.ts'
import { commandTexts } from '../../../local/chain/node/views.ts'
import { stateHashField } from '../../../shared/mapping/base58check.ts'
import { type HistoryCommand, receivers } from '../broadcasts/signed-command.ts'
import type { Block } from './block.ts'
import type { Daemon } from './daemon.ts'
import { NodeRefusal, type Resolver } from './graphql-answer.ts'
import type { Network } from './network.ts'
import { bootstrapWords, refusalWords } from './refusal-words.ts'

const tokenAccount = (publicKey: string) => ({ publicKey, token: minaToken, tokenId: minaToken })
const memos = new Map<string, string>()
const commandViews = new WeakMap<HistoryCommand, object>()
const blockViews = new WeakMap<Block, object>()

function memoText(memo: string): string {
  const known = memos.get(memo) ?? encodeMemo(memo)
  memos.set(memo, known)
  return known
}

function commandView(command: HistoryCommand): object {
  const known = commandViews.get(command)
  if (known !== undefined) return known
  const sender = tokenAccount(command.from)
  const receiver = tokenAccount(command.to)
  const view = {
    ...commandTexts(command),
    id: command.id,
    source: sender,
    receiver,
    feePayer: sender,
    memo: memoText(command.memo),
    fromAccount: sender,
    toAccount: receiver,
    failureReason: null,
  }
  commandViews.set(command, view)
  return view
}

const producer = { publicKey: receivers[0] }
const epochData = {
  epochLength: '7140',
  ledger: { hash: ledgerHash('world'), totalCurrency: '1000000000000000000' },
  lockCheckpoint: stateHash('lock'),
  seed: epochSeed('world'),
  startCheckpoint: stateHash('start'),
}
/** What no rule about nodes looks at. */
const consensusState = {
  epoch: '0',
  epochCount: '0',
  hasAncestorInSameCheckpointWindow: true,
  lastVrfOutput: vrfOutput('world'),
  minWindowDensity: '77',
  nextEpochData: epochData,
  stakingEpochData: epochData,
  totalCurrency: '1000000000000000000',
  coinbaseReceiever: producer.publicKey,
}

function blockView(block: Block): object {
  const known = blockViews.get(block)
  if (known !== undefined) return known
  const { commands, previousStateHash } = block
  const height = String(block.height)
  const date = String(block.atMs)
  const view = {
    creator: producer.publicKey,
    creatorAccount: producer,
    winnerAccount: producer,
    stateHash: block.stateHash,
    stateHashField: () => stateHashField(block.stateHash),
    protocolState: {
      previousStateHash,
      blockchainState: {
        date,
        utcDate: date,
        snarkedLedgerHash: epochData.ledger.hash,
        stagedLedgerHash: epochData.ledger.hash,
      },
      consensusState: {
        ...consensusState,
        blockHeight: height,
        blockchainLength: height,
        slot: height,
        slotSinceGenesis: height,
      },
    },
    transactions: {
      // A daemon lists the command that was applied last first.
      userCommands: commands.toReversed().map(commandView),
      zkappCommands: [],
      feeTransfer: [],
      coinbase: '720000000000',
      coinbaseReceiverAccount: producer,
    },
    commandTransactionCount: commands.length,
    snarkJobs: [],
  }
  blockViews.set(block, view)
  return view
}

function accountView(daemon: Daemon, publicKey: string): object | null {
  const account = daemon.account(publicKey)
  if (account === undefined) return null
  const balance = String(account.balance)
  return {
    ...tokenAccount(publicKey),
    nonce: String(account.nonce),
    inferredNonce: String(daemon.inferredNonce(publicKey)),
    balance: { total: balance, unknown: balance, liquid: balance, locked: '0' },
    delegate: publicKey,
    receiptChainHash: receiptChainHash(publicKey),
    timing: {
      cliffAmount: null,
      cliffTime: null,
      initialMinimumBalance: null,
      vestingIncrement: null,
      vestingPeriod: null,
    },
    votingFor: stateHash('nobody'),
  }
}

/** @throws NodeRefusal as a daemon refuses it */
function blockOf(daemon: Daemon, { stateHash, height }: Readonly<Record<string, unknown>>): object {
  if (daemon.state === 'bootstrapping') throw new NodeRefusal('Could not obtain transition frontier')
  // By height a daemon does not find the root of its frontier.
  const index = Number(height) - 1
  const block = typeof stateHash === 'string' ? daemon.block(stateHash) : index > 0 ? daemon.chain()[index] : undefined
  if (block !== undefined) return blockView(block)
  throw new NodeRefusal(
    typeof stateHash === 'string'
      ? `Block with state hash ${stateHash} not found in transition frontier`
      : `Could not find block in transition frontier with height ${String(height)}`,
  )
}

/**
 * @param command the one that a mutation submits; undefined for a request that reads
 * @param isOverloaded whether the pool refuses new commands now
 */
export function resolversOf(
  network: Network,
  daemon: Daemon,
  command: HistoryCommand | undefined,
  isOverloaded: boolean,
): Readonly<Record<string, Resolver>> {
  const hasFrontier = daemon.state !== 'bootstrapping'
  const version = daemon.version % bootstrapWords.submission.length
  const submit = (field: 'payment' | 'delegation') => () => {
    if (command === undefined) throw new Error('a request that reads submits something')
    const isNew = !daemon.queued(command.from).includes(command)
    const reason =
      isOverloaded && isNew && daemon.state === 'up'
        ? ({ kind: 'overloaded' } as const)
        : network.submit(daemon, command)
    if (reason?.kind === 'sender' && !hasFrontier) throw new NodeRefusal(bootstrapWords.submission[version] ?? '')
    if (reason !== undefined) throw new NodeRefusal(refusalWords(command, reason))
    return { [field]: commandView(command) }
  }
  return {
    sendPayment: submit('payment'),
    sendDelegation: submit('delegation'),
    pooledUserCommands: ({ publicKey }) =>
      hasFrontier
        ? (typeof publicKey === 'string' ? daemon.queued(publicKey) : daemon.allQueued()).map(commandView)
        : [],
    bestChain: ({ maxLength }) => {
      if (!hasFrontier) throw new NodeRefusal(bootstrapWords.bestChain[version] ?? '')
      const length = Number(maxLength ?? 290)
      return (length > 0 ? daemon.chain().slice(-length) : []).map(blockView)
    },
    block: (asked) => blockOf(daemon, asked),
    account: ({ publicKey }) => (hasFrontier ? accountView(daemon, String(publicKey)) : null),
    syncStatus: () => (hasFrontier ? 'SYNCED' : 'BOOTSTRAP'),
    genesisBlock: () => ({
      stateHash: network.genesisStateHash,
      protocolState: { consensusState: { blockchainLength: '1' } },
    }),
    daemonStatus: () => ({
      chainId: chainId(network.genesisStateHash),
      consensusConfiguration: { slotDuration: network.slotMs, k: 290 },
    }),
  }
}
