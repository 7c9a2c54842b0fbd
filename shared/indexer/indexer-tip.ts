// The tip of an indexer, and the chain that it is on.
import { called, count, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'

/** Null where the indexer has no block yet. */
export const indexerTip = called('block', nullable(shape({ blockHeight: count, genesisStateHash: shortText })))

export type IndexerTip = NonNullable<Wire<typeof indexerTip>>
