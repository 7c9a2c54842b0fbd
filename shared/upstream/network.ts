// A network as its nodes describe it.
import { nodeQuery } from './node-query.ts'
import { count, hash, nullable, shape, shortText, type Wire } from './wire.ts'

/** Time-out of the question below, in milliseconds. A description that takes longer never comes. */
export const descriptionTimeoutMs = 10_000

/** The one question for what the daemons of a network have in common. A daemon gathers its peers for it, and so is slow to answer. */
export const networkQuery = nodeQuery(
  'nodeNetwork',
  '',
  {
    daemonStatus: shape({
      chainId: shortText,
      consensusConfiguration: nullable(shape({ k: count, slotDuration: count, slotsPerEpoch: count })),
    }),
    genesisBlock: shape({
      protocolState: shape({
        // The length is selected for the reason given at `genesisFields`.
        consensusState: shape({ blockHeight: count, blockchainLength: count, slotSinceGenesis: count }),
        previousStateHash: nullable(hash),
      }),
      stateHash: hash,
    }),
  },
  { needsNoTip: true, timeoutMs: descriptionTimeoutMs },
)

/** Fixed for one genesis block, except the chain id, which an upgrade of all nodes may change. */
export interface Network {
  readonly genesis: {
    readonly stateHash: string
    readonly height: number
    /** Slots between the genesis of the first chain and this block. */
    readonly slot: number
    /** The last block of the chain before the hard fork; undefined if the chain began without one. */
    readonly parent: { readonly stateHash: string; readonly height: number } | undefined
  }
  /** Undefined if the node does not say. */
  readonly constants:
    | {
        /** The depth at which a block is final. */
        readonly k: number
        readonly slotMs: number
        readonly slotsPerEpoch: number
      }
    | undefined
  readonly chainId: string
}

/** The depth at which a block is final; infinite if nothing says it. */
export const kOf = (network: Network | undefined): number => network?.constants?.k ?? Number.POSITIVE_INFINITY

/** Height of the highest block that no reorganisation can reach: below the tips of indexer and node by the network's k. */
export const finalHeightBelow = (indexerHeight: number, nodeHeight: number, k = Number.POSITIVE_INFINITY): number =>
  Math.min(indexerHeight, nodeHeight) - k

export function networkIn({ daemonStatus, genesisBlock }: Wire<typeof networkQuery.data>): Network {
  const { chainId, consensusConfiguration: configuration } = daemonStatus
  const { stateHash, protocolState } = genesisBlock
  const { blockHeight: height, slotSinceGenesis: slot } = protocolState.consensusState
  const { previousStateHash } = protocolState
  // The genesis block of a chain that began without a fork names a parent too, which never was.
  const parent =
    previousStateHash === null || height <= 1 ? undefined : { stateHash: previousStateHash, height: height - 1 }
  return {
    genesis: { stateHash, height, slot, parent },
    constants: configuration
      ? { k: configuration.k, slotMs: configuration.slotDuration, slotsPerEpoch: configuration.slotsPerEpoch }
      : undefined,
    chainId,
  }
}
