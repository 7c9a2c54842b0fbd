// A node's blocks as an account's history reads them.
import { blocksByHeight } from '../chain/actions/blocks-by-height.ts'
import { blockHeightOf, linkedChain } from '../chain/actions/linked-blocks.ts'
import { pooledUserCommands, pooledZkappCommands, senderAccount } from '../chain/actions/recent-commands.ts'
import { includedCommand, listedCommand } from '../mapping/command.ts'
import { nodeZkappCommand } from '../mapping/zkapp-command.ts'
import { nodeQuery, tooFullBlocks } from '../upstream/node-query.ts'
import { count, hash, instant, listOf, shape, type Wire } from '../upstream/wire.ts'
import { entriesOfBlock, type HistoryEntry, newestFirst } from './history-entry.ts'

const historyBlock = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count }),
    previousStateHash: hash,
  }),
  stateHash: hash,
  transactions: shape({ userCommands: listOf(includedCommand), zkappCommands: listOf(nodeZkappCommand) }),
})

export type HistoryBlock = Wire<typeof historyBlock>

/** Blocks that are read at once: as many as a command is searched for in, and more than an indexer needs to settle. */
export const latestCount = 20

/** The latest blocks, and what the account has sent since. */
export const latestHistory = nodeQuery(
  'latestHistory',
  '$publicKey: PublicKey!, $maxLength: Int!',
  {
    bestChain: linkedChain(historyBlock),
    ledger: senderAccount,
    pooledUserCommands: pooledUserCommands(listedCommand),
    pooledZkappCommands: pooledZkappCommands(nodeZkappCommand),
  },
  { tooLong: tooFullBlocks, lacks: ({ ledger }) => ledger === null },
)

/**
 * Blocks by their heights on the best chain, as many as are wanted. A node converts the blocks that it lists with all of their
 * commands, so those that are known are not listed again.
 */
export const historyBlocks = blocksByHeight('historyBlocks', latestCount, historyBlock, tooFullBlocks)

/** The account's commands in the blocks below a height, newest first. */
export const entriesIn = (blocks: readonly HistoryBlock[], below: number, publicKey: string): readonly HistoryEntry[] =>
  newestFirst(
    blocks
      .filter((block) => blockHeightOf(block) < below)
      .flatMap((block) => {
        const { protocolState, stateHash, transactions } = block
        const header = { height: blockHeightOf(block), stateHash, atMs: protocolState.blockchainState.date }
        return entriesOfBlock({ ...header, ...transactions }, publicKey)
      }),
  )
