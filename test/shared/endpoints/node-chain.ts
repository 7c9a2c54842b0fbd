// A node and an indexer that have the same blocks: the proof that the indexer follows the node's chain.
import type { Variables } from '../../../shared/upstream/wire.ts'
import { parentHash, stateHash, tipReplyAt } from '../mapping/node-wire.ts'

/** The state hash of the node's block at a height. */
export const nodeHashAt = (height: number): string => (height === 2 ? stateHash : `3Nat${height}`)

/** The node's block at a height. Its parent is the one below, but for the block above `stateHash`. */
export const nodeBlockAt =
  (parentOfThird = stateHash) =>
  ({ height }: Variables) => {
    const previousStateHash = height === 3 ? parentOfThird : nodeHashAt(Number(height) - 1)
    const protocolState = { consensusState: { blockHeight: `${height}` }, previousStateHash }
    return { data: { ...tipReplyAt(300, parentHash).data, block: { protocolState } } }
  }

/** An indexer's answer with the block that it calls canonical at the height of the proof. */
export const proven =
  (data: object, hashAt = nodeHashAt) =>
  ({ proofHeight }: Variables) => ({
    data: {
      ...data,
      proof: [{ blockHeight: proofHeight, canonical: true, stateHash: hashAt(Number(proofHeight)) }],
    },
  })
