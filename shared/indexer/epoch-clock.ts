// Epoch and slot of an indexer's block. A mina-indexer computes them with constants of mainnet's chains before Mesa; on any
// other chain they follow from the global slot, the slot of that chain's genesis block, and the length of an epoch.
import { ask } from '../chain/actions/ask.ts'
import type { IndexerBlock } from '../mapping/indexer-block.ts'
import { nodeBusy } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import { operation } from '../upstream/operation.ts'
import { called, count, hash, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'
import { type Asking, started } from './indexed.ts'

/** The genesis blocks of mainnet's chains whose epochs a mina-indexer knows: the first, and Berkeley's. */
const knownGenesisBlocks: readonly string[] = [
  '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ',
  '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP',
]

const slotOfBlock = shape({ consensusState: shape({ slotSinceGenesis: count }) })

const epochClock = nodeQuery(
  'epochClock',
  '',
  {
    daemonStatus: shape({ consensusConfiguration: nullable(shape({ slotsPerEpoch: count })) }),
    genesisBlock: shape({
      protocolState: shape({ consensusState: shape({ blockchainLength: count, slotSinceGenesis: count }) }),
      stateHash: hash,
    }),
  },
  { needsNoTip: true },
)

/** For the genesis block of another chain than the node's. */
const genesisSlot = operation(
  'indexer',
  'query',
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

export const epochClockOperations = [epochClock, genesisSlot]

/** The node's answer with the slots per epoch and the slot of its genesis block. */
type EpochClock = Promise<{ readonly data: Wire<typeof epochClock.data> }>

/** Asks the node for a chain's epoch clock; undefined where the indexer computes epochs correctly. */
export function epochClockFor(genesisStateHash: string, exchange: Asking): EpochClock | undefined {
  return knownGenesisBlocks.includes(genesisStateHash) ? undefined : started(ask(exchange, epochClock, {}))
}

/**
 * The block with epoch and slot as its chain counts them.
 *
 * @param clock the node's answer, if it was asked while the indexer looked up the block
 * @throws WireError where node and indexer do not tell what they follow from
 */
export async function atOwnClock(
  block: IndexerBlock,
  exchange: Asking,
  clock: EpochClock | undefined,
): Promise<IndexerBlock> {
  const { genesisStateHash: stateHash, protocolState } = block
  if (knownGenesisBlocks.includes(stateHash)) return block
  const { daemonStatus, genesisBlock } = (await (clock ?? ask(exchange, epochClock, {}))).data
  const slotsPerEpoch = daemonStatus.consensusConfiguration?.slotsPerEpoch ?? 0
  const genesis =
    genesisBlock.stateHash === stateHash ? genesisBlock : (await ask(exchange, genesisSlot, { stateHash })).data.block
  const slots = protocolState.consensusState.slotSinceGenesis
  const sinceGenesis = slots - (genesis?.protocolState.consensusState.slotSinceGenesis ?? Number.POSITIVE_INFINITY)
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
