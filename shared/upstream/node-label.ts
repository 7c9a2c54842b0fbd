// The label of a node's answer: which tip the node had when it answered, and whether it follows the network.
import { called, count, hash, instant, listOf, nullable, shape, type Wire, type WireType, word } from './wire.ts'

/** The best tip that a node had when it answered. */
export interface NodeLabel {
  /** Height of the tip. */
  readonly height: number
  readonly stateHash: string
  /** Time of the tip's slot, milliseconds since 1970. */
  readonly atMs: number
  /** `SYNCED`, `CATCHUP`, `BOOTSTRAP`, `LISTENING`, `CONNECTING` or `OFFLINE`. */
  readonly syncStatus: string
  /** State hash of the genesis block: the network. A hard fork starts a new one. */
  readonly genesisStateHash: string
}

/**
 * The genesis block of the node's network. The length is there because a Rust node does not have it, and refuses the
 * question: its other fields lack what ours are read from.
 */
export const labelGenesis = shape({
  protocolState: shape({ consensusState: shape({ blockchainLength: count }) }),
  stateHash: hash,
})

/** What a label needs of a tip. A question with a `bestChain` of its own selects at least this of each block. */
export const labelTip = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count }),
  }),
  stateHash: hash,
})

export type LabelTip = Wire<typeof labelTip>

/** The best tip alone, described by what is read of it; null or an empty list from a node without a frontier. */
export const bestTip = <Block>(block: WireType<Block>): WireType<readonly Block[] | null> =>
  called('bestChain(maxLength: 1)', nullable(listOf(block)), (blocks) => blocks === null || blocks.length <= 1)

/** The fields by which an answer is labelled, where its question selects no `bestChain` of its own. */
export const labelFields = { bestChain: bestTip(labelTip), syncStatus: word, genesisBlock: labelGenesis }

/**
 * The label in the data of a node's answer: the last block of its `bestChain`, which lists the tip last, its `syncStatus`
 * and its genesis.
 *
 * @param data the unread data of any answer to a labelled question
 * @returns undefined where the data has no tip that can be read: a node without a frontier, an error, a broken answer
 */
export function labelOf(data: unknown): NodeLabel | undefined {
  const { bestChain, syncStatus, genesisBlock }: { readonly [Key in keyof typeof labelFields]?: unknown } = Object(data)
  const tip: unknown = Array.isArray(bestChain) ? bestChain.at(-1) : undefined
  // So that no error is made for each broadcast, whose answer has none.
  if (tip === undefined) return undefined
  try {
    const { protocolState, stateHash } = labelTip.read(tip, 'tip')
    return {
      height: protocolState.consensusState.blockHeight,
      stateHash,
      atMs: protocolState.blockchainState.date,
      syncStatus: word.read(syncStatus, 'syncStatus'),
      genesisStateHash: labelGenesis.read(genesisBlock, 'genesisBlock').stateHash,
    }
  } catch {
    return undefined
  }
}
