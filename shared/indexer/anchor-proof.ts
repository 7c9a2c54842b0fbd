// Proof that the block of a cursor, which no source has shown yet, stands on the node's chain: the indexer that calls it canonical
// has the node's block at the highest height that both have settled. Below a block that a node has shown the links are the proof.
import { ask } from '../chain/actions/ask.ts'
import { namedByNode } from '../chain/actions/find-block.ts'
import type { Anchor } from '../chain/actions/linked-blocks.ts'
import type { Variables, Wire } from '../upstream/wire.ts'
import type { ChainSource } from './chain-source.ts'
import { started } from './indexed.ts'
import { type proofBlock, requireNodeChain } from './node-chain-proof.ts'
import { nodeGenesis } from './old-block-questions.ts'

/** The proof of an anchor, to be shown by each document of the indexer. */
export interface AnchorProof {
  /** Values of the variables that the document declares for it. */
  readonly variables: Variables
  /** @throws WireError `busy` where nothing shows that the indexer follows the node's chain */
  require(shown: Wire<typeof proofBlock>): Promise<void>
}

/** Asks the node for its block while the indexer is asked for those below the anchor. A hard fork's parent needs no other proof. */
export function anchorProof(
  anchor: Anchor,
  { exchange, floor, parent, tipHeight, nodeHeight }: ChainSource,
): AnchorProof {
  const isNeeded = !anchor.isShown && parent === undefined
  const height = Math.max(1, floor)
  const named = isNeeded ? started(namedByNode(exchange, height)) : undefined
  return {
    variables: { proofHeight: height },
    async require(shown) {
      if (named === undefined) return
      const nodeHash = (await named)?.stateHash
      const proof = { height, nodeHash, shown }
      const depth = tipHeight - anchor.height
      const k = nodeHash === undefined ? await networkK(exchange) : Number.POSITIVE_INFINITY
      await requireNodeChain(proof, { height: anchor.height, depth, k, nodeHeight }, exchange)
    },
  }
}

/** Infinite where the node does not say. */
async function networkK(exchange: ChainSource['exchange']): Promise<number> {
  const { daemonStatus } = (await ask(exchange, nodeGenesis, {})).data
  return daemonStatus.consensusConfiguration?.k ?? Number.POSITIVE_INFINITY
}
