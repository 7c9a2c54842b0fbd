// A simulated mina-indexer: the embedded indexer's answers over the best chain as it was some blocks ago, or as it was before
// a reorganisation.

import { WireError } from '../../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../../shared/upstream/query.ts'
import { stateHash, zkappCommandHash } from '../../../testnet/hashes.ts'
import type { Ingested } from '../../../testnet/indexer/ingested.ts'
import { type AnswerContext, indexerResolvers } from '../../../testnet/indexer/resolvers.ts'
import { indexerSchemaText } from '../../../testnet/indexer/schema.ts'
import { integerBetween, type Random } from '../../../testnet/random.ts'
import { answeringAtOnce } from '../../node-answers.ts'
import type { Process } from '../time.ts'
import type { Block } from './block.ts'
import type { Network } from './network.ts'

export interface IndexerSetting {
  readonly blocksBehind: number
  /** It stays at a tip that the network has abandoned. */
  readonly isAtOrphan: boolean
  /** Its block files have no hashes of commands, so that it computes other ones. */
  readonly hasWrongHashes: boolean
  /** It follows a branch that the network never took, from the genesis block on. */
  readonly isOnDeadBranch: boolean
  /** The same, from the block above this height on. */
  readonly deadAbove?: number | undefined
  /** The share of calls that it does not answer. */
  readonly refusedShare: number
}

const answer = answeringAtOnce(indexerSchemaText)

/** Remembers what it makes of each block: an indexer has made it before a question comes. */
function ingesting(make: (block: Block) => Block): (block: Block) => Block {
  const made = new WeakMap<Block, Block>()
  return (block) => {
    const known = made.get(block) ?? make(block)
    made.set(block, known)
    return known
  }
}

const withWrongHashes = ingesting((block) => ({
  ...block,
  userCommands: block.userCommands.map(({ command, ...rest }) => ({
    ...rest,
    command: { ...command, hash: zkappCommandHash(command.hash) },
  })),
}))

/** A dearer command of the same sender and nonce, of which the network has never heard. */
const rivalOf = <Command extends { readonly fee: bigint; readonly hash: string }>(command: Command): Command => ({
  ...command,
  fee: command.fee + 7n,
  hash: zkappCommandHash(`rival of ${command.hash}`),
})

export const deadHashOf = (hash: string): string => stateHash(`dead branch ${hash}`)

/**
 * Makes of each block that of a chain as long, which left this one above a height: each command is replaced by a rival.
 *
 * @param above the genesis block's height where none is given
 */
const deadBranch = (above: number | undefined) =>
  ingesting((block) => {
    const { height, genesisHeight, previousStateHash } = block
    const kept = above ?? genesisHeight
    // A hard fork keeps the blocks before it.
    if (height <= Math.max(kept, genesisHeight)) return block
    return {
      ...block,
      stateHash: deadHashOf(block.stateHash),
      previousStateHash: height === kept + 1 ? previousStateHash : deadHashOf(previousStateHash),
      commands: block.commands.map(rivalOf),
      userCommands: block.userCommands.map(({ command, ...rest }) => ({ ...rest, command: rivalOf(command) })),
      zkappCommands: block.zkappCommands.map(rivalOf),
    }
  })

function ingestedBy(
  network: Network,
  old: Network,
  { blocksBehind, isAtOrphan, hasWrongHashes, isOnDeadBranch, deadAbove }: IndexerSetting,
  onDeadBranch: (block: Block) => Block,
): Ingested {
  const followed = (isAtOrphan ? network.abandonedChain() : undefined) ?? network.earlierChain(blocksBehind)
  // After a hard fork it is on the branch of the chain that it follows now.
  const { genesisHeight = 1 } = followed.at(-1) ?? {}
  const isKept = ({ height }: Block) => height <= genesisHeight
  const isDead = isOnDeadBranch || deadAbove !== undefined
  const chain = isDead ? followed.map((block) => (isKept(block) ? block : onDeadBranch(block))) : followed
  return {
    genesisStateHash: network.genesisStateHash,
    slotsPerEpoch: 7140,
    genesisOf: ({ height }) => (height < network.genesis.height ? old.genesis : network.genesis),
    blocks: hasWrongHashes ? chain.map(withWrongHashes) : chain,
    forgotten: new Map(),
    tip: chain.at(-1),
    isCanonical: ({ height, stateHash }) => chain[height - 1]?.stateHash === stateHash,
    ledger: () => new Map(),
    stakingLedgers: () => {
      throw new Error('no simulated indexer has staking ledgers')
    },
    username: () => null,
  }
}

/**
 * Makes the port of a process to the indexer of a network.
 *
 * @param followed the network that it is on for a question; after a hard fork it may be the next one
 */
export function indexerOf(network: Network, followed: () => Network, setting: IndexerSetting, random: Random) {
  let asked: Network = network
  const onDeadBranch = deadBranch(setting.deadAbove)
  const root = indexerResolvers(() => ingestedBy(asked, network, setting, onDeadBranch))
  const context: AnswerContext = { notes: {} }
  return ({ after }: Process): QueryUpstream =>
    ({ document }, variables) =>
      new Promise((resolve, reject) => {
        const isRefused = random() < setting.refusedShare
        after(integerBetween(random, 3, 300), () => {
          if (isRefused) return reject(new WireError('unreachable', 'connection refused', { isUnsent: true }))
          // One replica answers the whole question.
          asked = followed()
          resolve({ status: 200, ...answer(root, document, variables, context) })
        })
      })
}
