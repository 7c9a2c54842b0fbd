// Epoch and slot of an indexer's block. A mina-indexer computes them with constants of mainnet's chains before Mesa; on any
// other chain they follow from the global slot, the slot of that chain's genesis block, and the length of an epoch.
import type { Indexer } from '../chain/port.ts'
import { berkeleyGenesis, firstMainnetGenesis } from '../contract/genesis-blocks.ts'
import { nodeBusy } from '../upstream/errors.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import type { Network } from '../upstream/network.ts'
import { called, count, nullable, shape, shortText } from '../upstream/wire.ts'

/** The genesis blocks of mainnet's chains whose epochs a mina-indexer knows: the first, and Berkeley's. */
const knownGenesisBlocks: readonly string[] = [firstMainnetGenesis, berkeleyGenesis]

const slotOfBlock = shape({ consensusState: shape({ slotSinceGenesis: count }) })

/** For the genesis block of another chain than the node's. */
export const genesisSlot = indexerQuery(
  'genesisSlot',
  '$stateHash: String!',
  shape({
    block: called(
      'block(query: {stateHash: $stateHash})',
      nullable(shape({ protocolState: slotOfBlock, stateHash: shortText })),
      (block, asked) => block === null || block.stateHash === asked.stateHash,
    ),
  }),
)

/** Infinite if the indexer does not have the block. */
async function indexedSlot(stateHash: string, indexer: Indexer): Promise<number> {
  const { block } = (await indexer.ask(genesisSlot, { stateHash })).data
  return block?.protocolState.consensusState.slotSinceGenesis ?? Number.POSITIVE_INFINITY
}

/** The fields that tell the time of an indexer's block, and whatever else is read of it. */
interface ClockedBlock {
  readonly genesisStateHash: string
  readonly protocolState: {
    readonly consensusState: { readonly epoch: number; readonly slot: number; readonly slotSinceGenesis: number }
  }
}

/**
 * The block with epoch and slot as its chain counts them.
 *
 * @param network the node's, if it is known
 * @throws WireError if node and indexer do not show what they depend on
 */
export async function atOwnClock<Block extends ClockedBlock>(
  block: Block,
  indexer: Indexer,
  network: Network | undefined,
): Promise<Block> {
  const { genesisStateHash: stateHash, protocolState } = block
  if (knownGenesisBlocks.includes(stateHash)) return block
  const slotsPerEpoch = network?.constants?.slotsPerEpoch ?? 0
  const ofNode = network?.genesis.stateHash === stateHash ? network.genesis.slot : undefined
  const slots = protocolState.consensusState.slotSinceGenesis
  const sinceGenesis = slots - (ofNode ?? (await indexedSlot(stateHash, indexer)))
  if (slotsPerEpoch < 1 || sinceGenesis < 0) {
    throw nodeBusy(`nothing shows the epoch of slot ${slots} on the chain of genesis ${stateHash}`)
  }
  const slot = sinceGenesis % slotsPerEpoch
  const epoch = (sinceGenesis - slot) / slotsPerEpoch
  return {
    ...block,
    protocolState: { ...protocolState, consensusState: { ...protocolState.consensusState, epoch, slot } },
  }
}
