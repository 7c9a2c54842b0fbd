// Which rows of an indexer below an anchor are canonical, and what each document must show beside them: behind one address may
// be several replicas. On the node's network the indexer calls canonical the block that the node has at the highest height that
// both have settled; before a hard fork it follows the kept branch.
import { namedByNode } from '../chain/actions/find-block.ts'
import type { Anchor } from '../chain/actions/linked-blocks.ts'
import { indexerBusy } from '../upstream/errors.ts'
import type { Variables, Wire } from '../upstream/wire.ts'
import type { BlockRow } from './anchor-at-indexer.ts'
import { type KeptBranch, keptBranch, keptChainIn, unsettledBlocks } from './before-fork.ts'
import type { ChainSource } from './chain-source.ts'
import { started } from './indexed.ts'
import { type IndexerTip, indexerTip } from './indexer-tip.ts'
import { proofBlock, proofVariable, requireNodeChain } from './node-chain-proof.ts'

/** The variables that a document of rows declares. Where `canonical` is null the rows of forks come too. */
export const judgementVariables = `$canonical: Boolean, ${proofVariable}`

/** The fields that such a document selects beside its rows. */
export const judgementFields = { proof: proofBlock, tip: indexerTip }

interface Shown {
  readonly proof: Wire<typeof proofBlock>
  readonly tip: IndexerTip | null
}

/** True for a row that the variables ask for. */
export const isAskedFor = ({ canonical }: { readonly canonical: boolean }, asked: Variables): boolean =>
  canonical || asked.canonical !== true

export interface RowJudgement {
  /** Values of the variables that each document declares. */
  readonly variables: { readonly canonical: true | null; readonly proofHeight: number }
  /**
   * Tells the canonical blocks of an answer from those of forks.
   *
   * @throws WireError `busy` where the indexer has changed since it was chosen; its function throws it where nothing shows
   *   what a hard fork kept
   */
  canonicity(shown: Shown): (block: BlockRow) => boolean
  /** @throws WireError `busy` where nothing shows that the indexer follows the node's chain */
  requireAnchor(proof: Shown['proof']): Promise<void>
}

/** Asks the node for its block meanwhile. Below a block that a node has shown the links are the proof. */
function onNetwork(anchor: Anchor, source: ChainSource): RowJudgement {
  const { chain, settledHeight, genesisStateHash, nodeHeight, tipHeight } = source
  const height = Math.max(1, settledHeight)
  const named = anchor.isShown ? undefined : started(namedByNode(chain, height))
  return {
    variables: { canonical: true, proofHeight: height },
    canonicity({ tip }) {
      if (tip === null || tip.blockHeight - unsettledBlocks < settledHeight)
        throw indexerBusy('the indexer has gone back')
      return ({ canonical }) => canonical
    },
    async requireAnchor(shown) {
      if (named === undefined) return
      const nodeHash = (await named)?.stateHash
      const depth = tipHeight - anchor.height
      const judged = { height: anchor.height, depth, nodeHeight, genesisStateHash }
      await requireNodeChain({ height, nodeHash, shown }, judged, source)
    },
  }
}

/** The branch is the proof. */
const beforeFork = (branch: KeptBranch): RowJudgement => ({
  variables: { canonical: null, proofHeight: branch.lowest },
  canonicity(shown) {
    const chain = keptChainIn(branch, shown)
    return ({ blockHeight, canonical, stateHash }) => chain.isKept({ stateHash, height: blockHeight, canonical })
  },
  requireAnchor: async () => undefined,
})

/**
 * The judgement for each document of a run.
 *
 * @throws WireError `busy` for an indexer that does not show what a hard fork kept
 */
export async function rowJudgement(anchor: Anchor, source: ChainSource): Promise<RowJudgement> {
  const { genesisStateHash, parent } = source
  const judgement = parent === undefined ? onNetwork(anchor, source) : beforeFork(await keptBranch(source, parent))
  return {
    ...judgement,
    canonicity(shown) {
      if (shown.tip?.genesisStateHash !== genesisStateHash) throw indexerBusy('the indexer has changed its chain')
      return judgement.canonicity(shown)
    },
  }
}
